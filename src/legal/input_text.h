// SPDX-License-Identifier: Apache-2.0
// Bytes of an input file to UTF-8. Files from offices come with a byte order mark, in UTF-16 or in
// GBK; each of them is recognised, converted and named, instead of failing later with "invalid
// UTF-8". Conversion is iconv's (libc). Thread-safe.
#pragma once

#include <string>
#include <string_view>

#include "zhibi/status.h"

namespace zhibi::legal {

struct InputText {
  std::string utf8;
  // For the user, empty when there was nothing to do: "文件是 GB18030（GBK）编码，已按此读取 /
  // ...".
  std::string note;
};

// kInvalidArgument: none of UTF-8, UTF-16 with mark, GB18030; names the source and the first bad
// byte.
Result<InputText> DecodeInput(std::string bytes, std::string_view source);

}  // namespace zhibi::legal
