// SPDX-License-Identifier: Apache-2.0
#include "base/log.h"

#include <array>
#include <atomic>
#include <memory>
#include <optional>
#include <string>

#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include "base/switches.h"

namespace zhibi::base {
namespace {

constexpr std::array<std::string_view, static_cast<std::size_t>(LogArea::kNumAreas)> kAreaNames = {
    "general", "dispatch", "sched", "kv", "exec"};
constexpr std::array<std::string_view, 5> kLevelNames = {"off", "error", "warn", "info", "debug"};

using Levels = std::array<std::atomic<LogLevel>, kAreaNames.size()>;

Levels& AreaLevels() {
  static Levels levels{LogLevel::kWarn, LogLevel::kWarn, LogLevel::kWarn, LogLevel::kWarn,
                       LogLevel::kWarn};
  return levels;
}

// Made on first use, so that a run that logs nothing pays nothing.
spdlog::logger& Logger() {
  static const std::unique_ptr<spdlog::logger> kLogger = [] {
    auto logger = std::make_unique<spdlog::logger>(
        "zhibi", std::make_shared<spdlog::sinks::stderr_sink_mt>());
    logger->set_formatter(std::make_unique<spdlog::pattern_formatter>(
        "%Y-%m-%dT%H:%M:%S.%eZ %l %v", spdlog::pattern_time_type::utc));
    logger->set_level(spdlog::level::trace);  // areas filter
    return logger;
  }();
  return *kLogger;
}

spdlog::level::level_enum SpdlogLevel(LogLevel level) {
  switch (level) {
    case LogLevel::kOff:
      return spdlog::level::off;
    case LogLevel::kError:
      return spdlog::level::err;
    case LogLevel::kWarn:
      return spdlog::level::warn;
    case LogLevel::kInfo:
      return spdlog::level::info;
    case LogLevel::kDebug:
      return spdlog::level::debug;
  }
  return spdlog::level::off;
}

template <std::size_t N>
std::optional<std::size_t> IndexOf(const std::array<std::string_view, N>& names,
                                   std::string_view name) {
  for (std::size_t i = 0; i < N; ++i) {
    if (names[i] == name) return i;
  }
  return std::nullopt;
}

template <std::size_t N>
std::string Words(const std::array<std::string_view, N>& names) {
  std::string words;
  for (const std::string_view name : names) {
    if (!words.empty()) words += ' ';
    words += name;
  }
  return words;
}

}  // namespace

Status SetLogLevels(std::string_view spec) {
  std::array<LogLevel, kAreaNames.size()> wanted{};
  wanted.fill(LogLevel::kWarn);
  while (!spec.empty()) {
    const std::size_t comma = spec.find(',');
    const std::string_view entry = spec.substr(0, comma);
    spec = comma == std::string_view::npos ? std::string_view() : spec.substr(comma + 1);
    const std::size_t colon = entry.find(':');
    const std::string_view level_name =
        colon == std::string_view::npos ? entry : entry.substr(colon + 1);
    const std::optional<std::size_t> level = IndexOf(kLevelNames, level_name);
    if (!level) {
      return InvalidArgumentError("log level \"" + std::string(level_name) +
                                  "\": expected one of " + Words(kLevelNames));
    }
    if (colon == std::string_view::npos) {
      wanted.fill(static_cast<LogLevel>(*level));
      continue;
    }
    const std::optional<std::size_t> area = IndexOf(kAreaNames, entry.substr(0, colon));
    if (!area) {
      return InvalidArgumentError("log area \"" + std::string(entry.substr(0, colon)) +
                                  "\": expected one of " + Words(kAreaNames));
    }
    wanted[*area] = static_cast<LogLevel>(*level);
  }
  for (std::size_t i = 0; i < wanted.size(); ++i) AreaLevels()[i].store(wanted[i]);
  return OkStatus();
}

Status InitLogging() {
  return SetLogLevels(SwitchValue(Switch::kLog).value_or("")).WithContext(SwitchName(Switch::kLog));
}

bool LogEnabled(LogArea area, LogLevel level) {
  return level != LogLevel::kOff &&
         level <= AreaLevels()[static_cast<std::size_t>(area)].load(std::memory_order_relaxed);
}

void Log(LogArea area, LogLevel level, std::string_view message) {
  if (!LogEnabled(area, level)) return;
  const std::string_view name = kAreaNames[static_cast<std::size_t>(area)];
  try {
    Logger().log(SpdlogLevel(level), "{}: {}", name, message);
  } catch (const spdlog::spdlog_ex&) {  // NOLINT(bugprone-empty-catch): no place left to say so
  }
}

}  // namespace zhibi::base
