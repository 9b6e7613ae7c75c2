// SPDX-License-Identifier: Apache-2.0
// One safetensors file: 8 bytes of header length (little endian), a JSON header of tensors, then
// their bytes. The file is hostile: everything is checked before a byte of a tensor is looked at,
// in particular that the ranges tile the data exactly (no overlap, no hole, nothing cut off, no
// trailing bytes), so that a truncated download never turns into zeros. Errors name file, tensor,
// what was expected and what came. Immutable once open; thread-safe.
// Source: the format description in the safetensors project's README.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "zhibi/status.h"
#include "zhibi/types.h"

namespace zhibi::import {

struct SafetensorsEntry {
  std::string name;
  std::string dtype_name;      // as the file says: "BF16"
  std::optional<DType> dtype;  // absent for types that zhibi does not read
  std::vector<std::int64_t> shape;
  std::uint64_t begin = 0;  // into the data after the header
  std::uint64_t end = 0;
};

class SafetensorsFile {
 public:
  // Longest header that is read, as in the reference reader.
  static constexpr std::uint64_t kMaxHeaderBytes = 100'000'000;

  // Errors of base::MappedFile::Open; kInvalidArgument for a header that breaks a rule; kDataLoss
  // for a file shorter than its header says.
  static Result<SafetensorsFile> Open(const std::string& path);
  // The same over bytes in memory, which must outlive the result; `source` names them in messages.
  static Result<SafetensorsFile> Parse(std::span<const std::byte> bytes, std::string source);

  const std::vector<SafetensorsEntry>& entries() const { return entries_; }  // sorted by name
  const SafetensorsEntry* Find(std::string_view name) const;
  std::span<const std::byte> Bytes(const SafetensorsEntry& entry) const;
  const std::string& path() const { return path_; }
  std::span<const std::byte> header() const { return header_; }  // the JSON text
  std::uint64_t size() const { return size_; }

 private:
  Status ReadHeader(std::span<const std::byte> bytes);

  base::MappedFile file_;
  std::string path_;
  std::uint64_t size_ = 0;
  std::span<const std::byte> header_;
  std::span<const std::byte> data_;
  std::vector<SafetensorsEntry> entries_;
};

// "[2, 64]"
std::string ShapeText(std::span<const std::int64_t> shape);

}  // namespace zhibi::import
