// SPDX-License-Identifier: Apache-2.0
#include "export/pdf/linebreak.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace zhibi::exporting {
namespace {

using ::testing::ElementsAre;

// Every character is one item; ASCII is Latin and half as wide, words are broken after spaces only.
std::vector<BreakItem> Items(std::u32string_view text) {
  std::vector<BreakItem> items;
  for (const char32_t c : text) {
    BreakItem item;
    item.character = c;
    item.latin = c < 0x80;
    item.space = c == U' ';
    item.width = item.latin ? 5 : 10;
    item.word_border = !items.empty() && items.back().space;
    items.push_back(item);
  }
  return items;
}

std::vector<std::u32string> Broken(std::u32string_view text, double measure, bool hang = true) {
  const std::vector<BreakItem> items = Items(text);
  BreakOptions options;
  options.measure = measure;
  options.hang = hang;
  std::vector<std::u32string> lines;
  for (const LineSpan& line : BreakLines(items, options))
    lines.emplace_back(text.substr(line.begin, line.end - line.begin));
  return lines;
}

TEST(LineBreak, FullLinesAndTheRest) {
  EXPECT_THAT(Broken(U"一二三四五六七八九", 40), ElementsAre(U"一二三四", U"五六七八", U"九"));
  EXPECT_THAT(Broken(U"", 40), ElementsAre(U""));
  EXPECT_THAT(Broken(U"一", 4), ElementsAre(U"一"));
}

TEST(LineBreak, OneMarkHangsAndOthersTakeACharacterAlong) {
  EXPECT_THAT(Broken(U"一二三四，五六", 40), ElementsAre(U"一二三四，", U"五六"));
  EXPECT_THAT(Broken(U"一二三四，五六", 40, false), ElementsAre(U"一二三", U"四，五六"));
  EXPECT_THAT(Broken(U"一二三四》五六", 40), ElementsAre(U"一二三", U"四》五六"));
  // Two marks: the second can neither begin a line nor hang with the first.
  EXPECT_THAT(Broken(U"一二三四。”五", 40), ElementsAre(U"一二三", U"四。”五"));
}

TEST(LineBreak, OpeningBracketsGoWithWhatFollows) {
  EXPECT_THAT(Broken(U"一二三《四五》", 40), ElementsAre(U"一二三", U"《四五》"));
  EXPECT_THAT(Broken(U"一二三“四五", 40), ElementsAre(U"一二三", U"“四五"));
  EXPECT_THAT(Broken(U"一二三——四", 40), ElementsAre(U"一二", U"三——四"));
}

TEST(LineBreak, NoLineBeginsOrEndsWrongWhateverTheWidth) {
  const std::u32string text =
      U"依照《中华人民共和国民法典》第五百零九条、第五百七十七条（一）之规定，判决如下：“驳回”……完"
      U"。";
  for (double measure = 60; measure < 400; measure += 10) {
    for (const std::u32string& line : Broken(text, measure)) {
      EXPECT_FALSE(MayNotBegin(line.front())) << measure;
      EXPECT_FALSE(MayNotEnd(line.back())) << measure;
    }
  }
}

TEST(LineBreak, WordsAndNumbersStayWhole) {
  EXPECT_THAT(Broken(U"一二abcdef三", 40), ElementsAre(U"一二", U"abcdef三"));
  EXPECT_THAT(Broken(U"ab cd ef", 30), ElementsAre(U"ab cd", U"ef"));
  // The unit stays with its number when that costs little.
  EXPECT_THAT(Broken(U"一二三四五六七八99元", 90), ElementsAre(U"一二三四五六七八", U"99元"));
  // A run that no line can hold is cut.
  EXPECT_THAT(Broken(U"abcdefghij", 20), ElementsAre(U"abcd", U"efgh", U"ij"));
}

TEST(LineBreak, NamesStayWholeUnlessTheLineWouldBeEmpty) {
  std::vector<BreakItem> items = Items(U"一二三四五六七王小明");
  items[8].inside_name = items[9].inside_name = true;
  BreakOptions options;
  options.measure = 80;
  EXPECT_EQ(BreakLines(items, options)[0].end, 7U);
  options.measure = 90;
  EXPECT_EQ(BreakLines(items, options)[0].end, 7U);
  std::vector<BreakItem> wide = Items(U"一王小明");
  wide[2].inside_name = wide[3].inside_name = true;
  options.measure = 30;
  EXPECT_EQ(BreakLines(wide, options)[0].end, 3U);
}

TEST(LineBreak, FirstLineIsIndentedAndSumsAreKept) {
  const std::vector<BreakItem> items = Items(U"一二三四五六");
  BreakOptions options;
  options.measure = 40;
  options.first_indent = 20;
  const std::vector<LineSpan> lines = BreakLines(items, options);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0].end, 2U);
  EXPECT_DOUBLE_EQ(lines[0].available, 20);
  EXPECT_DOUBLE_EQ(lines[0].width, 20);
  EXPECT_DOUBLE_EQ(lines[1].width, 40);
  EXPECT_TRUE(lines[1].is_last);
}

}  // namespace
}  // namespace zhibi::exporting
