// SPDX-License-Identifier: Apache-2.0
// Makes safetensors bytes and temporary folders for the tests of this folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace zhibi::test {

// Header length, header, data; `length` overrides the true header length.
inline std::string SafetensorsBytes(std::string_view header, std::string_view data,
                                    std::int64_t length = -1) {
  std::string bytes;
  const std::uint64_t value = length < 0 ? header.size() : static_cast<std::uint64_t>(length);
  for (int i = 0; i < 8; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xFF);
  bytes += header;
  bytes += data;
  return bytes;
}

// A folder of its own that goes away with the object.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    path_ = testing::TempDir() + "zhibi_import_" + info->test_suite_name() + "_" + info->name();
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ~TemporaryFolder() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& path() const { return path_; }
  std::string File(std::string_view name) const { return path_ + "/" + std::string(name); }
  void Write(std::string_view name, std::string_view bytes) const {
    std::ofstream(File(name), std::ios::binary) << bytes;
  }

 private:
  std::string path_;
};

}  // namespace zhibi::test
