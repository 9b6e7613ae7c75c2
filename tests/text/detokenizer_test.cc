// SPDX-License-Identifier: Apache-2.0
#include "text/detokenizer.h"

#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/utf8.h"
#include "text/sample_strings.h"
#include "text/tiny_tokenizer.h"

namespace zhibi::text {
namespace {

const Tokenizer& Tiny() {
  static const Tokenizer tokenizer = Tokenizer::FromJson(TinyTokenizer().dump(), "t.json").value();
  return tokenizer;
}

// Pieces as a client would get them; checks that each is whole characters and that little is held.
std::string Stream(const std::vector<TokenId>& ids, bool skip_special) {
  Detokenizer stream(&Tiny(), skip_special);
  std::string text;
  for (const TokenId id : ids) {
    std::string piece;
    EXPECT_TRUE(stream.Push(id, &piece).ok());
    EXPECT_TRUE(base::IsValidUtf8(piece)) << piece;
    EXPECT_LE(stream.num_held(), 3);
    text += piece;
  }
  stream.Finish(&text);
  return text;
}

TEST(DetokenizerTest, PiecesAddUpToTheWholeText) {
  for (const std::string& text : SampleStrings(31, 2000, false)) {
    const std::vector<TokenId> ids = Tiny().Encode(text, {.parse_special = true});
    for (const bool skip_special : {false, true}) {
      ASSERT_EQ(Stream(ids, skip_special), Tiny().Decode(ids, skip_special).value()) << text;
    }
  }
}

// Any ids at all: models write bytes that never become characters.
TEST(DetokenizerTest, RandomIdsAddUpToo) {
  std::mt19937 random(4);
  for (int i = 0; i < 5000; ++i) {
    std::vector<TokenId> ids;
    for (std::size_t n = random() % 12; n > 0; --n) {
      const bool byte = random() % 2 == 0;
      ids.push_back(static_cast<TokenId>(
          random() % (byte ? 256 : static_cast<std::size_t>(Tiny().vocab_size()))));
    }
    const std::string expected = Tiny().Decode(ids, false).value();
    ASSERT_EQ(Stream(ids, false), expected);
    std::string bytes;
    for (const TokenId id : ids) bytes += Tiny().TokenBytes(id);
    ASSERT_EQ(base::RepairUtf8(bytes), expected);
  }
}

TEST(DetokenizerTest, HoldsHalfACharacterAndNoMore) {
  Detokenizer stream(&Tiny(), true);
  std::string text;
  ASSERT_TRUE(stream.Push(0xE5, &text).ok());
  ASSERT_TRUE(stream.Push(0x8E, &text).ok());
  EXPECT_EQ(text, "");
  EXPECT_EQ(stream.num_held(), 2);
  ASSERT_TRUE(stream.Push(0x9F, &text).ok());
  EXPECT_EQ(text, "\u539F");
  EXPECT_EQ(stream.num_held(), 0);
}

TEST(DetokenizerTest, InvalidBytesAreReplacedAtOnce) {
  Detokenizer stream(&Tiny(), true);
  std::string text;
  ASSERT_TRUE(stream.Push(0xFF, &text).ok());
  EXPECT_EQ(text, "\uFFFD");
  ASSERT_TRUE(stream.Push(0x80, &text).ok());
  EXPECT_EQ(text, "\uFFFD\uFFFD");
  ASSERT_TRUE(stream.Push(0xE5, &text).ok());
  ASSERT_TRUE(stream.Push(0x8E, &text).ok());
  ASSERT_TRUE(stream.Push('a', &text)
                  .ok());  // the beginning can no longer be a character: one U+FFFD for both bytes
  EXPECT_EQ(text, "\uFFFD\uFFFD\uFFFDa");
  ASSERT_TRUE(stream.Push(0xF0, &text).ok());
  ASSERT_TRUE(stream.Push(0xF0, &text).ok());
  EXPECT_EQ(text, "\uFFFD\uFFFD\uFFFDa\uFFFD");
  stream.Finish(&text);
  EXPECT_EQ(text, "\uFFFD\uFFFD\uFFFDa\uFFFD\uFFFD");
}

TEST(DetokenizerTest, SpecialTokensDoNotBreakAHeldCharacter) {
  const TokenId end = Tiny().IdOf("<|im_end|>").value();
  const std::vector<TokenId> ids = {0xE5, 0x8E, end, 0x9F};
  EXPECT_EQ(Stream(ids, true), "\u539F");
  EXPECT_EQ(Tiny().Decode(ids, true).value(), "\u539F");
  EXPECT_EQ(Stream(ids, false), "\uFFFD<|im_end|>\uFFFD");
}

TEST(DetokenizerTest, BadIdLeavesTheStateAlone) {
  Detokenizer stream(&Tiny(), true);
  std::string text;
  ASSERT_TRUE(stream.Push(0xE5, &text).ok());
  EXPECT_EQ(stream.Push(-1, &text).code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(stream.Push(1 << 24, &text).code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(stream.num_held(), 1);
  ASSERT_TRUE(stream.Push(0x8E, &text).ok());
  ASSERT_TRUE(stream.Push(0x9F, &text).ok());
  EXPECT_EQ(text, "\u539F");
}

TEST(Utf8StreamTest, EveryCutOfEveryStringGivesTheSame) {
  std::vector<std::string> strings = SampleStrings(41, 150, true);
  strings.push_back("\xF0\x9F\x98\x80\xF0\x9F\x98\xF0\x9F\xF0\xE4\xBD\xA0\xE4\xBD\xED\xA0\x80\xC2");
  std::mt19937 random(8);
  for (const std::string& text : strings) {
    const std::string expected = base::RepairUtf8(text);
    for (int i = 0; i < 10; ++i) {
      Utf8Stream stream;
      std::string got;
      for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t length =
            std::min<std::size_t>(text.size() - begin, i == 0 ? 1 : 1 + random() % 7);
        stream.Push(std::string_view(text).substr(begin, length), &got);
        ASSERT_TRUE(base::IsValidUtf8(got));
        begin += length;
      }
      stream.Finish(&got);
      ASSERT_EQ(got, expected);
    }
  }
}

}  // namespace
}  // namespace zhibi::text
