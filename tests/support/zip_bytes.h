// SPDX-License-Identifier: Apache-2.0
// A ZIP archive byte by byte, so that a test can lie in it: wrong checksums, wrong sizes, names
// that no archiver writes, more entries than there are. Stored, not deflated. Source:
// APPNOTE.TXT 6.3.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace zhibi::testing_support {

struct RawEntry {
  std::string name;
  std::string data;
  std::uint32_t wrong_crc = 0;  // added to the right one
  std::uint32_t more_size = 0;  // added to the declared sizes
};

inline std::uint32_t Crc32(std::string_view data) {
  std::uint32_t crc = 0xFFFFFFFFU;
  for (const char c : data) {
    crc ^= static_cast<unsigned char>(c);
    for (int i = 0; i < 8; ++i) crc = (crc >> 1U) ^ (0xEDB88320U & (0U - (crc & 1U)));
  }
  return ~crc;
}

// `declared`: the number of entries in the end record; 0: the true one.
inline std::string ZipBytes(const std::vector<RawEntry>& entries, std::size_t declared = 0) {
  const auto put = [](std::string& out, std::uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) out += static_cast<char>((value >> (8 * i)) & 0xFFU);
  };
  std::string out;
  std::string directory;
  for (const RawEntry& entry : entries) {
    std::string common;
    put(common, 20, 2);     // version needed
    put(common, 0x800, 2);  // names are UTF-8
    put(common, 0, 2);      // stored
    put(common, 0x00210000, 4);
    put(common, Crc32(entry.data) + entry.wrong_crc, 4);
    put(common, entry.data.size() + entry.more_size, 4);
    put(common, entry.data.size() + entry.more_size, 4);
    put(common, entry.name.size(), 2);
    put(common, 0, 2);  // no extra field
    directory += "PK\x01\x02";
    put(directory, 20, 2);
    directory += common;
    put(directory, 0, 2);  // comment
    put(directory, 0, 2);  // disk
    put(directory, 0, 2);
    put(directory, 0, 4);
    put(directory, out.size(), 4);
    directory += entry.name;
    out += "PK\x03\x04" + common + entry.name + entry.data;
  }
  const std::size_t begin = out.size();
  const std::size_t count = declared == 0 ? entries.size() : declared;
  out += directory + "PK\x05\x06";
  put(out, 0, 4);
  put(out, count, 2);
  put(out, count, 2);
  put(out, directory.size(), 4);
  put(out, begin, 4);
  put(out, 0, 2);
  return out;
}

}  // namespace zhibi::testing_support
