// SPDX-License-Identifier: Apache-2.0
// Citations of statutes in a text: names with and without 《》, articles, paragraphs, items, ranges
// and lists, divisions, back references (该法, 该条, 前款), short names (以下简称), document
// numbers and version suffixes, in half and full width, Chinese and Arabic digits, with line breaks
// inside. Says what the text says, nothing about whether it is right (resolve.h does). Pure, linear
// in the text, total: any bytes are read. Thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "statute/table.h"

namespace zhibi::statute {

// Bytes of the text.
struct TextSpan {
  std::size_t begin = 0;
  std::size_t end = 0;

  friend bool operator==(const TextSpan&, const TextSpan&) = default;
};

// An article, or a part of one. 0: not named. A list 第六条、第七条第二款 is two places; a range
// 第一百条至第一百零三条 is one with `last`.
struct Place {
  TextSpan span;
  ArticleNumber article;
  std::optional<ArticleNumber> last;  // of a range of articles
  int paragraph = 0;                  // 款
  int item = 0;                       // 项
  int subitem = 0;                    // 目
  bool inherited = false;             // the article stands further in front: 第一款、第二款
  bool part = false;                  // 前段, 后半句, 但书: less than a paragraph
};

// 第三编, 第二章.
struct Division {
  TextSpan span;
  std::string unit;  // 编, 分编, 章, 节
  int number = 0;
};

enum class NameForm : std::uint8_t {
  kMarked,     // 《name》
  kOutside,    // a part of the name stands outside of the marks: 最高人民法院《关于…》
  kMisplaced,  // the marks enclose another name only: 关于适用《…法》的解释第一条
  kBare,       // a name without marks
  kReference,  // 该法, 同法, 该条
  kRelative,   // 前款, 前条, 上述规定: without a name or number
};

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

struct Citation {
  TextSpan span;       // from the name to the last place
  TextSpan name_span;  // the name with its marks, or the words of the reference
  NameForm form = NameForm::kMarked;
  // Without marks and blanks, brackets （）〈〉 evened, issuing body in front, without version
  // suffix.
  std::string name;
  std::string document_number;     // 法释〔2020〕17号
  std::string version;             // 2018修正, as written without brackets
  int version_year = 0;            // 0: not named
  std::size_t refers_to = kNone;   // index of the citation that a reference means
  std::size_t definition = kNone;  // index of the definition whose short name this is
  std::vector<Place> places;
  std::vector<Division> divisions;
};

// （以下简称民间借贷规定）.
struct Definition {
  TextSpan span;  // of the short name
  std::string short_name;
  std::size_t citation = 0;
};

struct Citations {
  std::vector<Citation> citations;  // by place
  std::vector<Definition> definitions;
  bool truncated = false;  // more than kMaxCitations
};

constexpr std::size_t kMaxCitations = 100'000;
constexpr std::size_t kMaxPlaces = 2'000;        // of one citation
constexpr std::size_t kMaxNameCharacters = 200;  // between 《 and 》

// Bytes of the longest known name that ends `before`; 0: none. Called where 第…条 follows.
using EndingName = std::function<std::size_t(std::string_view before)>;

// Without `known`, names without marks are found only where they begin with 中华人民共和国.
Citations ParseCitations(std::string_view text, const EndingName& known = {});

}  // namespace zhibi::statute
