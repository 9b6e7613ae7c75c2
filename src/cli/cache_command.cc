// SPDX-License-Identifier: Apache-2.0
#include "cli/cache_command.h"

#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/machine.h"
#include "base/paths.h"
#include "base/status_macros.h"
#include "compile/engine_cache.h"

namespace zhibi::cli {
namespace {

std::string DateOf(std::int64_t seconds) {
  const auto time = static_cast<std::time_t>(seconds);
  std::tm parts{};
  char text[32] = "";
  if (::localtime_r(&time, &parts) != nullptr) {
    std::strftime(text, sizeof(text), "%Y-%m-%d %H:%M", &parts);
  }
  return text;
}

}  // namespace

Status RunCacheList(const CacheListOptions& options) {
  const std::vector<compile::CacheEntry> entries = compile::ListCache();
  std::int64_t total = 0;
  nlohmann::json list = nlohmann::json::array();
  for (const compile::CacheEntry& entry : entries) {
    total += entry.bytes;
    if (options.json) {
      list.push_back({{"path", entry.path},
                      {"source", entry.source},
                      {"precision", entry.precision},
                      {"fingerprint", entry.fingerprint},
                      {"problem", entry.problem},
                      {"bytes", entry.bytes},
                      {"last_used", entry.last_used}});
      continue;
    }
    std::printf("%10s  %s  %-5s %s\n            %s%s%s\n",
                base::FormatByteSize(entry.bytes).c_str(), DateOf(entry.last_used).c_str(),
                entry.precision.c_str(), entry.path.c_str(), entry.source.c_str(),
                entry.problem.empty() ? "" : "unusable: ", entry.problem.c_str());
  }
  if (options.json) {
    const nlohmann::json all = {{"folder", base::CacheDir()}, {"bytes", total}, {"engines", list}};
    std::printf("%s\n", all.dump(2, ' ', false, nlohmann::json::error_handler_t::replace).c_str());
    return OkStatus();
  }
  std::printf("%zu engines, %s in %s\n", entries.size(), base::FormatByteSize(total).c_str(),
              base::CacheDir().c_str());
  return OkStatus();
}

Status RunCachePrune(const CachePruneOptions& options) {
  ZB_ASSIGN_OR_RETURN(const compile::PruneResult result, compile::PruneCache(options.max_bytes));
  std::printf("removed %lld engines, %s; %s kept\n", static_cast<long long>(result.removed),
              base::FormatByteSize(result.freed_bytes).c_str(),
              base::FormatByteSize(result.kept_bytes).c_str());
  return OkStatus();
}

}  // namespace zhibi::cli
