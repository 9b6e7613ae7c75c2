// SPDX-License-Identifier: Apache-2.0
// Foreign bytes as a tokenizer.json or as a tokenizer blob; what is accepted must encode, decode
// and serialize without a fault. The first byte chooses: '{' and blanks are JSON, anything else a
// blob (its magic begins with 'Z').
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/tokenizer.h"

namespace {

using zhibi::text::Tokenizer;

void Use(const Tokenizer& tokenizer, std::string_view text) {
  const auto ids =
      tokenizer.Encode(text.substr(0, 4096), {.parse_special = true, .add_special_tokens = true});
  const auto plain =
      tokenizer.Encode("\xE5\x8E\x9F\xE5\x91\x8A It's e\xCC\x81 <|im_end|>\r\n 123\xFF");
  static_cast<void>(tokenizer.Decode(ids, false));
  static_cast<void>(tokenizer.Decode(plain, true));
  static_cast<void>(tokenizer.IdOf("a"));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  if (input.substr(0, 1) != "Z") {
    const auto tokenizer = Tokenizer::FromJson(input, "fuzz");
    if (!tokenizer.ok()) return 0;
    Use(*tokenizer, input);
    // What the reader accepts must come back from its blob.
    const std::string blob = tokenizer->Serialize();
    std::vector<std::uint64_t> aligned(blob.size() / 8 + 1);
    std::memcpy(aligned.data(), blob.data(), blob.size());
    if (!Tokenizer::FromBlob(std::as_bytes(std::span(aligned)).first(blob.size())).ok())
      std::abort();
    return 0;
  }
  std::vector<std::uint64_t> aligned(size / 8 + 1);
  std::memcpy(aligned.data(), data, size);
  const auto tokenizer = Tokenizer::FromBlob(std::as_bytes(std::span(aligned)).first(size));
  if (tokenizer.ok()) Use(*tokenizer, input);
  return 0;
}
