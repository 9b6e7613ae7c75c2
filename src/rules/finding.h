// SPDX-License-Identifier: Apache-2.0
// What a rule says about a text: a finding with its place, what was seen, what should stand there
// and the law behind it. A report also carries the versions of the rule set and of the statutes,
// so that it can be repeated. Thread rule: plain data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace zhibi::rules {

enum class Level : std::uint8_t { kInfo, kWarning, kError };
std::string_view LevelName(Level level);  // "info", "warning", "error"

struct Span {
  std::size_t begin = 0;
  std::size_t end = 0;

  bool Contains(std::size_t at) const { return at >= begin && at < end; }
  friend bool operator==(const Span&, const Span&) = default;
};

struct Basis {
  std::string law;
  std::string article;
  std::string snapshot;  // day of the statute table the finding rests on
};

struct Finding {
  std::string id;
  Level level = Level::kWarning;
  Span span;               // bytes of the text that was checked
  Span characters;         // the same in Unicode code points
  std::string message;     // Chinese
  std::string message_en;  // what the rule is about, without the particulars
  std::string evidence;    // the words of the text, or the computation
  std::string suggestion;  // what should stand there; may be empty
  Basis basis;
};

struct Report {
  std::string rules_version;
  std::string statutes_as_of;        // ISO day; empty without a table
  std::string doctype;               // as given or detected; "unknown"
  std::string date;                  // ISO day the text was checked for; empty when unknown
  std::vector<Finding> findings;     // by place
  std::vector<std::string> notes;    // for the reader: stale tables, unknown date
  std::vector<std::string> not_run;  // rules that the text alone cannot decide, with the reason

  bool HasError() const;
};

nlohmann::json ToJson(const Report& report);

}  // namespace zhibi::rules
