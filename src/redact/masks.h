// SPDX-License-Identifier: Apache-2.0
// The words that stand for hidden values: 刘某1, 某某有限公司, ×××, 【手机号1】. Distinct for
// distinct values, the same for the same. Internal to redact. One thread.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entity/recogniser.h"
#include "redact/redact.h"

namespace zhibi::redact {

class Masks {
 public:
  // text: the original, whose own masked names (张某) must not be met by new ones.
  Masks(const entity::Recogniser& recogniser, std::string_view text, Level level)
      : recogniser_(recogniser), text_(text), level_(level) {}

  // Registers names in the order of the text; then the masks can be asked for.
  void AddPerson(const std::string& name);
  void AddOrganisation(const std::string& name);
  void Finish();

  std::string Person(const std::string& name) const;
  // written: as it stands there, a shorter form of `name` keeps its own ending (和平公司).
  std::string Organisation(const std::string& name, std::string_view written) const;
  // What replaces a number or an address of this kind; written: as it stands in the text.
  std::string Number(const entity::Entity& entity, std::string_view written);

 private:
  std::string Family(const std::string& name) const;
  // Does a digit follow a name of this family somewhere?
  bool BeforeDigit(const std::string& family) const;

  const entity::Recogniser& recogniser_;
  std::string_view text_;
  Level level_;
  std::vector<std::string> persons_;
  std::vector<std::string> organisations_;
  std::map<std::string, std::string> person_masks_;
  std::map<std::string, std::string> organisation_marks_;  // name -> "某某", "某某1", "甲乙"
  std::map<std::pair<entity::Kind, std::string>, std::size_t> numbers_;  // P3: value -> number
  std::map<entity::Kind, std::size_t> counts_;
};

// The ending that says what an organisation is: 有限公司, 分公司, 银行...; "" when it is none of an
// enterprise.
std::string EnterpriseSuffix(std::string_view name);

}  // namespace zhibi::redact
