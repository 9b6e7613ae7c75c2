// SPDX-License-Identifier: Apache-2.0
// The list of entities while it is being found: adds without overlap. Internal to entity; one
// thread.
#pragma once

#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "entity/entity.h"

namespace zhibi::entity {

class Spans {
 public:
  // False, and nothing is added, where the span overlaps one that was added as exclusive.
  bool AddExclusive(Entity entity) {
    if (Taken(entity.begin, entity.end)) return false;
    taken_[entity.begin] = entity.end;
    list_.push_back(std::move(entity));
    return true;
  }
  void Add(Entity entity) { list_.push_back(std::move(entity)); }
  bool Taken(std::size_t begin, std::size_t end) const {
    auto next = taken_.lower_bound(end);
    return next != taken_.begin() && std::prev(next)->second > begin;
  }
  std::vector<Entity>& list() { return list_; }

 private:
  std::map<std::size_t, std::size_t> taken_;  // begin -> end
  std::vector<Entity> list_;
};

}  // namespace zhibi::entity
