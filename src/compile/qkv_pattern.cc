// SPDX-License-Identifier: Apache-2.0
#include "compile/qkv_pattern.h"

#include "graph/ops/cache_write.h"

namespace zhibi::compile {
namespace {

using graph::Node;
using graph::ValueId;

const Node& At(Rewriter& rewriter, int index) {
  return rewriter.graph().nodes[static_cast<std::size_t>(index)];
}

// Index of the node with op `op` that makes a value which only one operand reads.
int SoleProducer(Rewriter& rewriter, ValueId id, std::string_view op) {
  if (id == ValueId::kNone || rewriter.Uses(id) != 1) return -1;
  return rewriter.ProducerIf(id, op) == nullptr ? -1 : rewriter.Producer(id);
}

bool FindChain(Rewriter& rewriter, ValueId end, std::string_view base, std::int32_t head_dim,
               RopeChain& chain) {
  chain.rope = SoleProducer(rewriter, end, "rope");
  if (chain.rope < 0) return false;
  ValueId before = At(rewriter, chain.rope).src[0];
  chain.norm = SoleProducer(rewriter, before, "rms_norm");
  if (chain.norm >= 0) {
    const Node& norm = At(rewriter, chain.norm);
    if (norm.attrs.As<graph::RmsNormAttrs>().width != head_dim) return false;
    before = norm.src[0];
  }
  chain.base = SoleProducer(rewriter, before, base);
  return chain.base >= 0;
}

bool SameTreatment(Rewriter& rewriter, const RopeChain& q, const RopeChain& k) {
  const Node& a = At(rewriter, q.rope);
  const Node& b = At(rewriter, k.rope);
  if (!(a.attrs == b.attrs) || Operand(a, 1) != Operand(b, 1) || Operand(a, 2) != Operand(b, 2)) {
    return false;
  }
  if (q.norm < 0 || k.norm < 0) return true;
  return At(rewriter, q.norm).attrs == At(rewriter, k.norm).attrs;
}

int FindCacheWrite(Rewriter& rewriter, const graph::AttentionAttrs& attention) {
  for (std::size_t n = 0; n < rewriter.graph().nodes.size(); ++n) {
    const Node& node = rewriter.graph().nodes[n];
    if (node.op != "cache_write") continue;
    const auto attrs = node.attrs.As<graph::CacheWriteAttrs>();
    if (attrs.group == attention.group && attrs.layer == attention.layer) {
      return static_cast<int>(n);
    }
  }
  return -1;
}

}  // namespace

std::optional<QkvPattern> MatchQkv(Rewriter& rewriter, int attention, std::string_view base) {
  const Node& node = At(rewriter, attention);
  QkvPattern pattern;
  pattern.attention = node.attrs.As<graph::AttentionAttrs>();
  const graph::AttentionAttrs& attrs = pattern.attention;
  if (attrs.kind != graph::AttentionKind::kCausal || attrs.group < 0 ||
      attrs.head_dim != attrs.value_dim) {
    return std::nullopt;
  }
  pattern.cache_write = FindCacheWrite(rewriter, attrs);
  if (pattern.cache_write < 0 || pattern.cache_write > attention) return std::nullopt;
  const Node& write = At(rewriter, pattern.cache_write);
  if (!FindChain(rewriter, node.src[0], base, attrs.head_dim, pattern.q) ||
      !FindChain(rewriter, write.src[0], base, attrs.head_dim, pattern.k) ||
      !SameTreatment(rewriter, pattern.q, pattern.k)) {
    return std::nullopt;
  }
  pattern.v = SoleProducer(rewriter, write.src[1], base);
  if (pattern.v < 0) return std::nullopt;
  // The same rows everywhere, and positions that the write uses are those of the rotation.
  const ValueId x = At(rewriter, pattern.q.base).src[0];
  if (At(rewriter, pattern.k.base).src[0] != x || At(rewriter, pattern.v).src[0] != x ||
      Operand(write, 2) != Operand(At(rewriter, pattern.q.rope), 1)) {
    return std::nullopt;
  }
  pattern.rope = At(rewriter, pattern.q.rope).attrs.As<graph::RopeAttrs>();
  const int norm = pattern.q.norm >= 0 ? pattern.q.norm : pattern.k.norm;
  pattern.norm_eps = norm >= 0 ? At(rewriter, norm).attrs.As<graph::RmsNormAttrs>().eps : 1e-6F;
  return pattern;
}

}  // namespace zhibi::compile
