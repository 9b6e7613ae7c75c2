// SPDX-License-Identifier: Apache-2.0
// Sums, dates, percentages, case numbers, articles and names of statutes. Internal to entity.
// Thread-safe.
#pragma once

#include <string_view>
#include <vector>

#include "entity/case_number.h"
#include "entity/pattern.h"
#include "entity/spans.h"
#include "zhibi/status.h"

namespace zhibi::entity {

class Figures {
 public:
  static Result<Figures> Create();

  // Case numbers, articles, statutes: before everything else, they are protected.
  void FindReferences(std::string_view text, const CaseNumbers& numbers, Spans& spans) const;
  // Sums, dates, rates.
  void FindFigures(std::string_view text, Spans& spans) const;

 private:
  enum Slot {
    kArticlePattern,
    kStatutePattern,
    kDatePattern,
    kChineseDatePattern,
    kMoneyPattern,
    kChineseMoneyPattern,
    kBareMoneyPattern,
    kPercentPattern,
    kChinesePercentPattern,
    kRatePattern,
    kSlots
  };
  void FindDates(std::string_view text, Spans& spans) const;
  void FindMoney(std::string_view text, Spans& spans) const;
  void FindPercents(std::string_view text, Spans& spans) const;

  std::vector<Pattern> patterns_;  // by Slot
};

}  // namespace zhibi::entity
