// SPDX-License-Identifier: Apache-2.0
// Every op x entry of every device x case of tests/cases/<op>.txt: within the case's tolerance of
// the reference backend; the same bits for any number of rows, threads and page size (design.md
// §7.11). A kernel author writes no harness: a new entry is tested as soon as a device lists it.
#include <cmath>
#include <cstring>
#include <memory>
#include <set>

#include <gtest/gtest.h>

#include "backend/backend.h"
#include "backend/op_case.h"
#include "backend/op_runner.h"
#include "graph/cache_access.h"
#include "graph/op.h"
#include "quant/codec.h"

namespace zhibi::backend {
namespace {

std::vector<OpCase> CasesOf(const std::string& op) {
  auto cases = LoadCases(std::string(ZHIBI_SOURCE_DIR) + "/tests/cases/" + op + ".txt", op);
  EXPECT_TRUE(cases.ok()) << cases.status().ToString();
  return cases.ok() ? *cases : std::vector<OpCase>{};
}

struct NamedDevice {
  std::string name;
  std::unique_ptr<Device> device;
};

// The CPU at every level of this machine.
std::vector<NamedDevice> Devices(int threads) {
  std::vector<NamedDevice> devices;
  for (const std::string level : {"scalar", "avx2", "avx512"}) {
    DeviceOptions options;
    options.threads = threads;
    options.isa = level;
    auto device = OpenDevice("cpu", options);
    if (!device.ok()) continue;  // the machine has not got the level
    devices.push_back({"cpu " + level, std::move(*device)});
  }
  return devices;
}

Device& Reference() {
  static const std::unique_ptr<Device> device = std::move(*OpenDevice("reference", {}));
  return *device;
}

bool IsReference(const KernelEntry& entry) {
  return entry.name.find("_reference") != std::string_view::npos;
}

std::vector<const KernelEntry*> EntriesFor(const Device& device, const OpProblem& problem,
                                           bool with_reference) {
  const QueryOf query(problem);
  std::vector<const KernelEntry*> entries;
  for (const KernelEntry* entry : device.kernels()) {
    if (entry->op != problem.op || (!with_reference && IsReference(*entry))) continue;
    if (entry->supports(query.query()).empty()) entries.push_back(entry);
  }
  return entries;
}

std::vector<float> AsFloats(const std::vector<std::byte>& bytes, DType dtype) {
  const auto count = static_cast<std::int64_t>(bytes.size()) * 8 / DTypeBits(dtype);
  std::vector<float> values;
  for (std::int64_t i = 0; i < count; ++i) {
    values.push_back(graph::LoadElement(bytes.data(), dtype, i));
  }
  return values;
}

void ExpectClose(const std::vector<float>& given, const std::vector<float>& expected, double tol,
                 const std::string& what) {
  ASSERT_EQ(given.size(), expected.size()) << what;
  double scale = 1e-30;
  for (const float x : expected) {
    if (std::isfinite(x)) scale = std::max(scale, std::abs(static_cast<double>(x)));
  }
  double worst = -1;
  std::size_t at = 0;
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (std::isnan(given[i]) && std::isnan(expected[i])) continue;
    double error =
        given[i] == expected[i] ? 0 : std::abs(static_cast<double>(given[i]) - expected[i]) / scale;
    if (std::isnan(error)) error = 1e30;
    if (error > worst) {
      worst = error;
      at = i;
    }
  }
  EXPECT_LE(worst, tol) << what << ": worst at " << at << ": expected " << expected[at] << ", got "
                        << given[at] << ", largest " << scale;
}

double ToleranceOf(const OpCase& op_case, const KernelEntry& entry) {
  const double tol = op_case.Number("tol", 2e-6);
  const bool integer = entry.name.find("_i8_") != std::string_view::npos ||
                       entry.name.find("_i4_") != std::string_view::npos;
  const bool bf16 = entry.name.find("avx512bf16") != std::string_view::npos;
  if (integer && !IsReference(entry)) return op_case.Number("tol_i8", tol);
  return bf16 ? op_case.Number("tol_bf16", tol) : tol;
}

void Compare(const OpCase& op_case, const KernelEntry& entry, const OpProblem& problem,
             const OpOutput& given, const OpOutput& expected, const std::string& what) {
  const double tol = ToleranceOf(op_case, entry);
  for (std::size_t i = 0; i < expected.dst.size(); ++i) {
    const std::string result = what + ", result " + std::to_string(i);
    if (problem.dst[i].dtype == DType::kF32) {
      ExpectClose(AsFloats(given.dst[i], DType::kF32), AsFloats(expected.dst[i], DType::kF32), tol,
                  result);
    } else {
      EXPECT_EQ(given.dst[i], expected.dst[i]) << result;
    }
  }
  for (std::size_t i = 0; i < expected.caches.size(); ++i) {
    const DType dtype = problem.caches[i].view.dtype;
    // One unit of a 16-bit element: values near a border may round either way.
    const double unit = dtype == DType::kF32 ? tol : dtype == DType::kF16 ? 1e-3 : 8e-3;
    ExpectClose(AsFloats(given.caches[i], dtype), AsFloats(expected.caches[i], dtype), unit,
                what + ", cache");
  }
}

class Conformance : public ::testing::TestWithParam<const graph::OpDef*> {
 protected:
  std::string op() const { return std::string(GetParam()->name); }
};

TEST_P(Conformance, EveryEntryAgreesWithTheReference) {
  const auto devices = Devices(2);
  std::set<std::string_view> tested;
  for (const OpCase& op_case : CasesOf(op())) {
    const auto problem = MakeProblem(op_case);
    ASSERT_TRUE(problem.ok()) << problem.status().ToString();
    const auto yardsticks = EntriesFor(Reference(), *problem, true);
    ASSERT_FALSE(yardsticks.empty()) << op_case.where() << ": the reference answers everything";
    const auto expected = RunEntry(Reference(), *yardsticks[0], *problem);
    ASSERT_TRUE(expected.ok()) << expected.status().ToString();
    for (const NamedDevice& device : devices) {
      for (const KernelEntry* entry : EntriesFor(*device.device, *problem, false)) {
        const std::string what =
            op_case.where() + " on " + device.name + ", " + std::string(entry->name);
        const auto given = RunEntry(*device.device, *entry, *problem);
        ASSERT_TRUE(given.ok()) << what << ": " << given.status().ToString();
        Compare(op_case, *entry, *problem, *given, *expected, what);
        tested.insert(entry->name);
      }
    }
  }
  // An entry that no case reaches is not tested at all.
  for (const NamedDevice& device : devices) {
    for (const KernelEntry* entry : device.device->kernels()) {
      if (entry->op != op() || IsReference(*entry)) continue;
      EXPECT_TRUE(tested.count(entry->name)) << entry->name << ": expected a case that it supports";
    }
  }
}

// The first n rows of a result.
std::vector<std::byte> FirstRows(const std::vector<std::byte>& bytes, std::int64_t n,
                                 std::int64_t rows) {
  const auto size = static_cast<std::ptrdiff_t>(static_cast<std::int64_t>(bytes.size()) / rows * n);
  return {bytes.begin(), bytes.begin() + size};
}

TEST_P(Conformance, TheBitsOfARowDependOnNothingElse) {
  const auto devices = Devices(2);
  for (const OpCase& op_case : CasesOf(op())) {
    if (op_case.Int("rows", 1) > 1) continue;  // cases with a single row scale to any number
    const std::int64_t most = op_case.Int("most_rows", 512);
    for (const NamedDevice& device : devices) {
      // First rows of the largest run, by layout and format: entries of a layout must agree.
      std::map<std::string, OpOutput> expected;
      for (const std::int64_t rows : {most, std::int64_t{1}, std::int64_t{2}, std::int64_t{3},
                                      std::int64_t{8}, std::int64_t{17}}) {
        if (rows > most) continue;
        const auto problem = MakeProblem(op_case.With("rows", std::to_string(rows)));
        ASSERT_TRUE(problem.ok()) << problem.status().ToString();
        for (const KernelEntry* entry : EntriesFor(*device.device, *problem, false)) {
          const std::string what = op_case.where() + " on " + device.name + ", " +
                                   std::string(entry->name) + ", rows " + std::to_string(rows);
          auto given = RunEntry(*device.device, *entry, *problem);
          ASSERT_TRUE(given.ok()) << what;
          const auto [it, first] = expected.try_emplace(std::string(entry->layout), *given);
          if (first) continue;
          for (std::size_t i = 0; i < given->dst.size(); ++i) {
            EXPECT_TRUE(given->dst[i] == FirstRows(it->second.dst[i], rows, most))
                << what << ", result " << i;
          }
        }
      }
    }
  }
}

TEST_P(Conformance, ThreadsChangeNoBit) {
  const auto one = Devices(1);
  const auto many = Devices(5);
  ASSERT_EQ(one.size(), many.size());
  for (const OpCase& op_case : CasesOf(op())) {
    const auto problem = MakeProblem(op_case);
    ASSERT_TRUE(problem.ok()) << problem.status().ToString();
    for (std::size_t d = 0; d < one.size(); ++d) {
      for (const KernelEntry* entry : EntriesFor(*one[d].device, *problem, false)) {
        const auto first = RunEntry(*one[d].device, *entry, *problem);
        const auto second = RunEntry(*many[d].device, *entry, *problem);
        ASSERT_TRUE(first.ok() && second.ok());
        EXPECT_TRUE(first->dst == second->dst && first->caches == second->caches)
            << op_case.where() << " on " << one[d].name << ", " << entry->name;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Ops, Conformance,
                         ::testing::ValuesIn(graph::AllOps().begin(), graph::AllOps().end()),
                         [](const auto& info) { return std::string(info.param->name); });

TEST(Attention, PageSizeChangesNoBit) {
  for (const OpCase& op_case : CasesOf("attention")) {
    if (op_case.Int("group", 0) < 0) continue;
    for (const NamedDevice& device : Devices(2)) {
      std::map<std::string_view, OpOutput> expected;
      for (const int page_tokens : {16, 1, 7, 32, 64}) {
        const auto problem = MakeProblem(op_case.With("page_tokens", std::to_string(page_tokens)));
        ASSERT_TRUE(problem.ok()) << problem.status().ToString();
        for (const KernelEntry* entry : EntriesFor(*device.device, *problem, false)) {
          const auto given = RunEntry(*device.device, *entry, *problem);
          ASSERT_TRUE(given.ok());
          const auto [it, first] = expected.try_emplace(entry->layout, *given);
          if (!first) {
            EXPECT_TRUE(given->dst == it->second.dst)
                << op_case.where() << " on " << device.name << ", " << entry->name << ", pages of "
                << page_tokens;
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace zhibi::backend
