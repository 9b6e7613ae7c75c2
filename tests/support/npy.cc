// SPDX-License-Identifier: Apache-2.0
#include "support/npy.h"

#include <cstring>
#include <string_view>

#include "base/file.h"
#include "base/status_macros.h"

namespace zhibi::test {
namespace {

template <typename T>
Result<NpyArray<T>> Read(const std::string& path, const std::string& descr) {
  ZB_ASSIGN_OR_RETURN(const base::MappedFile file, base::MappedFile::Open(path));
  const std::string_view text(reinterpret_cast<const char*>(file.bytes().data()),
                              file.bytes().size());
  const auto bad = [&](const char* what) { return InvalidArgumentError(path + ": " + what); };
  constexpr std::size_t kPrefix = 10;
  if (text.size() < kPrefix || !text.starts_with("\x93NUMPY\x01")) return bad("not npy 1.0");
  const std::size_t length =
      static_cast<unsigned char>(text[8]) + std::size_t{256} * static_cast<unsigned char>(text[9]);
  if (text.size() < kPrefix + length) return bad("cut off");
  const std::string header(text.substr(kPrefix, length));
  if (header.find("'descr': '" + descr + "'") == std::string::npos) return bad("another type");
  if (header.find("'fortran_order': False") == std::string::npos) return bad("another order");
  NpyArray<T> array;
  std::size_t at = header.find('(');
  std::size_t count = 1;
  while (at < header.size() && header[at] != ')') {
    if (header[at] < '0' || header[at] > '9') {
      ++at;
      continue;
    }
    std::size_t used = 0;
    array.shape.push_back(std::stoll(header.substr(at), &used));
    count *= static_cast<std::size_t>(array.shape.back());
    at += used;
  }
  if (text.size() != kPrefix + length + count * sizeof(T)) return bad("length does not fit shape");
  array.values.resize(count);
  std::memcpy(array.values.data(), text.data() + kPrefix + length, count * sizeof(T));
  return array;
}

}  // namespace

Result<NpyArray<float>> ReadNpyF32(const std::string& path) { return Read<float>(path, "<f4"); }
Result<NpyArray<std::int64_t>> ReadNpyI64(const std::string& path) {
  return Read<std::int64_t>(path, "<i8");
}

}  // namespace zhibi::test
