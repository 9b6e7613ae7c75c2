// SPDX-License-Identifier: Apache-2.0
// Times kernel entries of the CPU on cases of ops: `op_bench OP [key=value]...` runs the case
// given, `op_bench OP` those of tests/cases/OP.txt; threads=N and isa=LEVEL choose the device. One
// line an entry: median microseconds of a launch.
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "backend/backend.h"
#include "backend/op_case.h"
#include "backend/op_runner.h"

namespace zhibi::backend {
namespace {

int Main(int argc, char** argv) {
  if (argc < 2) {
    std::fputs("usage: op_bench OP [threads=N] [isa=LEVEL] [key=value]...\n", stderr);
    return 2;
  }
  const std::string op = argv[1];
  std::map<std::string, std::string> keys;
  for (int i = 2; i < argc; ++i) {
    const std::string word = argv[i];
    const std::size_t equals = word.find('=');
    keys[word.substr(0, equals)] = equals == std::string::npos ? "1" : word.substr(equals + 1);
  }
  DeviceOptions options;
  if (keys.count("threads") != 0) options.threads = std::stoi(keys["threads"]);
  if (keys.count("isa") != 0) options.isa = keys["isa"];
  const std::size_t device_keys = keys.count("threads") + keys.count("isa");
  auto device = OpenDevice("cpu", options);
  if (!device.ok()) {
    std::fprintf(stderr, "%s\n", device.status().ToString().c_str());
    return 1;
  }
  std::vector<OpCase> cases = {OpCase(op, "command line", keys)};
  if (keys.size() == device_keys) {
    auto loaded = LoadCases(std::string(ZHIBI_SOURCE_DIR) + "/tests/cases/" + op + ".txt", op);
    if (!loaded.ok()) {
      std::fprintf(stderr, "%s\n", loaded.status().ToString().c_str());
      return 1;
    }
    cases = std::move(*loaded);
  }
  for (const OpCase& op_case : cases) {
    auto problem = MakeProblem(op_case);
    if (!problem.ok()) {
      std::fprintf(stderr, "%s\n", problem.status().ToString().c_str());
      return 1;
    }
    const QueryOf query(*problem);
    for (const KernelEntry* entry : (*device)->kernels()) {
      if (entry->op != op || !entry->supports(query.query()).empty()) continue;
      if (entry->name.find("_reference") != std::string_view::npos) continue;
      const auto us = TimeEntry(**device, *entry, *problem);
      std::printf("%-16s %-28s %10.2f us\n", op_case.where().c_str(),
                  std::string(entry->name).c_str(), us.ok() ? *us : -1);
    }
  }
  return 0;
}

}  // namespace
}  // namespace zhibi::backend

int main(int argc, char** argv) { return zhibi::backend::Main(argc, argv); }
