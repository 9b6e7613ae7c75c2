// SPDX-License-Identifier: Apache-2.0
#include "text/byte_alphabet.h"

#include <string>

#include <gtest/gtest.h>

#include "text/tiny_tokenizer.h"

namespace zhibi::text {
namespace {

TEST(ByteAlphabetTest, EveryByteComesBack) {
  for (int b = 0; b < 256; ++b) {
    const std::string bytes(1, static_cast<char>(b));
    EXPECT_EQ(SpellingOfBytes(bytes), SpellBytes(bytes));
    std::string back;
    ASSERT_TRUE(BytesOfSpelling(SpellingOfBytes(bytes), &back));
    EXPECT_EQ(back, bytes);
  }
}

TEST(ByteAlphabetTest, KnownSpellings) {
  EXPECT_EQ(SpellingOfBytes(" a\n"), "\u0120a\u010A");
  std::string bytes;
  ASSERT_TRUE(BytesOfSpelling("\u00E5\u0130\u0141", &bytes));
  EXPECT_EQ(bytes, "\xE5\x8E\x9F");  // U+539F
  EXPECT_TRUE(BytesOfSpelling("", &bytes));
  EXPECT_EQ(bytes, "");
}

TEST(ByteAlphabetTest, OtherCharactersAreOutside) {
  std::string bytes;
  for (const char* text : {" ", "\n", "\u00A0", "\u00AD", "\u0144", "\u539F", "a\u539F", "\xFF"}) {
    EXPECT_FALSE(BytesOfSpelling(text, &bytes)) << text;
  }
}

}  // namespace
}  // namespace zhibi::text
