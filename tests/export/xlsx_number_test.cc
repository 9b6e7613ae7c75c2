// SPDX-License-Identifier: Apache-2.0
// Serial dates against days that spreadsheets are known to show, formats, and the limits of
// numbers.
#include "export/xlsx_number.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace zhibi::exporting {
namespace {

std::string Text(const char* value, NumberKind kind, bool from_1904 = false) {
  const Result<std::string> text = NumberText(value, kind, from_1904);
  return text.ok() ? *text : "!" + text.status().message();
}

TEST(XlsxNumber, DaysOfBothSystems) {
  // 1900 holds a 29 February that never was; ECMA-376 part 1, 18.17.4.1 gives 1 and 2958465.
  EXPECT_EQ(Text("1", NumberKind::kDate), "1900-01-01");
  EXPECT_EQ(Text("59", NumberKind::kDate), "1900-02-28");
  EXPECT_THAT(Text("60", NumberKind::kDate), ::testing::HasSubstr("1900-02-29"));
  EXPECT_EQ(Text("61", NumberKind::kDate), "1900-03-01");
  EXPECT_EQ(Text("45356", NumberKind::kDate), "2024-03-05");
  EXPECT_EQ(Text("2958465", NumberKind::kDate), "9999-12-31");
  EXPECT_EQ(Text("0", NumberKind::kDate, true), "1904-01-01");
  EXPECT_EQ(Text("43894", NumberKind::kDate, true), "2024-03-05");
  EXPECT_EQ(Text("45356.5", NumberKind::kDate), "2024-03-05 12:00");
  EXPECT_EQ(Text("0.75", NumberKind::kDate), "18:00");
  EXPECT_EQ(Text("45355.9999999", NumberKind::kDate), "2024-03-05");
  for (const char* bad : {"-1", "2958466", "1e300", "nan", "abc", ""})
    EXPECT_EQ(Text(bad, NumberKind::kDate)[0], '!') << bad;
}

TEST(XlsxNumber, NumbersAsPeopleTypeThem) {
  EXPECT_EQ(Text("50000", NumberKind::kPlain), "50000");
  EXPECT_EQ(Text("0.30000000000000004", NumberKind::kPlain), "0.3");
  EXPECT_EQ(Text("1.5E-3", NumberKind::kPlain), "0.0015");
  EXPECT_EQ(Text("-0", NumberKind::kPlain), "0");
  EXPECT_EQ(Text("0.12", NumberKind::kPercent), "12%");
  EXPECT_EQ(Text("0.0345", NumberKind::kPercent), "3.45%");
  EXPECT_EQ(Text("999999999999999", NumberKind::kPlain), "999999999999999");
  // A citizen number that a spreadsheet took for a number.
  EXPECT_THAT(Text("1.10105199005011E+17", NumberKind::kPlain), ::testing::HasSubstr("15 位"));
}

TEST(XlsxNumber, FormatsTellDaysFromSums) {
  for (const char* code : {"yyyy-mm-dd", "yyyy\"年\"m\"月\"d\"日\"", "[$-804]yyyy\\-mm",
                           "[h]:mm:ss", "m/d/yy h:mm", "[DBNum1][$-804]yyyy\"年\"m\"月\""})
    EXPECT_EQ(KindOfFormatCode(code), NumberKind::kDate) << code;
  for (const char* code : {"0.00", "#,##0.00\"元\"", "General", "[Red]0", "\"days\"0", "\\d0",
                           "0;yyyy", "_d0", "@", "\"open", "[open", "\\"})
    EXPECT_EQ(KindOfFormatCode(code), NumberKind::kPlain) << code;
  EXPECT_EQ(KindOfFormatCode("0.00%"), NumberKind::kPercent);
  for (const int id : {14, 22, 31, 57, 46}) EXPECT_EQ(KindOfFormatId(id), NumberKind::kDate) << id;
  for (const int id : {0, 1, 4, 49, 23}) EXPECT_EQ(KindOfFormatId(id), NumberKind::kPlain) << id;
  EXPECT_EQ(KindOfFormatId(10), NumberKind::kPercent);
}

}  // namespace
}  // namespace zhibi::exporting
