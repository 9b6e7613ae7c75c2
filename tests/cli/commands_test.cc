// SPDX-License-Identifier: Apache-2.0
// The parts of the command line that are functions: id lists, .npy files, exit codes, bench shapes.
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "cli/bench_shapes.h"
#include "cli/exit_code.h"
#include "cli/logits_command.h"
#include "cli/npy.h"
#include "graph/family.h"

namespace zhibi::cli {
namespace {

TEST(ParseIdListsTest, ReadsListsAndNamesWhatIsWrong) {
  const auto lists = ParseIdLists("[[1, 2, 3], [0]]", "ids.json");
  ASSERT_TRUE(lists.ok());
  EXPECT_EQ(*lists, (std::vector<std::vector<runtime::TokenId>>{{1, 2, 3}, {0}}));
  auto refused = [](const std::string& text, std::string_view part) {
    const auto bad = ParseIdLists(text, "ids.json");
    ASSERT_FALSE(bad.ok()) << text;
    EXPECT_NE(bad.status().message().find(part), std::string::npos) << bad.status().message();
  };
  refused("{}", "expected a list of token-id lists");
  refused("[[]]", "list 0");
  refused("[[1], [1, -2]]", "list 1, entry 1");
  refused("[[1.5]]", "list 0, entry 0");
  refused("[[3000000000]]", "got 3000000000");
}

TEST(NpyTest, HeaderAndBytesAreNumpysFormat) {
  const std::string path = (std::filesystem::temp_directory_path() / "zhibi_npy_test.npy").string();
  const float values[] = {1, 2, 3, 4, 5, 6};
  const std::int64_t shape[] = {2, 3};
  ASSERT_TRUE(WriteNpy(path, "<f4", shape, std::as_bytes(std::span(values))).ok());
  const Result<std::string> bytes = base::ReadFile(path, 1000);
  ASSERT_TRUE(bytes.ok());
  EXPECT_EQ(bytes->substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
  const std::size_t header =
      static_cast<unsigned char>((*bytes)[8]) + 256U * static_cast<unsigned char>((*bytes)[9]);
  EXPECT_EQ((header + 10) % 64, 0U);
  EXPECT_EQ(bytes->substr(10, header)
                .rfind("{'descr': '<f4', 'fortran_order': False, 'shape': (2,3,), }", 0),
            0U);
  EXPECT_EQ(bytes->size(), header + 10 + sizeof(values));
  std::filesystem::remove(path);
}

TEST(ExitCodeTest, EveryCodeHasItsMeaning) {
  EXPECT_EQ(ExitCodeFor(OkStatus()), kExitOk);
  EXPECT_EQ(ExitCodeFor(InvalidArgumentError("x")), kExitUsage);
  EXPECT_EQ(ExitCodeFor(FailedPreconditionError("x")), kExitMachine);
  EXPECT_EQ(ExitCodeFor(CancelledError("x")), kExitInterrupted);
  EXPECT_EQ(ExitCodeFor(DataLossError("x")), kExitFailed);
}

TEST(BenchShapesTest, EveryShapeBuildsItsGraph) {
  for (const std::string_view shape : {"30m", "135m", "0.5b"}) {
    const Result<nlohmann::json> config = BenchShapeConfig(shape);
    ASSERT_TRUE(config.ok());
    const std::unique_ptr<graph::WeightSource> weights = RandomWeights(*config);
    const auto family = graph::FindFamily(config->at("architectures").at(0).get<std::string>());
    ASSERT_TRUE(family.ok());
    const Result<graph::FamilyGraphs> graphs = (*family)->build(*config, *weights, {});
    ASSERT_TRUE(graphs.ok()) << shape << ": " << graphs.status().ToString();
    EXPECT_GT(graphs->info.parameters, shape == "0.5b" ? 490'000'000 : 30'000'000);
  }
  EXPECT_FALSE(BenchShapeConfig("7b").ok());
}

}  // namespace
}  // namespace zhibi::cli
