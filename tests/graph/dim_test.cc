// SPDX-License-Identifier: Apache-2.0
#include "graph/dim.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace zhibi::graph {
namespace {

using ::testing::HasSubstr;

const std::vector<std::string> kNames = {"tokens", "seqs"};
const Dim kTokens = Dim::Symbol(SymbolId{0});
const Dim kSeqs = Dim::Symbol(SymbolId{1});

TEST(Dim, EqualSizesHaveOneForm) {
  EXPECT_EQ(kTokens + kSeqs, kSeqs + kTokens);
  EXPECT_EQ(kTokens * kSeqs, kSeqs * kTokens);
  EXPECT_EQ((kTokens + 1) * 4, kTokens * 4 + 4);
  EXPECT_EQ(kTokens - kTokens, Dim(0));
  EXPECT_EQ((kTokens + kSeqs) * (kTokens - kSeqs), kTokens * kTokens - kSeqs * kSeqs);
  EXPECT_FALSE(kTokens == kSeqs);
  EXPECT_FALSE(kTokens == Dim(1));
}

TEST(Dim, DivisionOfMultiplesDisappears) {
  EXPECT_EQ(Dim::FloorDiv(kTokens * 8, 4), kTokens * 2);
  EXPECT_EQ(Dim::FloorDiv(kTokens * 8 + 3, 4), kTokens * 2);
  EXPECT_EQ(Dim::CeilDiv(kTokens * 8 + 1, 4), kTokens * 2 + 1);
  EXPECT_EQ(Dim::FloorDiv(kTokens + 4, 4), Dim::FloorDiv(kTokens, 4) + 1);
  EXPECT_FALSE(Dim::FloorDiv(kTokens, 4) == Dim::CeilDiv(kTokens, 4));
  EXPECT_EQ(Dim::FloorDiv(Dim(-1), 4), Dim(-1));
  EXPECT_EQ(Dim::CeilDiv(Dim(9), 4), Dim(3));
}

TEST(Dim, MaxIsCommutativeAndFoldsConstantDifferences) {
  EXPECT_EQ(Dim::Max(kTokens, kSeqs), Dim::Max(kSeqs, kTokens));
  EXPECT_EQ(Dim::Max(kTokens, kTokens + 2), kTokens + 2);
  EXPECT_EQ(Dim::Max(Dim(3), Dim(5)), Dim(5));
}

TEST(Dim, PrintsForPeople) {
  EXPECT_EQ((kTokens * 4 + 1).ToString(kNames), "4*tokens + 1");
  EXPECT_EQ((kTokens - 2).ToString(kNames), "tokens - 2");
  EXPECT_EQ((kTokens * kSeqs).ToString(kNames), "tokens*seqs");
  EXPECT_EQ(Dim::FloorDiv(kTokens + 1, 2).ToString(kNames), "floor_div(tokens + 1, 2)");
  EXPECT_EQ(Dim::Max(kTokens, kSeqs).ToString(kNames), "max(tokens, seqs)");
  EXPECT_EQ(Dim(0).ToString(kNames), "0");
  EXPECT_EQ(kTokens.ToString({}), "$0");
  EXPECT_EQ(ShapeToString(Shape{kTokens, 64}, kNames), "[tokens, 64]");
}

TEST(Dim, EvaluatesAndReportsWhatIsMissing) {
  const std::vector<std::int64_t> values = {10, 3};
  EXPECT_EQ((kTokens * kSeqs + 1).Evaluate(values).value(), 31);
  EXPECT_EQ(Dim::CeilDiv(kTokens, 4).Evaluate(values).value(), 3);
  EXPECT_EQ(Dim::Max(kTokens, kSeqs).Evaluate(values).value(), 10);
  const auto missing = kSeqs.Evaluate(std::vector<std::int64_t>{1});
  EXPECT_EQ(missing.status().code(), StatusCode::kOutOfRange);
  EXPECT_THAT(missing.status().message(), HasSubstr("expected values of symbols 0..1, got 1"));
  const auto large = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ((kTokens * kSeqs).Evaluate(std::vector<std::int64_t>{large, 2}).status().code(),
            StatusCode::kOutOfRange);
  EXPECT_EQ((Dim(large) * 2).Evaluate({}).status().code(), StatusCode::kOutOfRange);
  EXPECT_FALSE((Dim(large) + 1).constant().has_value());
  EXPECT_FALSE(Dim::FloorDiv(Dim(-large), 3).constant().has_value());
}

// Random expressions: the canonical form means what plain arithmetic means, and survives storing.
TEST(Dim, AgreesWithPlainArithmetic) {
  std::mt19937 random(7);
  for (int round = 0; round < 500; ++round) {
    const std::vector<std::int64_t> values = {static_cast<std::int64_t>(random() % 100),
                                              static_cast<std::int64_t>(random() % 100)};
    Dim dim = kTokens;
    std::int64_t plain = values[0];
    const int steps = static_cast<int>(random() % 5);
    for (int i = 0; i < steps; ++i) {
      const auto n = static_cast<std::int64_t>(random() % 9) + 1;
      switch (random() % 6) {
        case 0:
          dim = dim + kSeqs * n;
          plain += values[1] * n;
          break;
        case 1:
          dim = dim - n;
          plain -= n;
          break;
        case 2:
          dim = dim * n;
          plain *= n;
          break;
        case 3:
          dim = Dim::FloorDiv(dim, n);
          plain = static_cast<std::int64_t>(
              std::floor(static_cast<double>(plain) / static_cast<double>(n)));
          break;
        case 4:
          dim = Dim::CeilDiv(dim, n);
          plain = static_cast<std::int64_t>(
              std::ceil(static_cast<double>(plain) / static_cast<double>(n)));
          break;
        default:
          dim = Dim::Max(dim, kSeqs);
          plain = std::max(plain, values[1]);
          break;
      }
    }
    ASSERT_EQ(dim.Evaluate(values).value(), plain) << dim.ToString(kNames);
    const auto program = dim.Program();
    ASSERT_EQ(EvaluateProgram(program, values), plain);
    const auto again = Dim::FromProgram(program);
    ASSERT_TRUE(again.ok()) << again.status().ToString();
    ASSERT_EQ(*again, dim);
  }
}

TEST(Dim, RefusesForeignPrograms) {
  const std::vector<std::vector<std::int64_t>> bad = {
      {},
      {0},      // no argument
      {9, 1},   // no such opcode
      {2},      // nothing to add
      {1, 40},  // no such symbol
      {1, -1},
      {0, 8, 4, 0},  // division by zero
      {0, 8, 4, -2},
      {0, 1, 0, 2},     // two results
      {0, 1, 0, 2, 2},  // not canonical: 1 + 2
      {0, 0, 1, 0, 2},  // not canonical: 0 + tokens
      {1, 0, 0, 2, 3},  // not canonical: tokens * 2
      std::vector<std::int64_t>(4096, 0),
  };
  for (const auto& program : bad) {
    const auto dim = Dim::FromProgram(program);
    EXPECT_FALSE(dim.ok()) << ::testing::PrintToString(program);
    EXPECT_EQ(dim.status().code(), StatusCode::kInvalidArgument);
  }
}

TEST(Dim, RandomProgramsNeverCrash) {
  std::mt19937 random(11);
  for (int round = 0; round < 20000; ++round) {
    std::vector<std::int64_t> program(random() % 12);
    for (auto& word : program) word = static_cast<std::int64_t>(random() % 9) - 1;
    const auto dim = Dim::FromProgram(program);
    if (!dim.ok()) continue;
    const std::vector<std::int64_t> values = {5, 6, 7, 8, 9, 10, 11, 12};
    EXPECT_EQ(dim->Evaluate(values).ok() ? *dim->Evaluate(values) : -1,
              EvaluateProgram(program, values));
  }
}

}  // namespace
}  // namespace zhibi::graph
