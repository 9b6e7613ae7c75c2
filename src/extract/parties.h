// SPDX-License-Identifier: Apache-2.0
// Who a text speaks of: parties behind their role words with what the head says of them, their
// representatives and agents; parties that the text names only by what they do (张三辩称) are
// doubtful. Internal to extract. Thread-safe after Create.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entity/entity.h"
#include "entity/pattern.h"
#include "extract/extract.h"
#include "zhibi/status.h"

namespace zhibi::extract {

class PartyFinder {
 public:
  static Result<PartyFinder> Create();
  // entities: of the text, by their place. Fills parties, people and people_by_act.
  void Find(std::string_view text, const std::vector<entity::Entity>& entities,
            Extraction& result) const;

 private:
  explicit PartyFinder(std::vector<entity::Pattern> patterns) : patterns_(std::move(patterns)) {}
  void FindByAct(std::string_view text, const std::vector<entity::Entity>& entities,
                 Extraction& result) const;
  void FindActors(std::string_view text, std::set<std::string>& known, Extraction& result) const;
  std::vector<entity::Pattern> patterns_;
};

}  // namespace zhibi::extract
