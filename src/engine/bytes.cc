// SPDX-License-Identifier: Apache-2.0
#include "engine/bytes.h"

namespace zhibi::engine {

std::span<const std::byte> ByteReader::GetRaw(std::size_t size) {
  if (failed()) return {};
  if (size > remaining()) {
    Fail("expected " + std::to_string(size) + " more bytes, " + std::to_string(remaining()) +
         " are left");
    return {};
  }
  const std::span<const std::byte> raw = bytes_.subspan(position_, size);
  position_ += size;
  return raw;
}

bool ByteReader::GetBool(std::string_view field) {
  const auto value = Get<std::uint8_t>();
  if (value > 1) FailRange(field, value, 1);
  return value == 1;
}

std::string ByteReader::GetText(std::string_view field) {
  const std::size_t size = GetCount(field, 1);
  const std::span<const std::byte> raw = GetRaw(size);
  return {reinterpret_cast<const char*>(raw.data()), raw.size()};
}

std::size_t ByteReader::GetCount(std::string_view field, std::size_t min_bytes) {
  const std::size_t count = Get<std::uint32_t>();
  if (count > remaining() / min_bytes) {
    Fail(std::string(field) + ": " + std::to_string(count) + " entries do not fit into the " +
         std::to_string(remaining()) + " bytes that are left");
    return 0;
  }
  return failed() ? 0 : count;
}

void ByteReader::Fail(const std::string& message) {
  if (failed()) return;
  status_ = DataLossError("section " + std::string(what_) + " at offset " +
                          std::to_string(base_ + position_) + ": " + message);
}

void ByteReader::FailRange(std::string_view field, int got, int last) {
  Fail(std::string(field) + ": expected 0.." + std::to_string(last) + ", got " +
       std::to_string(got));
}

Status ByteReader::Finish() {
  if (!failed() && remaining() != 0) {
    Fail(std::to_string(remaining()) + " bytes left over after the last field");
  }
  return status_;
}

}  // namespace zhibi::engine
