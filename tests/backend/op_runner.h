// SPDX-License-Identifier: Apache-2.0
// Runs one kernel entry on one problem through the device interface alone (allocate, copy, launch,
// copy back), so that any backend can be tested by it.
#pragma once

#include <string>
#include <vector>

#include "backend/backend.h"
#include "backend/op_case.h"

namespace zhibi::backend {

struct OpOutput {
  std::vector<std::vector<std::byte>> dst;     // one a result
  std::vector<std::vector<std::byte>> caches;  // after the launch
};

// What the compiler would ask; views into `problem` and into itself.
class QueryOf {
 public:
  explicit QueryOf(const OpProblem& problem);
  QueryOf(const QueryOf&) = delete;
  QueryOf& operator=(const QueryOf&) = delete;
  const OpQuery& query() const { return query_; }

 private:
  std::vector<graph::TensorView> src_;
  std::vector<quant::WeightFormat> formats_;
  std::unique_ptr<bool[]> is_weight_;
  OpQuery query_;
};

Result<OpOutput> RunEntry(Device& device, const KernelEntry& entry, const OpProblem& problem);
// Microseconds of one launch: the median of several, after warming up.
Result<double> TimeEntry(Device& device, const KernelEntry& entry, const OpProblem& problem);

}  // namespace zhibi::backend
