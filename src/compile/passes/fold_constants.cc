// SPDX-License-Identifier: Apache-2.0
// Runs the reference of an op whose operands are all values that the compiler holds (frequencies,
// tables, folded results), and keeps the result as a new constant. Weights of the checkpoint are
// not folded: they are read once, when they are packed.
#include <algorithm>

#include <fmt/format.h>

#include "base/status_macros.h"
#include "compile/passes.h"
#include "compile/rewrite.h"

namespace zhibi::compile {
namespace {

constexpr std::int64_t kMaxElements = std::int64_t{1} << 20;

bool CanFold(const graph::Node& node, const graph::OpDef& def, Rewriter& rewriter) {
  if (def.has_effect || node.src.empty() || node.dst.size() != 1) return false;
  for (const graph::ValueId id : node.src) {
    if (id == graph::ValueId::kNone) continue;
    const graph::Weight* weight = rewriter.WeightOf(id);
    if (weight == nullptr || weight->constant.empty() || weight->add != 0) return false;
  }
  const graph::Value& result = rewriter.graph().value(node.dst[0]);
  if (result.desc.dtype != DType::kF32 || rewriter.IsOutput(node.dst[0])) return false;
  std::int64_t elements = 1;
  for (const graph::Dim& dim : result.desc.shape) {
    if (!dim.constant()) return false;
    elements *= std::min(*dim.constant(), kMaxElements);
    if (elements > kMaxElements) return false;
  }
  return result.desc.shape.size() <= 2 && elements > 0;
}

graph::TensorView ViewOf(const graph::TensorDesc& desc, float* data) {
  graph::TensorView view;
  view.data = data;
  view.dtype = desc.dtype;
  view.rank = static_cast<std::int32_t>(desc.shape.size());
  for (std::size_t i = 0; i < desc.shape.size(); ++i) view.dims[i] = *desc.shape[i].constant();
  return view;
}

graph::Weight Evaluate(const graph::Node& node, const graph::OpDef& def, Rewriter& rewriter) {
  std::vector<std::vector<float>> values;
  std::vector<graph::TensorView> src;
  values.reserve(node.src.size());
  for (const graph::ValueId id : node.src) {
    if (id == graph::ValueId::kNone) {
      src.emplace_back();
      continue;
    }
    values.push_back(rewriter.WeightOf(id)->constant);
    src.push_back(ViewOf(rewriter.graph().value(id).desc, values.back().data()));
  }
  const graph::TensorDesc& desc = rewriter.graph().value(node.dst[0]).desc;
  graph::Weight folded;
  folded.name = node.name;
  for (const graph::Dim& dim : desc.shape) folded.shape.push_back(*dim.constant());
  folded.role = graph::WeightRole::kTable;
  graph::TensorView dst = ViewOf(desc, nullptr);
  folded.constant.resize(static_cast<std::size_t>(dst.elements()));
  dst.data = folded.constant.data();
  const graph::TensorView dsts[] = {dst};
  def.reference({.attrs = &node.attrs, .src = src, .dst = dsts, .caches = {}});
  return folded;
}

}  // namespace

Result<PassResult> FoldConstants(graph::Graph& graph, const PassContext& /*context*/) {
  Rewriter rewriter(graph);
  PassResult result;
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    const graph::OpDef* def = graph::FindOp(graph.nodes[n].op);
    if (def == nullptr || !CanFold(graph.nodes[n], *def, rewriter)) continue;
    const graph::ValueId old = graph.nodes[n].dst[0];
    const graph::ValueId folded = rewriter.AddWeight(Evaluate(graph.nodes[n], *def, rewriter));
    rewriter.ReplaceUses(old, folded);
    rewriter.Erase(static_cast<int>(n));
    rewriter.Refresh();
    ++result.changes;
  }
  rewriter.Compact();
  return result;
}

}  // namespace zhibi::compile
