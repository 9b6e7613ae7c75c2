// SPDX-License-Identifier: Apache-2.0
#include "backend/op_case.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <numeric>
#include <sstream>
#include <utility>

#include "base/status_macros.h"
#include "graph/cache_access.h"
#include "graph/ops/add_rms_norm.h"
#include "graph/ops/attention.h"
#include "graph/ops/batch_matmul.h"
#include "graph/ops/binary.h"
#include "graph/ops/embedding.h"
#include "graph/ops/gated.h"
#include "graph/ops/gather_rows.h"
#include "graph/ops/layer_norm.h"
#include "graph/ops/linear.h"
#include "graph/ops/qkv_rope_cache.h"
#include "graph/ops/rms_norm.h"
#include "graph/ops/sample.h"
#include "graph/ops/select_tokens.h"
#include "graph/ops/slice_columns.h"
#include "graph/ops/softmax.h"
#include "graph/ops/unary.h"
#include "quant/codec.h"

namespace zhibi::backend {
namespace {

// A hash of two numbers (splitmix64's finaliser), as a float in [-1, 1).
float ValueAt(std::uint64_t stream, std::uint64_t index) {
  std::uint64_t z = stream * 0x9E3779B97F4A7C15U + index + 0xD1B54A32D192ED03U;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
  z ^= z >> 31;
  return static_cast<float>(z >> 40) * 0x1p-23F - 1.0F;
}

DType DTypeOf(const std::string& name) {
  for (const DType dtype : {DType::kF16, DType::kBF16, DType::kI8, DType::kI4}) {
    if (name == DTypeName(dtype)) return dtype;
  }
  return DType::kF32;
}

graph::TensorView ViewOf(DType dtype, const std::vector<std::int64_t>& dims) {
  graph::TensorView view;
  view.dtype = dtype;
  view.rank = static_cast<std::int32_t>(dims.size());
  for (std::size_t i = 0; i < dims.size(); ++i) view.dims[i] = dims[i];
  return view;
}

class Maker {
 public:
  Maker(const OpCase& op_case, OpProblem* problem) : case_(op_case), problem_(problem) {
    problem->op = op_case.op();
    problem->rows = rows();
  }

  std::int64_t rows() const { return case_.Int("rows", 1); }
  const OpCase& keys() const { return case_; }
  template <typename T>
  void Attributes(const T& attrs) {
    problem_->attrs = graph::Attrs::Of(attrs);
  }
  graph::Activation Activation() const {
    return static_cast<graph::Activation>(case_.Int("activation", 0));
  }

  void Absent() { problem_->src.emplace_back(); }
  void Floats(const std::vector<std::int64_t>& dims, float scale = 1) {
    Operand operand;
    operand.view = ViewOf(DType::kF32, dims);
    std::vector<float> values(static_cast<std::size_t>(operand.view.elements()));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = scale * ValueAt(stream_, i);
    ++stream_;
    SetBytes(&operand, values);
    problem_->src.push_back(std::move(operand));
  }
  template <typename T>
  void Values(DType dtype, const std::vector<std::int64_t>& dims, const std::vector<T>& values) {
    Operand operand;
    operand.view = ViewOf(dtype, dims);
    SetBytes(&operand, values);
    problem_->src.push_back(std::move(operand));
  }
  void Ints(const std::vector<std::int32_t>& values) {
    Values(DType::kI32, {static_cast<std::int64_t>(values.size())}, values);
  }
  void WeightOf(const std::vector<std::int64_t>& dims, float scale, float offset = 0,
                const std::string& format = "f32") {
    Operand operand;
    operand.view = ViewOf(DType::kF32, dims);
    operand.is_weight = true;
    operand.weight.name = "weight";
    operand.weight.shape = dims;
    operand.weight.format.dtype = DTypeOf(format);
    if (operand.weight.format.dtype == DType::kI4) {
      operand.weight.format.group = static_cast<std::int32_t>(quant::kI4Group);
    }
    const auto count = static_cast<std::size_t>(operand.view.elements());
    for (std::size_t i = 0; i < count; ++i) {
      operand.weight.constant.push_back(offset + scale * ValueAt(stream_, i));
    }
    ++stream_;
    problem_->src.push_back(std::move(operand));
  }
  // Frequencies as RoPE has them.
  void InvFreq(std::int64_t half) {
    WeightOf({half}, 0);
    auto& values = problem_->src.back().weight.constant;
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = std::pow(10000.0F, -static_cast<float>(i) / static_cast<float>(values.size()));
    }
  }

  // Sequences "past:rows,past:rows", cut to rows() rows in all.
  struct Sequences {
    std::vector<std::int32_t> positions, row_seq, offsets, lens;
  };
  Sequences MakeSequences() const {
    Sequences out;
    std::stringstream list(case_.Text("seqs", "0:" + std::to_string(rows())));
    std::string item;
    std::int64_t left = rows();
    out.offsets.push_back(0);
    while (std::getline(list, item, ',')) {
      const std::int64_t past = std::stoll(item.substr(0, item.find(':')));
      const std::int64_t count =
          std::min<std::int64_t>(left, std::stoll(item.substr(item.find(':') + 1)));
      for (std::int64_t i = 0; i < count; ++i) {
        out.positions.push_back(static_cast<std::int32_t>(past + i));
        out.row_seq.push_back(static_cast<std::int32_t>(out.lens.size()));
      }
      left -= count;
      out.lens.push_back(static_cast<std::int32_t>(past + count));
      out.offsets.push_back(static_cast<std::int32_t>(out.positions.size()));
    }
    return out;
  }

  // A cache group with every position of every sequence filled, also those to come, in pages whose
  // ids are scattered; returns the page table. `layers` 2, so that a wrong layer shows.
  void Cache(std::int64_t seqs, std::int64_t kv_heads, std::int64_t head_dim,
             std::int64_t value_dim) {
    const std::int64_t context = case_.Int("context", 64);
    CacheBytes cache;
    cache.view.page_tokens = static_cast<std::int32_t>(case_.Int("page_tokens", 32));
    cache.view.dtype = DTypeOf(case_.Text("cache", "f32"));
    problem_->cache_dtype = cache.view.dtype;
    const std::int64_t pages = (context + cache.view.page_tokens - 1) / cache.view.page_tokens;
    cache.view.layer_bytes = cache.view.page_tokens * kv_heads * (head_dim + value_dim) *
                             DTypeBits(cache.view.dtype) / 8;
    cache.view.page_bytes = 2 * cache.view.layer_bytes;
    cache.bytes.resize(static_cast<std::size_t>(cache.view.page_bytes * pages * seqs));
    const std::int64_t total = pages * seqs;
    std::vector<std::int32_t> table;
    // A stride prime to the number of pages visits each once.
    std::int64_t stride = total / 2 + 1;
    while (std::gcd(stride, total) != 1) ++stride;
    for (std::int64_t i = 0; i < total; ++i) {
      table.push_back(static_cast<std::int32_t>((i * stride + 1) % total));
    }
    cache.view.base = cache.bytes.data();
    for (std::int64_t seq = 0; seq < seqs && case_.Int("empty", 0) == 0; ++seq) {
      const std::span<const std::int32_t> row(table.data() + seq * pages,
                                              static_cast<std::size_t>(pages));
      for (int layer = 0; layer < 2; ++layer) {
        const graph::CacheLayer at{cache.view, layer, static_cast<std::int32_t>(kv_heads),
                                   static_cast<std::int32_t>(head_dim),
                                   static_cast<std::int32_t>(value_dim)};
        Fill(at, row, seq);
      }
    }
    cache.view.base = nullptr;
    problem_->caches.push_back(std::move(cache));
    Values(DType::kI32, {seqs, pages}, table);
  }

 private:
  template <typename T>
  static void SetBytes(Operand* operand, const std::vector<T>& values) {
    operand->bytes.resize(values.size() * sizeof(T));
    if (!values.empty()) std::memcpy(operand->bytes.data(), values.data(), operand->bytes.size());
  }
  // Values depend on sequence, position, head and element, not on the page size.
  static void Fill(const graph::CacheLayer& at, std::span<const std::int32_t> pages,
                   std::int64_t seq) {
    const auto context = static_cast<std::int64_t>(pages.size()) * at.view.page_tokens;
    for (std::int64_t position = 0; position < context; ++position) {
      for (std::int64_t head = 0; head < at.kv_heads; ++head) {
        const auto stream = static_cast<std::uint64_t>(
            1000 + ((seq * 2 + at.layer) * 100000 + position) * 64 + head);
        std::byte* key = graph::KeyAddress(at, pages, position, head);
        std::byte* value = graph::ValueAddress(at, pages, position, head);
        for (int i = 0; i < at.head_dim; ++i) {
          graph::StoreElement(key, at.view.dtype, i,
                              ValueAt(stream, static_cast<std::uint64_t>(i)));
        }
        for (int i = 0; i < at.value_dim; ++i) {
          graph::StoreElement(value, at.view.dtype, i,
                              ValueAt(stream, static_cast<std::uint64_t>(i) + 4096));
        }
      }
    }
  }

  const OpCase& case_;
  OpProblem* problem_;
  std::uint64_t stream_ = 1;
};

void MakeElementwise(Maker& m) {
  const std::string& op = m.keys().op();
  const std::int64_t n = m.keys().Int("n", 64);
  if (op == "unary") {
    m.Attributes(graph::UnaryAttrs{m.Activation()});
    m.Floats({m.rows(), n}, 6);
  } else if (op == "binary") {
    m.Attributes(graph::BinaryAttrs{static_cast<graph::BinaryKind>(m.keys().Int("kind", 0))});
    m.Floats({m.rows(), n});
    const std::string shape = m.keys().Text("b", "same");
    if (shape == "same") m.Floats({m.rows(), n});
    if (shape == "vector") m.Floats({n});
    if (shape == "one") m.Floats({1});
  } else if (op == "gated") {
    m.Attributes(graph::GatedAttrs{m.Activation()});
    if (m.keys().Int("interleaved", 0) != 0) {
      m.Floats({m.rows(), 2 * n}, 4);
      m.Absent();
    } else {
      m.Floats({m.rows(), n}, 4);
      m.Floats({m.rows(), n}, 4);
    }
  } else if (op == "softmax") {
    m.Attributes(graph::SoftmaxAttrs{static_cast<float>(m.keys().Number("scale", 1))});
    m.Floats({m.rows(), n}, 5);
  } else {
    m.Attributes(graph::SliceColumnsAttrs{m.keys().Int("begin", 0), m.keys().Int("size", n)});
    m.Floats({m.rows(), n});
  }
}

void MakeMoves(Maker& m) {
  const std::int64_t n = m.keys().Int("n", 64);
  if (m.keys().op() == "gather_rows") {
    m.Attributes(graph::GatherRowsAttrs{});
    m.Floats({40, n});
    std::vector<std::int32_t> rows;
    for (std::int64_t i = 0; i < m.rows(); ++i) {
      rows.push_back(static_cast<std::int32_t>((i * 7 + 3) % 41));  // 40 is out of range
    }
    m.Ints(rows);
    return;
  }
  m.Attributes(graph::SelectTokensAttrs{});
  std::vector<std::int32_t> host;
  std::vector<std::int32_t> source;
  for (std::int32_t i = 0; i < m.rows(); ++i) {
    host.push_back(100 + i);
    source.push_back(i % 3 == 0 ? -1 : i % 5);
  }
  m.Ints(host);
  m.Ints(source);
  m.Ints({7, 8, 9, 10});
}

void MakeNorm(Maker& m) {
  const std::string& op = m.keys().op();
  const std::int64_t n = m.keys().Int("n", 64);
  const auto eps = static_cast<float>(m.keys().Number("eps", 1e-6));
  if (op == "rms_norm") {
    const std::int64_t width = m.keys().Int("width", 0);
    m.Attributes(graph::RmsNormAttrs{eps, static_cast<std::int32_t>(width)});
    m.Floats({m.rows(), n});
    m.WeightOf({width > 0 ? width : n}, 0.5F, 1);
  } else if (op == "add_rms_norm") {
    m.Attributes(graph::AddRmsNormAttrs{eps});
    m.Floats({m.rows(), n});
    m.Floats({m.rows(), n});
    m.WeightOf({n}, 0.5F, 1);
  } else {
    m.Attributes(graph::LayerNormAttrs{eps});
    m.Floats({m.rows(), n});
    m.WeightOf({n}, 0.5F, 1);
    if (m.keys().Int("bias", 1) != 0) m.WeightOf({n}, 0.5F);
  }
}

void MakeMatrix(Maker& m) {
  const std::string& op = m.keys().op();
  const std::int64_t k = m.keys().Int("k", 64);
  const std::int64_t n = m.keys().Int("n", 64);
  const std::string format = m.keys().Text("format", "f32");
  if (op == "embedding") {
    m.Attributes(graph::EmbeddingAttrs{static_cast<float>(m.keys().Number("scale", 1))});
    std::vector<std::int32_t> ids;
    for (std::int64_t i = 0; i < m.rows(); ++i) {
      ids.push_back(static_cast<std::int32_t>((i * 13 + 5) % (n + 1)) - (i % 17 == 16 ? 1000 : 0));
    }
    m.Ints(ids);
    m.WeightOf({n, k}, 0.1F, 0, format);
  } else if (op == "linear") {
    const auto gated = static_cast<std::int32_t>(m.keys().Int("gated", 0));
    m.Attributes(graph::LinearAttrs{m.Activation(), gated});
    m.Floats({m.rows(), k});
    m.WeightOf({n, k}, 0.1F, 0, format);
    m.keys().Int("bias", 0) != 0 ? m.WeightOf({n}, 0.5F) : m.Absent();
    m.keys().Int("residual", 0) != 0 ? m.Floats({m.rows(), gated != 0 ? n / 2 : n}) : m.Absent();
  } else {
    const auto transpose = static_cast<std::int32_t>(m.keys().Int("transpose_b", 0));
    m.Attributes(graph::BatchMatmulAttrs{transpose});
    m.Floats({m.rows(), 3, k});
    transpose != 0 ? m.Floats({m.rows(), n, k}) : m.Floats({m.rows(), k, n});
  }
}

graph::RopeAttrs RopeOf(const Maker& m) {
  graph::RopeAttrs rope;
  rope.head_dim = static_cast<std::int32_t>(m.keys().Int("head_dim", 64));
  rope.rotary_dim = static_cast<std::int32_t>(m.keys().Int("rotary_dim", rope.head_dim));
  rope.interleaved = static_cast<std::int32_t>(m.keys().Int("interleaved", 0));
  rope.attention_factor = static_cast<float>(m.keys().Number("factor", 1));
  return rope;
}

graph::CacheWriteAttrs WriteOf(const Maker& m) {
  graph::CacheWriteAttrs write;
  write.layer = 1;
  write.kv_heads = static_cast<std::int32_t>(m.keys().Int("kv_heads", 2));
  write.head_dim = static_cast<std::int32_t>(m.keys().Int("head_dim", 64));
  write.value_dim = static_cast<std::int32_t>(m.keys().Int("value_dim", write.head_dim));
  return write;
}

void MakeRope(Maker& m) {
  const std::string& op = m.keys().op();
  const std::int64_t heads = m.keys().Int("heads", 4);
  const auto sequences = m.MakeSequences();
  const auto seqs = static_cast<std::int64_t>(sequences.lens.size());
  const graph::RopeAttrs rope = RopeOf(m);
  const graph::CacheWriteAttrs write = WriteOf(m);
  if (op == "rope") {
    m.Attributes(rope);
    m.Floats({m.rows(), heads * rope.head_dim});
    m.Ints(sequences.positions);
    m.InvFreq(rope.rotary_dim / 2);
  } else if (op == "cache_write") {
    m.Attributes(write);
    m.Floats({m.rows(), std::int64_t{write.kv_heads} * write.head_dim});
    m.Floats({m.rows(), std::int64_t{write.kv_heads} * write.value_dim});
    m.Ints(sequences.positions);
    m.Ints(sequences.row_seq);
    m.Cache(seqs, write.kv_heads, write.head_dim, write.value_dim);
  } else {
    m.Attributes(graph::QkvRopeCacheAttrs{write, rope, static_cast<std::int32_t>(heads), 1e-6F});
    m.Floats({m.rows(), (heads + 2 * write.kv_heads) * rope.head_dim});
    m.Ints(sequences.positions);
    m.InvFreq(rope.rotary_dim / 2);
    for (int i = 0; i < 2; ++i) {
      m.keys().Int("norm", 0) != 0 ? m.WeightOf({rope.head_dim}, 0.5F, 1) : m.Absent();
    }
    m.Ints(sequences.row_seq);
    m.Cache(seqs, write.kv_heads, write.head_dim, write.value_dim);
  }
}

void MakeAttention(Maker& m) {
  graph::AttentionAttrs a;
  a.kind = static_cast<graph::AttentionKind>(m.keys().Int("kind", 0));
  a.group = static_cast<std::int32_t>(m.keys().Int("group", 0));
  a.layer = a.group >= 0 ? 1 : 0;
  a.heads = static_cast<std::int32_t>(m.keys().Int("heads", 4));
  a.kv_heads = static_cast<std::int32_t>(m.keys().Int("kv_heads", 2));
  a.head_dim = static_cast<std::int32_t>(m.keys().Int("head_dim", 64));
  a.value_dim = static_cast<std::int32_t>(m.keys().Int("value_dim", a.head_dim));
  a.window = static_cast<std::int32_t>(m.keys().Int("window", 0));
  // Scores spread over several units, so that the softmax is neither flat nor a single key.
  a.scale = static_cast<float>(m.keys().Number("scale", 6.0 / std::sqrt(a.head_dim)));
  a.softcap = static_cast<float>(m.keys().Number("softcap", 0));
  a.bias_buckets = static_cast<std::int32_t>(m.keys().Int("bias_buckets", 0));
  a.bias_max_distance = 32;
  a.bias_bidirectional = a.kind == graph::AttentionKind::kBidirectional ? 1 : 0;
  m.Attributes(a);
  auto sequences = m.MakeSequences();
  const auto seqs = static_cast<std::int64_t>(sequences.lens.size());
  m.Floats({m.rows(), std::int64_t{a.heads} * a.head_dim});
  if (a.group < 0) {
    m.Floats({m.rows(), std::int64_t{a.kv_heads} * a.head_dim});
    m.Floats({m.rows(), std::int64_t{a.kv_heads} * a.value_dim});
  } else {
    m.Absent();
    m.Absent();
  }
  m.Ints(sequences.positions);
  m.Ints(sequences.row_seq);
  m.Ints(sequences.offsets);
  if (a.kind == graph::AttentionKind::kCross) {
    for (std::size_t i = 0; i < sequences.lens.size(); ++i) {
      sequences.lens[i] =
          static_cast<std::int32_t>(m.keys().Int("context", 64)) - static_cast<std::int32_t>(i) * 7;
    }
  }
  m.Ints(sequences.lens);
  a.group >= 0 ? m.Cache(seqs, a.kv_heads, a.head_dim, a.value_dim) : m.Absent();
  if (a.bias_buckets > 0) m.WeightOf({a.bias_buckets, a.heads}, 1);
}

void MakeSample(Maker& m) {
  const std::int64_t vocab = m.keys().Int("vocab", 1000);
  m.Attributes(graph::SampleAttrs{});
  m.Floats({m.rows(), vocab}, static_cast<float>(m.keys().Number("spread", 8)));
  std::vector<graph::step::SamplingRow> rows(static_cast<std::size_t>(m.rows()));
  std::vector<std::int32_t> history_offsets = {0};
  std::vector<std::int32_t> history;
  std::vector<std::int32_t> bias_offsets = {0};
  std::vector<std::int32_t> bias_ids;
  std::vector<float> bias_values;
  std::vector<std::int32_t> mask_index;
  const std::int64_t mask_bytes = (vocab + 7) / 8;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    graph::step::SamplingRow& row = rows[r];
    row.temperature = static_cast<float>(m.keys().Number("temperature", 0));
    row.top_p = static_cast<float>(m.keys().Number("top_p", 1));
    row.min_p = static_cast<float>(m.keys().Number("min_p", 0));
    row.top_k = static_cast<std::int32_t>(m.keys().Int("top_k", 0));
    row.repetition_penalty = static_cast<float>(m.keys().Number("repetition", 1));
    row.presence_penalty = static_cast<float>(m.keys().Number("presence", 0));
    row.frequency_penalty = static_cast<float>(m.keys().Number("frequency", 0));
    row.top_logprobs = static_cast<std::int32_t>(m.keys().Int("top_logprobs", 0));
    row.prompt_history = static_cast<std::int32_t>(m.keys().Int("prompt_history", 0));
    row.seed = 17;
    row.position = r;
    for (std::int64_t i = 0; i < m.keys().Int("history", 0); ++i) {
      history.push_back(static_cast<std::int32_t>((i * i + static_cast<std::int64_t>(r)) % vocab));
    }
    history_offsets.push_back(static_cast<std::int32_t>(history.size()));
    for (std::int64_t i = 0; i < m.keys().Int("biases", 0); ++i) {
      bias_ids.push_back(static_cast<std::int32_t>((i * 37) % vocab));
      bias_values.push_back(i % 2 == 0 ? 5.0F : -100.0F);
    }
    bias_offsets.push_back(static_cast<std::int32_t>(bias_ids.size()));
    mask_index.push_back(m.keys().Int("mask", 0) != 0 && r % 2 == 0 ? 0 : -1);
  }
  std::vector<std::uint8_t> mask(static_cast<std::size_t>(mask_bytes));
  for (std::size_t i = 0; i < mask.size(); ++i) mask[i] = static_cast<std::uint8_t>(i * 89 + 3);
  std::vector<std::uint8_t> bytes(rows.size() * sizeof(rows[0]));
  std::memcpy(bytes.data(), rows.data(), bytes.size());
  m.Values(DType::kU8, {m.rows(), sizeof(rows[0])}, bytes);
  history.push_back(0);  // an operand has at least one element here
  bias_ids.push_back(0);
  bias_values.push_back(0);
  m.Ints(history_offsets);
  m.Ints(history);
  m.Ints(bias_offsets);
  m.Ints(bias_ids);
  m.Values(DType::kF32, {static_cast<std::int64_t>(bias_values.size())}, bias_values);
  m.Ints(mask_index);
  m.Values(DType::kU8, {1, mask_bytes}, mask);
}

using MakeFunction = void (*)(Maker&);
const std::map<std::string, MakeFunction>& Makers() {
  static const std::map<std::string, MakeFunction> makers = {
      {"unary", &MakeElementwise},         {"binary", &MakeElementwise},
      {"gated", &MakeElementwise},         {"softmax", &MakeElementwise},
      {"slice_columns", &MakeElementwise}, {"gather_rows", &MakeMoves},
      {"select_tokens", &MakeMoves},       {"rms_norm", &MakeNorm},
      {"add_rms_norm", &MakeNorm},         {"layer_norm", &MakeNorm},
      {"embedding", &MakeMatrix},          {"linear", &MakeMatrix},
      {"batch_matmul", &MakeMatrix},       {"rope", &MakeRope},
      {"cache_write", &MakeRope},          {"qkv_rope_cache", &MakeRope},
      {"attention", &MakeAttention},       {"sample", &MakeSample}};
  return makers;
}

}  // namespace

std::int64_t OpCase::Int(const std::string& key, std::int64_t fallback) const {
  return Has(key) ? std::stoll(keys_.at(key)) : fallback;
}
double OpCase::Number(const std::string& key, double fallback) const {
  return Has(key) ? std::stod(keys_.at(key)) : fallback;
}
std::string OpCase::Text(const std::string& key, const std::string& fallback) const {
  return Has(key) ? keys_.at(key) : fallback;
}
OpCase OpCase::With(const std::string& key, const std::string& value) const {
  OpCase copy = *this;
  copy.keys_[key] = value;
  return copy;
}

Result<std::vector<OpCase>> LoadCases(const std::string& path, const std::string& op) {
  std::ifstream file(path);
  if (!file) return NotFoundError(path + ": expected a file of cases");
  std::vector<OpCase> cases;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    std::stringstream words(line.substr(0, line.find('#')));
    std::map<std::string, std::string> keys;
    std::string word;
    const std::string where = op + ".txt:" + std::to_string(number);
    while (words >> word) {
      const std::size_t equals = word.find('=');
      if (equals == std::string::npos) {
        return InvalidArgumentError(where + ": expected key=value, got " + word);
      }
      keys[word.substr(0, equals)] = word.substr(equals + 1);
    }
    if (!keys.empty()) cases.emplace_back(op, where, std::move(keys));
  }
  return cases;
}

Result<OpProblem> MakeProblem(const OpCase& op_case) {
  const graph::OpDef* op = graph::FindOp(op_case.op());
  const auto maker = Makers().find(op_case.op());
  if (op == nullptr || maker == Makers().end()) {
    return InvalidArgumentError(op_case.where() + ": no operands are known for this op");
  }
  OpProblem problem;
  Maker m(op_case, &problem);
  maker->second(m);
  std::vector<graph::TensorDesc> descs;
  for (const Operand& operand : problem.src) {
    graph::TensorDesc desc;
    desc.dtype = operand.view.dtype;
    for (int i = 0; i < operand.view.rank; ++i) {
      desc.shape.emplace_back(operand.view.dims[static_cast<std::size_t>(i)]);
    }
    descs.push_back(std::move(desc));
  }
  auto results = op->infer(problem.attrs, descs);
  if (!results.ok()) return std::move(results).status().WithContext(op_case.where());
  for (const graph::TensorDesc& desc : *results) {
    std::vector<std::int64_t> dims;
    for (const graph::Dim& dim : desc.shape) dims.push_back(dim.constant().value_or(0));
    problem.dst.push_back(ViewOf(desc.dtype, dims));
  }
  return problem;
}

}  // namespace zhibi::backend
