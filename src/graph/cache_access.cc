// SPDX-License-Identifier: Apache-2.0
#include "graph/cache_access.h"

#include <cstring>

#include "quant/codec.h"

namespace zhibi::graph {
namespace {

std::byte* PageOf(const CacheLayer& cache, std::span<const std::int32_t> pages,
                  std::int64_t position) {
  const std::int64_t index = position / cache.view.page_tokens;
  if (position < 0 || index >= static_cast<std::int64_t>(pages.size())) return nullptr;
  const std::int32_t page = pages[static_cast<std::size_t>(index)];
  if (page < 0) return nullptr;
  return cache.view.base + page * cache.view.page_bytes + cache.layer * cache.view.layer_bytes;
}

}  // namespace

std::byte* KeyAddress(const CacheLayer& cache, std::span<const std::int32_t> pages,
                      std::int64_t position, std::int64_t kv_head) {
  std::byte* page = PageOf(cache, pages, position);
  if (page == nullptr) return nullptr;
  const std::int64_t slot = position % cache.view.page_tokens;
  const std::int64_t row = kv_head * cache.view.page_tokens + slot;
  return page + row * cache.head_dim * DTypeBits(cache.view.dtype) / 8;
}

std::byte* ValueAddress(const CacheLayer& cache, std::span<const std::int32_t> pages,
                        std::int64_t position, std::int64_t kv_head) {
  std::byte* page = PageOf(cache, pages, position);
  if (page == nullptr) return nullptr;
  const std::int64_t slot = position % cache.view.page_tokens;
  const std::int64_t row = kv_head * cache.view.page_tokens + slot;
  const std::int64_t keys =
      static_cast<std::int64_t>(cache.kv_heads) * cache.view.page_tokens * cache.head_dim;
  return page + (keys + row * cache.value_dim) * DTypeBits(cache.view.dtype) / 8;
}

float LoadElement(const std::byte* row, DType dtype, std::int64_t index) {
  if (dtype == DType::kF32) {
    float value = 0;
    std::memcpy(&value, row + index * 4, sizeof(value));
    return value;
  }
  std::uint16_t bits = 0;
  std::memcpy(&bits, row + index * 2, sizeof(bits));
  return dtype == DType::kF16 ? quant::F16ToF32(bits) : quant::BF16ToF32(bits);
}

void StoreElement(std::byte* row, DType dtype, std::int64_t index, float value) {
  if (dtype == DType::kF32) {
    std::memcpy(row + index * 4, &value, sizeof(value));
    return;
  }
  const std::uint16_t bits =
      dtype == DType::kF16 ? quant::F32ToF16(value) : quant::F32ToBF16(value);
  std::memcpy(row + index * 2, &bits, sizeof(bits));
}

}  // namespace zhibi::graph
