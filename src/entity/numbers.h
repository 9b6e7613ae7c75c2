// SPDX-License-Identifier: Apache-2.0
// Numbers that belong to somebody (ids, phones, cards, plates, certificates, addresses) and the
// check digits behind them. Internal to entity. Thread-safe.
#pragma once

#include <string_view>
#include <vector>

#include "entity/pattern.h"
#include "entity/spans.h"
#include "zhibi/status.h"

namespace zhibi::entity {

bool PassesLuhn(std::string_view digits);  // ISO/IEC 7812-1; digits only
bool PassesVin(std::string_view vin);      // GB 16735, position 9; 17 characters

class Numbers {
 public:
  // provinces: names that an address may begin with.
  static Result<Numbers> Create(const std::vector<std::string>& provinces);

  // text: folded, valid UTF-8.
  void Find(std::string_view text, Spans& spans) const;
  // 江苏省昆山市玉山镇北门路1号 -> the length of 江苏省昆山市; 0 when there is no such part.
  std::size_t CountyLength(std::string_view address) const;

 private:
  struct Rule {
    Kind kind;
    Pattern pattern;
  };
  bool Accept(Kind kind, std::string_view text, Entity& entity) const;
  void FindAddresses(std::string_view text, Spans& spans) const;

  std::vector<Rule> rules_;
  std::vector<Pattern> addresses_;
  std::vector<Pattern> county_;  // one
  std::vector<std::string> provinces_;
};

}  // namespace zhibi::entity
