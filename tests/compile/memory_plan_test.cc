// SPDX-License-Identifier: Apache-2.0
// No two blocks that are alive together may overlap, whatever the graph; on the golden decoders the
// arena stays near the least possible.
#include "compile/memory_plan.h"

#include <random>

#include <gtest/gtest.h>

#include "backend/backend.h"
#include "compile/choice.h"
#include "compile/passes.h"
#include "graph/builder.h"
#include "support/golden_model.h"

namespace zhibi::compile {
namespace {

void ExpectNoOverlap(const MemoryPlan& plan) {
  for (std::size_t a = 0; a < plan.blocks.size(); ++a) {
    const MemoryBlock& x = plan.blocks[a];
    EXPECT_EQ(x.offset % 64, 0) << x.name;
    EXPECT_LE(x.offset + x.bytes, plan.arena_bytes) << x.name;
    for (std::size_t b = a + 1; b < plan.blocks.size(); ++b) {
      const MemoryBlock& y = plan.blocks[b];
      const bool together = x.first_op <= y.last_op && y.first_op <= x.last_op;
      const bool overlap = x.offset < y.offset + y.bytes && y.offset < x.offset + x.bytes;
      EXPECT_FALSE(together && overlap) << x.name << " and " << y.name;
    }
  }
}

MemoryPlan PlanOf(const graph::Graph& graph, Choice* kept = nullptr) {
  const auto device = backend::OpenDevice("reference", {});
  EXPECT_TRUE(device.ok());
  Result<Choice> choice = ChooseKernels(graph, (*device)->kernels());
  EXPECT_TRUE(choice.ok()) << choice.status().ToString();
  Result<MemoryPlan> plan = PlanMemory(graph, *choice);
  EXPECT_TRUE(plan.ok()) << plan.status().ToString();
  if (kept != nullptr) *kept = std::move(choice).value();
  return std::move(plan).value();
}

TEST(MemoryPlan, RandomGraphsNeverOverlap) {
  std::mt19937 random(5);
  for (int round = 0; round < 50; ++round) {
    graph::GraphBuilder builder("random", {.max_tokens = 64});
    std::vector<graph::ValueId> values = {builder.Input("x", DType::kF32, {builder.tokens(), 16})};
    for (int n = 0; n < 40; ++n) {
      const graph::ValueId a = values[random() % values.size()];
      const graph::ValueId b = values[random() % values.size()];
      const std::string name = "n" + std::to_string(n);
      switch (random() % 3) {
        case 0:
          values.push_back(builder.Unary(name, a, graph::Activation::kSilu));
          break;
        case 1:
          values.push_back(builder.Binary(name, graph::BinaryKind::kAdd, a, b));
          break;
        default:
          values.push_back(builder.Gated(name, a, b, graph::Activation::kSilu));
      }
    }
    builder.Output("y", values.back());
    Result<graph::Graph> graph = std::move(builder).Finish();
    ASSERT_TRUE(graph.ok()) << graph.status().ToString();
    ExpectNoOverlap(PlanOf(*graph));
  }
}

TEST(MemoryPlan, GoldenDecodersStayNearTheLeast) {
  for (const char* name : {"llama3", "qwen3", "t5"}) {
    const Result<test::GoldenModel> model = test::GoldenModel::Load(name);
    ASSERT_TRUE(model.ok());
    graph::Graph graph = model->plan("step");
    ASSERT_TRUE(RunPasses(graph, {}, nullptr).ok());
    const MemoryPlan plan = PlanOf(graph);
    ExpectNoOverlap(plan);
    EXPECT_LE(plan.arena_bytes, plan.needed_bytes * 115 / 100) << name;
  }
}

TEST(MemoryPlan, AnElementwiseResultTakesOverItsOperand) {
  graph::GraphBuilder builder("chain", {.max_tokens = 64});
  graph::ValueId x = builder.Input("x", DType::kF32, {builder.tokens(), 16});
  for (int n = 0; n < 5; ++n) {
    x = builder.Unary("u" + std::to_string(n), x, graph::Activation::kSilu);
  }
  builder.Output("y", x);
  Result<graph::Graph> graph = std::move(builder).Finish();
  ASSERT_TRUE(graph.ok());
  const MemoryPlan plan = PlanOf(*graph);
  EXPECT_EQ(plan.blocks.size(), 1U);
  EXPECT_EQ(plan.arena_bytes, 64 * 16 * 4);
}

TEST(MemoryPlan, AnOperandReadTwiceByTheOpIsNotTakenOver) {
  graph::GraphBuilder builder("twice", {.max_tokens = 64});
  const graph::ValueId x = builder.Input("x", DType::kF32, {builder.tokens(), 16});
  const graph::ValueId u = builder.Unary("u", x, graph::Activation::kSilu);
  builder.Output("y", builder.Binary("sum", graph::BinaryKind::kAdd, u, u));
  Result<graph::Graph> graph = std::move(builder).Finish();
  ASSERT_TRUE(graph.ok());
  EXPECT_EQ(PlanOf(*graph).blocks.size(), 2U);
}

// --- kernel choice ---

std::string Yes(const backend::OpQuery&) { return {}; }
std::string FewRows(const backend::OpQuery& query) {
  return query.max_rows <= 4 ? "" : "more than 4 rows";
}
double Cheap(const backend::OpQuery&) { return 1; }
double Dear(const backend::OpQuery&) { return 10; }

backend::KernelEntry Entry(std::string_view name, std::string_view op, std::string_view layout,
                           std::string (*supports)(const backend::OpQuery&),
                           double (*estimate)(const backend::OpQuery&)) {
  backend::KernelEntry entry;
  entry.name = name;
  entry.op = op;
  entry.layout = layout;
  entry.supports = supports;
  entry.estimate_us = estimate;
  return entry;
}

Result<graph::Graph> TiedGraph() {
  graph::GraphBuilder builder("tied", {.max_tokens = 64});
  const graph::ValueId ids = builder.Input("ids", DType::kI32, {builder.tokens()});
  const graph::ValueId table = builder.Parameter("t", {32, 16}, graph::WeightRole::kEmbedding);
  const graph::ValueId x = builder.Embedding("embed", ids, table);
  builder.Output("y", builder.Linear("head", x, table));
  return std::move(builder).Finish();
}

TEST(Choice, OneLayoutAnEntryABucket) {
  const auto graph = TiedGraph();
  ASSERT_TRUE(graph.ok()) << graph.status().ToString();
  const backend::KernelEntry entries[] = {
      Entry("embed", "embedding", "rows", &Yes, &Cheap),
      Entry("gemv", "linear", "tiles", &FewRows, &Cheap),
      Entry("gemm", "linear", "tiles", &Yes, &Dear),
      Entry("fast_but_few", "linear", "other", &FewRows, &Cheap),
  };
  const backend::KernelEntry* list[] = {&entries[0], &entries[1], &entries[2], &entries[3]};
  const Result<Choice> choice = ChooseKernels(*graph, list);
  ASSERT_TRUE(choice.ok()) << choice.status().ToString();
  const NodeChoice& head = choice->nodes[1];
  EXPECT_EQ(head.layout, "tiles");  // "other" cannot serve all buckets
  ASSERT_EQ(choice->axes[0].buckets, (std::vector<std::int64_t>{1, 4, 16, 64}));
  EXPECT_EQ(head.entries[0]->name, "gemv");
  EXPECT_EQ(head.entries[1]->name, "gemv");
  EXPECT_EQ(head.entries[2]->name, "gemm");
  EXPECT_EQ(head.entries[3]->name, "gemm");
  EXPECT_EQ(choice->nodes[0].layout, "rows");  // no common layout: two copies of the tied weight
  ASSERT_FALSE(choice->refusals.empty());
  EXPECT_EQ(choice->refusals[0].reason, "more than 4 rows");
}

TEST(Choice, ATiedWeightIsSharedWhenThatCostsLittle) {
  const auto graph = TiedGraph();
  ASSERT_TRUE(graph.ok());
  const backend::KernelEntry entries[] = {
      Entry("embed", "embedding", "rows", &Yes, &Cheap),
      Entry("embed_tiles", "embedding", "tiles", &Yes, &Cheap),
      Entry("gemm", "linear", "tiles", &Yes, &Cheap),
      Entry("slow", "linear", "rows", &Yes, &Dear),
  };
  const backend::KernelEntry* list[] = {&entries[0], &entries[1], &entries[2], &entries[3]};
  const Result<Choice> choice = ChooseKernels(*graph, list);
  ASSERT_TRUE(choice.ok());
  EXPECT_EQ(choice->nodes[0].layout, "tiles");
  EXPECT_EQ(choice->nodes[1].layout, "tiles");
}

TEST(Choice, EntriesThatDependOnTheirCompanyAreRefused) {
  const auto graph = TiedGraph();
  ASSERT_TRUE(graph.ok());
  backend::KernelEntry variant = Entry("variant", "linear", "rows", &Yes, &Cheap);
  variant.row_invariant = false;
  const backend::KernelEntry embed = Entry("embed", "embedding", "rows", &Yes, &Cheap);
  const backend::KernelEntry* list[] = {&embed, &variant};
  const Result<Choice> choice = ChooseKernels(*graph, list);
  ASSERT_FALSE(choice.ok());
  EXPECT_EQ(choice.status().code(), StatusCode::kUnimplemented);
  EXPECT_NE(choice.status().message().find("head (op linear"), std::string::npos);
  EXPECT_NE(choice.status().message().find("variant: not row-invariant"), std::string::npos);
}

}  // namespace
}  // namespace zhibi::compile
