// SPDX-License-Identifier: Apache-2.0
// The last pass: weights become bytes. Each distinct (weight, layout) is packed once by the entry
// that was chosen to read it and streams into the engine file; a few are packed at a time, bounded
// by bytes, so that a build needs memory for a few weights, not for the model. One thread at a
// time; packing runs on threads of its own.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "compile/choice.h"
#include "engine/engine_file.h"
#include "graph/graph.h"
#include "zhibi/status.h"

namespace zhibi::compile {

// A weight operand with the question that its entry packs it for.
struct PackJob {
  const graph::Weight* weight = nullptr;
  std::string layout;
  const backend::KernelEntry* entry = nullptr;
  std::unique_ptr<NodeQuery> query;
  int operand = 0;
  std::size_t bytes = 0;
};

class PackList {
 public:
  // Index of the weight in the engine's table, making a job for it on first sight. `graph` must
  // outlive the list. kInternal when an entry answers no bytes.
  Result<std::int32_t> Add(const graph::Graph& graph, const graph::Node& node, int operand,
                           const NodeChoice& choice, const engine::BucketAxis& axis);
  const std::vector<PackJob>& jobs() const { return jobs_; }
  // The table's rows; offsets and errors are filled in by the writer and PackAll.
  engine::PackedWeight Describe(std::size_t index) const;
  std::int64_t total_bytes() const { return total_bytes_; }

 private:
  std::vector<PackJob> jobs_;
  std::int64_t total_bytes_ = 0;
};

// done and total in bytes; `name` is the weight that was just written.
using PackProgress =
    std::function<void(std::int64_t done, std::int64_t total, std::string_view name)>;

// Packs and appends all weights in order. Errors name the weight and come from reading or packing.
Status PackAll(const PackList& list, const graph::WeightSource& source, int threads,
               engine::EngineWriter& writer, const PackProgress& progress);

struct PackError {
  double max = 0;  // largest |dequantised - source| / largest |source|
  double rms = 0;  // relative root mean square error
};

// Encodes and decodes rows of the weight in its format: all rows of small weights, evenly spaced
// ones of large weights. Zero where the stored numbers pass unchanged.
Result<PackError> MeasureError(const graph::Weight& weight, const graph::WeightSource& source);

}  // namespace zhibi::compile
