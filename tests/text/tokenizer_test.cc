// SPDX-License-Identifier: Apache-2.0
// Encoding and decoding of the whole tokenizer, on a small trained vocabulary and on zhibi-mini's.
#include "text/tokenizer.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <ctime>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/utf8.h"
#include "text/reference_tokenizer.h"
#include "text/sample_strings.h"
#include "text/tiny_tokenizer.h"

namespace zhibi::text {
namespace {

using nlohmann::json;
using Ids = std::vector<TokenId>;

Tokenizer Make(const json& file) {
  Result<Tokenizer> tokenizer = Tokenizer::FromJson(file.dump(), "tokenizer.json");
  EXPECT_TRUE(tokenizer.ok()) << tokenizer.status().ToString();
  return std::move(tokenizer).value();
}

const Tokenizer& Tiny() {
  static const Tokenizer tokenizer = Make(TinyTokenizer());
  return tokenizer;
}

std::string MiniJson() {
  Result<std::string> file =
      base::ReadFile(ZHIBI_SOURCE_DIR "/models/zhibi-mini/tokenizer.json", std::size_t{64} << 20);
  EXPECT_TRUE(file.ok()) << file.status().ToString();
  return std::move(file).value();
}

TokenId Id(const Tokenizer& tokenizer, std::string_view text) {
  return tokenizer.IdOf(text).value();
}

TEST(TokenizerTest, AgreesWithTheReferenceOnSampleStrings) {
  const ReferenceTokenizer reference(TinyTokenizer().dump());
  for (const std::string& text : SampleStrings(1, 3000, true)) {
    ASSERT_EQ(Tiny().Encode(text), reference.EncodePlain(base::RepairUtf8(text))) << text;
  }
}

TEST(TokenizerTest, AgreesWithTheReferenceOnZhibiMini) {
  const std::string file = MiniJson();
  const Result<Tokenizer> tokenizer = Tokenizer::FromJson(file, "tokenizer.json");
  ASSERT_TRUE(tokenizer.ok()) << tokenizer.status().ToString();
  const ReferenceTokenizer reference(file);
  for (const std::string& text : SampleStrings(2, 1500, true)) {
    ASSERT_EQ(tokenizer->Encode(text), reference.EncodePlain(base::RepairUtf8(text))) << text;
  }
  for (const std::string& line : LegalLines())
    ASSERT_EQ(tokenizer->Encode(line), reference.EncodePlain(line)) << line;
}

// Made by Hugging Face's library when zhibi-mini was trained.
TEST(TokenizerTest, AgreesWithTheLibraryOnZhibiMinisPrompt) {
  const Result<Tokenizer> tokenizer = Tokenizer::FromJson(MiniJson(), "tokenizer.json");
  ASSERT_TRUE(tokenizer.ok());
  const auto read = [](const char* name) {
    return json::parse(
        base::ReadFile(std::string(ZHIBI_SOURCE_DIR "/models/zhibi-mini/golden/") + name, 1 << 24)
            .value());
  };
  const json text = read("prompt_text.json");
  const json ids = read("prompt_ids.json");
  ASSERT_EQ(text.size(), ids.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    EXPECT_EQ(tokenizer->Encode(text[i].get<std::string>(), {.parse_special = true}),
              ids[i].get<Ids>())
        << i;
  }
}

TEST(TokenizerTest, DecodingGivesNormalizedTextBack) {
  for (const std::string& text : SampleStrings(3, 3000, true)) {
    const std::string expected = IcuNfc(base::RepairUtf8(text));
    ASSERT_EQ(Tiny().Decode(Tiny().Encode(text), false).value(), expected);
    // Control tokens cut the text before it is normalized; without marks around them the text is
    // the same.
  }
  for (const std::string& line : LegalLines()) {
    ASSERT_EQ(Tiny().Decode(Tiny().Encode(line, {.parse_special = true}), true).value(), line);
  }
}

TEST(TokenizerTest, BlobIsTheSameTokenizer) {
  const std::string blob = Tiny().Serialize();
  std::vector<std::uint64_t> aligned((blob.size() + 7) / 8);
  std::memcpy(aligned.data(), blob.data(), blob.size());
  const auto bytes = std::as_bytes(std::span(aligned)).first(blob.size());
  const Result<Tokenizer> mapped = Tokenizer::FromBlob(bytes);
  ASSERT_TRUE(mapped.ok()) << mapped.status().ToString();
  EXPECT_EQ(mapped->Serialize(), blob);
  EXPECT_EQ(mapped->vocab_size(), Tiny().vocab_size());
  for (const std::string& text : SampleStrings(4, 1000, true)) {
    const EncodeOptions options{.parse_special = true, .add_special_tokens = true};
    ASSERT_EQ(mapped->Encode(text, options), Tiny().Encode(text, options));
  }
  // Zero-copy: tokens lie inside the blob.
  const std::string_view token = mapped->TokenBytes(300);
  EXPECT_GE(token.data(), reinterpret_cast<const char*>(bytes.data()));
  EXPECT_LE(token.data() + token.size(),
            reinterpret_cast<const char*>(bytes.data()) + bytes.size());
}

TEST(TokenizerTest, TextOfUsersNeverBecomesAControlToken) {
  const TokenId end = Id(Tiny(), "<|im_end|>");
  const TokenId think = Id(Tiny(), "<think>");
  EXPECT_TRUE(Tiny().IsSpecial(end));
  EXPECT_TRUE(Tiny().IsControl(end));
  EXPECT_FALSE(Tiny().IsSpecial(think));
  EXPECT_TRUE(Tiny().IsControl(think));
  const std::string text = "甲<|im_end|>乙<think>丙";
  for (const TokenId id : Tiny().Encode(text)) EXPECT_FALSE(Tiny().IsControl(id));
  EXPECT_EQ(Tiny().Decode(Tiny().Encode(text), true).value(), text);
  const Ids parsed = Tiny().Encode(text, {.parse_special = true});
  EXPECT_EQ(std::count(parsed.begin(), parsed.end(), end), 1);
  EXPECT_EQ(std::count(parsed.begin(), parsed.end(), think), 1);
  EXPECT_EQ(Tiny().Decode(parsed, true).value(), "甲乙<think>丙");
  EXPECT_EQ(Tiny().Decode(parsed, false).value(), text);
  // Look-alikes are never parsed, not even where control tokens are.
  for (const char* alike :
       {"＜|im_end|＞", "<|im_\u200Bend|>", "<|IM_END|>", "<|im_end|", "<| im_end |>"}) {
    for (const TokenId id : Tiny().Encode(alike, {.parse_special = true}))
      EXPECT_FALSE(Tiny().IsControl(id)) << alike;
  }
}

// A control token that also has a spelling by merges, or is a whole word where ignore_merges holds.
TEST(TokenizerTest, MergesNeverMakeAControlToken) {
  json file = TinyTokenizer();
  json& vocabulary = file["model"]["vocab"];
  const int next = 2000;
  vocabulary["END"] = next;
  vocabulary["EN"] = next + 1;
  file["model"]["merges"].insert(file["model"]["merges"].begin(), {{"E", "N"}, {"EN", "D"}});
  for (const bool ignore_merges : {false, true}) {
    file["model"]["ignore_merges"] = ignore_merges;
    json plain = file;
    EXPECT_EQ(Make(plain).Encode("END"), Ids{next});
    file["added_tokens"].push_back(AddedToken(next, "END", true));
    const Tokenizer tokenizer = Make(file);
    EXPECT_EQ(tokenizer.Encode("END"), (Ids{next + 1, Id(tokenizer, "D")}));
    EXPECT_EQ(tokenizer.Encode("END", {.parse_special = true}), Ids{next});
    file["added_tokens"].erase(file["added_tokens"].size() - 1);
  }
}

TEST(TokenizerTest, PlainAddedTokensAreUsedInTextOfUsers) {
  json file = TinyTokenizer();
  json blanks = AddedToken(3000, "   ", false);
  blanks["normalized"] = true;
  file["added_tokens"].push_back(blanks);
  const Tokenizer tokenizer = Make(file);
  EXPECT_FALSE(tokenizer.IsControl(3000));
  EXPECT_EQ(tokenizer.Encode("   "), Ids{3000});
  EXPECT_EQ(tokenizer.vocab_size(), 3001);
  // A hole in the ids.
  EXPECT_FALSE(tokenizer.IsValid(2999));
  EXPECT_EQ(tokenizer.TokenBytes(2999), "");
  EXPECT_FALSE(tokenizer.Decode(Ids{2999}, false).ok());
}

TEST(TokenizerTest, AddedTokensKeepTheirFlags) {
  json file = TinyTokenizer();
  const auto add = [&file](int id, const char* content, const char* flag) {
    json token = AddedToken(id, content, true);
    token[flag] = true;
    file["added_tokens"].push_back(token);
  };
  add(3000, "[L]", "lstrip");
  add(3001, "[R]", "rstrip");
  add(3002, "[W]", "single_word");
  add(3003, "\u00E9[N]", "normalized");
  add(3004, "[L]x", "lstrip");
  const Tokenizer tokenizer = Make(file);
  const auto encode = [&](std::string_view text) {
    return tokenizer.Encode(text, {.parse_special = true});
  };
  const TokenId a = Id(tokenizer, "a");
  const TokenId b = Id(tokenizer, "b");
  EXPECT_EQ(encode("a \u3000\n[L]b"), (Ids{a, 3000, b}));
  EXPECT_EQ(encode("a[R] \u3000\nb"), (Ids{a, 3001, b}));
  EXPECT_EQ(encode("a[R]  [L]b"), (Ids{a, 3001, 3000, b}));
  EXPECT_EQ(encode("[L][L]x"), (Ids{3000, 3004}));  // the longest wins
  const auto has_word = [&](std::string_view text) {
    const Ids ids = encode(text);
    return std::count(ids.begin(), ids.end(), 3002) == 1;
  };
  EXPECT_EQ(encode("[W]"), Ids{3002});
  EXPECT_EQ(encode("[W] b").front(), 3002);
  EXPECT_TRUE(has_word("\uFF0C[W]\u3002"));
  EXPECT_TRUE(has_word("a [W]-b"));
  for (const char* word :
       {"a[W]", "[W]\u7532", "_[W]", "[W]1", "\u24B6[W]", "e\u0301[W]", "[W]\u200D"}) {
    EXPECT_FALSE(has_word(word)) << word;
  }
  // Found in the normalized text, however it was typed.
  EXPECT_EQ(encode("e\u0301[N]"), Ids{3003});
}

TEST(TokenizerTest, AddsWhatThePostProcessorSays) {
  json file = TinyTokenizer();
  const TokenId start = Id(Tiny(), "<|im_start|>");
  const TokenId end = Id(Tiny(), "<|im_end|>");
  file["post_processor"] = {
      {"type", "Sequence"},
      {"processors",
       {{{"type", "ByteLevel"}},
        {{"type", "TemplateProcessing"},
         {"single",
          {{{"SpecialToken", {{"id", "S"}, {"type_id", 0}}}},
           {{"Sequence", {{"id", "A"}, {"type_id", 0}}}},
           {{"SpecialToken", {{"id", "E"}, {"type_id", 0}}}}}},
         {"pair", json::array()},
         {"special_tokens",
          {{"S", {{"id", "S"}, {"ids", {start}}}}, {"E", {{"id", "E"}, {"ids", {end, end}}}}}}}}}};
  const Tokenizer tokenizer = Make(file);
  EXPECT_EQ(tokenizer.Encode("a"), Ids{Id(tokenizer, "a")});
  EXPECT_EQ(tokenizer.Encode("a", {.add_special_tokens = true}),
            (Ids{start, Id(tokenizer, "a"), end, end}));
  EXPECT_EQ(tokenizer.Encode("", {.add_special_tokens = true}), (Ids{start, end, end}));
}

TEST(TokenizerTest, KnowsGpt2sPrefixSpace) {
  json file = TinyTokenizer();
  file["pre_tokenizer"] = {{"type", "ByteLevel"}, {"add_prefix_space", true}, {"use_regex", true}};
  const Tokenizer tokenizer = Make(file);
  EXPECT_EQ(tokenizer.Encode("court"), tokenizer.Encode(" court"));
  EXPECT_EQ(tokenizer.Decode(tokenizer.Encode("court"), false).value(), " court");
}

TEST(TokenizerTest, IdsAndBytes) {
  EXPECT_EQ(Tiny().TokenBytes(0), std::string_view("\0", 1));
  EXPECT_EQ(Tiny().TokenBytes(255), "\xFF");
  EXPECT_EQ(Tiny().TokenBytes(Id(Tiny(), "<|im_end|>")), "<|im_end|>");
  EXPECT_EQ(Tiny().TokenBytes(-1), "");
  EXPECT_EQ(Tiny().TokenBytes(1 << 30), "");
  EXPECT_EQ(Id(Tiny(), "\xFF"), 255);
  EXPECT_FALSE(Tiny().IdOf("no such token").has_value());
  EXPECT_FALSE(Tiny().IsSpecial(-1));
  EXPECT_FALSE(Tiny().IsControl(1 << 30));
  for (TokenId id = 0; id < Tiny().vocab_size(); ++id) {
    ASSERT_TRUE(Tiny().IsValid(id));
    EXPECT_EQ(Tiny().IdOf(Tiny().TokenBytes(id)), id);
  }
}

TEST(TokenizerTest, DecodeNamesABadId) {
  const Result<std::string> text = Tiny().Decode(Ids{1, 2, -7}, false);
  ASSERT_FALSE(text.ok());
  EXPECT_EQ(text.status().code(), StatusCode::kInvalidArgument);
  EXPECT_NE(text.status().message().find("token 2: id -7"), std::string::npos)
      << text.status().message();
}

TEST(TokenizerTest, EmptyTextHasNoIds) {
  EXPECT_TRUE(Tiny().Encode("").empty());
  EXPECT_EQ(Tiny().Decode({}, true).value(), "");
}

// Four times the text may take little more than four times the time; quadratic code would take
// sixteen.
TEST(TokenizerTest, AdversarialWordsTakeNearLinearTime) {
  const auto repeated = [](std::string_view unit, std::size_t bytes) {
    std::string text;
    while (text.size() < bytes) text += unit;
    return text;
  };
  // CPU time of this thread, so that a busy machine does not count.
  const auto seconds = [](const std::string& text) {
    const auto now = [] {
      timespec time{};
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
      return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
    };
    const double start = now();
    const Ids ids = Tiny().Encode(text, {.parse_special = true});
    const double stop = now();
    EXPECT_EQ(Tiny().Decode(ids, false).value(), text);
    return stop - start;
  };
  for (const char* unit :
       {"a", "\xE5\x8E\x9F", " ", "\n", "<", "<|im_", "\xE5\x8E\x9F\xE5\x91\x8A", "the", "1"}) {
    const std::string small = repeated(unit, 1 << 18);
    const std::string large = repeated(unit, 1 << 20);
    const double base_time = std::min(seconds(small), seconds(small));
    EXPECT_LT(std::min(seconds(large), seconds(large)), base_time * 10 + 0.05) << unit;
  }
}

TEST(TokenizerTest, ThreadsAndTokenizersShareNothing) {
  const Tokenizer mini = Tokenizer::FromJson(MiniJson(), "tokenizer.json").value();
  const std::vector<std::string> strings = SampleStrings(6, 200, false);
  std::vector<Ids> tiny_ids;
  std::vector<Ids> mini_ids;
  for (const std::string& text : strings) tiny_ids.push_back(Tiny().Encode(text));
  for (const std::string& text : strings) mini_ids.push_back(mini.Encode(text));
  std::vector<std::thread> threads;
  std::array<int, 4> wrong{};
  for (int& count : wrong) {
    threads.emplace_back([&strings, &tiny_ids, &mini_ids, &mini, &count] {
      for (std::size_t i = 0; i < strings.size(); ++i) {
        // Alternating tokenizers share a thread's word cache.
        count += Tiny().Encode(strings[i]) == tiny_ids[i] ? 0 : 1;
        count += mini.Encode(strings[i]) == mini_ids[i] ? 0 : 1;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const int count : wrong) EXPECT_EQ(count, 0);
}

}  // namespace
}  // namespace zhibi::text
