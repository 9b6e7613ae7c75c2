// SPDX-License-Identifier: Apache-2.0
// Log lines to standard error, by area and level, set by ZHIBI_LOG ("debug",
// "dispatch:debug,kv:info"). Default: warn. Never log document text, prompts or names of parties at
// any level. spdlog stays inside log.cc. Thread rule: thread-safe. InitLogging once, before threads
// start.
#pragma once

#include <cstdint>
#include <string_view>

#include "zhibi/status.h"

namespace zhibi::base {

enum class LogArea : std::uint8_t { kGeneral, kDispatch, kSched, kKv, kExec, kNumAreas };
enum class LogLevel : std::uint8_t { kOff, kError, kWarn, kInfo, kDebug };

// Reads ZHIBI_LOG. kInvalidArgument names the word and what is accepted; levels stay as they were.
Status InitLogging();
// The same from a text; "" means warn everywhere.
Status SetLogLevels(std::string_view spec);

// Cheap: one relaxed load. Ask before building a costly message.
bool LogEnabled(LogArea area, LogLevel level);
// Nothing where the level is not enabled.
void Log(LogArea area, LogLevel level, std::string_view message);

}  // namespace zhibi::base
