// SPDX-License-Identifier: Apache-2.0
// Runs a graph node by node with the ops' scalar references, on real buffers and a real paged
// cache: the yardstick for families (against golden logits) and for passes (before and after).
// Memory that nobody has written is NaN, pages are handed out in scrambled order, so that a wrong
// page table, offset or length shows. One thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/graph.h"
#include "graph/weights.h"
#include "zhibi/status.h"

namespace zhibi::test {

struct HostTensor {
  DType dtype = DType::kF32;
  std::vector<std::int64_t> shape;
  std::vector<std::byte> bytes;

  template <typename T>
  static HostTensor Of(DType dtype, std::vector<std::int64_t> shape, const std::vector<T>& values) {
    HostTensor tensor{dtype, std::move(shape), {}};
    const auto raw = std::as_bytes(std::span(values));
    tensor.bytes.assign(raw.begin(), raw.end());
    return tensor;
  }
  static HostTensor F32(std::vector<std::int64_t> shape, const std::vector<float>& values) {
    return Of(DType::kF32, std::move(shape), values);
  }
  static HostTensor I32(std::vector<std::int64_t> shape, const std::vector<std::int32_t>& values) {
    return Of(DType::kI32, std::move(shape), values);
  }
  template <typename T>
  std::span<const T> as() const {
    return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
  }
};

using TensorMap = std::map<std::string, HostTensor, std::less<>>;

// Pages of all cache groups of a model's plans, by group name, so that plans share them.
class CacheStore {
 public:
  CacheStore(int page_tokens, int pages_per_group)
      : page_tokens_(page_tokens), pages_per_group_(pages_per_group) {}

  // Makes the group's pages on first use.
  graph::CacheView View(const graph::CacheGroup& group);
  // The page table of these sequences, [seqs, columns], each long enough for its tokens; rows are
  // filled with -1 behind a sequence's pages. Fails a check when the pages run out.
  HostTensor PageTable(const graph::CacheGroup& group, std::span<const std::int64_t> sequences,
                       std::span<const std::int64_t> tokens);

 private:
  struct Pages {
    std::vector<std::byte> bytes;
    std::vector<std::int32_t> free;
    std::map<std::int64_t, std::vector<std::int32_t>> of_sequence;
    graph::CacheView view;
  };
  Pages& PagesOf(const graph::CacheGroup& group);

  int page_tokens_;
  int pages_per_group_;
  std::map<std::string, Pages> groups_;
};

class GraphInterpreter {
 public:
  // Reads all weights as float; errors of graph::ReadWeightF32. `graph` and `caches` outlive it.
  static Result<GraphInterpreter> Create(const graph::Graph& graph,
                                         const graph::WeightSource& source, CacheStore* caches);

  // Symbols are bound by the inputs' shapes. Errors name a missing input, or one of another shape
  // than the graph declares. The result holds the graph's outputs by name.
  Result<TensorMap> Run(const TensorMap& inputs);
  const graph::Graph& graph() const { return *graph_; }

 private:
  Status BindSymbols(const TensorMap& inputs, std::vector<std::int64_t>& symbols) const;

  const graph::Graph* graph_ = nullptr;
  CacheStore* caches_ = nullptr;
  std::map<std::int32_t, HostTensor> weights_;  // by value id
};

// The smallest honest runtime of one plan: sequences that grow by rows, any rows of any sequences
// in a step, logits of any rows.
class StepDriver {
 public:
  struct Rows {
    std::int64_t sequence = 0;
    std::vector<std::int32_t> ids;
    std::vector<std::int32_t> wanted;       // indexes into ids; goes to out_rows
    std::vector<std::int32_t> token_types;  // BERT; empty: 0
  };

  StepDriver(GraphInterpreter interpreter, CacheStore* caches)
      : interpreter_(std::move(interpreter)), caches_(caches) {}

  // Appends the rows to their sequences (encoders start at position 0 each time).
  Result<TensorMap> Step(std::span<const Rows> rows);
  // Source length of a sequence, for cross attention.
  void SetEncoderLength(std::int64_t sequence, std::int64_t length) {
    encoder_lengths_[sequence] = length;
  }
  // Called on the inputs of every step before it runs; for tests that break something.
  void EditInputs(std::function<void(TensorMap&)> edit) { edit_inputs_ = std::move(edit); }
  std::int64_t length(std::int64_t sequence) const {
    const auto at = lengths_.find(sequence);
    return at == lengths_.end() ? 0 : at->second;
  }

 private:
  TensorMap Inputs(std::span<const Rows> rows);

  GraphInterpreter interpreter_;
  CacheStore* caches_;
  std::map<std::int64_t, std::int64_t> lengths_;
  std::map<std::int64_t, std::int64_t> encoder_lengths_;
  std::function<void(TensorMap&)> edit_inputs_;
};

}  // namespace zhibi::test
