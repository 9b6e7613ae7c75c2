// SPDX-License-Identifier: Apache-2.0
// `zhibi doctypes`: the document types that are installed, what each needs, a blank form of its
// elements, and whether a type keeps what its cases promise.
#pragma once

#include <string>

#include "zhibi/status.h"

namespace zhibi::cli {

struct DoctypesOptions {
  std::string id;      // of show and template; id or folder of validate, empty: all
  std::string format;  // of template: json, csv or xlsx; empty: as `out` ends, else json
  std::string out;     // of template; empty: standard output
  bool json = false;   // list, show
  bool gaps = false;   // validate: what was not taken both ways
};

Status RunDoctypesList(const DoctypesOptions& options);
Status RunDoctypesShow(const DoctypesOptions& options);
Status RunDoctypesTemplate(const DoctypesOptions& options);
// kFailedPrecondition: a type or a case is broken.
Status RunDoctypesValidate(const DoctypesOptions& options);

}  // namespace zhibi::cli
