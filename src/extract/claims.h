// SPDX-License-Identifier: Apache-2.0
// What a text claims (诉讼请求, 上诉请求, 仲裁请求; told in a sentence too) and what a court
// orders. Internal to extract. Thread-safe after Create.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entity/pattern.h"
#include "extract/extract.h"
#include "zhibi/status.h"

namespace zhibi::extract {

class ClaimFinder {
 public:
  static Result<ClaimFinder> Create();
  // Fills claims and holdings.
  void Find(std::string_view text, Extraction& result) const;

 private:
  explicit ClaimFinder(std::vector<entity::Pattern> patterns) : patterns_(std::move(patterns)) {}
  void FindClaims(std::string_view text, Extraction& result) const;
  // One list behind its head; where it ends.
  std::size_t ReadList(std::string_view text, std::size_t begin, bool told,
                       std::vector<Value>& values) const;
  void FindTold(std::string_view text, std::size_t end, std::vector<Value>& values) const;
  void FindHoldings(std::string_view text, Extraction& result) const;
  void AddItems(std::string_view text, std::size_t begin, std::size_t end, const Value& like,
                std::vector<Value>& values) const;
  std::vector<entity::Pattern> patterns_;
};

}  // namespace zhibi::extract
