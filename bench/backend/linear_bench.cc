// SPDX-License-Identifier: Apache-2.0
// All matrices of a model, one step after the other, as a decode or prefill step launches them:
// GB/s of packed weights and GOP/s, beside the limits measured directly before and after each run
// (design.md §6; pairs whose limits differ by more than 15 % are thrown away).
// Usage: linear_bench [--shape 30m|135m|0.5b] [--format f32,f16,bf16,i8,i4] [--rows 1,2,8,512]
//                     [--threads N] [--isa LEVEL] [--pairs N] [--ms MS]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "backend/cpu/cpu_backend.h"
#include "backend/cpu/kernels/linear_pack.h"
#include "backend/cpu/limits.h"
#include "base/machine.h"
#include "graph/ops/linear.h"
#include "graph/weights.h"

namespace zhibi::cpu {
namespace {

using Clock = std::chrono::steady_clock;

struct Shape {
  const char* name;
  std::int64_t hidden, inter, layers, vocab, qkv;
};
constexpr Shape kShapes[] = {
    {"30m", 384, 1024, 16, 21248, 640},
    {"135m", 576, 1536, 30, 49152, 960},
    {"0.5b", 896, 4864, 24, 151936, 1152},
};

struct Options {
  Shape shape = kShapes[2];
  std::vector<LinearFormat> formats;
  std::vector<std::int64_t> rows = {1, 2, 4, 8, 16, 512};
  int threads = 0;
  std::string isa;
  int pairs = 5;
  double ms = 300;
};

constexpr std::pair<const char*, LinearFormat> kFormatNames[] = {
    {"f32", LinearFormat::kF32}, {"f16", LinearFormat::kF16}, {"bf16", LinearFormat::kBF16},
    {"i8", LinearFormat::kI8},   {"i4", LinearFormat::kI4},
};

class NoSource final : public graph::WeightSource {
 public:
  Result<graph::StoredTensor> Find(std::string_view name) const override {
    return NotFoundError(std::string(name));
  }
  bool Contains(std::string_view /*name*/) const override { return false; }
};

// One matrix, packed, and how it is launched.
struct Matrix {
  std::int64_t n = 0;
  std::int64_t k = 0;
  graph::LinearAttrs attrs;
  std::unique_ptr<backend::DeviceBuffer> packed;
  bool head = false;
};

struct Model {
  std::vector<Matrix> matrices;
  double bytes = 0;
  double ops_per_row = 0;
  double head_ops_per_row = 0;
};

// Random weights: at most 64 panels are packed, the others are copies of them.
Result<std::unique_ptr<backend::DeviceBuffer>> PackedOf(backend::Device& device,
                                                        LinearFormat format, std::int64_t n,
                                                        std::int64_t k) {
  const std::int64_t some = std::min(n, 64 * kPanel);
  graph::Weight weight;
  weight.name = "random";
  weight.shape = {some, k};
  weight.constant.resize(static_cast<std::size_t>(some * k));
  std::uint32_t state = 1;
  for (float& value : weight.constant) {
    state = state * 1664525U + 1013904223U;
    value = (static_cast<float>(state >> 8) * 0x1p-24F - 0.5F) * 0.1F;
  }
  auto buffer = device.Allocate(PackedPanelBytes(format, n, k));
  if (!buffer.ok()) return std::move(buffer).status();
  const NoSource source;
  const Status packed = PackPanels(format, some, k, {.weight = &weight, .source = &source},
                                   {(*buffer)->data(), (*buffer)->size()});
  if (!packed.ok()) return packed;
  const std::size_t have = PackedPanelBytes(format, some, k);
  for (std::size_t at = have; at < (*buffer)->size(); at += have) {
    std::memcpy((*buffer)->data() + at, (*buffer)->data(), std::min(have, (*buffer)->size() - at));
  }
  return buffer;
}

Result<Model> MakeModel(backend::Device& device, const Shape& shape, LinearFormat format) {
  Model model;
  const auto add = [&](std::int64_t n, std::int64_t k, bool gated, bool head) -> Status {
    Matrix matrix;
    matrix.n = n;
    matrix.k = k;
    matrix.head = head;
    if (gated) matrix.attrs = {.activation = graph::Activation::kSilu, .gated = 1};
    auto packed = PackedOf(device, format, n, k);
    if (!packed.ok()) return packed.status();
    matrix.packed = std::move(*packed);
    model.bytes += static_cast<double>(matrix.packed->size());
    (head ? model.head_ops_per_row : model.ops_per_row) += 2.0 * static_cast<double>(n * k);
    model.matrices.push_back(std::move(matrix));
    return OkStatus();
  };
  for (std::int64_t layer = 0; layer < shape.layers; ++layer) {
    for (const Status& status :
         {add(shape.qkv, shape.hidden, false, false), add(shape.hidden, shape.hidden, false, false),
          add(2 * shape.inter, shape.hidden, true, false),
          add(shape.hidden, shape.inter, false, false)}) {
      if (!status.ok()) return status;
    }
  }
  const Status status = add(shape.vocab, shape.hidden, false, true);
  if (!status.ok()) return status;
  return model;
}

graph::TensorView View(void* data, std::int64_t rows, std::int64_t cols) {
  graph::TensorView view;
  view.data = data;
  view.rank = 2;
  view.dims = {rows, cols};
  return view;
}

class Bench {
 public:
  Bench(backend::Device& device, const Options& options, LinearFormat format)
      : device_(device), options_(options), format_(format) {}

  Status Prepare() {
    auto model = MakeModel(device_, options_.shape, format_);
    if (!model.ok()) return model.status();
    model_ = std::move(*model);
    stream_ = device_.CreateStream().value();
    const std::int64_t most = *std::max_element(options_.rows.begin(), options_.rows.end());
    const std::int64_t width = std::max(options_.shape.inter, options_.shape.hidden);
    auto x = device_.Allocate(static_cast<std::size_t>(most * width) * 4);
    auto y = device_.Allocate(static_cast<std::size_t>(most * std::max(width, options_.shape.qkv) +
                                                       16 * options_.shape.vocab) *
                              4);
    auto work = device_.Allocate(static_cast<std::size_t>(most * (width * 5 + 4096)));
    if (!x.ok() || !y.ok() || !work.ok()) return ResourceExhaustedError("no memory");
    x_ = std::move(*x);
    y_ = std::move(*y);
    workspace_ = std::move(*work);
    auto* values = reinterpret_cast<float*>(x_->data());
    for (std::int64_t i = 0; i < most * width; ++i) {
      values[i] = static_cast<float>((i * 37) % 101) / 50 - 1;
    }
    return OkStatus();
  }

  void Step(std::int64_t rows, std::int64_t out_rows) {
    for (const Matrix& matrix : model_.matrices) {
      const std::int64_t m = matrix.head ? out_rows : rows;
      graph::TensorView src[4] = {
          View(x_->data(), m, matrix.k), View(matrix.packed->data(), matrix.n, matrix.k), {}, {}};
      const std::int64_t cols = matrix.attrs.gated != 0 ? matrix.n / 2 : matrix.n;
      const graph::TensorView dst = View(y_->data(), m, cols);
      backend::LaunchArgs args;
      args.attrs = &matrix.attrs;
      args.src = src;
      args.num_src = 4;
      args.dst = &dst;
      args.num_dst = 1;
      args.workspace = workspace_->data();
      (void)stream_->Launch(EntryFor(m), args);
    }
  }

  // Milliseconds a step: the median over the time asked for.
  double Time(std::int64_t rows, std::int64_t out_rows) {
    Step(rows, out_rows);
    std::vector<double> times;
    const Clock::time_point begin = Clock::now();
    do {
      const Clock::time_point start = Clock::now();
      Step(rows, out_rows);
      times.push_back(std::chrono::duration<double, std::milli>(Clock::now() - start).count());
    } while (std::chrono::duration<double, std::milli>(Clock::now() - begin).count() <
                 options_.ms ||
             times.size() < 3);
    std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2),
                     times.end());
    return times[times.size() / 2];
  }

  const Model& model() const { return model_; }

 private:
  const backend::KernelEntry& EntryFor(std::int64_t rows) const {
    const backend::KernelEntry* last = nullptr;
    for (const backend::KernelEntry* entry : device_.kernels()) {
      if (entry->op != "linear" || entry->layout != PanelLayoutName(format_)) continue;
      last = entry;
      if (rows <= 16) break;
    }
    return *last;
  }

  backend::Device& device_;
  const Options& options_;
  LinearFormat format_;
  Model model_;
  std::unique_ptr<backend::Stream> stream_;
  std::unique_ptr<backend::DeviceBuffer> x_, y_, workspace_;
};

std::vector<std::string> Split(const std::string& text) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    parts.push_back(text.substr(begin, comma - begin));
    begin = comma + 1;
  }
  return parts;
}

bool Parse(int argc, char** argv, Options& options) {
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string key = argv[i];
    const std::string value = argv[i + 1];
    if (key == "--shape") {
      const auto* found = std::find_if(std::begin(kShapes), std::end(kShapes),
                                       [&](const Shape& shape) { return value == shape.name; });
      if (found == std::end(kShapes)) return false;
      options.shape = *found;
    } else if (key == "--format") {
      for (const std::string& part : Split(value)) {
        for (const auto& [name, format] : kFormatNames) {
          if (part == name) options.formats.push_back(format);
        }
      }
    } else if (key == "--rows") {
      options.rows.clear();
      for (const std::string& part : Split(value)) options.rows.push_back(std::atoll(part.c_str()));
    } else if (key == "--threads") {
      options.threads = std::atoi(value.c_str());
    } else if (key == "--isa") {
      options.isa = value;
    } else if (key == "--pairs") {
      options.pairs = std::atoi(value.c_str());
    } else if (key == "--ms") {
      options.ms = std::atof(value.c_str());
    } else {
      return false;
    }
  }
  if (options.formats.empty()) options.formats = {LinearFormat::kI8, LinearFormat::kI4};
  return argc % 2 == 1;
}

double PeakOf(const Limits& limits, LinearFormat format) {
  if (format == LinearFormat::kBF16 && limits.bf16_gflop_per_s > 0) return limits.bf16_gflop_per_s;
  const bool integer = format == LinearFormat::kI8 || format == LinearFormat::kI4;
  return integer && limits.int8_gop_per_s > 0 ? limits.int8_gop_per_s : limits.f32_gflop_per_s;
}

struct Pair {
  double ms = 0;
  double bandwidth = 0;
  double peak = 0;
};

void Report(Bench& bench, LinearFormat format, std::int64_t rows, const Options& options,
            ReadLimit& read, Pool& pool, const Isa& isa) {
  LimitOptions peaks;
  peaks.dram_bytes = peaks.cache_bytes = std::int64_t{1} << 20;
  peaks.passes = 5;
  const std::int64_t out_rows = rows > 16 ? 1 : rows;
  std::vector<Pair> pairs;
  for (int i = 0; i < 4 * options.pairs && static_cast<int>(pairs.size()) < options.pairs; ++i) {
    const double before = read.Measure(3);
    const double peak_before = PeakOf(MeasureLimits(pool, isa, peaks).value(), format);
    const double ms = bench.Time(rows, out_rows);
    const double peak_after = PeakOf(MeasureLimits(pool, isa, peaks).value(), format);
    const double after = read.Measure(3);
    const bool steady = rows > 16 ? std::abs(peak_before / peak_after - 1) < 0.15
                                  : std::abs(before / after - 1) < 0.15;
    if (!steady && i + options.pairs < 4 * options.pairs) continue;
    pairs.push_back({ms, (before + after) / 2, (peak_before + peak_after) / 2});
  }
  const Model& model = bench.model();
  const double ops = model.ops_per_row * static_cast<double>(rows) +
                     model.head_ops_per_row * static_cast<double>(out_rows);
  const auto bandwidth_share = [&](const Pair& p) {
    return model.bytes / p.ms * 1e-6 / p.bandwidth;
  };
  std::sort(pairs.begin(), pairs.end(),
            [&](const Pair& a, const Pair& b) { return bandwidth_share(a) < bandwidth_share(b); });
  const Pair& p = pairs[pairs.size() / 2];
  const double best =
      std::min_element(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) {
        return a.ms < b.ms;
      })->ms;
  std::printf(
      "%-4s %-14s rows %4lld: %8.3f ms (best %8.3f), %7.0f rows/s; %6.1f GB/s, %3.0f %% of %5.1f; "
      "%7.1f GOP/s, %3.0f %% of %6.0f\n",
      options.shape.name, std::string(PanelLayoutName(format)).c_str(),
      static_cast<long long>(rows), p.ms, best, static_cast<double>(rows) / p.ms * 1e3,
      model.bytes / p.ms * 1e-6, 100 * bandwidth_share(p), p.bandwidth, ops / p.ms * 1e-6,
      100 * ops / p.ms * 1e-6 / p.peak, p.peak);
  std::fflush(stdout);
}

int Main(int argc, char** argv) {
  Options options;
  if (!Parse(argc, argv, options)) {
    std::fprintf(stderr, "linear_bench: see the head of linear_bench.cc for the options\n");
    return 2;
  }
  backend::DeviceOptions device_options;
  device_options.threads = options.threads;
  device_options.isa = options.isa;
  auto device = OpenCpuDevice(device_options);
  const auto chosen = ChooseIsa(device_options);
  if (!device.ok() || !chosen.ok()) {
    std::fprintf(stderr, "linear_bench: %s\n", device.status().ToString().c_str());
    return 1;
  }
  PoolOptions pool_options;
  pool_options.threads = (*device)->info().threads;
  Pool pool(pool_options);
  auto read = ReadLimit::Create(pool, chosen->isa, std::int64_t{1} << 30);
  if (!read.ok()) return 1;
  for (const LinearFormat format : options.formats) {
    Bench bench(**device, options, format);
    const Status status = bench.Prepare();
    if (!status.ok()) {
      std::fprintf(stderr, "linear_bench: %s\n", status.ToString().c_str());
      return 1;
    }
    for (const std::int64_t rows : options.rows) {
      Report(bench, format, rows, options, *read, pool, chosen->isa);
    }
  }
  return 0;
}

}  // namespace
}  // namespace zhibi::cpu

int main(int argc, char** argv) { return zhibi::cpu::Main(argc, argv); }
