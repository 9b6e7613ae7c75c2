// SPDX-License-Identifier: Apache-2.0
#include "text/tiny_tokenizer.h"

#include <map>
#include <utility>
#include <vector>

#include "text/reference_tokenizer.h"
#include "text/sample_strings.h"

namespace zhibi::text {
namespace {

using nlohmann::json;
using Word = std::vector<std::string>;

constexpr std::size_t kMerges = 800;
constexpr std::size_t kTrainingLines = 120;

std::map<std::string, int> TrainingWords() {
  const RegexSplitter splitter(ExpandClasses(kQwen2Regex));
  std::map<std::string, int> words;
  for (std::size_t i = 0; i < kTrainingLines; ++i) {
    for (const std::string& piece : splitter.Split(LegalLines()[i])) ++words[piece];
  }
  for (const std::string& piece :
       splitter.Split("The court's plaintiff and the defendant, the court. We'll  see")) {
    words[piece] += 20;
  }
  return words;
}

// Plain BPE training: the most frequent pair, of equal ones the smallest.
std::vector<std::pair<std::string, std::string>> Train() {
  std::vector<std::pair<Word, int>> words;
  for (const auto& [piece, count] : TrainingWords()) {
    Word word;
    for (const char byte : piece) word.push_back(SpellBytes(std::string_view(&byte, 1)));
    words.emplace_back(std::move(word), count);
  }
  std::vector<std::pair<std::string, std::string>> merges;
  while (merges.size() < kMerges) {
    std::map<std::pair<std::string, std::string>, int> counts;
    for (const auto& [word, count] : words) {
      for (std::size_t i = 0; i + 1 < word.size(); ++i) counts[{word[i], word[i + 1]}] += count;
    }
    auto best = counts.begin();
    for (auto it = counts.begin(); it != counts.end(); ++it) {
      if (it->second > best->second) best = it;
    }
    const auto pair = best->first;
    merges.push_back(pair);
    for (auto& [word, count] : words) {
      for (std::size_t i = 0; i + 1 < word.size(); ++i) {
        if (word[i] != pair.first || word[i + 1] != pair.second) continue;
        word[i] += word[i + 1];
        word.erase(word.begin() + static_cast<std::ptrdiff_t>(i) + 1);
      }
    }
  }
  return merges;
}

}  // namespace

std::string SpellBytes(std::string_view bytes) {
  std::string spelled;
  for (const char byte : bytes) {
    const auto b = static_cast<unsigned char>(byte);
    unsigned c = b;
    if (b <= 0x20) c = 0x100U + b;
    if (b >= 0x7F && b <= 0xA0) c = 0x121U + (b - 0x7FU);
    if (b == 0xAD) c = 0x143;
    if (c >= 0x80) {
      spelled.push_back(static_cast<char>(0xC0 | c >> 6));
      c = 0x80 | (c & 0x3F);
    }
    spelled.push_back(static_cast<char>(c));
  }
  return spelled;
}

json AddedToken(int id, const std::string& content, bool special) {
  return {{"id", id},        {"content", content},  {"single_word", false}, {"lstrip", false},
          {"rstrip", false}, {"normalized", false}, {"special", special}};
}

json TinyTokenizer() {
  static const json tokenizer = [] {
    json vocabulary = json::object();
    for (int b = 0; b < 256; ++b) {
      const char byte = static_cast<char>(b);
      vocabulary[SpellBytes(std::string_view(&byte, 1))] = b;
    }
    json merges = json::array();
    for (const auto& [left, right] : Train()) {
      // Two ways to one token keep the first id, as in real files.
      if (!vocabulary.contains(left + right)) {
        const int id = static_cast<int>(vocabulary.size());
        vocabulary[left + right] = id;
      }
      merges.push_back({left, right});
    }
    const int next = static_cast<int>(vocabulary.size());
    return json{{"version", "1.0"},
                {"truncation", nullptr},
                {"padding", nullptr},
                {"added_tokens",
                 {AddedToken(next, "<|im_start|>", true), AddedToken(next + 1, "<|im_end|>", true),
                  AddedToken(next + 2, "<think>", false)}},
                {"normalizer", {{"type", "NFC"}}},
                {"pre_tokenizer",
                 {{"type", "Sequence"},
                  {"pretokenizers",
                   {{{"type", "Split"},
                     {"pattern", {{"Regex", kQwen2Regex}}},
                     {"behavior", "Isolated"},
                     {"invert", false}},
                    {{"type", "ByteLevel"},
                     {"add_prefix_space", false},
                     {"trim_offsets", false},
                     {"use_regex", false}}}}}},
                {"post_processor",
                 {{"type", "ByteLevel"},
                  {"add_prefix_space", false},
                  {"trim_offsets", false},
                  {"use_regex", false}}},
                {"decoder",
                 {{"type", "ByteLevel"},
                  {"add_prefix_space", false},
                  {"trim_offsets", false},
                  {"use_regex", false}}},
                {"model",
                 {{"type", "BPE"},
                  {"dropout", nullptr},
                  {"unk_token", nullptr},
                  {"continuing_subword_prefix", ""},
                  {"end_of_word_suffix", ""},
                  {"fuse_unk", false},
                  {"byte_fallback", false},
                  {"ignore_merges", false},
                  {"vocab", vocabulary},
                  {"merges", merges}}}};
  }();
  return tokenizer;
}

}  // namespace zhibi::text
