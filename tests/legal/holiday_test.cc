// SPDX-License-Identifier: Apache-2.0
// The shipped calendar against days that are known, and tables that are none.
#include "legal/holiday.h"

#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace zhibi::legal {
namespace {

HolidayTable Shipped() {
  Result<HolidayTable> table = HolidayTable::Load(std::string(ZHIBI_SOURCE_DIR) + "/data");
  EXPECT_TRUE(table.ok()) << table.status().ToString();
  return table.ok() ? *table : HolidayTable();
}

TEST(HolidayTest, KnownDays) {
  const HolidayTable table = Shipped();
  EXPECT_TRUE(table.IsDayOff({2024, 10, 1}));
  EXPECT_TRUE(table.IsDayOff({2024, 10, 7}));
  EXPECT_FALSE(table.IsDayOff({2024, 10, 8}));
  EXPECT_FALSE(table.IsDayOff({2024, 10, 12}));  // a Saturday that is worked
  EXPECT_FALSE(table.IsDayOff({2024, 2, 4}));    // a Sunday that is worked
  EXPECT_FALSE(table.IsDayOff({2024, 2, 9}));    // the eve was no day off that year
  EXPECT_TRUE(table.IsDayOff({2025, 1, 28}));    // and is one since
  EXPECT_TRUE(table.IsDayOff({2020, 1, 31}));    // added in 2020
  EXPECT_TRUE(table.IsDayOff({2015, 9, 3}));     // added in 2015
  EXPECT_TRUE(table.IsDayOff({2026, 12, 26}));   // an ordinary Saturday
  EXPECT_FALSE(table.IsDayOff({2026, 12, 25}));
}

TEST(HolidayTest, Covers) {
  const HolidayTable table = Shipped();
  EXPECT_FALSE(table.Covers({2009, 12, 31}));
  EXPECT_TRUE(table.Covers({2010, 1, 1}));
  EXPECT_TRUE(table.Covers({2026, 12, 31}));
  EXPECT_FALSE(table.Covers({2027, 1, 1}));
  // Weekends are known everywhere: 2027-01-02 is a Saturday, 1969-12-27 was one.
  EXPECT_TRUE(table.IsDayOff({2027, 1, 2}));
  EXPECT_FALSE(table.IsDayOff({2027, 1, 1}));
  EXPECT_TRUE(HolidayTable().IsDayOff({1969, 12, 27}));
  EXPECT_FALSE(HolidayTable().Covers({2024, 1, 1}));
  EXPECT_FALSE(HolidayTable::Load("/nonexistent")->Covers({2024, 1, 1}));
}

TEST(HolidayTest, MalformedTables) {
  const std::string head = R"({"from": "2024-01-01", "until": "2024-12-31", "years": )";
  for (const std::string& text :
       {std::string("{}"), std::string("[]"), head + "[]}", head + R"({"2024": {"off": "0101"}}})",
        head + R"({"2024": {"off": "1301", "work": ""}}})",
        head + R"({"2024": {"off": "0230", "work": ""}}})",
        head + R"({"2024": {"off": "0105-0101", "work": ""}}})",
        head + R"({"2024": {"off": "0101 ", "work": "x"}}})",
        head + R"({"2024": {"off": "0101  0102", "work": ""}}})",
        head + R"({"24": {"off": "0101", "work": ""}}})"}) {
    EXPECT_FALSE(HolidayTable::FromJson(nlohmann::json::parse(text), "t").ok()) << text;
  }
  EXPECT_TRUE(HolidayTable::FromJson(nlohmann::json::parse(head + "{}}"), "t").ok());
}

}  // namespace
}  // namespace zhibi::legal
