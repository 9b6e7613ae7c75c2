// SPDX-License-Identifier: Apache-2.0
// linear at every instruction set and format against sums in double over the numbers that the
// formats' own encoders (quant/codec.h) give; then bits across rows, threads and entries.
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <tuple>

#include <gtest/gtest.h>

#include "backend/cpu/cpu_backend.h"
#include "backend/cpu/linear_runner.h"
#include "base/machine.h"
#include "graph/ops/activation.h"
#include "quant/codec.h"

namespace zhibi::cpu {
namespace {

std::vector<float> Random(std::int64_t count, float sigma, std::uint32_t seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<float> normal(0, sigma);
  std::vector<float> values(static_cast<std::size_t>(count));
  for (float& value : values) value = normal(generator);
  return values;
}

// The row as a kernel sees it after storing in the format.
std::vector<float> Stored(LinearFormat format, std::span<const float> row) {
  std::vector<float> out(row.begin(), row.end());
  switch (format) {
    case LinearFormat::kF32:
      break;
    case LinearFormat::kF16:
      for (float& v : out) v = quant::F16ToF32(quant::F32ToF16(v));
      break;
    case LinearFormat::kBF16:
      for (float& v : out) v = quant::BF16ToF32(quant::F32ToBF16(v));
      break;
    case LinearFormat::kI8: {
      std::vector<std::int8_t> codes(row.size());
      const float scale = quant::QuantizeRowI8(row, codes);
      quant::DequantizeRowI8(codes, scale, out);
      break;
    }
    case LinearFormat::kI4: {
      const auto k = static_cast<std::int64_t>(row.size());
      std::vector<std::uint8_t> codes(static_cast<std::size_t>(quant::I4RowBytes(k)));
      std::vector<std::uint16_t> scales(static_cast<std::size_t>(quant::I4RowGroups(k)));
      quant::QuantizeRowI4(row, codes, scales);
      quant::DequantizeRowI4(codes, scales, out);
      break;
    }
  }
  return out;
}

std::span<const float> Row(const std::vector<float>& values, std::int64_t row, std::int64_t k) {
  return std::span(values).subspan(static_cast<std::size_t>(row * k), static_cast<std::size_t>(k));
}

using Parameter = std::tuple<std::string, LinearFormat>;

class LinearTest : public testing::TestWithParam<Parameter> {
 protected:
  void SetUp() override {
    level_ = std::get<0>(GetParam());
    format_ = std::get<1>(GetParam());
    const Result<base::CpuInfo> cpu = base::DetectCpu(level_);
    if (!cpu.ok())
      GTEST_SKIP() << "this machine has no " << level_ << ": " << cpu.status().message();
    bf16_activations_ = format_ == LinearFormat::kBF16 && cpu->usable().avx512_bf16;
  }

  std::unique_ptr<backend::Device> Open(int threads) {
    return OpenCpuDevice({.threads = threads, .isa = level_}).value();
  }

  LinearProblem Problem(std::int64_t n, std::int64_t k) {
    LinearProblem problem;
    problem.format = format_;
    problem.n = n;
    problem.k = k;
    problem.w = Random(n * k, 0.05F, static_cast<std::uint32_t>(n * 131 + k));
    return problem;
  }

  // Activations as the kernel rounds them.
  std::vector<float> RoundedX(std::span<const float> x) {
    if (format_ == LinearFormat::kI8 || format_ == LinearFormat::kI4) {
      return Stored(LinearFormat::kI8, x);
    }
    if (bf16_activations_) return Stored(LinearFormat::kBF16, x);
    return {x.begin(), x.end()};
  }

  // Compares the plain product of all rows with sums in double.
  void ExpectProduct(const LinearProblem& problem, std::int64_t rows, const std::vector<float>& x,
                     const std::vector<float>& y, const std::string& where) {
    std::vector<std::vector<float>> w;
    for (std::int64_t i = 0; i < problem.n; ++i) {
      w.push_back(Stored(format_, Row(problem.w, i, problem.k)));
    }
    for (std::int64_t r = 0; r < rows; ++r) {
      const std::vector<float> xr = RoundedX(Row(x, r, problem.k));
      for (std::int64_t i = 0; i < problem.n; ++i) {
        double sum = 0;
        double magnitude = 0;
        for (std::size_t c = 0; c < xr.size(); ++c) {
          const double product = double{xr[c]} * double{w[static_cast<std::size_t>(i)][c]};
          sum += product;
          magnitude += std::fabs(product);
        }
        const float got = y[static_cast<std::size_t>(r * problem.n + i)];
        ASSERT_NEAR(got, sum, 1e-30 + magnitude * 4e-6)
            << where << " row " << r << " output " << i << " n " << problem.n << " k " << problem.k
            << " rows " << rows;
      }
    }
  }

  std::string level_;
  LinearFormat format_ = LinearFormat::kF32;
  bool bf16_activations_ = false;
};

TEST_P(LinearTest, ProductsOfAllShapesIncludingTails) {
  const auto device = Open(2);
  for (const std::int64_t n : {1, 31, 32, 33, 97, 160}) {
    for (const std::int64_t k : {1, 3, 5, 31, 32, 33, 64, 100, 257}) {
      const LinearProblem problem = Problem(n, k);
      LinearRunner runner(*device, problem);
      ASSERT_TRUE(runner.Pack().ok());
      for (const std::int64_t rows : {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 16, 29}) {
        const std::vector<float> x = Random(rows * k, 1, static_cast<std::uint32_t>(rows + k));
        for (const backend::KernelEntry* entry : runner.entries()) {
          if (!entry->supports(runner.Query(rows)).empty()) continue;
          std::vector<float> y(static_cast<std::size_t>(rows * n), -7.0F);
          runner.Launch(*entry, rows, x.data(), y.data());
          ExpectProduct(problem, rows, x, y, std::string(entry->name));
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

TEST_P(LinearTest, PackedNumbersAreTheEncodersOwn) {
  const auto device = Open(1);
  for (const std::int64_t k : {1, 7, 33, 64, 130}) {
    const LinearProblem problem = Problem(45, k);
    LinearRunner runner(*device, problem);
    ASSERT_TRUE(runner.Pack().ok());
    for (std::int64_t i = 0; i < problem.n; ++i) {
      std::vector<float> row(static_cast<std::size_t>(k));
      UnpackPanelRow(format_, k, runner.packed(), i, row);
      ASSERT_EQ(row, Stored(format_, Row(problem.w, i, k))) << "row " << i << " k " << k;
    }
  }
}

// Each row alone, then as part of 2, 3, 8, 17 and 512 rows, on 1 to 4 threads, through every entry.
TEST_P(LinearTest, BitsOfARowDependOnNothingElse) {
  const std::int64_t k = level_ == "scalar" ? 70 : 413;
  const LinearProblem problem = Problem(130, k);
  constexpr std::int64_t kMost = 512;
  const std::vector<float> x = Random(kMost * k, 1, 5);
  std::vector<float> alone(static_cast<std::size_t>(kMost * problem.n));
  {
    const auto device = Open(1);
    LinearRunner runner(*device, problem);
    ASSERT_TRUE(runner.Pack().ok());
    for (std::int64_t r = 0; r < kMost; ++r) {
      runner.Launch(*runner.entries().front(), 1, x.data() + r * k, alone.data() + r * problem.n);
    }
  }
  for (const int threads : {1, 2, 3, 4}) {
    const auto device = Open(threads);
    LinearRunner runner(*device, problem);
    ASSERT_TRUE(runner.Pack().ok());
    for (const std::int64_t rows : {1, 2, 3, 8, 17, 512}) {
      for (const backend::KernelEntry* entry : runner.entries()) {
        if (!entry->supports(runner.Query(rows)).empty()) continue;
        const std::int64_t first = (kMost - rows) / 3;
        std::vector<float> y(static_cast<std::size_t>(rows * problem.n));
        runner.Launch(*entry, rows, x.data() + first * k, y.data());
        ASSERT_EQ(std::memcmp(y.data(), alone.data() + first * problem.n, y.size() * 4), 0)
            << entry->name << " rows " << rows << " threads " << threads;
      }
    }
  }
}

TEST_P(LinearTest, Epilogues) {
  const auto device = Open(2);
  for (const std::int64_t n : {2, 30, 66, 128}) {
    for (const int gated : {0, 1}) {
      for (int a = 0; a <= static_cast<int>(graph::Activation::kSigmoid); ++a) {
        LinearProblem problem = Problem(n, 40);
        const std::int64_t rows = 5;
        const std::vector<float> x = Random(rows * problem.k, 3, 17);
        std::vector<float> plain(static_cast<std::size_t>(rows * n));
        {
          LinearRunner runner(*device, problem);
          ASSERT_TRUE(runner.Pack().ok());
          runner.Launch(*runner.entries().front(), rows, x.data(), plain.data());
        }
        problem.attrs.activation = static_cast<graph::Activation>(a);
        problem.attrs.gated = gated;
        problem.bias = Random(n, 1, 3);
        problem.residual = Random(rows * problem.result_cols(), 1, 4);
        LinearRunner runner(*device, problem);
        ASSERT_TRUE(runner.Pack().ok());
        runner.Query(rows);
        std::vector<float> y = problem.residual;  // the residual stream is updated in place
        runner.Launch(*runner.entries().back(), rows, x.data(), y.data(), y.data());
        const auto cols = static_cast<std::size_t>(problem.result_cols());
        for (std::size_t r = 0; r < static_cast<std::size_t>(rows); ++r) {
          for (std::size_t i = 0; i < cols; ++i) {
            const auto biased = [&](std::size_t c) {
              return plain[r * static_cast<std::size_t>(n) + c] + problem.bias[c];
            };
            const float value =
                gated != 0
                    ? graph::Activate(problem.attrs.activation, biased(2 * i)) * biased(2 * i + 1)
                    : graph::Activate(problem.attrs.activation, biased(i));
            const float expected = value + problem.residual[r * cols + i];
            ASSERT_NEAR(y[r * cols + i], expected, 2e-6F + 4e-6F * std::fabs(value))
                << graph::ActivationName(problem.attrs.activation) << " gated " << gated << " n "
                << n << " row " << r << " col " << i;
          }
        }
      }
    }
  }
}

class LinearI8Test : public LinearTest {};

TEST_P(LinearI8Test, StoredInt8KeepsItsCodes) {
  const auto device = Open(1);
  LinearProblem problem = Problem(40, 50);
  std::mt19937 generator(9);
  for (int i = 0; i < 40 * 50; ++i) {
    problem.codes.push_back(static_cast<std::int8_t>(static_cast<int>(generator() % 256) - 128));
  }
  problem.code_scales = Random(40, 0.01F, 2);
  LinearRunner runner(*device, problem);
  ASSERT_TRUE(runner.Pack().ok());
  std::vector<float> row(50);
  for (std::int64_t i = 0; i < 40; ++i) {
    UnpackPanelRow(format_, 50, runner.packed(), i, row);
    for (std::size_t c = 0; c < 50; ++c) {
      const auto at = static_cast<std::size_t>(i) * 50 + c;
      ASSERT_EQ(row[c], static_cast<float>(problem.codes[at]) *
                            problem.code_scales[static_cast<std::size_t>(i)]);
    }
  }
  // -128 is a code that the encoder never makes, but a file may hold it.
  const std::vector<float> x = Random(3 * 50, 1, 21);
  std::vector<float> y(3 * 40);
  runner.Query(3);
  runner.Launch(*runner.entries().front(), 3, x.data(), y.data());
  for (std::int64_t r = 0; r < 3; ++r) {
    const std::vector<float> xr = RoundedX(Row(x, r, 50));
    for (std::size_t i = 0; i < 40; ++i) {
      double sum = 0;
      double magnitude = 0;
      for (std::size_t c = 0; c < 50; ++c) {
        const double product = double{xr[c]} * problem.codes[i * 50 + c] * problem.code_scales[i];
        sum += product;
        magnitude += std::fabs(product);
      }
      ASSERT_NEAR(y[static_cast<std::size_t>(r) * 40 + i], sum, 4e-6 * magnitude);
    }
  }
}

TEST_P(LinearTest, ExtremeValues) {
  const auto device = Open(2);
  // The largest sums: all codes at their ends.
  LinearProblem problem = Problem(33, 5000);
  for (float& w : problem.w) w = 1.0F;
  LinearRunner runner(*device, problem);
  ASSERT_TRUE(runner.Pack().ok());
  std::vector<float> x(static_cast<std::size_t>(3 * problem.k), -2.0F);
  std::fill(x.begin() + problem.k, x.begin() + 2 * problem.k, 0.0F);
  x[static_cast<std::size_t>(2 * problem.k) + 4] = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> y(static_cast<std::size_t>(3 * problem.n));
  runner.Query(3);
  for (const backend::KernelEntry* entry : runner.entries()) {
    runner.Launch(*entry, 3, x.data(), y.data());
    for (std::size_t i = 0; i < 33; ++i) {
      EXPECT_NEAR(y[i], -10000.0F, 10000.0F * 1e-3F) << entry->name;
      EXPECT_EQ(y[33 + i], 0.0F) << entry->name;
      EXPECT_TRUE(std::isnan(y[66 + i])) << entry->name;  // not hidden, not spread
    }
  }
}

TEST_P(LinearTest, RefusesWhatItCannotDo) {
  const auto device = Open(1);
  const LinearProblem problem = Problem(32, 32);
  LinearRunner runner(*device, problem);
  const backend::KernelEntry& few = *runner.entries().front();
  EXPECT_EQ(few.supports(runner.Query(16)), "");
  EXPECT_NE(few.supports(runner.Query(17)), "");
  EXPECT_EQ(runner.entries().back()->supports(runner.Query(100000)), "");

  backend::OpQuery query = runner.Query(1);
  const std::vector<quant::WeightFormat> other(4, quant::WeightFormat{.dtype = DType::kU8});
  query.formats = other;
  EXPECT_EQ(few.supports(query), "other weight format");
  EXPECT_GT(few.estimate_us(runner.Query(1)), 0.0);
  EXPECT_EQ(few.packed_bytes(runner.Query(1), 1) % 64, 0U);

  // A buffer that is too small is an error, not a write beyond it.
  graph::Weight weight;
  weight.name = "w";
  weight.shape = {32, 32};
  weight.parts = {{.tensor = "w", .row_begin = 0, .rows = 32}};
  graph::StoredTensor stored;
  stored.shape = {32, 32};
  stored.bytes = std::as_bytes(std::span(problem.w));
  const MemorySource source(stored);
  std::vector<std::byte> small(64);
  EXPECT_FALSE(few.pack(runner.Query(1), 1, {.weight = &weight, .source = &source}, small).ok());
}

std::string Name(const testing::TestParamInfo<Parameter>& info) {
  return std::get<0>(info.param) + "_" +
         std::string(PanelLayoutName(std::get<1>(info.param)).substr(8));
}

INSTANTIATE_TEST_SUITE_P(Levels, LinearI8Test,
                         testing::Combine(testing::Values("scalar", "avx2", "avx512"),
                                          testing::Values(LinearFormat::kI8)),
                         Name);

INSTANTIATE_TEST_SUITE_P(Levels, LinearTest,
                         testing::Combine(testing::Values("scalar", "avx2", "avx512"),
                                          testing::Values(LinearFormat::kF32, LinearFormat::kF16,
                                                          LinearFormat::kBF16, LinearFormat::kI8,
                                                          LinearFormat::kI4)),
                         Name);

}  // namespace
}  // namespace zhibi::cpu
