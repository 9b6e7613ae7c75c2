// SPDX-License-Identifier: Apache-2.0
// The table of statutes: names, kind, who adopted them, and of each version the day it came into
// force and its articles, so that a citation can be checked at a day. Facts only, no texts
// (store.h holds texts that users install). What the sources do not show is unknown and never
// guessed: an unknown day or article count makes a rule silent or a warning, not an error.
// Source: data/statutes/table.json, derived by tools/derive_statutes.py. Thread rule: immutable.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "legal/date.h"
#include "zhibi/status.h"

namespace zhibi::statute {

// 第一百二十条之一 is {120, 1}; 第一百二十条 is {120, 0}.
struct ArticleNumber {
  int number = 0;
  int inserted = 0;

  friend auto operator<=>(const ArticleNumber&, const ArticleNumber&) = default;
};
// "第一百二十条之一".
std::string FormatArticle(ArticleNumber article);

// In the order of 法释〔2009〕14号 article 2; the last three can't be the basis of a decision
// everywhere (articles 3 to 6).
enum class Kind : std::uint8_t {
  kConstitution,
  kBasicLaw,  // adopted by the National People's Congress
  kLaw,       // adopted by its Standing Committee; by whom is unknown where adopted_by is empty
  kLawInterpretation,
  kRegulation,       // 行政法规
  kLocalRegulation,  // 地方性法规
  kAutonomousRegulation,
  kJudicialInterpretation,
  kRule,       // 规章
  kNormative,  // other normative documents, minutes, guiding opinions
  kTreaty,
};
// "宪法", "基本法律", "法律", "法律解释", "行政法规", "地方性法规", "自治条例和单行条例",
// "司法解释", "规章", "规范性文件", "国际条约"; table.json writes them so.
std::string_view KindName(Kind kind);
std::optional<Kind> KindFromName(std::string_view name);

enum class Matter : std::uint8_t { kUnknown, kSubstantive, kProcedural };

// Paragraphs (款) of an article and items (项) of each, as the text shows them.
struct ArticleShape {
  ArticleNumber article;
  std::vector<int> items;  // one number a paragraph; its size is the number of paragraphs
};

struct Version {
  std::optional<legal::Date> published;
  std::optional<legal::Date> from;  // first day in force; none: unknown
  std::optional<legal::Date>
      until;           // first day no longer in force; none: still in force, or unknown
  bool ended = false;  // a later version or a repeal is known to exist
  // Where `from` or `until` is unknown: days within which the version is in force all the same (the
  // source calls it current; no later text was published yet).
  std::optional<legal::Date> surely_from;
  std::optional<legal::Date> surely_until;
  bool original = false;                // the text as first adopted: before it there was none
  int articles = 0;                     // highest article number; 0: unknown
  std::vector<ArticleNumber> inserted;  // sorted
  std::vector<ArticleNumber> deleted;   // sorted; 第一百九十九条（删去）
  std::vector<ArticleShape> shapes;     // sorted by article; empty: unknown
};

struct Statute {
  std::string name;                  // full name, without 《》; brackets full-width
  std::vector<std::string> aliases;  // short names in use: 民法典
  std::vector<std::string> old_names;
  Kind kind = Kind::kLaw;
  Matter matter = Matter::kUnknown;
  std::string adopted_by;              // 全国人民代表大会, ...; empty: unknown
  std::string document_number;         // 法释〔2020〕17号; empty: unknown
  std::optional<legal::Date> adopted;  // first adopted or published: not in force before
  bool core = false;                   // met often in pleadings and judgments
  std::vector<Version> versions;       // oldest first, not empty
  bool every_version_since_2010 = false;
  std::optional<legal::Date> repealed_on;  // first day no longer in force
  bool repealed = false;                   // with or without a known day
  std::string replaced_by;                 // by the source
  std::string successor_hint;              // editorial
  legal::Date as_of;                       // changes up to this day are known
  bool local = false;                      // a user's own row
};

enum class Force : std::uint8_t { kUnknown, kInForce, kNotYet, kRepealed };
struct State {
  Force force = Force::kUnknown;
  const Version* version = nullptr;  // in force on the day; null: not known which
  // True where the table holds the text in force on that day, days and articles included: only
  // then may an article that is not there be called an error.
  bool certain = false;
};

class Table {
 public:
  // data_dir/statutes/table.json, and the user's own rows of `local_dir` (empty: none). Errors name
  // the file and the field.
  static Result<Table> Load(const std::string& data_dir, const std::string& local_dir);
  static Result<Table> FromJson(const nlohmann::json& json, std::string_view source);

  // By full, old or short name, in any spelling of brackets, width and blanks (Normalise). With and
  // without 中华人民共和国. Null: not in the table.
  struct Match {
    const Statute* statute = nullptr;
    bool full = false;  // the name as written is the full name
    bool old = false;   // a name that it no longer has
  };
  Match Find(std::string_view name) const;
  // Names within a few edits of `name`, nearest first, at most `limit`.
  std::vector<const Statute*> Nearest(std::string_view name, std::size_t limit) const;
  // Rows whose name or alias contains every one of the words.
  std::vector<const Statute*> Search(std::string_view words, std::size_t limit) const;

  const std::vector<Statute>& rows() const;
  // The earliest day for which all rows of a kind are known: laws and interpretations differ.
  const legal::Date& as_of() const;

 private:
  // kInvalidArgument: two rows of one full name.
  Status IndexNames(const std::string& source);
  // Puts a user's rows beside the others; versions of a row that is there join it.
  Status Merge(Table local, const std::string& source);

  std::vector<Statute> rows_;
  std::vector<std::pair<std::string, std::size_t>> names_;  // normalised name -> row, sorted
  legal::Date as_of_;
};

// The state on a day.
State StateOn(const Statute& statute, const legal::Date& day);
// Is the article in this version? Unknown counts as yes.
bool HasArticle(const Version& version, ArticleNumber article);
const ArticleShape* FindShape(const Version& version, ArticleNumber article);

// 《》 and blanks dropped, full width to half except brackets, nested 〈〉 and 《》 and ﹤﹥
// evened, 最高法院/最高院 to 最高人民法院, brackets （） evened.
std::string NormaliseName(std::string_view name);

}  // namespace zhibi::statute
