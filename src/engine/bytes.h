// SPDX-License-Identifier: Apache-2.0
// Little-endian bytes of an engine file's small sections: fixed-width integers, length-prefixed
// text and lists. The reader never throws and never reads past its end: the first error sticks, all
// later reads give zeros, and the caller asks once. A list's length is compared with the bytes that
// are left before anything is allocated. One thread at a time. Contract: docs/contracts/engine.md.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "zhibi/status.h"

namespace zhibi::engine {

static_assert(std::endian::native == std::endian::little, "engine files are little-endian");

class ByteWriter {
 public:
  template <typename T>
  void Put(T value) {
    static_assert(std::is_arithmetic_v<T> && !std::is_same_v<T, bool>);
    char raw[sizeof(T)];
    std::memcpy(raw, &value, sizeof(T));
    bytes_.append(raw, sizeof(T));
  }
  void PutBool(bool value) { Put<std::uint8_t>(value ? 1 : 0); }
  void PutText(std::string_view text) {
    Put(static_cast<std::uint32_t>(text.size()));
    bytes_.append(text);
  }
  void PutCount(std::size_t count) { Put(static_cast<std::uint32_t>(count)); }
  void PutRaw(const void* data, std::size_t size) {
    bytes_.append(static_cast<const char*>(data), size);
  }
  std::string Take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

class ByteReader {
 public:
  // `what` names the section in messages; `base` is its offset in the file.
  ByteReader(std::span<const std::byte> bytes, std::string_view what, std::uint64_t base)
      : bytes_(bytes), what_(what), base_(base) {}

  template <typename T>
  T Get() {
    static_assert(std::is_arithmetic_v<T> && !std::is_same_v<T, bool>);
    T value{};
    const std::span<const std::byte> raw = GetRaw(sizeof(T));
    if (raw.size() == sizeof(T)) std::memcpy(&value, raw.data(), sizeof(T));
    return value;
  }
  // A stored byte that must be 0 or 1.
  bool GetBool(std::string_view field);
  // An enumeration stored as one byte: at most `last`.
  template <typename E>
  E GetEnum(std::string_view field, E last) {
    const auto value = Get<std::uint8_t>();
    if (value > static_cast<std::uint8_t>(last)) FailRange(field, value, static_cast<int>(last));
    return failed() ? E{} : static_cast<E>(value);
  }
  std::string GetText(std::string_view field);
  // Number of entries of a list whose entries take at least `min_bytes` each.
  std::size_t GetCount(std::string_view field, std::size_t min_bytes);
  std::span<const std::byte> GetRaw(std::size_t size);

  // Keeps the first message only.
  void Fail(const std::string& message);
  bool failed() const { return !status_.ok(); }
  // kDataLoss when a read failed or bytes are left over.
  Status Finish();
  std::size_t remaining() const { return bytes_.size() - position_; }

 private:
  void FailRange(std::string_view field, int got, int last);

  std::span<const std::byte> bytes_;
  std::string_view what_;
  std::uint64_t base_;
  std::size_t position_ = 0;
  Status status_;
};

}  // namespace zhibi::engine
