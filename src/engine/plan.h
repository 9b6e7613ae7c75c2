// SPDX-License-Identifier: Apache-2.0
// A plan: what the compiler decided and the executor walks (design.md §2.2, §7). It holds no
// pointer and no graph: values with their places, ops with their kernel entries per bucket of rows,
// symbols with profiles, cache groups. engine/format.h stores plans in an engine file; the executor
// binds one in milliseconds. Values; immutable once built.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "graph/family.h"
#include "graph/graph.h"
#include "zhibi/status.h"

namespace zhibi::engine {

enum class Place : std::uint8_t {
  kInput,   // offset: index into Plan::inputs
  kArena,   // offset: bytes into the arena
  kWeight,  // offset: index into the engine's weight table
  kAbsent,  // optional operand that is not there
};

struct PlanValue {
  std::string name;
  graph::TensorDesc desc;
  Place place = Place::kArena;
  std::int64_t offset = 0;
};

// What buckets are about: a number of rows that is known once the step's symbols are. A step of a
// language model has two axes, `tokens` and `out_rows` (a prefill of 512 tokens wants one row of
// logits); a dense graph has batch * seq. The executor evaluates `rows` once a step and looks up
// one column for all ops of the axis.
struct BucketAxis {
  graph::Dim rows;
  std::vector<std::int64_t> buckets;  // ascending largest rows; the last is `rows` at the maxima
};

// The column for a number of rows; the last one for more rows than planned (which the executor
// refuses before).
int BucketOf(const BucketAxis& axis, std::int64_t rows);

struct PlanOp {
  std::string op;
  std::uint32_t op_version = 1;
  std::string name;
  graph::Attrs attrs;
  std::vector<std::int32_t> src;  // indexes into Plan::values
  std::vector<std::int32_t> dst;
  std::int32_t axis = 0;              // index into Plan::axes
  std::vector<std::int32_t> kernels;  // one per bucket of the axis: index into Plan::kernels
  std::int64_t workspace_offset = 0;  // bytes into the arena
  std::int64_t workspace_bytes = 0;   // the largest of its entries
};

struct PlanKernel {
  std::string name;  // KernelEntry::name
  std::string layout;
};

struct Plan {
  std::string name;  // "step", "encode", "draft"
  std::vector<graph::Symbol> symbols;
  std::vector<BucketAxis> axes;  // at least one
  std::vector<PlanValue> values;
  std::vector<std::int32_t> inputs;   // value indexes; place kInput
  std::vector<std::int32_t> outputs;  // place kArena (or kInput, when a graph hands one through)
  std::vector<PlanOp> ops;            // in order of execution
  std::vector<PlanKernel> kernels;
  std::vector<graph::CacheGroup> caches;
  std::int64_t arena_bytes = 0;  // results and workspaces; the base must be 64-byte aligned
};

// A packed weight: where its bytes lie in the weights section, and what they are.
struct PackedWeight {
  std::string name;
  std::vector<std::int64_t> shape;
  quant::WeightFormat format;
  graph::WeightRole role = graph::WeightRole::kMatrix;
  std::string layout;
  std::vector<graph::WeightPart> parts;  // checkpoint tensors it was made of; empty for constants
  bool interleave = false;
  std::uint64_t offset = 0;  // into the weights section; a multiple of 64
  std::uint64_t bytes = 0;
  double max_error =
      0;  // largest |dequantised - source| / largest |source|, measured while packing
  double rms_error = 0;  // relative root mean square error
};

// Everything in an engine but the bytes themselves.
struct EngineInfo {
  std::uint32_t format_version = 0;
  std::string zhibi_version;
  std::string source;       // what was built: "models/zhibi-mini", for people
  std::string source_hash;  // of config, tokenizer and weights: a stale cache entry is seen
  std::string precision;    // "int8"
  std::string device_backend;
  std::string device_isa;
  std::vector<std::string> device_features;
  graph::ModelInfo model;
  graph::StepLimits limits;
};

// What an engine must find on the machine that runs it (backend::DeviceInfo has the same words).
struct Fingerprint {
  std::string backend;
  std::string isa;
  std::vector<std::string> features;  // sorted
};

// "cpu/avx512/avx512_bf16,avx512_vnni": the key of sections.
std::string FingerprintText(const Fingerprint& fingerprint);
// kFailedPrecondition when `machine` cannot run the engine: each differing field with both sides,
// and the command that mends it. Features may be a superset.
Status CheckFingerprint(const EngineInfo& info, const Fingerprint& machine);

// Makes a plan safe to walk without further checks: indexes, places, offsets and sizes at the
// symbols' extremes, ops known in this program's version with shapes that their rules give.
// kDataLoss names plan, op or value, what was expected and what came.
Status ValidatePlan(const Plan& plan, const std::vector<PackedWeight>& weights);

}  // namespace zhibi::engine
