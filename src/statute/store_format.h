// SPDX-License-Identifier: Apache-2.0
// The file of installed texts, little-endian:
//   StoreHeader | StoreText[num_texts], by key, then day | StoreArticle[num_articles], those of a
//   text together and rising | bytes of names and texts, UTF-8
// Offsets count from the beginning of the file. The checksum covers both tables; texts are checked
// where they are read. Internal to statute.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace zhibi::statute {

static_assert(std::endian::native == std::endian::little);

inline constexpr char kStoreMagic[8] = {'Z', 'H', 'I', 'B', 'I', 'L', 'A', 'W'};
inline constexpr std::uint32_t kStoreFormat = 1;
inline constexpr std::int32_t kNoDay = std::numeric_limits<std::int32_t>::min();
// What one file may hold; offsets are 32 bits.
inline constexpr std::uint64_t kMaxStoreBytes = std::uint64_t{2} << 30;

struct StoreHeader {
  char magic[8];
  std::uint32_t format;
  std::uint32_t num_texts;
  std::uint32_t num_articles;
  std::uint32_t reserved;
  std::uint64_t file_size;
  std::uint64_t index_checksum;
};
static_assert(sizeof(StoreHeader) == 40);

struct StoreText {
  std::uint32_t key_offset;
  std::uint32_t key_size;
  std::uint32_t name_offset;
  std::uint32_t name_size;
  std::uint32_t first_article;
  std::uint32_t num_articles;
  std::int32_t date;  // days since 1970-01-01
  std::int32_t from;
};
static_assert(sizeof(StoreText) == 32);

struct StoreArticle {
  std::uint16_t number;
  std::uint16_t inserted;
  std::uint32_t offset;
  std::uint32_t size;
};
static_assert(sizeof(StoreArticle) == 12);

inline std::uint64_t TextOffset(std::uint64_t index) {
  return sizeof(StoreHeader) + index * sizeof(StoreText);
}
inline std::uint64_t ArticleOffset(std::uint64_t num_texts, std::uint64_t index) {
  return TextOffset(num_texts) + index * sizeof(StoreArticle);
}
inline std::uint64_t StringsOffset(const StoreHeader& header) {
  return ArticleOffset(header.num_texts, header.num_articles);
}

// FNV-1a over 8 bytes at a time: told apart are damage and files cut off, not attackers; those
// meet the checks of every offset.
inline std::uint64_t IndexChecksum(std::string_view bytes) {
  constexpr std::uint64_t kPrime = 0x100000001B3;
  std::uint64_t hash = 0xCBF29CE484222325;
  for (std::size_t at = 0; at < bytes.size(); at += 8) {
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < 8 && at + i < bytes.size(); ++i) {
      word |= std::uint64_t{static_cast<unsigned char>(bytes[at + i])} << (8 * i);
    }
    hash = (hash ^ word) * kPrime;
    hash ^= hash >> 29;
  }
  return hash;
}

// By which texts are sorted: the name in one spelling, without 中华人民共和国.
std::string StoreKey(std::string_view name);

}  // namespace zhibi::statute
