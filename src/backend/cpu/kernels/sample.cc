// SPDX-License-Identifier: Apache-2.0
// sample on the CPU: the reference's steps (graph/ops/sample.cc) with vectorised passes, and
// without sorting what cannot be kept: candidates are popped from heaps of falling bands of weight
// until top-k and top-p are satisfied. A row of greedy sampling without penalties reads the logits
// once and writes nothing. Sums are made of f32 blocks, so a draw within 1e-6 of a border may
// differ from the reference's.
#include "graph/ops/sample.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>

#include "backend/backend.h"
#include "backend/cpu/kernel_list.h"
#include "backend/cpu/kernels/sample_kernel.h"

namespace zhibi::cpu {
namespace {

using backend::KernelEntry;
using backend::LaunchArgs;
using backend::OpQuery;
using base::CpuLevel;
using graph::SampleRowInput;
using graph::SampleRowOutput;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
// Rows that are sampled at once, each with scratch of its own.
constexpr std::int64_t kMaxSlots = 8;

const SampleKernels& KernelsOf(CpuLevel level) {
#if defined(__x86_64__)
  if (level == CpuLevel::kAvx512) return SampleKernelsAvx512();
  if (level == CpuLevel::kAvx2) return SampleKernelsAvx2();
#endif
  static_cast<void>(level);
  return SampleKernelsScalar();
}

struct Scratch {
  double* blocks;       // [ceil(vocab / kSampleBlock)]
  float* values;        // [vocab]
  std::int32_t* order;  // [vocab]
};

std::int64_t Blocks(std::int64_t vocab) { return (vocab + kSampleBlock - 1) / kSampleBlock; }

std::size_t SlotBytes(std::int64_t vocab) {
  const std::size_t bytes =
      static_cast<std::size_t>(Blocks(vocab)) * sizeof(double) + graph::SampleScratchBytes(vocab);
  return (bytes + 63) / 64 * 64;
}

Scratch SlotOf(std::byte* workspace, std::int64_t vocab, std::int64_t slot) {
  std::byte* begin = workspace + static_cast<std::size_t>(slot) * SlotBytes(vocab);
  Scratch scratch{};
  scratch.blocks = reinterpret_cast<double*>(begin);
  scratch.values = reinterpret_cast<float*>(scratch.blocks + Blocks(vocab));
  scratch.order = reinterpret_cast<std::int32_t*>(scratch.values + vocab);
  return scratch;
}

// The lowest id of the largest value, which is known.
std::int32_t FirstOf(const SampleKernels& kernels, const float* x, std::int64_t vocab) {
  std::int32_t id = -1;
  float value = 0;
  TopList list{&id, &value, 0, 1};
  kernels.top(x, vocab, &list);
  return id;
}

// Candidates, best first: collected in falling bands of weight, each a heap that is popped as far
// as somebody asks.
class Candidates {
 public:
  Candidates(const SampleKernels& kernels, const Scratch& scratch, std::int64_t vocab)
      : kernels_(kernels), scratch_(scratch), vocab_(vocab) {}

  // Makes candidate `index` known; those before it are. false: there are no more with a weight
  // above 0.
  bool Reach(std::int64_t index) {
    while (sorted_ <= index) {
      if (sorted_ == collected_ && !Collect()) return false;
      if (sorted_ == collected_) continue;
      std::pop_heap(Reversed(collected_), Reversed(sorted_), Worse{scratch_.values});
      ++sorted_;
    }
    return true;
  }
  float weight(std::int64_t i) const { return scratch_.values[scratch_.order[i]]; }

 private:
  // The order of a heap whose front is the best.
  struct Worse {
    const float* values;
    bool operator()(std::int32_t a, std::int32_t b) const {
      return values[a] < values[b] || (values[a] == values[b] && a > b);
    }
  };

  // Reversed, so that a popped candidate lands behind those popped before.
  std::reverse_iterator<std::int32_t*> Reversed(std::int64_t at) const {
    return std::reverse_iterator<std::int32_t*>(scratch_.order + at);
  }

  // The next band; false: that was the last.
  bool Collect() {
    constexpr std::array<float, 6> kBorders = {0x1p-3F,  0x1p-7F,  0x1p-12F,
                                               0x1p-20F, 0x1p-40F, kSmallest};
    if (band_ == kBorders.size()) return false;
    const float low = kBorders[band_];
    const float high = band_ == 0 ? kInfinity : kBorders[band_ - 1];
    ++band_;
    collected_ += kernels_.collect(scratch_.values, vocab_, low, high, scratch_.order + collected_);
    std::make_heap(Reversed(collected_), Reversed(sorted_), Worse{scratch_.values});
    return true;
  }

  static constexpr float kSmallest = std::numeric_limits<float>::denorm_min();
  const SampleKernels& kernels_;
  const Scratch& scratch_;
  std::int64_t vocab_;
  std::int64_t sorted_ = 0;
  std::int64_t collected_ = 0;
  std::size_t band_ = 0;
};

// How many of the candidates top-k, then top-p, then min-p keep.
std::int64_t Keep(const graph::step::SamplingRow& row, Candidates* candidates, double total) {
  std::int64_t kept = std::numeric_limits<std::int64_t>::max();
  if (row.top_k > 0) {
    kept = 0;
    total = 0;
    while (kept < row.top_k && candidates->Reach(kept)) total += candidates->weight(kept++);
  }
  if (row.top_p < 1) {
    double sum = 0;
    std::int64_t count = 0;
    while (count < kept && candidates->Reach(count)) {
      sum += candidates->weight(count++);
      if (sum >= row.top_p * total) break;
    }
    kept = count;
  }
  // Weights are relative to the largest, which is 1.
  while (kept > 1 && candidates->weight(kept - 1) < row.min_p) --kept;
  return kept;
}

// Draws by walking blocks, then the ids of one block.
std::int32_t DrawFromAll(const graph::step::SamplingRow& row, const Scratch& scratch,
                         std::int64_t vocab, double total) {
  const double target = total * graph::UniformDraw(row.seed, row.position);
  double sum = 0;
  std::int64_t block = 0;
  while (block + 1 < Blocks(vocab) && sum + scratch.blocks[block] <= target) {
    sum += scratch.blocks[block++];
  }
  std::int32_t chosen = -1;
  for (std::int64_t i = block * kSampleBlock; i < vocab; ++i) {
    if (scratch.values[i] <= 0) continue;
    chosen = static_cast<std::int32_t>(i);
    sum += scratch.values[i];
    if (sum > target) return chosen;
  }
  // Rounding left the target beyond the last weight.
  for (std::int64_t i = vocab - 1; i >= 0 && chosen < 0; --i) {
    if (scratch.values[i] > 0) chosen = static_cast<std::int32_t>(i);
  }
  return chosen;
}

std::int32_t DrawFromKept(const graph::step::SamplingRow& row, const Scratch& scratch,
                          std::int64_t kept) {
  std::sort(scratch.order, scratch.order + kept);
  double total = 0;
  for (std::int64_t i = 0; i < kept; ++i) total += scratch.values[scratch.order[i]];
  const double target = total * graph::UniformDraw(row.seed, row.position);
  double sum = 0;
  for (std::int64_t i = 0; i < kept; ++i) {
    sum += scratch.values[scratch.order[i]];
    if (sum > target) return scratch.order[i];
  }
  return kept > 0 ? scratch.order[kept - 1] : -1;
}

// `largest` is of the adjusted values.
std::int32_t Choose(const SampleKernels& kernels, const graph::step::SamplingRow& row,
                    const Scratch& scratch, std::int64_t vocab, float largest) {
  kernels.weigh(scratch.values, vocab, largest, row.temperature, scratch.blocks);
  double total = 0;
  for (std::int64_t i = 0; i < Blocks(vocab); ++i) total += scratch.blocks[i];
  if (row.top_k <= 0 && row.top_p >= 1) {
    if (row.min_p <= 0) return DrawFromAll(row, scratch, vocab, total);
    const std::int64_t kept =
        kernels.collect(scratch.values, vocab, std::min(row.min_p, 1.0F), kInfinity, scratch.order);
    return DrawFromKept(row, scratch, kept);
  }
  Candidates candidates(kernels, scratch, vocab);
  return DrawFromKept(row, scratch, Keep(row, &candidates, total));
}

void Logprobs(const SampleKernels& kernels, const SampleRowInput& in, float largest,
              SampleRowOutput* out) {
  const double sum = kernels.exp_sum(in.logits, in.vocab, largest);
  const auto log_sum = static_cast<float>(std::log(sum)) + largest;
  if (out->id >= 0) out->logprob = in.logits[out->id] - log_sum;
  TopList list{
      out->top_ids, out->top_logprobs, 0,
      std::min<std::int64_t>({in.vocab, in.row.top_logprobs, graph::step::kMaxTopLogprobs})};
  kernels.top(in.logits, in.vocab, &list);
  // What is left has logits of -infinity: the lowest ids.
  for (std::int32_t id = 0; list.count < list.size && id < in.vocab; ++id) {
    if (in.logits[id] > -kInfinity) continue;
    list.ids[list.count] = id;
    list.values[list.count++] = -kInfinity;
  }
  for (std::int64_t i = 0; i < list.count; ++i) out->top_logprobs[i] -= log_sum;
}

void SampleOne(const SampleKernels& kernels, const SampleRowInput& in, const Scratch& scratch,
               SampleRowOutput* out) {
  std::fill_n(out->top_ids, graph::step::kMaxTopLogprobs, -1);
  std::fill_n(out->top_logprobs, graph::step::kMaxTopLogprobs, 0.0F);
  bool has_nan = false;
  const float raw_largest = kernels.largest(in.logits, in.vocab, &has_nan);
  if (has_nan) return;
  const bool adjusted = !in.history.empty() || !in.bias_ids.empty() || in.mask != nullptr;
  const bool greedy = in.row.temperature <= 0;
  const float* values = in.logits;
  float largest = raw_largest;
  if (adjusted || !greedy) {
    SampleRowInput unmasked = in;
    unmasked.mask = nullptr;
    graph::AdjustLogits(unmasked, scratch.values, scratch.order);
    if (in.mask != nullptr) kernels.mask(scratch.values, in.vocab, in.mask);
    values = scratch.values;
    if (adjusted) largest = kernels.largest(values, in.vocab, &has_nan);
  }
  if (largest == -kInfinity) {
    out->id = -1;
  } else if (greedy || largest == kInfinity) {
    out->id = FirstOf(kernels, values, in.vocab);
  } else {
    out->id = Choose(kernels, in.row, scratch, in.vocab, largest);
  }
  if (in.row.top_logprobs >= 0) Logprobs(kernels, in, raw_largest, out);
}

struct Job {
  const LaunchArgs* args;
  const SampleKernels* kernels;
  std::int64_t slots;

  static void Run(void* context, std::int64_t slot, int /*worker*/) {
    const auto& job = *static_cast<const Job*>(context);
    const LaunchArgs& args = *job.args;
    const std::span<const graph::TensorView> src(args.src, static_cast<std::size_t>(args.num_src));
    const std::int64_t vocab = args.src[0].cols();
    const Scratch scratch = SlotOf(args.workspace, vocab, slot);
    for (std::int64_t r = slot; r < args.src[0].dims[0]; r += job.slots) {
      SampleRowOutput out;
      out.top_ids = args.dst[2].as<std::int32_t>() + r * graph::step::kMaxTopLogprobs;
      out.top_logprobs = args.dst[3].as<float>() + r * graph::step::kMaxTopLogprobs;
      SampleOne(*job.kernels, graph::SampleInput(src, r), scratch, &out);
      args.dst[0].as<std::int32_t>()[r] = out.id;
      args.dst[1].as<float>()[r] = out.logprob;
    }
  }
};

template <CpuLevel kLevel>
void Launch(const LaunchArgs& args) {
  Job job{&args, &KernelsOf(kLevel), std::min(kMaxSlots, args.src[0].dims[0])};
  constexpr std::int64_t kSerialElements = 16384;
  if (job.slots <= 0) return;
  if (job.slots == 1 || args.src[0].elements() < kSerialElements) {
    job.slots = 1;
    Job::Run(&job, 0, 0);
  } else {
    args.stream->RunTiles(job.slots, &Job::Run, &job);
  }
}

std::string Supports(const OpQuery& /*query*/) { return {}; }

double EstimateUs(const OpQuery& query) {
  return 1 + static_cast<double>(query.src[0].elements()) / 2000;
}

std::size_t WorkspaceBytes(const OpQuery& query) {
  const std::int64_t rows = std::max(query.max_rows, query.src[0].dims[0]);
  return SlotBytes(query.src[0].cols()) *
         static_cast<std::size_t>(std::clamp<std::int64_t>(rows, 1, kMaxSlots));
}

template <CpuLevel kLevel>
constexpr KernelEntry Entry(std::string_view name) {
  KernelEntry entry;
  entry.name = name;
  entry.op = "sample";
  entry.layout = "row_major";
  entry.row_invariant = true;
  entry.supports = &Supports;
  entry.estimate_us = &EstimateUs;
  entry.workspace_bytes = &WorkspaceBytes;
  entry.launch = &Launch<kLevel>;
  return entry;
}

constexpr std::array<KernelEntry, 3> kEntries = {Entry<CpuLevel::kScalar>("sample_scalar"),
                                                 Entry<CpuLevel::kAvx2>("sample_avx2"),
                                                 Entry<CpuLevel::kAvx512>("sample_avx512")};

}  // namespace

void AppendKernels_sample(const Isa& isa, KernelList* list) {
  list->push_back(&kEntries[static_cast<std::size_t>(isa.level)]);
}

}  // namespace zhibi::cpu
