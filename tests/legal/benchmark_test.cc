// SPDX-License-Identifier: Apache-2.0
// The table of benchmark rates as shipped, and tables that are none.
#include "legal/benchmark.h"

#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace zhibi::legal {
namespace {

TEST(BenchmarkTest, ShippedTable) {
  const Result<BenchmarkTable> table =
      BenchmarkTable::Load(std::string(ZHIBI_SOURCE_DIR) + "/data");
  ASSERT_TRUE(table.ok()) << table.status().ToString();
  ASSERT_EQ(table->rows().size(), 28U);
  EXPECT_EQ(table->rows().front().from, (Date{2002, 2, 21}));
  EXPECT_EQ(table->rows().front().rate, 53'100);
  EXPECT_FALSE(table->rows().front().confirmed);
  EXPECT_EQ(table->rows().back().from, (Date{2015, 10, 24}));
  EXPECT_EQ(table->rows().back().rate, 43'500);
  EXPECT_TRUE(table->rows().back().confirmed);
  EXPECT_EQ(table->until(), (Date{2019, 8, 19}));
}

TEST(BenchmarkTest, NoFileIsAnEmptyTable) {
  const Result<BenchmarkTable> table = BenchmarkTable::Load("/nonexistent");
  ASSERT_TRUE(table.ok());
  EXPECT_TRUE(table->rows().empty());
}

TEST(BenchmarkTest, MalformedTables) {
  const std::string tail = R"(, "term": "t", "until": "2019-08-19"})";
  for (const std::string& text :
       {std::string("{}"), std::string("[]"), R"({"loans": [])" + tail,
        R"({"loans": [["2015-10-24", 4.35]])" + tail, R"({"loans": [["x", 4.35, 1]])" + tail,
        R"({"loans": [["2015-10-24", -1, 1]])" + tail,
        R"({"loans": [["2015-10-24", 4, 1], ["2015-10-24", 5, 1]])" + tail,
        R"({"loans": [["2019-08-20", 4, 1]])" + tail}) {
    const Result<BenchmarkTable> table = BenchmarkTable::FromJson(nlohmann::json::parse(text), "t");
    ASSERT_FALSE(table.ok()) << text;
  }
}

}  // namespace
}  // namespace zhibi::legal
