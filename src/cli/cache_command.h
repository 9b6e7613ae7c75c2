// SPDX-License-Identifier: Apache-2.0
// `zhibi cache list|prune`: the engines that were built on first use.
#pragma once

#include <cstdint>

#include "zhibi/status.h"

namespace zhibi::cli {

struct CacheListOptions {
  bool json = false;
};
Status RunCacheList(const CacheListOptions& options);

struct CachePruneOptions {
  std::int64_t max_bytes = 0;  // keep the most recently used up to this; 0: remove all
};
Status RunCachePrune(const CachePruneOptions& options);

}  // namespace zhibi::cli
