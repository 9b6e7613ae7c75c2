// SPDX-License-Identifier: Apache-2.0
// Where things stand on the page, by the positions that the typesetter gives them.
#include "export/pdf/typeset.h"

#include <algorithm>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/utf8.h"
#include "export/pdf/linebreak.h"
#include "export/pdf/pdf_samples.h"

namespace zhibi::exporting {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

std::size_t CountLines(const TypesetDocument& placed) {
  std::size_t count = 0;
  for (const PlacedPage& page : placed.pages) count += page.lines.size();
  return count;
}

// Page of the line that holds `text`; pages.size() where none does.
std::size_t PageOf(const TypesetDocument& placed, const std::string& text) {
  for (std::size_t p = 0; p < placed.pages.size(); ++p) {
    for (const std::string& line : LinesOf(placed.pages[p])) {
      if (line.find(text) != std::string::npos) return p;
    }
  }
  return placed.pages.size();
}

TEST(Typeset, FullCourtPageIsTwentyTwoLinesOfTwentyEight) {
  Typesetter setter("court");
  const TypesetDocument placed = setter.Set(Document({Text("body", Characters(22 * 28 * 3 - 2))}));
  ASSERT_EQ(placed.pages.size(), 3U);
  for (const PlacedPage& page : placed.pages) {
    ASSERT_EQ(page.lines.size(), 22U);
    for (std::size_t i = 0; i < 22; ++i) {
      const PlacedLine& line = page.lines[i];
      const bool first = &page == &placed.pages.front() && i == 0;
      ASSERT_EQ(line.pens.size(), first ? 26U : 28U);
      EXPECT_NEAR(line.x, 28 * kPointsPerMm + (first ? 31.5 : 0), 1e-6);
      for (std::size_t c = 0; c < line.pens.size(); ++c)
        EXPECT_NEAR(line.pens[c], 15.75 * static_cast<double>(c), 1e-6);
      EXPECT_NEAR(line.baseline - page.lines[0].baseline, 28.95 * static_cast<double>(i), 1e-6);
    }
    // The last character's em box ends within the text area of 156 × 225 mm.
    EXPECT_LE(page.lines[0].x + 28 * 15.75, (28 + 156) * kPointsPerMm + 31.5);
    EXPECT_LE(page.lines[21].baseline + 0.12 * 16, (37 + 225) * kPointsPerMm);
    EXPECT_GE(page.lines[0].baseline - 0.88 * 16, 37 * kPointsPerMm);
  }
}

TEST(Typeset, SignatureTakesTheEndOfTheTextAlong) {
  Typesetter setter("court");
  for (std::size_t lines = 17; lines <= 24; ++lines) {
    const TypesetDocument placed =
        setter.Set(Document({Text("body", Characters(28 * lines - 2)), Text("addressee", "此致"),
                             Text("addressee", "某人民法院"), Text("signature", "具状人：王小明"),
                             Text("date", "二〇二六年三月二日")}));
    ASSERT_EQ(CountLines(placed), lines + 4);
    const PlacedPage& last = placed.pages.back();
    EXPECT_EQ(PageOf(placed, "具状人"), placed.pages.size() - 1) << lines;
    EXPECT_EQ(PageOf(placed, "二〇二六"), placed.pages.size() - 1) << lines;
    EXPECT_GE(last.lines.size(), 6U) << lines << ": two lines of text above the block";
  }
}

TEST(Typeset, SealHasRoomBetweenJudgeAndClerkOnly) {
  Typesetter setter("court");
  const auto gap = [&](std::vector<legal::Block> blocks) {
    const TypesetDocument placed = setter.Set(Document(std::move(blocks)));
    const std::vector<PlacedLine>& lines = placed.pages.front().lines;
    return lines[1].baseline - lines[0].baseline;
  };
  EXPECT_NEAR(gap({Text("signature", "审判员　张三"), Text("date", "二〇二六年三月二日"),
                   Text("signature", "书记员　李四")}),
              5 * 28.95, 1e-6);
  EXPECT_NEAR(gap({Text("signature", "具状人：张三"), Text("date", "二〇二六年三月二日")}), 28.95,
              1e-6);
}

TEST(Typeset, HeadingsStayWithTheirText) {
  Typesetter setter("court");
  const TypesetDocument placed =
      setter.Set(Document({Text("body", Characters(28 * 21 - 2)), Text("heading", "事实与理由："),
                           Text("body", "正文")}));
  ASSERT_EQ(placed.pages.size(), 2U);
  EXPECT_EQ(PageOf(placed, "事实与理由"), 1U);
  ASSERT_EQ(placed.outline.size(), 1U);
  EXPECT_EQ(placed.outline[0].text, "事实与理由：");
  EXPECT_EQ(placed.outline[0].page, 1U);
}

TEST(Typeset, TableHeadsRepeatAndRowsStayWhole) {
  Typesetter setter("form");
  const TypesetDocument placed = setter.Set(Document({TableOf(120, Characters(70))}));
  ASSERT_GT(placed.pages.size(), 3U);
  std::size_t rows = 0;
  for (const PlacedPage& page : placed.pages) {
    const std::vector<std::string> lines = LinesOf(page);
    EXPECT_EQ(std::count(lines.begin(), lines.end(), "项目"), 1);
    EXPECT_EQ(lines.front(), "项目");
    // Three lines a row, none alone on another page.
    EXPECT_EQ((lines.size() - 2) % 4, 0U);
    rows += (lines.size() - 2) / 4;
    double bottom = 0;
    for (const RuleLine& rule : page.rules) bottom = std::max(bottom, rule.y2);
    EXPECT_LE(bottom, setter.layout.page_height_pt - setter.layout.bottom_pt + 1);
    for (const PlacedLine& line : page.lines) EXPECT_LT(line.baseline, bottom);
  }
  EXPECT_EQ(rows, 120U);
}

TEST(Typeset, RowHigherThanAPageIsCutAndClosedOnEach) {
  Typesetter setter("form");
  const TypesetDocument placed = setter.Set(Document({TableOf(1, Characters(6000))}));
  ASSERT_GE(placed.pages.size(), 2U);
  std::size_t characters = 0;
  for (const PlacedPage& page : placed.pages) {
    double lowest = 0;
    double closed = 0;
    for (const PlacedLine& line : page.lines) {
      lowest = std::max(lowest, line.baseline);
      characters += base::CountCodePoints(TextOf(line));
    }
    for (const RuleLine& rule : page.rules) {
      if (rule.y1 == rule.y2) closed = std::max(closed, rule.y1);
    }
    EXPECT_GT(closed, lowest);
  }
  EXPECT_EQ(characters, 6000 + 3 + 4 * placed.pages.size());
}

TEST(Typeset, LinesAfterATableAreOnTheGridAgain) {
  Typesetter setter("court");
  const TypesetDocument placed =
      setter.Set(Document({Text("body", "前"), TableOf(2, "甲"), Text("body", "后")}));
  const std::vector<PlacedLine>& lines = placed.pages[0].lines;
  const double distance = (lines.back().baseline - lines.front().baseline) / 28.95;
  EXPECT_NEAR(distance, std::round(distance), 1e-6);
}

TEST(Typeset, MarksHangInTheMarginAndNoLineBeginsWithOne) {
  Typesetter setter("court");
  std::string text;
  for (int i = 0; i < 60; ++i)
    text +=
        "依照《中华人民共和国民法典》第五百零九条、第五百七十七条之规定，判决如下：“驳回（王·某）”"
        "。";
  const TypesetDocument placed = setter.Set(Document({Text("body", text)}));
  std::size_t hung = 0;
  for (const PlacedPage& page : placed.pages) {
    for (const PlacedLine& line : page.lines) {
      const std::string shown = TextOf(line);
      const std::vector<std::string_view> characters = base::Characters(shown);
      EXPECT_FALSE(MayNotBegin(base::DecodeUtf8(characters.front()).code_point)) << shown;
      EXPECT_FALSE(MayNotEnd(base::DecodeUtf8(characters.back()).code_point)) << shown;
      EXPECT_LE(characters.size(), 29U);
      if (line.pens.back() < 28 * 15.75 - 1) continue;
      EXPECT_TRUE(MayHang(base::DecodeUtf8(characters.back()).code_point)) << shown;
      ++hung;
    }
  }
  EXPECT_GT(hung, 0U);
}

TEST(Typeset, NumbersAlternateAndLabelsStandOnEveryPage) {
  Typesetter setter("court");
  const TypesetDocument placed = setter.Set(Document(
      {Text("body", Characters(28 * 50), legal::RunSource::kModel), Text("body", "人写")}));
  ASSERT_EQ(placed.pages.size(), 3U);
  for (std::size_t p = 0; p < placed.pages.size(); ++p) {
    ASSERT_EQ(placed.pages[p].furniture.size(), 2U);
    EXPECT_THAT(TextOf(placed.pages[p].furniture[0]), HasSubstr("人工智能"));
    EXPECT_EQ(TextOf(placed.pages[p].furniture[1]), "— " + std::to_string(p + 1) + " —");
    const double x = placed.pages[p].furniture[1].x;
    if (p % 2 == 0) {
      EXPECT_GT(x, setter.layout.page_width_pt / 2);
    } else {
      EXPECT_NEAR(x, setter.layout.left_pt + 14, 1);
    }
  }
  EXPECT_FALSE(placed.pages[0].lines[0].ai_spans.empty());
  const std::vector<std::string> last = LinesOf(placed.pages.back());
  EXPECT_THAT(last, Contains("（部分内容由人工智能辅助生成）"));
  EXPECT_TRUE(placed.pages.back().lines[last.size() - 2].ai_spans.empty());
}

TEST(Typeset, RunningHeadAndTotalOfLawFirms) {
  Typesetter setter("lawfirm");
  const TypesetDocument placed = setter.Set(Document(
      {Text("title", "民事上诉状"), Text("caseno", "（2026）京01民终1号"), Text("body", "正文")}));
  ASSERT_EQ(placed.pages[0].furniture.size(), 3U);
  EXPECT_EQ(TextOf(placed.pages[0].furniture[0]), "民事上诉状");
  EXPECT_EQ(TextOf(placed.pages[0].furniture[2]), "1/1");
}

TEST(Typeset, LongTitlesAreOfEvenLines) {
  Typesetter setter("court");
  const TypesetDocument placed = setter.Set(Document(
      {Text("title", "关于某某有限公司与某某建设集团有限公司建设工程施工合同纠纷案的说明")}));
  const std::vector<std::string> lines = LinesOf(placed.pages[0]);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_GE(base::CountCodePoints(lines[1]), 12U);
}

}  // namespace
}  // namespace zhibi::exporting
