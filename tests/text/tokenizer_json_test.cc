// SPDX-License-Identifier: Apache-2.0
// Hostile and unusual tokenizer.json files: each is refused by name, or read as the library reads
// it.
#include "text/tokenizer_json.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "text/tiny_tokenizer.h"
#include "text/tokenizer.h"

namespace zhibi::text {
namespace {

using nlohmann::json;

void ExpectError(const json& file, StatusCode code, std::string_view part) {
  const Result<TokenizerSpec> spec = ReadTokenizerJson(file.dump(), "t.json");
  ASSERT_FALSE(spec.ok()) << "wanted: " << part;
  EXPECT_EQ(spec.status().code(), code) << spec.status().ToString();
  EXPECT_NE(spec.status().message().find(part), std::string::npos)
      << "wanted \"" << part << "\", got \"" << spec.status().message() << "\"";
  EXPECT_EQ(spec.status().message().rfind("t.json", 0), 0U) << spec.status().message();
}

// TinyTokenizer with the value at a JSON pointer replaced.
json With(const char* pointer, const json& value) {
  json file = TinyTokenizer();
  file[json::json_pointer(pointer)] = value;
  return file;
}

json Without(const char* object, const char* key) {
  json file = TinyTokenizer();
  file[json::json_pointer(object)].erase(key);
  return file;
}

constexpr StatusCode kInvalid = StatusCode::kInvalidArgument;
constexpr StatusCode kUnknown = StatusCode::kUnimplemented;

TEST(TokenizerJsonTest, RefusesWhatIsNotATokenizer) {
  EXPECT_FALSE(ReadTokenizerJson("", "t.json").ok());
  EXPECT_FALSE(ReadTokenizerJson("{\"model\": {\"vocab\": {\"a\": 1, \"a\": 2}}}", "t.json").ok());
  ExpectError(json::array(), kInvalid, "root: expected an object, got array");
  ExpectError(json::object(), kInvalid, "model: expected an object, got null");
  ExpectError(With("/version", "2.0"), kUnknown, "version");
}

TEST(TokenizerJsonTest, RefusesOtherModels) {
  ExpectError(With("/model/type", "Unigram"), kUnknown,
              "model.type: only BPE is known, got Unigram");
  ExpectError(With("/model/type", 7), kInvalid, "model.type: expected a string, got 7");
  ExpectError(With("/model/continuing_subword_prefix", "##"), kUnknown,
              "model.continuing_subword_prefix");
  ExpectError(With("/model/end_of_word_suffix", "</w>"), kUnknown, "model.end_of_word_suffix");
  ExpectError(With("/model/dropout", 0.1), kUnknown, "model.dropout");
  ExpectError(With("/model/ignore_merges", "yes"), kInvalid,
              "model.ignore_merges: expected true or false, got \"yes\"");
}

TEST(TokenizerJsonTest, ChecksTheVocabulary) {
  ExpectError(With("/model/vocab", json::array()), kInvalid, "model.vocab: expected an object");
  ExpectError(With("/model/vocab", json::object()), StatusCode::kResourceExhausted,
              "model.vocab: expected 1 to");
  ExpectError(With("/model/vocab/a", "x"), kInvalid,
              "model.vocab[\"a\"]: expected a whole number, got \"x\"");
  ExpectError(With("/model/vocab/a", -1), kInvalid,
              "model.vocab[\"a\"]: expected an id from 0 to 1048575, got -1");
  ExpectError(With("/model/vocab/a", 1048576), kInvalid, "got 1048576");
  ExpectError(With("/model/vocab/a", 18446744073709551615ULL), kInvalid,
              "got 18446744073709551615");
  ExpectError(With("/model/vocab/a", 1.5), kInvalid, "got 1.5");
  ExpectError(With("/model/vocab/a", 5), kInvalid, "id 5 is used by two tokens");
  ExpectError(Without("/model/vocab", "a"), kInvalid, "");
  json long_token = TinyTokenizer();
  long_token["model"]["vocab"][std::string(kMaxTokenBytes + 1, 'a')] = 5000;
  ExpectError(long_token, StatusCode::kResourceExhausted, "at most 16384");
}

TEST(TokenizerJsonTest, NamesAMissingByte) {
  json file = TinyTokenizer();
  file["model"]["merges"] = json::array();
  file["model"]["vocab"].erase("a");
  ExpectError(file, kInvalid, "none for byte 97");
  // Bytes that UTF-8 never has may be missing.
  file = TinyTokenizer();
  file["model"]["vocab"].erase(SpellBytes("\xFF"));
  EXPECT_TRUE(ReadTokenizerJson(file.dump(), "t.json").ok());
  // With byte_fallback, <0x61> takes the place of a.
  file = TinyTokenizer();
  file["model"]["merges"] = json::array();
  file["model"]["vocab"].erase("a");
  file["model"]["vocab"]["<0x61>"] = 97;
  file["model"]["byte_fallback"] = true;
  const Result<Tokenizer> tokenizer = Tokenizer::FromJson(file.dump(), "t.json");
  ASSERT_TRUE(tokenizer.ok()) << tokenizer.status().ToString();
  EXPECT_EQ(tokenizer->Encode("a"), std::vector<TokenId>{97});
  EXPECT_EQ(tokenizer->Decode(tokenizer->Encode("cat"), false).value(), "cat");
}

TEST(TokenizerJsonTest, AByteMayNotBeAControlToken) {
  json file = TinyTokenizer();
  file["added_tokens"].push_back(AddedToken('a', "a", true));
  ExpectError(file, kInvalid, "byte 97");
}

TEST(TokenizerJsonTest, ReadsBothFormsOfMerges) {
  json lines = json::array();
  lines.push_back("#version: 0.2");
  const json file = TinyTokenizer();
  for (const json& pair : file["model"]["merges"]) {
    lines.push_back(pair[0].get<std::string>() + " " + pair[1].get<std::string>());
  }
  const Result<TokenizerSpec> pairs = ReadTokenizerJson(TinyTokenizer().dump(), "t.json");
  const Result<TokenizerSpec> strings =
      ReadTokenizerJson(With("/model/merges", lines).dump(), "t.json");
  ASSERT_TRUE(pairs.ok() && strings.ok());
  ASSERT_EQ(pairs->merges.size(), 800U);
  ASSERT_EQ(strings->merges.size(), 800U);
  for (std::size_t i = 0; i < 800; ++i) {
    EXPECT_EQ(pairs->merges[i].left, strings->merges[i].left);
    EXPECT_EQ(pairs->merges[i].result, strings->merges[i].result);
  }
}

TEST(TokenizerJsonTest, ChecksMerges) {
  ExpectError(With("/model/merges", nullptr), kInvalid,
              "model.merges: expected a list of pairs, got null");
  ExpectError(With("/model/merges/3", "a b c"), kInvalid,
              "model.merges[3]: expected two tokens with one blank between");
  ExpectError(With("/model/merges/3", "ab"), kInvalid, "model.merges[3]");
  ExpectError(With("/model/merges/3", {"a"}), kInvalid, "model.merges[3]: expected \"a b\" or");
  ExpectError(With("/model/merges/3", {"a", 1}), kInvalid, "model.merges[3]");
  ExpectError(With("/model/merges/3", {"nope", "a"}), kInvalid,
              "model.merges[3]: token \"nope\" is not in model.vocab");
  ExpectError(With("/model/merges/3", {"\x01", "a"}), kInvalid, "is not in model.vocab");
  ExpectError(With("/model/merges/3", {"q", "Q"}), kInvalid, "token \"qQ\" is not in model.vocab");
}

TEST(TokenizerJsonTest, ChecksAddedTokens) {
  ExpectError(With("/added_tokens", 3), kInvalid, "added_tokens: expected a list, got 3");
  ExpectError(With("/added_tokens/1", 3), kInvalid, "added_tokens[1]: expected an object, got 3");
  ExpectError(With("/added_tokens/1/content", ""), kInvalid, "added_tokens[1].content");
  ExpectError(With("/added_tokens/1/content", 3), kInvalid, "added_tokens[1].content");
  ExpectError(With("/added_tokens/1/id", "x"), kInvalid, "added_tokens[1].id");
  ExpectError(With("/added_tokens/1/special", 1), kInvalid,
              "added_tokens[1].special: expected true or false, got 1");
  ExpectError(With("/added_tokens/1/id", 5), kInvalid, "id 5 is used by two tokens");
  ExpectError(With("/added_tokens/1/content", "<|im_start|>"), kInvalid, "added_tokens[1]");
  ExpectError(With("/added_tokens/1/content", "a"), kInvalid, "\"a\" has id 97 in model.vocab");
  ExpectError(With("/added_tokens/1/content", std::string(kMaxTokenBytes + 1, 'x')),
              StatusCode::kResourceExhausted, "added_tokens[1].content");
  json twice = TinyTokenizer();
  twice["added_tokens"].push_back(twice["added_tokens"][0]);
  ExpectError(twice, kInvalid, "is there twice");
  EXPECT_TRUE(ReadTokenizerJson(Without("", "added_tokens").dump(), "t.json").ok());
}

TEST(TokenizerJsonTest, KnowsNormalizers) {
  EXPECT_TRUE(ReadTokenizerJson(TinyTokenizer().dump(), "t.json")->nfc);
  EXPECT_FALSE(ReadTokenizerJson(With("/normalizer", nullptr).dump(), "t.json")->nfc);
  const json empty = {{"type", "Sequence"}, {"normalizers", json::array()}};
  EXPECT_FALSE(ReadTokenizerJson(With("/normalizer", empty).dump(), "t.json")->nfc);
  const json nested = {{"type", "Sequence"}, {"normalizers", {{{"type", "NFC"}}}}};
  EXPECT_TRUE(ReadTokenizerJson(With("/normalizer", nested).dump(), "t.json")->nfc);
  ExpectError(With("/normalizer/type", "NFKC"), kUnknown,
              "normalizer: only NFC is known, got NFKC");
  ExpectError(With("/normalizer", {{"type", "Sequence"}, {"normalizers", {empty}}}), kUnknown,
              "normalizer.normalizers[0]");
  ExpectError(With("/normalizer", {{"type", "Sequence"}}), kInvalid,
              "normalizer.normalizers: expected a list");
  ExpectError(With("/normalizer", "NFC"), kInvalid, "normalizer: expected an object");
}

TEST(TokenizerJsonTest, KnowsPreTokenizers) {
  const char* const split = "/pre_tokenizer/pretokenizers/0";
  ExpectError(With("/pre_tokenizer", nullptr), kUnknown, "pre_tokenizer");
  ExpectError(With("/pre_tokenizer/type", "Metaspace"), kUnknown, "got Metaspace");
  ExpectError(With("/pre_tokenizer/pretokenizers", 1), kInvalid,
              "pre_tokenizer.pretokenizers: expected a list");
  ExpectError(With("/pre_tokenizer/pretokenizers", json::array()), kUnknown, "not byte-level");
  ExpectError(With((std::string(split) + "/pattern/Regex").c_str(), "\\w+"), kUnknown,
              "pre_tokenizer.pretokenizers[0].pattern: unknown pattern \\w+");
  ExpectError(With((std::string(split) + "/pattern").c_str(), {{"String", " "}}), kUnknown,
              "pretokenizers[0].pattern");
  ExpectError(With((std::string(split) + "/pattern").c_str(), " "), kUnknown,
              "pretokenizers[0].pattern");
  ExpectError(With((std::string(split) + "/behavior").c_str(), "MergedWithNext"), kUnknown,
              "only Isolated is known");
  ExpectError(With((std::string(split) + "/behavior").c_str(), "Removed"), kUnknown,
              "only Isolated is known");
  json removed = With((std::string(split) + "/behavior").c_str(), "Removed");
  removed["pre_tokenizer"]["pretokenizers"][0]["invert"] = true;
  EXPECT_TRUE(ReadTokenizerJson(removed.dump(), "t.json").ok());
  ExpectError(With("/pre_tokenizer/pretokenizers/1/add_prefix_space", true), kUnknown,
              "add_prefix_space");
  json after = TinyTokenizer();
  after["pre_tokenizer"]["pretokenizers"].push_back({{"type", "Digits"}});
  ExpectError(after, kUnknown, "pre_tokenizer.pretokenizers[2]: Digits after ByteLevel");
  json digits = TinyTokenizer();
  digits["pre_tokenizer"]["pretokenizers"][0] = {{"type", "Digits"}, {"individual_digits", true}};
  const Result<TokenizerSpec> spec = ReadTokenizerJson(digits.dump(), "t.json");
  ASSERT_TRUE(spec.ok());
  EXPECT_EQ(spec->splits, std::vector<SplitPattern>{SplitPattern::kDigit});
  json many = TinyTokenizer();
  json& list = many["pre_tokenizer"]["pretokenizers"];
  for (int i = 0; i < 8; ++i) list.insert(list.begin(), json::object({{"type", "Digits"}}));
  ExpectError(many, StatusCode::kResourceExhausted, "more than 8 splits");
}

TEST(TokenizerJsonTest, KnowsDecodersAndPostProcessors) {
  ExpectError(With("/decoder", nullptr), kInvalid, "decoder: expected an object");
  ExpectError(With("/decoder/type", "Metaspace"), kUnknown,
              "decoder: only ByteLevel is known, got Metaspace");
  EXPECT_TRUE(
      ReadTokenizerJson(
          With("/decoder", {{"type", "Sequence"}, {"decoders", {{{"type", "ByteLevel"}}}}}).dump(),
          "t.json")
          .ok());
  EXPECT_TRUE(ReadTokenizerJson(With("/post_processor", nullptr).dump(), "t.json").ok());
  ExpectError(With("/post_processor/type", "BertProcessing"), kUnknown, "got BertProcessing");
  const json sequence = {{"Sequence", {{"id", "A"}}}};
  const json special = {{"SpecialToken", {{"id", "S"}}}};
  const auto processor = [](const json& single, const json& table) {
    return With("/post_processor",
                {{"type", "TemplateProcessing"}, {"single", single}, {"special_tokens", table}});
  };
  const json table = {{"S", {{"id", "S"}, {"ids", {1}}}}};
  EXPECT_TRUE(
      ReadTokenizerJson(processor(json::array({special, sequence}), table).dump(), "t.json").ok());
  ExpectError(processor(json::array({special}), table), kInvalid, "expected a Sequence, got none");
  ExpectError(processor(json::array({sequence, sequence}), table), kUnknown, "a second sequence");
  ExpectError(processor(json::object(), table), kInvalid, "post_processor.single: expected a list");
  ExpectError(processor(json::array({1}), table), kInvalid, "post_processor.single[0]");
  ExpectError(processor(json::array({json::object()}), table), kInvalid,
              "post_processor.single[0]");
  ExpectError(processor(json::array({special, sequence}), json::object()), kInvalid,
              "special_tokens[\"S\"].ids");
  ExpectError(processor(json::array({special, sequence}), {{"S", {{"ids", {999999}}}}}), kInvalid,
              "an id of the vocabulary");
  ExpectError(processor(json::array({special, sequence}), {{"S", {{"ids", {"x"}}}}}), kInvalid,
              "expected a whole number");
  ExpectError(With("/post_processor", {{"type", "Sequence"}}), kInvalid,
              "post_processor.processors: expected a list");
  const json nested = {{"type", "Sequence"},
                       {"processors", {{{"type", "Sequence"}, {"processors", json::array()}}}}};
  ExpectError(With("/post_processor", nested), kUnknown, "post_processor.processors[0]");
}

}  // namespace
}  // namespace zhibi::text
