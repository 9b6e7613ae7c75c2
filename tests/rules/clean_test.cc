// SPDX-License-Identifier: Apache-2.0
// Whole documents with nothing wrong in them: no error and no warning may be said of any, and each
// must still be looked at, which a planted fault proves.
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "clean_texts.h"
#include "legal/date.h"
#include "rules/checker.h"
#include "rules/the_checker.h"

namespace zhibi::rules {
namespace {

// "CIT-08 error 【words】 message", a line each; infos left out.
std::vector<std::string> Said(std::string_view text, Publish publish = Publish::kNone) {
  CheckOptions options;
  options.publish = publish;
  options.today = legal::Date{2026, 12, 1};
  const Result<Report> report = TheChecker().Check(text, options);
  EXPECT_TRUE(report.ok()) << report.status().message();
  std::vector<std::string> out;
  if (!report.ok()) return out;
  for (const Finding& f : report->findings) {
    if (f.level == Level::kInfo) continue;
    out.push_back(f.id + " " + std::string(LevelName(f.level)) + " 【" +
                  std::string(text.substr(f.span.begin, f.span.end - f.span.begin)) + "】 " +
                  f.message);
  }
  return out;
}

using Lines = std::vector<std::string>;

class CleanDocument : public testing::TestWithParam<CleanText> {};

TEST_P(CleanDocument, NothingIsSaid) { EXPECT_EQ(Said(GetParam().text), Lines{}); }

// The same document is no blind spot: without its judges STR-05 speaks.
TEST_P(CleanDocument, AFaultIsSeen) {
  std::string text(GetParam().text);
  const std::size_t begin = text.find("\n审判");
  const std::size_t end = text.find("\n二〇", begin);
  ASSERT_NE(begin, std::string::npos);
  ASSERT_NE(end, std::string::npos);
  text.erase(begin, end - begin);
  const Lines said = Said(text);
  ASSERT_EQ(said.size(), 1U);
  EXPECT_EQ(said.front().rfind("STR-05 error", 0), 0U) << said.front();
}

INSTANTIATE_TEST_SUITE_P(Texts, CleanDocument, testing::ValuesIn(kCleanTexts),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(CleanDocuments, TheMaskedOneMayGoOnTheWeb) {
  for (const CleanText& clean : kCleanTexts) {
    if (std::string_view(clean.name) == "MaskedForTheWeb") {
      EXPECT_EQ(Said(clean.text, Publish::kP1), Lines{});
      EXPECT_EQ(Said(clean.text, Publish::kP2), Lines{});
    }
  }
}

// A loan between people who were divorced elsewhere is published; their divorce is not.
TEST(CleanDocuments, ADivorceThatIsOnlyMentioned) {
  const auto red04 = [](std::string_view said) {
    const std::string text =
        "北京市朝阳区人民法院\n民事判决书\n（2024）京0105民初11号\n原告诉称，被告欠款。" +
        std::string(said) + "\n本院认为，借贷关系成立。\n";
    Lines out;
    for (const std::string& line : Said(text, Publish::kP2)) {
      if (line.rfind("RED-04", 0) == 0) out.push_back(line.substr(0, line.find("】")));
    }
    return out;
  };
  EXPECT_EQ(red04("借条在离婚诉讼中没有提交。"), Lines{"RED-04 warning 【离婚诉讼"});
  EXPECT_EQ(red04("请求判令被告履行离婚协议。"), Lines{});
  EXPECT_EQ(red04("请求判令原告与被告离婚。"), Lines{"RED-04 error 【请求判令原告与被告离婚"});
  EXPECT_EQ(red04("请求解除双方的婚姻关系。"), Lines{"RED-04 error 【解除双方的婚姻关系"});
}

std::string ThirtyPlaintiffs() {
  // Given names that differ by one character from each other, as in one village.
  const std::vector<std::string> first{"建", "志", "国", "文", "永"};
  const std::vector<std::string> second{"国", "军", "华", "平", "明", "强"};
  std::string heads;
  std::string names;
  std::string money;
  for (const std::string& a : first) {
    for (const std::string& b : second) {
      const std::string name = "刘" + (a == b ? "安" : a) + b;
      heads += "原告：" + name + "，男，汉族，住河北省保定市示例县示例村。\n";
      names += (names.empty() ? "" : "、") + name;
      money += "支付原告" + name + "劳务费8000元；";
    }
  }
  return "北京市朝阳区人民法院\n民事判决书\n（2024）京0105民初22051号\n" + heads +
         "被告：北京松石装饰工程有限公司，住所地北京市通州区示例街9号。\n法定代表人：贾宁，执行董事"
         "。\n原告" +
         names +
         "与被告北京松石装饰工程有限公司劳务合同纠纷一案，本院于2024年4月8日立案后，依法适用普通程"
         "序"
         "，公开开庭进行了审理。本案现已审理终结。\n原告" +
         names +
         "诉称，2023年3月至6月，三十名原告为被告提供劳务，被告未支付劳务费。请求判令被告支付每人劳"
         "务"
         "费8000元，共计240000元。\n被告北京松石装饰工程有限公司辩称，对劳务费数额没有异议，但暂时"
         "没"
         "有能力支付。\n经审理查明，被告于2023年7月1日出具结算单，确认欠付三十名原告劳务费每人8000"
         "元"
         "。\n本院认为，被告应当支付劳务费。\n依照《中华人民共和国民法典》第五百零九条第一款、第五"
         "百七"
         "十九条规定，判决如下：\n被告北京松石装饰工程有限公司于本判决生效之日起十日内" +
         money.substr(0, money.size() - std::string_view("；").size()) +
         "。\n案件受理费4900元，由被告北京松石装饰工程有限公司负担。\n如不服本判决，可以在判决书送"
         "达"
         "之日起十五日内，向本院递交上诉状，并按照对方当事人的人数提出副本，上诉于北京市第三中级人"
         "民"
         "法院。\n审判长 林海涛\n审判员 郑文静\n审判员 孙立\n二〇二四年七月十九日\n书记员 高明\n";
}

TEST(CleanDocuments, ThirtyPlaintiffsOfOneSurname) {
  const std::string text = ThirtyPlaintiffs();
  EXPECT_EQ(Said(text), Lines{});
  // A name that nobody of the thirty has is still seen.
  std::string wrong = text;
  const std::string name = "支付原告刘建国";
  wrong.replace(wrong.find(name), name.size(), "支付原告刘建涛");
  EXPECT_FALSE(Said(wrong).empty());
}

}  // namespace
}  // namespace zhibi::rules
