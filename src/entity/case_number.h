// SPDX-License-Identifier: Apache-2.0
// Case numbers: （2024）京0105民初1234号 (since 2016: year, court code, special code, type code,
// number) and （2012）江宁开民初字第646号 (before). What the codes say (court level, procedure) is
// data/entity/case-types.json; a code that is not there is unknown, never wrong. Thread-safe.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "entity/pattern.h"
#include "zhibi/status.h"

namespace zhibi::entity {

struct CaseType {
  std::string code;       // 民初
  std::string name;       // 民事一审案件
  std::string branch;     // civil, criminal, administrative, enforcement, state_compensation, other
  std::string procedure;  // first, second, retrial, review, enforcement, other
  std::string next;       // the code of an appeal; "" where there is none
};

enum class CourtLevel { kUnknown, kSupreme, kHigh, kIntermediate, kBasic };

struct CaseNumber {
  int year = 0;
  std::string court;    // 京0105, 最高法; old form: the characters before the type (江宁开)
  std::string special;  // 知 and such; "" if none
  std::string type;     // 民初
  std::string number;   // digits as written
  std::string sub;      // 之一; "" if none
  bool old_form = false;
  bool half_width_brackets = false;
  bool masked = false;  // ××× in place of the number or the court
  CourtLevel level = CourtLevel::kUnknown;
  const CaseType* known_type = nullptr;  // null: the type code is not in the table
};

class CaseNumbers {
 public:
  static Result<CaseNumbers> Load(const std::string& data_dir);

  // The number at the front of `text`; *length gets its bytes. kInvalidArgument: none there.
  Result<CaseNumber> Parse(std::string_view text, std::size_t* length = nullptr) const;
  // null: unknown.
  const CaseType* Type(std::string_view code) const;
  const Pattern& pattern() const { return pattern_; }
  // 京 of an area's name (北京市, 北京) or "" when unknown.
  std::string LetterOf(std::string_view area) const;

 private:
  CaseNumbers(Pattern pattern, std::map<std::string, CaseType, std::less<>> types,
              std::map<std::string, std::string, std::less<>> letters)
      : pattern_(std::move(pattern)), types_(std::move(types)), letters_(std::move(letters)) {}
  Pattern pattern_;
  std::map<std::string, CaseType, std::less<>> types_;
  std::map<std::string, std::string, std::less<>> letters_;  // area -> letter
};

}  // namespace zhibi::entity
