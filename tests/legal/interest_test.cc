// SPDX-License-Identifier: Apache-2.0
// Interest by hand, and the LPR at its borders.
#include "legal/interest.h"

#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/json.h"
#include "legal/money.h"

namespace zhibi::legal {
namespace {

TEST(InterestTest, ByHand) {
  // 100,000 yuan at 6.3875 % (1.75 per ten thousand a day) for 100 days: 1,750 yuan.
  EXPECT_EQ(SimpleInterest(10'000'000, *RateFromPercent(6.3875), 100), 175'000);
  // 50,000 * 12 % * 634 / 365 = 10,421.9178
  EXPECT_EQ(SimpleInterest(5'000'000, *RateFromPercent(12), 634), 1'042'192);
  // A whole year.
  EXPECT_EQ(SimpleInterest(5'000'000, *RateFromPercent(14.8), 365), 740'000);
  EXPECT_EQ(SimpleInterest(5'000'000, *RateFromPercent(12), 0), 0);
  // 1 yuan at 1.825 % for one day is 0.005 fen; for 100 days 0.5 fen, rounded up.
  EXPECT_EQ(SimpleInterest(100, *RateFromPercent(1.825), 1), 0);
  EXPECT_EQ(SimpleInterest(100, *RateFromPercent(1.825), 100), 1);
  EXPECT_EQ(SimpleInterest(kMaxFen, *RateFromPercent(1000), 100'000), kMaxFen);
}

TEST(InterestTest, Rates) {
  EXPECT_EQ(FormatRate(*RateFromPercent(12)), "12");
  EXPECT_EQ(FormatRate(*RateFromPercent(14.8)), "14.8");
  EXPECT_EQ(FormatRate(*RateFromPercent(3.45)), "3.45");
  EXPECT_EQ(FormatRate(*RateFromPercent(0.0001)), "0.0001");
  EXPECT_FALSE(RateFromPercent(-1).ok());
  EXPECT_FALSE(RateFromPercent(1001).ok());
  EXPECT_FALSE(RateFromPercent(1.00001).ok());
}

TEST(InterestTest, LprOnTheDayAndTheDayBefore) {
  const std::string path = std::string(ZHIBI_SOURCE_DIR) + "/data/rates/lpr.json";
  const Result<nlohmann::json> json = base::ParseJson(*base::ReadFile(path, 1 << 20), path);
  ASSERT_TRUE(json.ok());
  const Result<LprTable> table = LprTable::FromJson(*json, path);
  ASSERT_TRUE(table.ok()) << table.status().ToString();
  EXPECT_FALSE(table->At({2019, 8, 19}).has_value());
  EXPECT_EQ(FormatRate(*table->At({2019, 8, 20})), "4.25");
  EXPECT_EQ(FormatRate(*table->At({2022, 1, 19})), "3.8");
  EXPECT_EQ(FormatRate(*table->At({2022, 3, 1})), "3.7");
  EXPECT_EQ(FormatRate(*table->At({2024, 11, 5})), "3.1");
  EXPECT_EQ(FormatRate(*table->At({2025, 5, 19})), "3.1");
  EXPECT_EQ(FormatRate(*table->At({2025, 5, 20})), "3");
}

TEST(InterestTest, MalformedTables) {
  for (const char* text :
       {R"({})", R"([])", R"({"one_year": [], "as_of": "2026-01-01"})",
        R"({"one_year": [[1, 2]], "as_of": "2026-01-01"})",
        R"({"one_year": [["2020-01-01", 3], ["2020-01-01", 4]], "as_of": "2026-01-01"})",
        R"({"one_year": [["2020-01-01", 3]], "as_of": "x"})",
        R"({"one_year": [["2020-01-01", -3]], "as_of": "2026-01-01"})"}) {
    EXPECT_FALSE(LprTable::FromJson(nlohmann::json::parse(text), "t").ok()) << text;
  }
}

}  // namespace
}  // namespace zhibi::legal
