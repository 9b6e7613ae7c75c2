// SPDX-License-Identifier: Apache-2.0
// Every ZHIBI_* environment switch, in one table that prints its own help. No other file reads the
// environment (tools/check_style.py), so that `zhibi doctor` shows all that can change how the
// program behaves. Thread rule: thread-safe as long as nobody calls setenv; the program never does.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace zhibi::base {

enum class Switch : std::uint8_t {
  kCpu,
  kThreads,
  kLog,
  kShareDir,
  kCacheDir,
  kBackendDir,
  kUserDir,
  kNumSwitches,
};

inline constexpr std::size_t kMaxSwitches = 15;
static_assert(static_cast<std::size_t>(Switch::kNumSwitches) <= kMaxSwitches);

struct SwitchRow {
  Switch id;
  std::string_view name;   // "ZHIBI_CPU"
  std::string_view value;  // "scalar|avx2|avx512"
  std::string_view help;   // one line
};

// In the order of the enum.
std::span<const SwitchRow> SwitchTable();
std::string_view SwitchName(Switch id);

// The value from the environment; none where the variable is unset or empty.
std::optional<std::string> SwitchValue(Switch id);

// Names of ZHIBI_* variables that are set but not in the table: most likely misspelt.
std::vector<std::string> UnknownSwitches();

// A variable that is not ours, e.g. "HOME" or "XDG_CACHE_HOME"; none where it is unset or empty.
std::optional<std::string> EnvironmentVariable(const std::string& name);

}  // namespace zhibi::base
