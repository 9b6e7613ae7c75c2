// SPDX-License-Identifier: Apache-2.0
// Names of persons, organisations, courts, judges, and causes of action. A name is learned where a
// role introduces it (原告：张三，男; 法定代表人：李四), then found at every other place. Internal
// to entity. Thread-safe after Create.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "entity/causes.h"
#include "entity/pattern.h"
#include "entity/spans.h"
#include "zhibi/status.h"

namespace zhibi::entity {

struct NameTables {
  std::set<std::string, std::less<>> surnames;  // one character
  std::set<std::string, std::less<>> compound_surnames;
  std::vector<std::string> party_roles, contract_roles, representative_roles, judge_roles;
  std::set<std::string, std::less<>> not_names, generic_organisations;
  std::vector<std::string> followers, org_suffixes, org_boundaries, provinces, court_boundaries;
};

// What was learned of one name.
struct LearnedName {
  Kind kind = Kind::kPerson;
  std::string role;
  std::string full;  // the name that an abbreviation stands for; else the name itself
  std::size_t declared_at = std::string_view::npos;
};
using LearnedNames = std::map<std::string, LearnedName, std::less<>>;

class Names {
 public:
  static Result<Names> Create(const std::string& data_dir);

  // text: folded. `learned` may hold names that are known before; it gets those of the text.
  void Learn(std::string_view text, LearnedNames& learned) const;
  // Every place of every learned name, the longest name at a place; courts and causes.
  void Find(std::string_view text, const LearnedNames& learned, const Causes& causes,
            Spans& spans) const;

  std::size_t SurnameLength(std::string_view text) const;
  bool LooksLikePerson(std::string_view name) const;
  const NameTables& tables() const { return tables_; }

 private:
  enum Slot {
    kDeclaration,
    kMention,
    kJudgeLine,
    kOrganisationSuffix,
    kAlias,
    kCourtSuffix,
    kPersonName,
    kMinorityName,
    kIntroduced,
    kNamed,
    kBareName,
    kSlots
  };
  void LearnDeclared(std::string_view text, LearnedNames& learned) const;
  void LearnMentioned(std::string_view text, LearnedNames& learned) const;
  using Counts = std::map<std::string, std::size_t, std::less<>>;
  void LearnList(std::string_view text, std::size_t at, const std::string& role, Counts& counts,
                 LearnedNames& learned) const;
  void LearnOrganisations(std::string_view text, LearnedNames& learned) const;
  void LearnAliases(std::string_view text, LearnedNames& learned) const;
  void FindCourts(std::string_view text, Spans& spans) const;
  void FindCauses(std::string_view text, const Causes& causes, Spans& spans) const;
  // The name at the front of `rest` that its surroundings make likely; empty if none.
  std::string_view NameAt(std::string_view text, std::size_t at, Counts& counts) const;
  // 刘某1, 罗某美: the masked name at the front of `rest`; empty if none.
  std::string_view MaskedName(std::string_view rest, std::size_t surname) const;
  // The organisation at `at`, behind a role; empty if none.
  std::string_view OrganisationAt(std::string_view text, std::size_t at) const;
  // Bytes of the longest word at the front of `rest` that can follow a name; 0: none.
  std::size_t FollowerLength(std::string_view rest) const;
  bool FollowsName(std::string_view rest) const { return FollowerLength(rest) > 0; }
  bool NamesRole(std::string_view name) const;
  bool StartsLikeWord(std::string_view rest) const;
  std::string_view TrimOrganisation(std::string_view name) const;

  NameTables tables_;
  std::vector<Pattern> patterns_;  // by Slot
};

}  // namespace zhibi::entity
