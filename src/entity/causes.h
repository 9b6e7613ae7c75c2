// SPDX-License-Identifier: Apache-2.0
// Causes of action of civil cases (民事案件案由规定, 2025 revision, in force 2026-01-01), all four
// levels (data/entity/causes.json). Cases filed before that day carry the 2020 or 2011 names, whose
// tables are not here: a name outside the table is then "unknown", not wrong. Thread-safe.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "legal/date.h"
#include "zhibi/status.h"

namespace zhibi::entity {

struct Cause {
  std::string name;
  std::string code;  // number of the list, "8.1" for the fourth level; "" for levels 1 and 2
  int level = 0;     // 1 to 4
  std::string part;  // name of the first level
};

enum class CauseCheck {
  kKnown,    // in the table, at whatever level
  kUnknown,  // not in the table, and the filing date is before the table's, so it may be right
  kWrong,    // filed under the table and not in it
};

class Causes {
 public:
  static Result<Causes> Load(const std::string& data_dir);

  // null: not in the table. Names are compared after width and the 、of lists are normalised.
  const Cause* Find(std::string_view name) const;
  CauseCheck Check(std::string_view name, const legal::Date& filed) const;
  // Up to `limit` names of the table that share most characters with `name`, best first.
  std::vector<std::string> Nearest(std::string_view name, std::size_t limit) const;
  const legal::Date& in_force() const { return in_force_; }
  std::size_t size() const { return causes_.size(); }
  // Longest name of the table that ends at `end` of text (exclusive); null if none.
  const Cause* EndingAt(std::string_view text, std::size_t end) const;

 private:
  std::map<std::string, Cause, std::less<>> causes_;
  std::size_t longest_ = 0;  // bytes of the longest name
  legal::Date in_force_;
};

}  // namespace zhibi::entity
