// SPDX-License-Identifier: Apache-2.0
#include "graph/families/parameters.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake_source.h"
#include "graph/builder.h"

namespace zhibi::test {
namespace {

using testing::HasSubstr;

TEST(ParametersTest, CountsMatricesOnceAndKeepsTheFirstError) {
  FakeSource source;
  source.shapes = {{"m", {3, 4}}, {"v", {5}}};
  graph::GraphBuilder builder("test");
  graph::Parameters parameters(builder, source);
  EXPECT_NE(parameters.Matrix("m", 3, 4), graph::ValueId::kNone);
  EXPECT_NE(parameters.Vector("v", 5), graph::ValueId::kNone);
  EXPECT_NE(parameters.Alias("head", "m", 3, 4, graph::WeightRole::kHead), graph::ValueId::kNone);
  EXPECT_EQ(parameters.count(), 12);
  parameters.ExpectAbsent("x", "nobody has it");
  EXPECT_TRUE(parameters.status().ok());
  EXPECT_EQ(parameters.Matrix("m", 4, 3), graph::ValueId::kNone);
  EXPECT_EQ(parameters.status().message(),
            "tensor m: expected [4, 3] as config.json says, got [3, 4]");
  EXPECT_EQ(parameters.Vector("none", 2), graph::ValueId::kNone);
  EXPECT_EQ(parameters.Alias("h", "v", 5, 1, graph::WeightRole::kHead), graph::ValueId::kNone);
  parameters.ExpectAbsent("v", "it is there");
  EXPECT_THAT(parameters.status().message(), HasSubstr("tensor m"));
  EXPECT_EQ(parameters.count(), 12);
}

TEST(ParametersTest, MissingAndUnexpectedTensorsAreNamed) {
  FakeSource source;
  source.shapes = {{"v", {5}}};
  graph::GraphBuilder builder("test");
  graph::Parameters missing(builder, source);
  EXPECT_EQ(missing.Vector("none", 2), graph::ValueId::kNone);
  EXPECT_EQ(missing.status().message(), "tensor none: not found in fake; expected [2]");
  graph::Parameters unexpected(builder, source);
  unexpected.ExpectAbsent("v", "there is no bias");
  EXPECT_THAT(unexpected.status().message(),
              HasSubstr("tensor v: expected none (there is no bias)"));
}

}  // namespace
}  // namespace zhibi::test
