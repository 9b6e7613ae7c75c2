// SPDX-License-Identifier: Apache-2.0
// `zhibi doctor`: what the program sees of this machine and of its own files, and what to do about
// what is wrong. Reads only. Thread rule: one thread.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace zhibi::cli {

struct DoctorOptions {
  bool json = false;
};

struct DoctorProblem {
  std::string what;  // one sentence
  std::string mend;  // what to do
};

// Fills `facts` with {"version", "build", "cpu", "threads", "limits", "memory", "files", "cache",
// "switches"} and returns the problems found.
std::vector<DoctorProblem> Examine(nlohmann::json& facts);

// Prints the report to standard output, as text or as one JSON object with the problems under
// "problems". Returns 0, or 1 when there are problems.
int RunDoctor(const DoctorOptions& options);

}  // namespace zhibi::cli
