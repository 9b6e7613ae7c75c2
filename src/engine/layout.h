// SPDX-License-Identifier: Apache-2.0
// The fixed bytes of an engine file, shared by reader, writer and the fuzzer that mends checksums.
// Format version 1:
//
//   0     Header (128 bytes), zeros up to 4096
//   4096  section weights: tensors one after the other, each 64-byte aligned
//   ...   the other sections, each 64-byte aligned
//   ...   section table: u32 count, then per section {text fingerprint, i32 rank, text role,
//         u64 offset, u64 bytes, u64 checksum}; it ends the file
//
// Checksums are XXH3-64. Constants; immutable. Contract: docs/contracts/engine.md.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

namespace zhibi::engine {

inline constexpr std::array<char, 8> kMagic = {'Z', 'H', 'I', 'B', 'I', 'E', 'N', 'G'};
inline constexpr std::uint64_t kWeightsOffset = 4096;
inline constexpr std::uint64_t kSectionAlignment = 64;
inline constexpr std::uint32_t kMaxSections = 1024;

// Magic, version and writer keep their places in every format: an older program can say what it
// met.
struct Header {
  std::array<char, 8> magic;
  std::uint32_t format_version;
  std::uint32_t num_sections;
  std::array<char, 32> zhibi_version;  // of the writer, zero-padded
  std::uint64_t file_bytes;
  std::uint64_t table_offset;
  std::uint64_t table_bytes;
  std::uint64_t table_checksum;
  std::array<std::uint64_t, 5> reserved;  // zero
  std::uint64_t header_checksum;          // of all bytes before it
};
static_assert(sizeof(Header) == 128 && std::is_trivially_copyable_v<Header>);

std::uint64_t Checksum(std::span<const std::byte> bytes);

}  // namespace zhibi::engine
