// SPDX-License-Identifier: Apache-2.0
#include "base/switches.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>

namespace zhibi::base {
namespace {

constexpr std::string_view kPrefix = "ZHIBI_";

constexpr std::array<SwitchRow, static_cast<std::size_t>(Switch::kNumSwitches)> kTable = {{
    {Switch::kCpu, "ZHIBI_CPU", "scalar|avx2|avx512",
     "highest instruction set that kernels may use"},
    {Switch::kThreads, "ZHIBI_THREADS", "N",
     "threads of the CPU pool, instead of quota and cpuset"},
    {Switch::kLog, "ZHIBI_LOG", "LEVEL|AREA:LEVEL[,...]",
     "what is logged to standard error; areas general dispatch sched kv exec, levels off error "
     "warn "
     "info debug"},
    {Switch::kShareDir, "ZHIBI_SHARE_DIR", "DIR", "folder that holds data/ and models/"},
    {Switch::kCacheDir, "ZHIBI_CACHE_DIR", "DIR",
     "folder of built engines, instead of ~/.cache/zhibi"},
    {Switch::kBackendDir, "ZHIBI_BACKEND_DIR", "DIR", "folder of loadable backend modules"},
    {Switch::kUserDir, "ZHIBI_USER_DIR", "DIR",
     "folder of what users install, such as texts of statutes, instead of ~/.local/share/zhibi"},
}};

constexpr bool TableInOrder() {
  for (std::size_t i = 0; i < kTable.size(); ++i) {
    if (static_cast<std::size_t>(kTable[i].id) != i) return false;
    if (kTable[i].name.substr(0, kPrefix.size()) != kPrefix) return false;
  }
  return true;
}
static_assert(TableInOrder());

}  // namespace

std::span<const SwitchRow> SwitchTable() { return kTable; }

std::string_view SwitchName(Switch id) { return kTable[static_cast<std::size_t>(id)].name; }

std::optional<std::string> SwitchValue(Switch id) {
  return EnvironmentVariable(std::string(SwitchName(id)));
}

std::vector<std::string> UnknownSwitches() {
  std::vector<std::string> unknown;
  for (char** entry = ::environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const std::string_view name = text.substr(0, text.find('='));
    if (name.substr(0, kPrefix.size()) != kPrefix) continue;
    const bool known = std::any_of(kTable.begin(), kTable.end(),
                                   [&](const SwitchRow& row) { return row.name == name; });
    if (!known) unknown.emplace_back(name);
  }
  std::sort(unknown.begin(), unknown.end());
  return unknown;
}

std::optional<std::string> EnvironmentVariable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  if (value == nullptr || *value == '\0') return std::nullopt;
  return std::string(value);
}

}  // namespace zhibi::base
