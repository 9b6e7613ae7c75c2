// SPDX-License-Identifier: Apache-2.0
// Each record has one Put and one Get function with the fields in the same order, side by side.
#include "engine/format.h"

#include "engine/bytes.h"

namespace zhibi::engine {
namespace {

void PutFormat(ByteWriter& out, const quant::WeightFormat& format) {
  out.Put(static_cast<std::uint8_t>(format.dtype));
  out.Put(format.group);
  out.PutBool(format.zero_points);
}

quant::WeightFormat GetFormat(ByteReader& in) {
  quant::WeightFormat format;
  format.dtype = in.GetEnum("format.dtype", DType::kI4);
  format.group = in.Get<std::int32_t>();
  if (format.group < 0) in.Fail("format.group: negative");
  format.zero_points = in.GetBool("format.zero_points");
  return format;
}

void PutDim(ByteWriter& out, const graph::Dim& dim) {
  // Constants are most dimensions; they need no program.
  const std::optional<std::int64_t> constant = dim.constant();
  out.PutBool(constant.has_value());
  if (constant) {
    out.Put(*constant);
    return;
  }
  const std::vector<std::int64_t> program = dim.Program();
  out.PutCount(program.size());
  for (const std::int64_t word : program) out.Put(word);
}

graph::Dim GetDim(ByteReader& in) {
  if (in.GetBool("dim.constant")) {
    const auto value = in.Get<std::int64_t>();
    if (value < 0) in.Fail("dim: negative size " + std::to_string(value));
    return graph::Dim(value);
  }
  std::vector<std::int64_t> program(in.GetCount("dim.program", sizeof(std::int64_t)));
  if (in.failed()) return {};
  for (std::int64_t& word : program) word = in.Get<std::int64_t>();
  Result<graph::Dim> dim = graph::Dim::FromProgram(program);
  if (!dim.ok()) {
    in.Fail("dim.program: " + dim.status().message());
    return {};
  }
  return std::move(dim).value();
}

template <typename T>
void PutIntegers(ByteWriter& out, const std::vector<T>& values) {
  out.PutCount(values.size());
  for (const T value : values) out.Put(value);
}

template <typename T>
std::vector<T> GetIntegers(ByteReader& in, std::string_view field) {
  std::vector<T> values(in.GetCount(field, sizeof(T)));
  for (T& value : values) value = in.Get<T>();
  return values;
}

// A list of records: the least size of one guards the allocation.
template <typename T, typename GetOne>
std::vector<T> GetList(ByteReader& in, std::string_view field, std::size_t min_bytes, GetOne get) {
  std::vector<T> values;
  const std::size_t count = in.GetCount(field, min_bytes);
  values.reserve(count);
  for (std::size_t i = 0; i < count && !in.failed(); ++i) values.push_back(get(in));
  return values;
}

template <typename T, typename PutOne>
void PutList(ByteWriter& out, const std::vector<T>& values, PutOne put) {
  out.PutCount(values.size());
  for (const T& value : values) put(out, value);
}

void PutSymbol(ByteWriter& out, const graph::Symbol& symbol) {
  out.PutText(symbol.name);
  out.Put(symbol.min);
  out.Put(symbol.opt);
  out.Put(symbol.max);
}

graph::Symbol GetSymbol(ByteReader& in) {
  graph::Symbol symbol;
  symbol.name = in.GetText("symbol.name");
  symbol.min = in.Get<std::int64_t>();
  symbol.opt = in.Get<std::int64_t>();
  symbol.max = in.Get<std::int64_t>();
  return symbol;
}

void PutAxis(ByteWriter& out, const BucketAxis& axis) {
  PutDim(out, axis.rows);
  PutIntegers(out, axis.buckets);
}

BucketAxis GetAxis(ByteReader& in) {
  BucketAxis axis;
  axis.rows = GetDim(in);
  axis.buckets = GetIntegers<std::int64_t>(in, "axis.buckets");
  return axis;
}

void PutValue(ByteWriter& out, const PlanValue& value) {
  out.PutText(value.name);
  out.Put(static_cast<std::uint8_t>(value.desc.dtype));
  PutList(out, value.desc.shape, PutDim);
  out.Put(static_cast<std::uint8_t>(value.place));
  out.Put(value.offset);
}

PlanValue GetValue(ByteReader& in) {
  PlanValue value;
  value.name = in.GetText("value.name");
  value.desc.dtype = in.GetEnum("value.dtype", DType::kI4);
  value.desc.shape = GetList<graph::Dim>(in, "value.shape", 5, GetDim);
  value.place = in.GetEnum("value.place", Place::kAbsent);
  value.offset = in.Get<std::int64_t>();
  return value;
}

void PutOp(ByteWriter& out, const PlanOp& op) {
  out.PutText(op.op);
  out.Put(op.op_version);
  out.PutText(op.name);
  out.PutCount(op.attrs.size());
  out.PutRaw(op.attrs.data(), op.attrs.size());
  PutIntegers(out, op.src);
  PutIntegers(out, op.dst);
  out.Put(op.axis);
  PutIntegers(out, op.kernels);
  out.Put(op.workspace_offset);
  out.Put(op.workspace_bytes);
}

PlanOp GetOp(ByteReader& in) {
  PlanOp op;
  op.op = in.GetText("op.op");
  op.op_version = in.Get<std::uint32_t>();
  op.name = in.GetText("op.name");
  const std::size_t attrs_bytes = in.GetCount("op.attrs", 1);
  Result<graph::Attrs> attrs = graph::Attrs::FromBytes(in.GetRaw(attrs_bytes));
  if (attrs.ok()) {
    op.attrs = std::move(attrs).value();
  } else {
    in.Fail("op.attrs: " + attrs.status().message());
  }
  op.src = GetIntegers<std::int32_t>(in, "op.src");
  op.dst = GetIntegers<std::int32_t>(in, "op.dst");
  op.axis = in.Get<std::int32_t>();
  op.kernels = GetIntegers<std::int32_t>(in, "op.kernels");
  op.workspace_offset = in.Get<std::int64_t>();
  op.workspace_bytes = in.Get<std::int64_t>();
  return op;
}

void PutKernel(ByteWriter& out, const PlanKernel& kernel) {
  out.PutText(kernel.name);
  out.PutText(kernel.layout);
}

PlanKernel GetKernel(ByteReader& in) {
  PlanKernel kernel;
  kernel.name = in.GetText("kernel.name");
  kernel.layout = in.GetText("kernel.layout");
  return kernel;
}

void PutCache(ByteWriter& out, const graph::CacheGroup& cache) {
  out.PutText(cache.name);
  out.Put(static_cast<std::uint8_t>(cache.kind));
  out.Put(cache.layers);
  out.Put(cache.bytes_per_token);
  out.Put(cache.window);
  out.Put(static_cast<std::uint8_t>(cache.dtype));
  out.Put(cache.elements_per_token);
}

graph::CacheGroup GetCache(ByteReader& in) {
  graph::CacheGroup cache;
  cache.name = in.GetText("cache.name");
  cache.kind = in.GetEnum("cache.kind", graph::CacheKind::kState);
  cache.layers = in.Get<std::int32_t>();
  cache.bytes_per_token = in.Get<std::int64_t>();
  cache.window = in.Get<std::int64_t>();
  cache.dtype = in.GetEnum("cache.dtype", DType::kI4);
  cache.elements_per_token = in.Get<std::int64_t>();
  return cache;
}

void PutPlan(ByteWriter& out, const Plan& plan) {
  out.PutText(plan.name);
  PutList(out, plan.symbols, PutSymbol);
  PutList(out, plan.axes, PutAxis);
  PutList(out, plan.values, PutValue);
  PutIntegers(out, plan.inputs);
  PutIntegers(out, plan.outputs);
  PutList(out, plan.ops, PutOp);
  PutList(out, plan.kernels, PutKernel);
  PutList(out, plan.caches, PutCache);
  out.Put(plan.arena_bytes);
}

Plan GetPlan(ByteReader& in) {
  Plan plan;
  plan.name = in.GetText("plan.name");
  plan.symbols = GetList<graph::Symbol>(in, "plan.symbols", 28, GetSymbol);
  plan.axes = GetList<BucketAxis>(in, "plan.axes", 9, GetAxis);
  plan.values = GetList<PlanValue>(in, "plan.values", 18, GetValue);
  plan.inputs = GetIntegers<std::int32_t>(in, "plan.inputs");
  plan.outputs = GetIntegers<std::int32_t>(in, "plan.outputs");
  plan.ops = GetList<PlanOp>(in, "plan.ops", 48, GetOp);
  plan.kernels = GetList<PlanKernel>(in, "plan.kernels", 8, GetKernel);
  plan.caches = GetList<graph::CacheGroup>(in, "plan.caches", 34, GetCache);
  plan.arena_bytes = in.Get<std::int64_t>();
  return plan;
}

void PutPart(ByteWriter& out, const graph::WeightPart& part) {
  out.PutText(part.tensor);
  out.Put(part.row_begin);
  out.Put(part.rows);
}

graph::WeightPart GetPart(ByteReader& in) {
  graph::WeightPart part;
  part.tensor = in.GetText("part.tensor");
  part.row_begin = in.Get<std::int64_t>();
  part.rows = in.Get<std::int64_t>();
  return part;
}

void PutWeight(ByteWriter& out, const PackedWeight& weight) {
  out.PutText(weight.name);
  PutIntegers(out, weight.shape);
  PutFormat(out, weight.format);
  out.Put(static_cast<std::uint8_t>(weight.role));
  out.PutText(weight.layout);
  PutList(out, weight.parts, PutPart);
  out.PutBool(weight.interleave);
  out.Put(weight.offset);
  out.Put(weight.bytes);
  out.Put(weight.max_error);
  out.Put(weight.rms_error);
}

PackedWeight GetWeight(ByteReader& in) {
  PackedWeight weight;
  weight.name = in.GetText("weight.name");
  weight.shape = GetIntegers<std::int64_t>(in, "weight.shape");
  weight.format = GetFormat(in);
  weight.role = in.GetEnum("weight.role", graph::WeightRole::kTable);
  weight.layout = in.GetText("weight.layout");
  weight.parts = GetList<graph::WeightPart>(in, "weight.parts", 20, GetPart);
  weight.interleave = in.GetBool("weight.interleave");
  weight.offset = in.Get<std::uint64_t>();
  weight.bytes = in.Get<std::uint64_t>();
  weight.max_error = in.Get<double>();
  weight.rms_error = in.Get<double>();
  return weight;
}

void PutModel(ByteWriter& out, const graph::ModelInfo& model) {
  out.PutText(model.family);
  out.Put(model.vocab);
  out.Put(model.hidden);
  out.Put(model.context);
  PutIntegers(out, model.eos_ids);
  out.Put(model.bos_id);
  out.Put(model.parameters);
}

graph::ModelInfo GetModel(ByteReader& in) {
  graph::ModelInfo model;
  model.family = in.GetText("model.family");
  model.vocab = in.Get<std::int64_t>();
  model.hidden = in.Get<std::int64_t>();
  model.context = in.Get<std::int64_t>();
  model.eos_ids = GetIntegers<std::int32_t>(in, "model.eos_ids");
  model.bos_id = in.Get<std::int32_t>();
  model.parameters = in.Get<std::int64_t>();
  constexpr std::int64_t kMaxSize = std::int64_t{1} << 31;
  if (model.vocab < 0 || model.vocab >= kMaxSize || model.hidden < 0 || model.hidden >= kMaxSize ||
      model.context < 0 || model.context >= kMaxSize) {
    in.Fail("model: vocab, hidden and context must be within 0..2^31");
  }
  return model;
}

void PutLimits(ByteWriter& out, const graph::StepLimits& limits) {
  out.Put(limits.max_tokens);
  out.Put(limits.max_seqs);
  out.Put(limits.max_out_rows);
  out.Put(limits.max_context);
  out.Put(limits.page_tokens);
}

graph::StepLimits GetLimits(ByteReader& in) {
  graph::StepLimits limits;
  constexpr std::int64_t kMaxLimit = std::int64_t{1} << 31;
  const std::string_view names[] = {"max_tokens", "max_seqs", "max_out_rows", "max_context",
                                    "page_tokens"};
  std::int64_t* const fields[] = {&limits.max_tokens, &limits.max_seqs, &limits.max_out_rows,
                                  &limits.max_context, &limits.page_tokens};
  for (std::size_t i = 0; i < std::size(fields); ++i) {
    *fields[i] = in.Get<std::int64_t>();
    if (*fields[i] < 0 || *fields[i] > kMaxLimit) {
      in.Fail("limits." + std::string(names[i]) + ": expected 0..2^31, got " +
              std::to_string(*fields[i]));
    }
  }
  if (limits.page_tokens == 0) in.Fail("limits.page_tokens: expected at least 1, got 0");
  return limits;
}

template <typename T>
Result<T> Finished(ByteReader& in, T value) {
  const Status status = in.Finish();
  if (!status.ok()) return status;
  return value;
}

}  // namespace

std::string SerializeInfo(const EngineInfo& info) {
  ByteWriter out;
  out.Put(info.format_version);
  out.PutText(info.zhibi_version);
  out.PutText(info.source);
  out.PutText(info.source_hash);
  out.PutText(info.precision);
  out.PutText(info.device_backend);
  out.PutText(info.device_isa);
  PutList(out, info.device_features,
          [](ByteWriter& writer, const std::string& text) { writer.PutText(text); });
  PutModel(out, info.model);
  PutLimits(out, info.limits);
  return out.Take();
}

Result<EngineInfo> ParseInfo(std::span<const std::byte> bytes, std::uint64_t offset) {
  ByteReader in(bytes, "info", offset);
  EngineInfo info;
  info.format_version = in.Get<std::uint32_t>();
  info.zhibi_version = in.GetText("zhibi_version");
  info.source = in.GetText("source");
  info.source_hash = in.GetText("source_hash");
  info.precision = in.GetText("precision");
  info.device_backend = in.GetText("device_backend");
  info.device_isa = in.GetText("device_isa");
  info.device_features = GetList<std::string>(
      in, "device_features", 4, [](ByteReader& reader) { return reader.GetText("feature"); });
  info.model = GetModel(in);
  info.limits = GetLimits(in);
  return Finished(in, std::move(info));
}

std::string SerializePlans(const std::vector<Plan>& plans) {
  ByteWriter out;
  PutList(out, plans, PutPlan);
  return out.Take();
}

Result<std::vector<Plan>> ParsePlans(std::span<const std::byte> bytes, std::uint64_t offset) {
  ByteReader in(bytes, "plans", offset);
  std::vector<Plan> plans = GetList<Plan>(in, "plans", 44, GetPlan);
  return Finished(in, std::move(plans));
}

std::string SerializeWeights(const std::vector<PackedWeight>& weights) {
  ByteWriter out;
  PutList(out, weights, PutWeight);
  return out.Take();
}

Result<std::vector<PackedWeight>> ParseWeights(std::span<const std::byte> bytes,
                                               std::uint64_t offset) {
  ByteReader in(bytes, "weight_table", offset);
  std::vector<PackedWeight> weights = GetList<PackedWeight>(in, "weights", 56, GetWeight);
  return Finished(in, std::move(weights));
}

}  // namespace zhibi::engine
