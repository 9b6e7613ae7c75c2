// SPDX-License-Identifier: Apache-2.0
// The twenty samples that the rules were specified with. Each is a text in which one rule speaks at
// one place and level, and a twin without the fault of which nothing above an info is said.
//
//   1  repealed law, by the day of the facts   CIT-08  cit_test.cc  Sample01*
//   2  article behind the last one             CIT-06  cit_test.cc  Sample02NoSuchArticle
//   3  repealed in the year of the judgment    CIT-08  cit_test.cc  Sample03RepealInTheYear…
//   4  article of a law to come, day and eve   CIT-06  cit_test.cc  Sample04ArticleOfALawToCome
//   5  level of the basis by branch            CIT-05  cit_test.cc  Sample05LevelByBranch
//   6  interpretation before law               CIT-04  cit_test.cc  Sample06Order
//   7  number made up; letter of no court      CASE-02, CASE-01     here
//   8  citizen number: check digit, sex        ENT-04, ENT-06       here
//   9  credit code                             ENT-05               here
//  10  capitals against figures                AMT-01               here
//  11  above four times the LPR                AMT-04               here
//  12  全权代理 alone                          POA-01               here
//  13  divorce is not published                RED-04               here
//  14  case number masked                      RED-09               here
//  15  interest nobody agreed, payment order   PAY-01               here
//  16  security before the action              PRS-01               here
//  17  court fee, ordinary and halved          FEE-01               here
//  18  holding without sum and term            ENF-01               here
//  19  doubled interest                        INT-01               here
//  20  interpretation left out                 CIT-15  cit_test.cc  Sample20InterpretationLeftOut
#include <algorithm>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "legal/date.h"
#include "rules/checker.h"
#include "rules/the_checker.h"

namespace zhibi::rules {

struct Sample {
  const char* name;
  const char* id;
  Level level;
  const char* place;  // the words that the finding's span covers or lies in
  std::string_view text;
  std::string_view twin;
  Publish publish = Publish::kNone;
};
static void PrintTo(const Sample& sample, std::ostream* out) { *out << sample.name; }

namespace {

Report CheckText(std::string_view text, Publish publish) {
  CheckOptions options;
  options.publish = publish;
  options.today = legal::Date{2026, 12, 1};
  Result<Report> report = TheChecker().Check(text, options);
  EXPECT_TRUE(report.ok()) << report.status().message();
  return report.ok() ? std::move(*report) : Report{};
}

std::string Listed(const Report& report, std::string_view text) {
  std::string out;
  for (const Finding& f : report.findings) {
    out += f.id + " " + std::string(LevelName(f.level)) + " 【" +
           std::string(text.substr(f.span.begin, f.span.end - f.span.begin)) + "】 " + f.message +
           "\n";
  }
  return out;
}

constexpr std::string_view kPayment = R"(支付令申请书
申请人：张三，男，汉族，住北京市朝阳区示例路1号。
被申请人：李四，男，汉族，住北京市朝阳区示例路2号。
请求事项：
请求人民法院向被申请人发出支付令，督促被申请人给付货款50000元及逾期利息。
事实与理由：
)";
constexpr std::string_view kPaymentEnd =
    R"(申请人声明：申请人与被申请人没有其他债务纠纷，支付令能够送达被申请人。
证据：买卖合同一份。
此致
北京市朝阳区人民法院
申请人：张三（签名）
二〇二六年三月一日
)";
std::string PaymentOrder(std::string_view facts) {
  return std::string(kPayment) + std::string(facts) + std::string(kPaymentEnd);
}
// Line ends are what the sample is about: 约定 of the next paragraph agrees to nothing.
const std::string kNothingAgreed = PaymentOrder(
    "双方约定被申请人于2025年12月31日前付清货款。被申请人至今未付。\n双方未约定逾期利息。\n");
const std::string kOnlyADayAgreed =
    PaymentOrder("双方约定被申请人于2025年12月31日前付清货款。被申请人至今未付。\n");
const std::string kAgreed =
    PaymentOrder("双方约定逾期付款的，按日万分之五支付逾期利息。被申请人未按约定付款。\n");

// The case itself is an appeal: that word is no power.
std::string PowerOfAttorney(std::string_view powers) {
  return "授权委托书\n委托人：张三\n受委托人：李四，北京市示例律师事务所律师\n" +
         std::string("委托人因与王五借款合同纠纷上诉一案，委托上列受委托人为诉讼代理人。\n") +
         "委托权限：" + std::string(powers) +
         "。期限至本案终结止。\n委托人（签名）：张三\n2026年3月1日\n";
}
const std::string kFullAuthority = PowerOfAttorney("全权代理");
const std::string kListedPowers =
    PowerOfAttorney("特别授权，代为承认、放弃、变更诉讼请求，进行和解，提起反诉或者上诉");

std::string Loan(std::string_view day, std::string_view rate) {
  return "借款合同\n出借人：张三\n借款人：李四\n一、" + std::string(day) +
         "，双方约定借款100000元（大写：壹拾万元整），年利率" + std::string(rate) +
         "。\n出借人（签名）：张三\n借款人（签名）：李四\n" + std::string(day) + "\n";
}
const std::string kLoanAt18 = Loan("2022年3月1日", "18%");
const std::string kLoanAtTheCap = Loan("2021年6月1日", "15.4%");

std::string Preservation(std::string_view before, std::string_view share) {
  return std::string(before) +
         "财产保全申请书\n申请人：张三，男，汉族，住北京市朝阳区示例路1号。\n" +
         "被申请人：李四，男，汉族，住北京市朝阳区示例路2号。\n请求事项：\n冻结被申请人的银行存款" +
         "100000元。\n事实与理由：\n被申请人拖欠货款并转移财产。\n担保：\n申请人提供请求保全数额" +
         std::string(share) + "的担保。\n被保全财产信息：\n被申请人在某银行的存款。\n此致\n" +
         "北京市朝阳区人民法院\n申请人：张三（签名）\n二〇二六年三月一日\n";
}
const std::string kBefore30 = Preservation("诉前", "30%");
const std::string kBefore100 = Preservation("诉前", "100%");
const std::string kDuring50 = Preservation("", "50%");
const std::string kDuring30 = Preservation("", "30%");

const Sample kSamples[] = {
    {"S07_InventedNumber", "CASE-02", Level::kWarning, "（2022）沪01民终12345号",
     "本院参照（2022）沪01民终12345号民事判决。", "原审案号为（2022）沪01民终1746号。"},
    {"S07_LetterOfNumberPlates", "CASE-01", Level::kError, "（2024）贵0102民初1号",
     "原审案号为（2024）贵0102民初1号。", "原审案号为（2024）黔0102民初1号。"},
    {"S08_CheckDigit", "ENT-04", Level::kError, "110105194912310021",
     "原告张三，男，公民身份号码110105194912310021。",
     "原告张三，女，公民身份号码11010519491231002X。"},
    {"S08_Sex", "ENT-06", Level::kWarning, "11010519491231002X",
     "原告张三，男，1949年12月31日出生，公民身份号码11010519491231002X。",
     "原告张三，女，1949年12月31日出生，公民身份号码11010519491231002X。"},
    {"S08_Birth", "ENT-06", Level::kWarning, "11010519491231002X",
     "原告张三，女，1949年12月13日出生，公民身份号码11010519491231002X。",
     "原告张三，女，1949年12月31日出生，公民身份号码11010519491231002X。"},
    {"S09_CreditCode", "ENT-05", Level::kError, "91330100799655058C",
     "原告甲公司，统一社会信用代码91330100799655058C。",
     "原告甲公司，统一社会信用代码91330100799655058B。"},
    {"S10_Capitals", "AMT-01", Level::kError, "107000.53元（大写：壹拾柒万元伍角叁分",
     "借款人民币107000.53元（大写：壹拾柒万元伍角叁分）。",
     "借款人民币107000.53元（大写：壹拾万零柒仟元伍角叁分）。"},
    {"S11_AboveTheCap", "AMT-04", Level::kError, "年利率18%", kLoanAt18, kLoanAtTheCap},
    {"S12_FullAuthority", "POA-01", Level::kError, "全权代理", kFullAuthority, kListedPowers},
    {"S13_DivorceIsNotPublished", "RED-04", Level::kError, "离婚",
     "北京市朝阳区人民法院\n民事判决书\n（2024）京0105民初11号\n原告张某与被告李某离婚纠纷一案，现"
     "已"
     "审理终结。",
     "北京市朝阳区人民法院\n民事判决书\n（2024）京0105民初11号\n原告张某与被告李某买卖合同纠纷一案"
     "，"
     "现已审理终结。",
     Publish::kP2},
    {"S14_MaskedNumber", "RED-09", Level::kError, "（2024）京××民终××号",
     "北京市第一中级人民法院\n民事判决书\n（2024）京××民终××号\n上诉人张某。",
     "北京市第一中级人民法院\n民事判决书\n（2024）京01民终317号\n上诉人张某。", Publish::kP2},
    {"S15_NothingAgreed", "PAY-01", Level::kWarning, "逾期利息", kNothingAgreed, kAgreed},
    {"S15_OnlyADayAgreed", "PAY-01", Level::kWarning, "逾期利息", kOnlyADayAgreed, kAgreed},
    {"S16_SecurityBeforeTheAction", "PRS-01", Level::kWarning, "30%", kBefore30, kBefore100},
    {"S16_SecurityInTheAction", "PRS-01", Level::kWarning, "50%", kDuring50, kDuring30},
    {"S17_Fee", "FEE-01", Level::kWarning, "2500元",
     "诉讼标的额100000元，案件受理费2500元，由被告负担。",
     "诉讼标的额100000元，案件受理费2300元，由被告负担。"},
    {"S17_Halved", "FEE-01", Level::kWarning, "1250元",
     "本案适用简易程序。诉讼标的额100000元，案件受理费减半收取1250元。",
     "本案适用简易程序。诉讼标的额100000元，案件受理费减半收取1150元。"},
    {"S18_CannotBeEnforced", "ENF-01", Level::kWarning, "被告于判决生效后支付原告欠款",
     "北京市朝阳区人民法院\n民事判决书\n（2024）京0105民初11号\n原告张三，男。\n依照《中华人民共和"
     "国"
     "民法典》第六百七十五条规定，判决如下：\n被告于判决生效后支付原告欠款。\n",
     "北京市朝阳区人民法院\n民事判决书\n（2024）京0105民初11号\n原告张三，男。\n依照《中华人民共和"
     "国"
     "民法典》第六百七十五条规定，判决如下：\n被告于判决生效后十日内支付原告欠款50000元。\n"},
    {"S19_DoubledInterest", "INT-01", Level::kWarning, "1950元",
     "加倍部分债务利息按日万分之一点七五计算，本金100000元，100天，计1950元。",
     "加倍部分债务利息按日万分之一点七五计算，本金100000元，100天，计1750元。"},
};

class SampleTest : public testing::TestWithParam<Sample> {};

TEST_P(SampleTest, IsFoundAtItsPlace) {
  const Sample& sample = GetParam();
  const Report report = CheckText(sample.text, sample.publish);
  const std::string_view place = sample.place;
  const auto at_place = [&](const Finding& finding) {
    if (finding.id != sample.id || finding.level != sample.level) return false;
    for (std::size_t begin = sample.text.find(place); begin != std::string_view::npos;
         begin = sample.text.find(place, begin + 1)) {
      const std::size_t end = begin + place.size();
      const bool inside = finding.span.begin >= begin && finding.span.end <= end;
      const bool around = finding.span.begin <= begin && finding.span.end >= end;
      if (finding.span.end > finding.span.begin && (inside || around)) return true;
    }
    return false;
  };
  EXPECT_TRUE(std::any_of(report.findings.begin(), report.findings.end(), at_place))
      << Listed(report, sample.text);
}

TEST_P(SampleTest, TheTwinIsClean) {
  const Sample& sample = GetParam();
  const Report report = CheckText(sample.twin, sample.publish);
  for (const Finding& finding : report.findings) {
    EXPECT_EQ(finding.level, Level::kInfo) << Listed(report, sample.twin);
  }
}

INSTANTIATE_TEST_SUITE_P(Samples, SampleTest, testing::ValuesIn(kSamples),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace zhibi::rules
