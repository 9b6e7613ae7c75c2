// SPDX-License-Identifier: Apache-2.0
#include "text/reference_tokenizer.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <array>
#include <sstream>
#include <stdexcept>

#include <nlohmann/json.hpp>
#include <pcre2.h>
#include <unicode/bytestream.h>
#include <unicode/normalizer2.h>
#include <unicode/stringpiece.h>

namespace zhibi::text {
namespace {

using nlohmann::json;

template <typename Wanted>
std::string Ranges(Wanted wanted) {
  std::ostringstream out;
  out << std::hex << std::uppercase;
  for (char32_t c = 0; c < 0x110000;) {
    const bool surrogate = c >= 0xD800 && c < 0xE000;
    if (surrogate || !wanted(c)) {
      ++c;
      continue;
    }
    const char32_t begin = c;
    while (c < 0x110000 && !(c >= 0xD800 && c < 0xE000) && wanted(c)) ++c;
    out << "\\x{" << static_cast<std::uint32_t>(begin) << "}-\\x{"
        << static_cast<std::uint32_t>(c - 1) << "}";
  }
  return out.str();
}

// Contents of a bracket expression for one letter of a general category, or 's' for \s.
const std::string& ClassRanges(char letter) {
  static std::map<char, std::string> cache;
  std::string& ranges = cache[letter];
  if (!ranges.empty()) return ranges;
  // By the order of enum class Category.
  static const std::map<char, std::pair<Category, Category>> kGroups = {
      {'L', {Category::kLu, Category::kLo}},
      {'M', {Category::kMn, Category::kMe}},
      {'N', {Category::kNd, Category::kNo}},
      {'P', {Category::kPc, Category::kPo}},
      {'S', {Category::kSm, Category::kSo}}};
  if (letter == 's') {
    // White_Space, from PropList.txt of Unicode 16.
    ranges =
        "\\x{9}-\\x{D}\\x{20}\\x{85}\\x{A0}\\x{1680}\\x{2000}-\\x{200A}\\x{2028}\\x{2029}\\x{202F}"
        "\\x{205F}\\x{3000}";
  } else {
    const auto [low, high] = kGroups.at(letter);
    ranges = Ranges([low = low, high = high](char32_t c) {
      const Category category = UnicodeTable::CategoryOf(c);
      return category >= low && category <= high;
    });
  }
  return ranges;
}

std::string Spelling(std::string_view bytes) {
  std::string spelled;
  for (const char byte : bytes) {
    const auto b = static_cast<unsigned char>(byte);
    unsigned c = b;
    if (b <= 0x20) c = 0x100U + b;
    if (b >= 0x7F && b <= 0xA0) c = 0x121U + (b - 0x7FU);
    if (b == 0xAD) c = 0x143;
    if (c < 0x80) {
      spelled.push_back(static_cast<char>(c));
    } else {
      spelled.push_back(static_cast<char>(0xC0 | c >> 6));
      spelled.push_back(static_cast<char>(0x80 | (c & 0x3F)));
    }
  }
  return spelled;
}

std::size_t CharLength(char lead) {
  const auto byte = static_cast<unsigned char>(lead);
  return byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
}

}  // namespace

std::string ExpandClasses(std::string_view regex) {
  std::string expanded;
  bool in_brackets = false;
  for (std::size_t i = 0; i < regex.size(); ++i) {
    if (regex[i] != '\\') {
      if (regex[i] == '[') in_brackets = true;
      if (regex[i] == ']') in_brackets = false;
      expanded.push_back(regex[i]);
      continue;
    }
    const char escape = regex[i + 1];
    if (escape == 'p') {
      const std::string& ranges = ClassRanges(regex[i + 3]);  // \p{L}
      expanded += in_brackets ? ranges : "[" + ranges + "]";
      i += 4;
    } else if (escape == 's' || escape == 'S') {
      const std::string& ranges = ClassRanges('s');
      expanded += in_brackets ? ranges : (escape == 's' ? "[" : "[^") + ranges + "]";
      i += 1;
    } else {
      expanded += regex.substr(i, 2);
      i += 1;
    }
  }
  return expanded;
}

struct RegexSplitter::Code {
  pcre2_code* code = nullptr;
  pcre2_match_data* match = nullptr;
};

RegexSplitter::RegexSplitter(const std::string& regex) : code_(std::make_unique<Code>()) {
  int error = 0;
  PCRE2_SIZE offset = 0;
  code_->code = pcre2_compile(reinterpret_cast<PCRE2_SPTR>(regex.data()), regex.size(),
                              PCRE2_UTF | PCRE2_UCP, &error, &offset, nullptr);
  if (code_->code == nullptr)
    throw std::runtime_error("pattern refused at " + std::to_string(offset));
  pcre2_jit_compile(code_->code, PCRE2_JIT_COMPLETE);
  code_->match = pcre2_match_data_create_from_pattern(code_->code, nullptr);
}

RegexSplitter::~RegexSplitter() {
  pcre2_match_data_free(code_->match);
  pcre2_code_free(code_->code);
}

std::vector<std::string> RegexSplitter::Split(std::string_view text) const {
  std::vector<std::string> pieces;
  std::size_t done = 0;
  while (done < text.size()) {
    const int rc = pcre2_match(code_->code, reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(),
                               done, PCRE2_NOTEMPTY, code_->match, nullptr);
    if (rc < 0) break;
    const PCRE2_SIZE* ends = pcre2_get_ovector_pointer(code_->match);
    if (ends[0] > done) pieces.emplace_back(text.substr(done, ends[0] - done));
    pieces.emplace_back(text.substr(ends[0], ends[1] - ends[0]));
    done = ends[1];
  }
  if (done < text.size()) pieces.emplace_back(text.substr(done));
  return pieces;
}

std::string IcuNfc(std::string_view text) {
  UErrorCode error = U_ZERO_ERROR;
  const icu::Normalizer2* nfc = icu::Normalizer2::getNFCInstance(error);
  std::string normalized;
  icu::StringByteSink<std::string> sink(&normalized);
  nfc->normalizeUTF8(0, icu::StringPiece(text.data(), static_cast<std::int32_t>(text.size())), sink,
                     nullptr, error);
  if (U_FAILURE(error)) throw std::runtime_error(u_errorName(error));
  return normalized;
}

ReferenceTokenizer::ReferenceTokenizer(std::string_view tokenizer_json) {
  const json root = json::parse(tokenizer_json);
  nfc_ = root.at("normalizer").is_object() && root["normalizer"]["type"] == "NFC";
  const json& model = root.at("model");
  ignore_merges_ = model.value("ignore_merges", false);
  for (const auto& [token, id] : model.at("vocab").items())
    vocabulary_[token] = id.get<std::int32_t>();
  std::size_t rank = 0;
  for (const json& merge : model.at("merges")) {
    std::pair<std::string, std::string> pair;
    if (merge.is_array()) {
      pair = {merge[0].get<std::string>(), merge[1].get<std::string>()};
    } else {
      const auto line = merge.get<std::string>();
      pair = {line.substr(0, line.find(' ')), line.substr(line.find(' ') + 1)};
    }
    ranks_[pair] = rank++;
  }
  const auto add = [this](const json& step) {
    const auto type = step.at("type").get<std::string>();
    if (type == "Split") {
      const auto regex = step.at("pattern").at("Regex").get<std::string>();
      splitters_.push_back(std::make_unique<RegexSplitter>(ExpandClasses(regex)));
    } else if (type == "ByteLevel" && step.value("use_regex", true)) {
      splitters_.push_back(std::make_unique<RegexSplitter>(ExpandClasses(
          R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)")));
    }
  };
  const json& pre = root.at("pre_tokenizer");
  if (pre.at("type") == "Sequence") {
    for (const json& step : pre.at("pretokenizers")) add(step);
  } else {
    add(pre);
  }
}

std::vector<std::int32_t> ReferenceTokenizer::Merge(const std::string& word) const {
  if (ignore_merges_) {
    const auto whole = vocabulary_.find(word);
    if (whole != vocabulary_.end()) return {whole->second};
  }
  std::vector<std::string> symbols;
  for (std::size_t i = 0; i < word.size(); i += CharLength(word[i]))
    symbols.push_back(word.substr(i, CharLength(word[i])));
  while (true) {
    std::size_t best = SIZE_MAX;
    std::size_t at = 0;
    for (std::size_t i = 0; i + 1 < symbols.size(); ++i) {
      const auto found = ranks_.find({symbols[i], symbols[i + 1]});
      if (found != ranks_.end() && found->second < best) {
        best = found->second;
        at = i;
      }
    }
    if (best == SIZE_MAX) break;
    symbols[at] += symbols[at + 1];
    symbols.erase(symbols.begin() + static_cast<std::ptrdiff_t>(at) + 1);
  }
  std::vector<std::int32_t> ids;
  for (const std::string& symbol : symbols) ids.push_back(vocabulary_.at(symbol));
  return ids;
}

std::vector<std::int32_t> ReferenceTokenizer::EncodePlain(std::string_view text) const {
  std::vector<std::string> pieces{nfc_ ? IcuNfc(text) : std::string(text)};
  for (const auto& splitter : splitters_) {
    std::vector<std::string> finer;
    for (const std::string& piece : pieces) {
      for (std::string& part : splitter->Split(piece)) finer.push_back(std::move(part));
    }
    pieces = std::move(finer);
  }
  std::vector<std::int32_t> ids;
  for (const std::string& piece : pieces) {
    if (piece.empty()) continue;
    const std::vector<std::int32_t> word = Merge(Spelling(piece));
    ids.insert(ids.end(), word.begin(), word.end());
  }
  return ids;
}

}  // namespace zhibi::text
