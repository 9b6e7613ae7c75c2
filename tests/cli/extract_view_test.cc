// SPDX-License-Identifier: Apache-2.0
// What a person sees of an extraction: states, reasons, the words around a value, what is missing.
#include "cli/extract_view.h"

#include <string>

#include <gtest/gtest.h>

#include "entity/recogniser.h"
#include "legal/doctype.h"

namespace zhibi::cli {
namespace {

const std::string kData = std::string(ZHIBI_SOURCE_DIR) + "/data";

constexpr std::string_view kText =
    "民事起诉状\n原告：张某1，女，汉族，住重庆市长寿区。\n被告：李四，男。\n被告：王五，男。\n诉讼"
    "请求：\n"
    "1．判令被告偿还借款本金5万元；\n2．诉讼费由被告承担。\n事实与理由：被告借款5万元未还。\n";

std::string View(const legal::JsonSchema* schema, const std::string& title) {
  const entity::Recogniser recogniser = entity::Recogniser::Load(kData).value();
  const auto extractor = extract::Extractor::Create(recogniser).value();
  const auto extraction = extractor.Extract(kText, schema, {}).value();
  return ViewAsText(extraction, {title, schema, kText, title.empty() ? "" : "sales"});
}

bool Has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(ExtractView, ValuesWithStateAndTheirPlace) {
  const std::string view = View(nullptr, "");
  EXPECT_TRUE(Has(view, "？存疑  原告 › 姓名或名称")) << view;
  EXPECT_TRUE(Has(view, "被告1 › 姓名或名称")) << view;
  EXPECT_TRUE(Has(view, "被告2 › 姓名或名称"));
  EXPECT_TRUE(Has(view, "文中已隐名"));
  EXPECT_TRUE(Has(view, "第2行「原告：【张某1】，女，汉族，住重庆市长寿…」"));
  EXPECT_TRUE(Has(view, "请求\n  读出  第1项"));
  EXPECT_TRUE(Has(view, "文中的金额（1 个数）"));
  EXPECT_TRUE(Has(view, "出现 2 次"));
}

TEST(ExtractView, ElementsByTheirNamesAndWhatIsMissing) {
  const legal::Doctype doctype = legal::Doctype::Load(kData, "civil-complaint").value();
  const std::string view = View(&doctype.schema(), doctype.title());
  EXPECT_TRUE(Has(view, "民事起诉状：读出 ")) << view;
  EXPECT_TRUE(Has(view, "原告第1项 › 性别"));
  EXPECT_TRUE(Has(view, "必填而文中没有找到："));
  EXPECT_TRUE(Has(view, "（court）"));
  EXPECT_FALSE(Has(view, "natural"));
  EXPECT_TRUE(Has(view, "没有自己的识别规则"));
  EXPECT_TRUE(Has(view, "zhibi doctypes template sales"));
}

TEST(ExtractView, NothingReadIsSaid) {
  EXPECT_TRUE(Has(ViewAsText({}, {"", nullptr, "天气很好。", ""}), "没有读到"));
}

TEST(ExtractView, SnippetsStayInTheirLine) {
  constexpr std::string_view kLines = "第一行\n甲乙丙丁\n第三行";
  const std::size_t at = kLines.find("乙");
  EXPECT_EQ(Snippet(kLines, at, at + 3), "第2行「甲【乙】丙丁」");
  EXPECT_EQ(Snippet(kLines, 0, 3), "第1行「【第】一行」");
  EXPECT_EQ(Snippet(kLines, 5, 5), "");
  EXPECT_EQ(Snippet(kLines, 0, 1000), "");
}

TEST(ExtractView, WidthOfATerminal) {
  EXPECT_EQ(DisplayWidth("ab"), 2U);
  EXPECT_EQ(DisplayWidth("张三·a"), 6U);
  EXPECT_EQ(DisplayWidth("𠮷"), 2U);
}

}  // namespace
}  // namespace zhibi::cli
