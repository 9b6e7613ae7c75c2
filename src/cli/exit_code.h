// SPDX-License-Identifier: Apache-2.0
// Exit codes of the program, one table for all commands (README, "Exit codes").
#pragma once

#include "zhibi/status.h"

namespace zhibi::cli {

inline constexpr int kExitOk = 0;
inline constexpr int kExitFailed = 1;  // the work could not be done; the message says why
inline constexpr int kExitUsage = 2;   // wrong options or input: unknown flag, bad field, bad file
inline constexpr int kExitMachine =
    3;  // this machine or engine does not fit: rebuild, memory, device
inline constexpr int kExitInterrupted =
    130;  // Ctrl-C; nothing half done is left behind (128 + signal)

// The code for a status; kExitOk for ok.
int ExitCodeFor(const Status& status);

}  // namespace zhibi::cli
