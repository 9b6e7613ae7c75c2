// SPDX-License-Identifier: Apache-2.0
// Where a position of a sequence lies in a paged cache group (page layout: CacheView in
// graph/op.h), and its elements as floats. For references and tests; kernels walk pages themselves.
// Thread-safe as long as nobody writes the same element.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "graph/op.h"

namespace zhibi::graph {

struct CacheLayer {
  CacheView view;
  std::int32_t layer = 0;
  std::int32_t kv_heads = 0;
  std::int32_t head_dim = 0;
  std::int32_t value_dim = 0;
};

// First element of the key (value) of `position` under the page table row `pages`; nullptr where
// the row has no page for it (past its end, or a negative page id).
std::byte* KeyAddress(const CacheLayer& cache, std::span<const std::int32_t> pages,
                      std::int64_t position, std::int64_t kv_head);
std::byte* ValueAddress(const CacheLayer& cache, std::span<const std::int32_t> pages,
                        std::int64_t position, std::int64_t kv_head);

// Element `index` of a row of dtype kF32, kF16 or kBF16.
float LoadElement(const std::byte* row, DType dtype, std::int64_t index);
void StoreElement(std::byte* row, DType dtype, std::int64_t index, float value);

}  // namespace zhibi::graph
