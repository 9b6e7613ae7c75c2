// SPDX-License-Identifier: Apache-2.0
// GraphBuilder: how families and importers make a graph. Every call checks the op's shape rule at
// once; the first error is kept and returned by Finish, so that a family reads as the paper does.
// One thread at a time.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "graph/family.h"
#include "graph/graph.h"
#include "graph/ops/activation.h"
#include "graph/ops/attention.h"
#include "graph/ops/binary.h"
#include "graph/ops/cache_write.h"
#include "graph/ops/linear.h"
#include "graph/ops/rope.h"

namespace zhibi::graph {

class GraphBuilder {
 public:
  // `limits` sets the profiles of the step's symbols (tokens, seqs, out_rows, pages.<group>, ...).
  explicit GraphBuilder(std::string graph_name, const StepLimits& limits = {});

  // A symbol with its profile; the same name again returns the same symbol.
  Dim Symbol(std::string_view name, std::int64_t min, std::int64_t opt, std::int64_t max);
  ValueId Input(std::string_view name, DType dtype, Shape shape);
  // Names of the checkpoint's tensors; rows of each part are known from `shape` when there is one
  // part.
  ValueId Parameter(Weight weight);
  ValueId Parameter(std::string_view tensor, std::vector<std::int64_t> shape,
                    WeightRole role = WeightRole::kMatrix);
  ValueId Constant(std::string_view name, std::vector<std::int64_t> shape,
                   std::vector<float> values);
  // Index of the new group; its page table input "page_table.<name>" i32 [seqs, pages.<name>] is
  // made too.
  int Cache(CacheGroup group);
  ValueId PageTable(int group) const;

  // The generic call; the helpers below wrap it. `name` is the node's name.
  std::vector<ValueId> Add(std::string_view op, std::string_view name, const Attrs& attrs,
                           std::vector<ValueId> src);

  ValueId Embedding(std::string_view name, ValueId ids, ValueId table, float scale = 1);
  ValueId RmsNorm(std::string_view name, ValueId x, ValueId weight, float eps, int width = 0);
  ValueId LayerNorm(std::string_view name, ValueId x, ValueId weight, ValueId bias, float eps);
  ValueId Linear(std::string_view name, ValueId x, ValueId weight, ValueId bias = ValueId::kNone,
                 Activation activation = Activation::kNone);
  ValueId Unary(std::string_view name, ValueId x, Activation activation);
  ValueId Binary(std::string_view name, BinaryKind kind, ValueId a, ValueId b);
  ValueId Gated(std::string_view name, ValueId gate, ValueId up, Activation activation);
  ValueId Rope(std::string_view name, ValueId x, ValueId inv_freq, const RopeAttrs& attrs);
  void CacheWrite(std::string_view name, ValueId k, ValueId v, const CacheWriteAttrs& attrs);
  // Fills operands 3 to 7 from the step inputs. k and v are kNone when attrs.group >= 0.
  ValueId Attention(std::string_view name, ValueId q, ValueId k, ValueId v,
                    const AttentionAttrs& attrs, ValueId bias = ValueId::kNone);
  ValueId GatherRows(std::string_view name, ValueId x, ValueId rows);

  // The inputs of a ragged step (graph/step.h), made on first use.
  struct StepInputs {
    ValueId ids;  // select_tokens of host_ids, token_source and previous_samples
    ValueId positions, row_seq, seq_offsets, seq_lens, out_rows;
  };
  const StepInputs& Step();
  // An input of the step by its name in graph/step.h, made on first use: kEncoderLens, kTokenTypes.
  ValueId StepInput(std::string_view name);
  // gather_rows of out_rows (output "hidden"), head (output "logits"), sampler with all its inputs
  // and outputs.
  void LogitsAndSampler(ValueId hidden, ValueId head_weight, ValueId head_bias = ValueId::kNone);
  void Output(std::string_view name, ValueId value);

  const TensorDesc& desc(ValueId id) const;
  Dim tokens();
  Dim seqs();

  Result<Graph> Finish() &&;

 private:
  void Fail(Status status);
  ValueId AddValue(Value value);
  TensorDesc DescOf(ValueId id) const;

  Graph graph_;
  StepLimits limits_;
  Status status_;
  std::vector<ValueId> page_tables_;
  StepInputs step_{};
  bool has_step_ = false;
};

}  // namespace zhibi::graph
