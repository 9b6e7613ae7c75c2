// SPDX-License-Identifier: Apache-2.0
// The merge algorithms agree with each other and with the plain loop, on trained and on random
// rules.
#include "text/bpe.h"

#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "text/sample_strings.h"
#include "text/tiny_tokenizer.h"
#include "text/tokenizer_blob.h"
#include "text/tokenizer_data.h"
#include "text/tokenizer_json.h"

namespace zhibi::text {
namespace {

using Ids = std::vector<std::int32_t>;

// Merging by definition: the first rule that applies anywhere, at its leftmost place.
Ids Plain(const TokenizerData& data, std::string_view word) {
  Ids ids;
  for (const char byte : word) ids.push_back(data.byte_ids[static_cast<unsigned char>(byte)]);
  while (true) {
    std::uint32_t best = kNoRule;
    std::size_t at = 0;
    for (std::size_t i = 0; i + 1 < ids.size(); ++i) {
      const std::uint32_t rule = data.FindMerge(ids[i], ids[i + 1]);
      if (rule < best) {
        best = rule;
        at = i;
      }
    }
    if (best == kNoRule) return ids;
    ids[at] = data.rules[best].result;
    ids.erase(ids.begin() + static_cast<std::ptrdiff_t>(at) + 1);
  }
}

struct Loaded {
  std::string blob;
  TokenizerData data;
  explicit Loaded(const TokenizerSpec& spec) : blob(WriteBlob(spec)) {
    const Status status = ReadBlob(std::as_bytes(std::span(blob)), &data);
    EXPECT_TRUE(status.ok()) << status.ToString();
  }
};

void ExpectAllAgree(const TokenizerData& data, const std::string& word) {
  const Ids expected = Plain(data, word);
  Ids ids;
  MergeLong(data, word, &ids);
  ASSERT_EQ(ids, expected) << "long: " << word;
  ids.clear();
  EncodeWord(data, word, &ids);
  ASSERT_EQ(ids, expected) << "cached or not: " << word;
  ids.clear();
  EncodeWord(data, word, &ids);
  ASSERT_EQ(ids, expected) << "again: " << word;
  if (word.size() > kMaxShortWord) return;
  ids.clear();
  MergeShort(data, word, &ids);
  ASSERT_EQ(ids, expected) << "short: " << word;
}

TEST(BpeTest, TrainedRules) {
  const Loaded loaded(ReadTokenizerJson(TinyTokenizer().dump(), "t.json").value());
  for (const std::string& line : LegalLines()) ExpectAllAgree(loaded.data, line);
  for (const std::string& text : SampleStrings(21, 1500, true)) ExpectAllAgree(loaded.data, text);
}

// Random rules over the bytes of a few characters: parts of characters merge with neighbours in
// every order, so the table of whole characters must know when to keep out.
TEST(BpeTest, RandomRules) {
  std::mt19937 random(77);
  const std::vector<std::string> characters = {"a",      " ",      "\u539F", "\u544A", "\u539E",
                                               "\uFF0C", "\u3000", "\u4E00", "\u5440"};
  int num_whole = 0;
  for (int round = 0; round < 300; ++round) {
    TokenizerSpec spec;
    for (std::int32_t b = 0; b < 256; ++b) {
      spec.tokens.emplace_back(1, static_cast<char>(b));
      spec.token_flags.push_back(kTokenPresent | kTokenMergeable);
      spec.byte_ids[static_cast<std::size_t>(b)] = b;
    }
    // Grow tokens from pairs that occur in random text, in random order of rank.
    std::vector<std::int32_t> pool;
    std::string text;
    for (int i = 0; i < 40; ++i) text += characters[random() % characters.size()];
    for (const char byte : text) pool.push_back(static_cast<unsigned char>(byte));
    for (std::size_t n = 4 + random() % 60; n > 0 && pool.size() > 1; --n) {
      std::size_t at = random() % (pool.size() - 1);
      // More often than not a pair inside a character, so that whole characters come about.
      const auto opens = [&](std::size_t i) {
        const std::string& token = spec.tokens[static_cast<std::size_t>(pool[i])];
        return static_cast<unsigned char>(token[0]) >= 0xE3 && token.size() < 3;
      };
      for (int tries = 0; tries < 6 && random() % 4 != 0 && !opens(at); ++tries) {
        at = random() % (pool.size() - 1);
      }
      const auto left = static_cast<std::size_t>(pool[at]);
      const auto right = static_cast<std::size_t>(pool[at + 1]);
      const auto id = static_cast<std::int32_t>(spec.tokens.size());
      spec.merges.push_back({pool[at], pool[at + 1], id});
      spec.tokens.push_back(spec.tokens[left] + spec.tokens[right]);
      spec.token_flags.push_back(kTokenPresent | kTokenMergeable);
      pool[at] = id;
      pool.erase(pool.begin() + static_cast<std::ptrdiff_t>(at) + 1);
    }
    if (random() % 2 == 0) std::shuffle(spec.merges.begin(), spec.merges.end(), random);
    const Loaded loaded(spec);
    for (const std::uint32_t entry : loaded.data.char_tokens)
      num_whole += entry == kEmptySlot ? 0 : 1;
    for (int i = 0; i < 60; ++i) {
      std::string word;
      for (std::size_t n = 1 + random() % 12; n > 0; --n)
        word += characters[random() % characters.size()];
      if (random() % 8 == 0 && word.size() > 2)
        word = word.substr(1 + random() % 2);  // begins inside a character
      if (!word.empty()) ExpectAllAgree(loaded.data, word);
    }
  }
  EXPECT_GT(num_whole, 50) << "the table of whole characters was hardly used";
}

// A blank that merges with the first byte of a character first keeps that character in pieces, but
// only after a blank.
TEST(BpeTest, BlankBeforeACharacterMayTakeItsFirstByte) {
  TokenizerSpec spec;
  for (std::int32_t b = 0; b < 256; ++b) {
    spec.tokens.emplace_back(1, static_cast<char>(b));
    spec.token_flags.push_back(kTokenPresent | kTokenMergeable);
    spec.byte_ids[static_cast<std::size_t>(b)] = b;
  }
  for (const char* token : {" \xE5", "\xE5\x8E", "\xE5\x8E\x9F"}) {
    spec.tokens.emplace_back(token);
    spec.token_flags.push_back(kTokenPresent | kTokenMergeable);
  }
  spec.merges = {{' ', 0xE5, 256}, {0xE5, 0x8E, 257}, {257, 0x9F, 258}};
  const Loaded loaded(spec);
  ASSERT_EQ(loaded.data.char_tokens.size(), kNumCharSlots);
  EXPECT_EQ(loaded.data.char_tokens[0x539F - 0x3000], 258U) << "whole, but not after ASCII";
  for (const char* word : {"\u539F", " \u539F", "\u539F\u539F", "\u539F \u539F", "a\u539F"}) {
    ExpectAllAgree(loaded.data, word);
  }
  Ids ids;
  EncodeWord(loaded.data, " \u539F", &ids);
  EXPECT_EQ(ids, (Ids{256, 0x8E, 0x9F}));
}

TEST(BpeTest, RepeatedRuleCountsOnceAtItsLastPlace) {
  nlohmann::json file = TinyTokenizer();
  nlohmann::json& merges = file["model"]["merges"];
  merges.push_back(merges[0]);
  const Loaded loaded(ReadTokenizerJson(file.dump(), "t.json").value());
  const MergeRule first = loaded.data.rules[0];
  EXPECT_EQ(loaded.data.FindMerge(first.left, first.right), merges.size() - 1);
}

}  // namespace
}  // namespace zhibi::text
