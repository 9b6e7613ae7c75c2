// SPDX-License-Identifier: Apache-2.0
#include "cli/bench_command.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <memory>
#include <utility>

#include <nlohmann/json.hpp>

#include "backend/cpu/cpu_backend.h"
#include "backend/cpu/limits.h"
#include "base/status_macros.h"
#include "cli/bench_runs.h"
#include "cli/bench_shapes.h"
#include "cli/model_builder.h"
#include "compile/engine_cache.h"

namespace zhibi::cli {
namespace {

using Clock = std::chrono::steady_clock;
using nlohmann::ordered_json;

constexpr std::size_t kMinPairs = 5;
constexpr double kMaxLimitDrift = 0.15;

double Median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

double Percentile(std::vector<double> values, double percent) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const double at = percent / 100.0 * static_cast<double>(values.size() - 1);
  const auto low = static_cast<std::size_t>(at);
  const std::size_t high = std::min(low + 1, values.size() - 1);
  return values[low] + (values[high] - values[low]) * (at - static_cast<double>(low));
}

// Pairs of (limit before, run, limit after). Pairs whose limits drift are kept apart: they count
// only when the machine never held still, and the answer says so.
struct Pair {
  double rate = 0;   // tokens/s
  double limit = 0;  // mean of the two
  Timed timed;
};

struct Paired {
  std::vector<Pair> steady;
  std::vector<Pair> drifting;
  double unit_per_token = 0;  // bytes or operations of a token

  const std::vector<Pair>& used() const { return steady.empty() ? drifting : steady; }
};

Status RunPairs(const BenchOptions& options, const std::function<double()>& limit,
                const std::function<Result<Timed>()>& run, Paired& out) {
  const Clock::time_point begin = Clock::now();
  const auto warm = begin + std::chrono::milliseconds(options.warmup_ms);
  do {
    ZB_ASSIGN_OR_RETURN(const Timed timed, run());
    static_cast<void>(timed);
  } while (Clock::now() < warm);
  const Clock::time_point start = Clock::now();
  const auto until = start + std::chrono::milliseconds(options.duration_ms);
  const auto at_most = start + std::chrono::milliseconds(options.duration_ms * 5);
  double before = limit();
  do {
    Pair pair;
    ZB_ASSIGN_OR_RETURN(pair.timed, run());
    const double after = limit();
    pair.limit = (before + after) / 2;
    pair.rate = static_cast<double>(pair.timed.tokens) / pair.timed.seconds;
    const bool steady = std::abs(before - after) <= kMaxLimitDrift * std::max(before, after);
    before = after;
    (steady ? out.steady : out.drifting).push_back(std::move(pair));
  } while (Clock::now() < until || (out.steady.size() < kMinPairs && Clock::now() < at_most));
  return OkStatus();
}

ordered_json ToJson(const BenchOptions& options, const Paired& paired, const char* limit_name) {
  std::vector<double> rates;
  std::vector<double> shares;
  std::vector<double> limits;
  std::vector<double> gaps_ms;
  std::vector<double> ttft_ms;
  for (const Pair& pair : paired.used()) {
    rates.push_back(pair.rate);
    limits.push_back(pair.limit);
    if (pair.limit > 0) shares.push_back(pair.rate * paired.unit_per_token / 1e9 / pair.limit);
    gaps_ms.insert(gaps_ms.end(), pair.timed.gaps_ms.begin(), pair.timed.gaps_ms.end());
    ttft_ms.insert(ttft_ms.end(), pair.timed.ttft_ms.begin(), pair.timed.ttft_ms.end());
  }
  ordered_json json;
  json["tokens_per_s"] = Median(rates);
  json["share_of_limit"] = Median(shares);
  json["limit"] = limit_name;
  json["limit_value"] = Median(limits);
  json["pairs"] = rates.size();
  json["pairs_thrown_away"] = paired.steady.empty() ? 0 : paired.drifting.size();
  json["steady"] = !paired.steady.empty();
  auto percentiles = [&](const std::vector<double>& values) {
    ordered_json list;
    for (const double percent : options.percentiles) {
      char key[16];
      std::snprintf(key, sizeof(key), "p%g", percent);
      list[key] = Percentile(values, percent);
    }
    return list;
  };
  if (!gaps_ms.empty()) json["inter_token_ms"] = percentiles(gaps_ms);
  if (!ttft_ms.empty()) json["ttft_ms"] = percentiles(ttft_ms);
  return json;
}

ordered_json LimitsJson(const cpu::Limits& limits) {
  return {{"threads", limits.threads},
          {"isa", limits.isa},
          {"read_gb_per_s", limits.dram_gb_per_s},
          {"cache_read_gb_per_s", limits.cache_gb_per_s},
          {"f32_gflop_per_s", limits.f32_gflop_per_s},
          {"bf16_gflop_per_s", limits.bf16_gflop_per_s},
          {"int8_gop_per_s", limits.int8_gop_per_s}};
}

// The engine to bench: --model as every command takes it, --shape built with random weights into
// the cache.
Result<LoadedModel> LoadForBench(const BenchOptions& options) {
  ModelOptions model = options.model;
  model.engine.prefix_cache = false;
  if (options.shape.empty()) return LoadModel(model);
  ZB_ASSIGN_OR_RETURN(const nlohmann::json config, BenchShapeConfig(options.shape));
  backend::DeviceOptions device_options;
  device_options.threads = model.threads;
  ZB_ASSIGN_OR_RETURN(const std::unique_ptr<backend::Device> device,
                      backend::OpenDevice(model.backend, device_options));
  compile::EngineKey key;
  key.source = "shape-" + options.shape;
  key.source_hash = "random weights 1 " + config.dump();
  ZB_ASSIGN_OR_RETURN(key.precision,
                      compile::ParsePrecision(model.precision.empty() ? "int8" : model.precision));
  key.machine = {device->info().backend, device->info().isa, device->info().features};
  key.kernels = compile::KernelTable(device->kernels());
  key.limits = model.limits;
  auto build = [&](const std::string& path) -> Status {
    const std::unique_ptr<graph::WeightSource> weights = RandomWeights(config);
    ZB_ASSIGN_OR_RETURN(const graph::Family* family,
                        graph::FindFamily(config.at("architectures").at(0).get<std::string>()));
    compile::BuildRequest request;
    ZB_ASSIGN_OR_RETURN(request.graphs, family->build(config, *weights, model.limits));
    request.weights = weights.get();
    request.device = device.get();
    request.precision = key.precision;
    request.limits = model.limits;
    request.source = key.source;
    request.source_hash = key.source_hash;
    request.out_path = path;
    request.memory_limit_bytes = model.memory_limit;
    ZB_ASSIGN_OR_RETURN(const compile::BuildReport report,
                        compile::BuildEngine(std::move(request)));
    std::fprintf(stderr, "zhibi: built %s in %.1f s (once)\n", path.c_str(), report.seconds);
    return OkStatus();
  };
  ZB_ASSIGN_OR_RETURN(model.model, compile::EnsureEngine(key, build, [](std::string_view message) {
                        std::fprintf(stderr, "zhibi: %.*s\n", static_cast<int>(message.size()),
                                     message.data());
                      }));
  return LoadModel(model);
}

// The unit that the matrices of a precision use, and its peak.
struct Peak {
  const char* name;
  double (*of)(const cpu::Limits&);
};

Peak PeakFor(const std::string& precision) {
  if (precision == "int8" || precision == "int4") {
    return {"int8_gop_per_s", [](const cpu::Limits& l) { return l.int8_gop_per_s; }};
  }
  if (precision == "bf16")
    return {"bf16_gflop_per_s", [](const cpu::Limits& l) { return l.bf16_gflop_per_s; }};
  return {"f32_gflop_per_s", [](const cpu::Limits& l) { return l.f32_gflop_per_s; }};
}

void PrintText(const ordered_json& json) {
  auto line = [&](const char* name) {
    if (!json.contains(name)) return;
    const ordered_json& part = json[name];
    std::printf("%-8s %10.1f tokens/s  %5.1f %% of %s %.1f", name,
                part["tokens_per_s"].get<double>(), part["share_of_limit"].get<double>() * 100,
                part["limit"].get<std::string>().c_str(), part["limit_value"].get<double>());
    for (const char* times : {"inter_token_ms", "ttft_ms"}) {
      if (!part.contains(times)) continue;
      std::printf("  %s", times);
      for (const auto& [key, value] : part[times].items())
        std::printf(" %s %.2f", key.c_str(), value.get<double>());
    }
    if (part.contains("share_of_cache_limit")) {
      std::printf("  (%.1f %% of the cache's)", part["share_of_cache_limit"].get<double>() * 100);
    }
    std::printf("  (%zu pairs, %d thrown away%s)\n", part["pairs"].get<std::size_t>(),
                part["pairs_thrown_away"].get<int>(),
                part["steady"].get<bool>() ? "" : "; the machine never held still");
  };
  std::printf("%s, %s, %s, %d threads, load %.1f ms, %.1f MB a token\n",
              json["model"].get<std::string>().c_str(),
              json["precision"].get<std::string>().c_str(), json["isa"].get<std::string>().c_str(),
              json["threads"].get<int>(), json["load_ms"].get<double>(),
              json["bytes_per_token"].get<double>() / 1e6);
  line("prefill");
  line("decode");
  line("streams");
  std::printf("prefix cache hits 0 (off), prompts distinct\n");
}

}  // namespace

Status RunBenchLimits(bool json, bool quick, int threads) {
  backend::DeviceOptions options;
  options.threads = threads;
  ZB_ASSIGN_OR_RETURN(
      const cpu::Limits limits,
      cpu::MeasureLimits(options, quick ? cpu::ShortLimits() : cpu::LimitOptions{}));
  if (json) {
    std::printf("%s\n", LimitsJson(limits).dump(2).c_str());
    return OkStatus();
  }
  std::printf("%d threads, %s\n", limits.threads, limits.isa.c_str());
  std::printf("read, memory      %8.1f GB/s\n", limits.dram_gb_per_s);
  std::printf("read, last cache  %8.1f GB/s\n", limits.cache_gb_per_s);
  std::printf("fp32 FMA          %8.0f GFLOP/s\n", limits.f32_gflop_per_s);
  std::printf("bf16 products     %8.0f GFLOP/s\n", limits.bf16_gflop_per_s);
  std::printf("int8 products     %8.0f GOP/s\n", limits.int8_gop_per_s);
  return OkStatus();
}

Status RunBench(const BenchOptions& options) {
  ZB_ASSIGN_OR_RETURN(const LoadedModel model, LoadForBench(options));
  const engine::EngineInfo& info = model.file->info();
  backend::DeviceOptions device_options;
  device_options.threads = options.model.threads;
  ZB_ASSIGN_OR_RETURN(const cpu::ChosenIsa isa, cpu::ChooseIsa(device_options));
  cpu::Pool pool({.threads = model.device->info().threads});
  const TokenCost cost = CostOf(*model.file);
  ZB_ASSIGN_OR_RETURN(cpu::ReadLimit read,
                      cpu::ReadLimit::Create(pool, isa.isa, std::int64_t{1} << 30));
  cpu::LimitOptions peaks_only;
  peaks_only.dram_bytes = std::int64_t{16} << 20;
  peaks_only.cache_bytes = std::int64_t{1} << 20;
  peaks_only.passes = 3;
  const Peak peak = PeakFor(info.precision);
  auto compute_limit = [&] {
    const Result<cpu::Limits> limits = cpu::MeasureLimits(pool, isa.isa, peaks_only);
    if (!limits.ok()) return 0.0;
    return peak.of(*limits) > 0 ? peak.of(*limits) : limits->f32_gflop_per_s;
  };
  auto read_limit = [&] { return read.Measure(3); };

  BenchRuns runs(*model.engine, 1);
  const double prefill_ops =
      cost.body_ops +
      cost.head_ops / static_cast<double>(std::max<std::int64_t>(options.prompt_tokens, 1));
  Paired prefill;
  prefill.unit_per_token = prefill_ops;
  ZB_RETURN_IF_ERROR(RunPairs(
      options, compute_limit, [&] { return runs.Prefill(options.prompt_tokens, options.depth); },
      prefill));
  const std::int64_t before = std::max<std::int64_t>(options.depth, 1);
  Paired decode;
  decode.unit_per_token = cost.bytes;
  ZB_RETURN_IF_ERROR(RunPairs(
      options, read_limit, [&] { return runs.Decode(before, options.gen_tokens); }, decode));

  ordered_json json;
  json["model"] = options.shape.empty() ? options.model.model : "shape " + options.shape;
  json["precision"] = info.precision;
  json["isa"] = info.device_isa;
  json["threads"] = model.device->info().threads;
  json["load_ms"] = model.load_ms;
  json["bytes_per_token"] = cost.bytes;
  json["operations_per_token"] = cost.body_ops + cost.head_ops;
  json["prompt_tokens"] = options.prompt_tokens;
  json["gen_tokens"] = options.gen_tokens;
  json["depth"] = options.depth;
  json["prefill"] = ToJson(options, prefill, peak.name);
  json["decode"] = ToJson(options, decode, "read_gb_per_s");
  if (options.streams > 1) {
    // Tokens of all streams, prefill included: of the read limit as if each token read all weights,
    // so above 100 % when streams share a read.
    Paired streams;
    streams.unit_per_token = cost.bytes;
    ZB_RETURN_IF_ERROR(RunPairs(
        options, read_limit,
        [&] { return runs.Streams(options.streams, options.prompt_tokens, options.gen_tokens); },
        streams));
    json["streams"] = ToJson(options, streams, "read_gb_per_s");
    json["streams"]["count"] = options.streams;
  }
  json["prefix_cache_hits"] = model.engine->stats().reused_tokens;
  ZB_ASSIGN_OR_RETURN(const cpu::Limits limits,
                      cpu::MeasureLimits(pool, isa.isa, cpu::ShortLimits()));
  json["limits"] = LimitsJson(limits);
  // Weights of a small model come from the last cache: then this share says more.
  json["decode"]["share_of_cache_limit"] =
      json["decode"]["tokens_per_s"].get<double>() * cost.bytes / 1e9 / limits.cache_gb_per_s;
  if (options.json) {
    std::printf("%s\n", json.dump(2).c_str());
  } else {
    PrintText(json);
  }
  return OkStatus();
}

}  // namespace zhibi::cli
