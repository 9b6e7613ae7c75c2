// SPDX-License-Identifier: Apache-2.0
// An independent, slow tokenizer for tests: PCRE2 runs the file's own patterns, ICU normalizes,
// merging is the plain loop over the file's own spelling. It shares no code with src/text except
// the category table: PCRE2 knows an older Unicode, so \p{..} and \s are written out as ranges of
// that table, which unicode_test checks against ICU.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/unicode.h"

namespace zhibi::text {

// \p{..} and \s of `regex` written out.
std::string ExpandClasses(std::string_view regex);

// A compiled pattern; pieces as the "Isolated" behaviour cuts them.
class RegexSplitter {
 public:
  explicit RegexSplitter(const std::string& regex);  // throws std::runtime_error on a bad pattern
  ~RegexSplitter();
  RegexSplitter(const RegexSplitter&) = delete;
  RegexSplitter& operator=(const RegexSplitter&) = delete;
  std::vector<std::string> Split(std::string_view text) const;

 private:
  struct Code;
  std::unique_ptr<Code> code_;
};

std::string IcuNfc(std::string_view text);

class ReferenceTokenizer {
 public:
  explicit ReferenceTokenizer(std::string_view tokenizer_json);
  // No added tokens: text of users.
  std::vector<std::int32_t> EncodePlain(std::string_view text) const;

 private:
  std::vector<std::int32_t> Merge(const std::string& word) const;

  bool nfc_ = false;
  bool ignore_merges_ = false;
  std::vector<std::unique_ptr<RegexSplitter>> splitters_;
  std::map<std::string, std::int32_t> vocabulary_;
  std::map<std::pair<std::string, std::string>, std::size_t> ranks_;
};

}  // namespace zhibi::text
