// SPDX-License-Identifier: Apache-2.0
// Tables of elements: CSV by RFC 4180, values by the schema, errors that name file, place and
// field.
#include "extract/table.h"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "extract/schema_fixture.h"

namespace zhibi::extract {
namespace {

TEST(Table, ReadsWhatTheTemplatePrints) {
  const std::string csv =
      "\xEF\xBB\xBF字段,名称,值,必填,类型\r\n\"plaintiffs[0].name\",姓名,\"张三\r\n（甲）\",必填,"
      "文本\r\n"
      "plaintiffs[1].name,姓名,\"李\"\"四\",,\r\namount,金额,5万元,,\r\nurgent,紧急,是,,\r\ncount,"
      "份数,3,,\r\n"
      "court,法院,,必填,\r\n";
  const legal::JsonSchema schema = SmallSchema();
  const TableRows rows = ParseCsv(csv, "t.csv").value();
  const Extraction extraction = FromTable(rows, schema, "t.csv").value();
  EXPECT_EQ(extraction.elements["plaintiffs"][0]["name"], "张三\r\n（甲）");
  EXPECT_EQ(extraction.elements["plaintiffs"][1]["name"], "李\"四");
  EXPECT_EQ(extraction.elements["amount"], "5万元");
  EXPECT_EQ(extraction.elements["urgent"], true);
  EXPECT_EQ(extraction.elements["count"], 3);
  EXPECT_EQ(FindValue(extraction, "court")->state, State::kMissing);
}

TEST(Table, ErrorsNameTheRow) {
  const legal::JsonSchema schema = SmallSchema();
  const auto error = [&](const std::string& csv) {
    const Result<TableRows> rows = ParseCsv(csv, "t.csv");
    if (!rows.ok()) return rows.status().message();
    return FromTable(*rows, schema, "t.csv").status().message();
  };
  EXPECT_NE(error("字段,值\n\"abc").find("line 2"), std::string::npos);
  EXPECT_NE(error("字段,值\n\"a\"b,c").find("line 2"), std::string::npos);
  EXPECT_NE(error("a,b\n").find("row 1"), std::string::npos);
  EXPECT_NE(error("字段,值\nnothere,1\n").find("row 2 column 2, nothere"), std::string::npos);
  EXPECT_NE(error("字段,值\ncount,many\n").find("expected a number"), std::string::npos);
  EXPECT_NE(error("字段,值\nurgent,maybe\n").find("是"), std::string::npos);
  EXPECT_NE(error("字段,值\nplaintiffs[5].name,张三\n").find("item 5"), std::string::npos);
  EXPECT_NE(error("").find("row 1"), std::string::npos);
}

TEST(Table, CsvRoundTripsEveryCell) {
  const TableRows rows = {{"a,b", "\"q\"", "line\nline", ""}, {"", "x", "一、", "end"}};
  const std::string csv = FormatCsv(rows);
  EXPECT_TRUE(csv.starts_with("\xEF\xBB\xBF"));
  EXPECT_EQ(ParseCsv(csv, "t.csv").value(), rows);
}

TEST(Table, FieldsMayComeInAnyOrderAndBelowATitle) {
  const TableRows rows = {{"起诉状要素表"},
                          {"值", "字段"},
                          {"李四", "plaintiffs[1].name"},
                          {"张三", "plaintiffs[0].name"},
                          {" 有 ", "secured"},
                          {"", "note"}};
  const legal::JsonSchema schema = SmallSchema();
  const Extraction extraction = FromTable(rows, schema, "t.csv").value();
  EXPECT_EQ(extraction.elements["plaintiffs"][0]["name"], "张三");
  EXPECT_EQ(extraction.elements["plaintiffs"][1]["name"], "李四");
  EXPECT_EQ(extraction.elements["secured"], "yes");
  ASSERT_NE(FindValue(extraction, "secured"), nullptr);
  EXPECT_EQ(FindValue(extraction, "secured")->place, "row 5 column 1");
  EXPECT_FALSE(extraction.elements.contains("note"));
}

TEST(Table, SameFieldTwiceNamesBothPlaces) {
  const legal::JsonSchema schema = SmallSchema();
  const Status status =
      FromTable({{"字段", "值"}, {"court", "甲"}, {"court", "乙"}}, schema, "t.csv").status();
  EXPECT_NE(status.message().find("row 2"), std::string::npos) << status.message();
  EXPECT_NE(status.message().find("row 3"), std::string::npos) << status.message();
}

TEST(Table, EveryProblemIsNamedAtOnce) {
  const legal::JsonSchema schema = SmallSchema();
  const Status status = FromTable({{"字段", "值"},
                                   {"amount", "很多"},
                                   {"filing_date", "昨天"},
                                   {"nothere", "1"},
                                   {"count", "3"}},
                                  schema, "t.csv")
                            .status();
  EXPECT_NE(status.message().find("row 2 column 2, amount: expected a sum"), std::string::npos)
      << status.message();
  EXPECT_NE(status.message().find("row 3 column 2, filing_date: expected a day"),
            std::string::npos);
  EXPECT_NE(status.message().find("row 4 column 2, nothere"), std::string::npos);
  EXPECT_EQ(std::count(status.message().begin(), status.message().end(), '\n'), 2);
}

// A spreadsheet's cell that cannot be read matters only where somebody wants it.
TEST(Table, BadCellsAreErrorsOnlyInTheValueColumn) {
  const legal::JsonSchema schema = SmallSchema();
  Table table = TableOf({{"字段", "值", "说明"}, {"court", "", "x"}});
  table.place = [](std::size_t row, std::size_t column) {
    return "要素!" + std::string(1, static_cast<char>('A' + column)) + std::to_string(row + 1);
  };
  table.cells.back().problem = "an error value";
  EXPECT_TRUE(FromTables({table}, schema, "t.xlsx").ok());
  table.cells[4].problem = "an error value";
  const Status status = FromTables({table}, schema, "t.xlsx").status();
  EXPECT_EQ(status.message(), "t.xlsx, 要素!B2, court: an error value");
}

TEST(Table, NotesMakeValuesDoubtful) {
  const legal::JsonSchema schema = SmallSchema();
  Table table = TableOf({{"字段", "值"}, {"court", "某法院"}});
  table.cells.back().note = "a formula's last value";
  const Extraction extraction = FromTables({table}, schema, "t.xlsx").value();
  EXPECT_EQ(FindValue(extraction, "court")->state, State::kDoubtful);
  EXPECT_EQ(FindValue(extraction, "court")->note, "a formula's last value");
}

}  // namespace
}  // namespace zhibi::extract
