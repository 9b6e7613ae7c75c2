// SPDX-License-Identifier: Apache-2.0
#include "cli/exit_code.h"

namespace zhibi::cli {

int ExitCodeFor(const Status& status) {
  switch (status.code()) {
    case StatusCode::kOk:
      return kExitOk;
    case StatusCode::kInvalidArgument:
    case StatusCode::kNotFound:
    case StatusCode::kAlreadyExists:
    case StatusCode::kOutOfRange:
    case StatusCode::kUnimplemented:
      return kExitUsage;
    case StatusCode::kFailedPrecondition:
    case StatusCode::kResourceExhausted:
      return kExitMachine;
    case StatusCode::kCancelled:
      return kExitInterrupted;
    case StatusCode::kUnknown:
    case StatusCode::kDeadlineExceeded:
    case StatusCode::kPermissionDenied:
    case StatusCode::kAborted:
    case StatusCode::kInternal:
    case StatusCode::kUnavailable:
    case StatusCode::kDataLoss:
    case StatusCode::kUnauthenticated:
      return kExitFailed;
  }
  return kExitFailed;
}

}  // namespace zhibi::cli
