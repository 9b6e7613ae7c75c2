// SPDX-License-Identifier: Apache-2.0
// Recognisers on written examples: every kind, its value, and near misses that are none.
#include "entity/recogniser.h"

#include <cstdio>
#include <string>

#include <gtest/gtest.h>

#include "entity/numbers.h"
#include "support/cpu_clock.h"

namespace zhibi::entity {
namespace {

const Recogniser& Shared() {
  static const Recogniser recogniser =
      Recogniser::Load(std::string(ZHIBI_SOURCE_DIR) + "/data").value();
  return recogniser;
}

std::vector<Entity> Find(std::string_view text) { return Shared().Find(text).value(); }

// The values of one kind, in order.
std::vector<std::string> Values(std::string_view text, Kind kind) {
  std::vector<std::string> values;
  for (const Entity& entity : Find(text)) {
    if (entity.kind == kind) values.push_back(entity.value);
  }
  return values;
}

std::vector<std::int64_t> Numbers(std::string_view text, Kind kind) {
  std::vector<std::int64_t> numbers;
  for (const Entity& entity : Find(text)) {
    if (entity.kind == kind) numbers.push_back(entity.number);
  }
  return numbers;
}

using Texts = std::vector<std::string>;
using Fens = std::vector<std::int64_t>;

TEST(Recogniser, CitizenNumbersWithTheirCheckDigit) {
  const auto found = Find("公民身份号码11010519491231002X，另一人440524188001010014。");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].value, "11010519491231002X");
  EXPECT_FALSE(found[0].Has(kUnverified));
  const auto wrong = Find("身份证号110105194912310021");
  ASSERT_EQ(wrong.size(), 1U);
  EXPECT_EQ(wrong[0].kind, Kind::kCitizenNumber);
  EXPECT_TRUE(wrong[0].Has(kUnverified));
  EXPECT_TRUE(Find("身份证号110105491231002")[0].Has(kOldForm));
}

TEST(Recogniser, FullWidthDigitsKeepTheirPlaces) {
  const std::string text = "电话１３８１２３４５６７８。";
  const auto found = Find(text);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].value, "13812345678");
  EXPECT_EQ(text.substr(found[0].begin, found[0].end - found[0].begin), "１３８１２３４５６７８");
}

TEST(Recogniser, CreditCodes) {
  const Texts all = {"91330100799655058B", "9144030071526726XG", "91110000802100433B"};
  EXPECT_EQ(
      Values("代码91330100799655058B、9144030071526726XG和91110000802100433B", Kind::kCreditCode),
      all);
  // A wrong check character counts only where the words say what it is.
  EXPECT_TRUE(Values("编码为 91330100799655059B", Kind::kCreditCode).empty());
  EXPECT_EQ(Values("统一社会信用代码：91330100799655059B", Kind::kCreditCode).size(), 1U);
}

TEST(Recogniser, PhonesCardsAndAccounts) {
  EXPECT_EQ(Values("电话138 1234 5678，0512-57301234", Kind::kMobile), Texts{"13812345678"});
  EXPECT_EQ(Values("电话0512-57301234。", Kind::kLandline), Texts{"051257301234"});
  EXPECT_EQ(Values("转入6222021234567890128账户", Kind::kBankCard).size(), 1U);
  EXPECT_EQ(Values("账号：32050198765432100000。", Kind::kAccount), Texts{"32050198765432100000"});
  EXPECT_TRUE(PassesLuhn("4111111111111111"));
  EXPECT_FALSE(PassesLuhn("4111111111111112"));
  // Sums and numbers of cases are no phones.
  EXPECT_TRUE(Values("借款13812345678元", Kind::kMobile).empty());
  EXPECT_TRUE(Values("（2024）京0105民初13812345号", Kind::kMobile).empty());
}

TEST(Recogniser, PlatesVinsAndCertificates) {
  EXPECT_EQ(Values("驾驶苏E12345号轿车和沪AD12345", Kind::kPlate),
            (Texts{"苏E12345", "沪AD12345"}));
  const auto masked = Find("湘A×××××号车");
  ASSERT_FALSE(masked.empty());
  EXPECT_EQ(masked[0].kind, Kind::kPlate);
  EXPECT_TRUE(masked[0].Has(kMasked));
  EXPECT_TRUE(PassesVin("11111111111111111"));  // the standard's own example
  EXPECT_EQ(Values("车架号LSVAU2180N2123456", Kind::kVin).size(), 1U);
  EXPECT_EQ(Values("苏（2020）昆山市不动产权第0012345号", Kind::kPropertyCertificate).size(), 1U);
  EXPECT_EQ(
      Values("护照号码E12345678，微信号：abc_12345，QQ：12345678，a.b@example.com", Kind::kWechat),
      Texts{"abc_12345"});
}

TEST(Recogniser, AddressesEndAtTheCounty) {
  EXPECT_EQ(Values("住江苏省昆山市玉山镇北门路12号3幢401室，", Kind::kAddress),
            Texts{"江苏省昆山市"});
  EXPECT_EQ(Values("住所地：上海市浦东新区张杨路1号。", Kind::kAddress), Texts{"上海市浦东新区"});
  EXPECT_TRUE(Values("住院治疗三十天，住宿费二百元", Kind::kAddress).empty());
}

TEST(Recogniser, SumsInAllSpellings) {
  EXPECT_EQ(Numbers("107,000.53元、10.7万元、人民币壹拾万柒仟元伍角叁分、三千五百元、0.35万元",
                    Kind::kMoney),
            (Fens{10700053, 10700000, 10700053, 350000, 350000}));
  EXPECT_EQ(Numbers("￥1,234.50，3千元，5百元，2亿元，100，000元", Kind::kMoney),
            (Fens{123450, 300000, 50000, 20000000000, 10000000}));
  EXPECT_EQ(Numbers("陆仟零柒元壹角肆分、壹万陆仟肆佰零玖元零贰分", Kind::kMoney),
            (Fens{600714, 1640902}));
  EXPECT_EQ(Numbers("10万3000元", Kind::kMoney), Fens{10300000});
  EXPECT_TRUE(Find("10万余元")[0].Has(kApproximate));
  EXPECT_TRUE(Find("5000美元")[0].Has(kForeign));
  EXPECT_TRUE(Find("借款20万，")[0].Has(kNoUnit));
  EXPECT_TRUE(Numbers("3单元402室，元旦放假，2024年，20万公里", Kind::kMoney).empty());
  // Larger than any sum: not read, not wrong.
  EXPECT_TRUE(Numbers("999999999999999亿元", Kind::kMoney).empty());
}

TEST(Recogniser, DatesInAllSpellings) {
  EXPECT_EQ(Values("二〇二四年三月一日、2024-03-05、2024/3/5、2024年3月5日", Kind::kDate),
            (Texts{"2024-03-01", "2024-03-05", "2024-03-05", "2024-03-05"}));
  EXPECT_TRUE(Find("2024年2月30日")[0].Has(kUnverified));
  EXPECT_TRUE(Find("2024年3月")[0].Has(kPartial));
}

TEST(Recogniser, Rates) {
  EXPECT_EQ(
      Numbers("年利率24%，月息2分，日1.75‱，万分之一点七五，千分之五，年息一分", Kind::kPercent),
      (Fens{240000, 20000, 175, 175, 5000, 100000}));
}

TEST(Recogniser, NamesByTheirRoles) {
  const std::string text =
      "原告：张三，男，汉族，住北京市。\n委托诉讼代理人：欧阳明，江苏某某律师事务所律师。\n"
      "被告：苏州和平建设有限公司，住所地苏州市。\n法定代表人：买买提·艾力，董事长。\n"
      "原告张三与被告苏州和平建设有限公司（以下简称和平公司）签订合同。被告刘某1未到庭。\n"
      "审判长　王　某\n书记员　赵　六\n";
  EXPECT_EQ(Values(text, Kind::kPerson), (Texts{"张三", "欧阳明", "买买提·艾力", "张三", "刘某1"}));
  const Texts organisations = Values(text, Kind::kOrganisation);
  EXPECT_EQ(organisations.back(), "苏州和平建设有限公司");  // the abbreviation's full name
  EXPECT_EQ(Values(text, Kind::kJudge), (Texts{"王某", "赵六"}));
}

TEST(Recogniser, NamesBeyondTheBasicPlane) {
  EXPECT_EQ(Values("原告：王𫖯，男，汉族。", Kind::kPerson), Texts{"王𫖯"});
}

TEST(Recogniser, WordsBehindARoleAreNoNames) {
  EXPECT_TRUE(
      Values("被告应共同归还，原告通过银行转账，被告方提交证据，原告于当日付款", Kind::kPerson)
          .empty());
}

TEST(Recogniser, KnownNamesAreFoundWithoutARole) {
  const auto found = Shared().Find("后来阿强给了钱", {{"阿强", Kind::kPerson, "被告"}}).value();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].role, "被告");
}

TEST(Recogniser, ReferencesAreProtected) {
  const std::string text =
      "依照《中华人民共和国民法典》第六百七十五条、第120条第2款第(三)项，江苏省昆山市人民法院"
      "（2024）苏0583民初1234号，合同编号：HT-2024-001，民间借贷纠纷。";
  EXPECT_EQ(Values(text, Kind::kArticle), (Texts{"第六百七十五条", "第120条第2款第(三)项"}));
  EXPECT_EQ(Values(text, Kind::kCourt), Texts{"江苏省昆山市人民法院"});
  EXPECT_EQ(Values(text, Kind::kCaseNumber), Texts{"（2024）苏0583民初1234号"});
  EXPECT_EQ(Values(text, Kind::kContractNumber), Texts{"HT-2024-001"});
  EXPECT_EQ(Values(text, Kind::kCause), Texts{"民间借贷纠纷"});
  EXPECT_EQ(Values("(2024)苏民终12号", Kind::kCaseNumber), Texts{"（2024）苏民终12号"});
}

TEST(Recogniser, SpansOfNumbersDoNotOverlap) {
  const auto found = Find(
      "账号6222021234567890128，电话13812345678，身份证11010519491231002X，2024年1月1日付100元");
  for (std::size_t i = 1; i < found.size(); ++i) EXPECT_GE(found[i].begin, found[i - 1].end);
}

TEST(Recogniser, RefusesWhatIsNotUtf8) {
  const auto result = Shared().Find("原告\xFF");
  EXPECT_EQ(result.status().code(), StatusCode::kInvalidArgument);
  EXPECT_NE(result.status().message().find("byte 6"), std::string::npos);
}

TEST(Recogniser, MissingTableNamesTheFile) {
  const auto result = Recogniser::Load("/nonexistent");
  ASSERT_FALSE(result.ok());
  EXPECT_NE(result.status().message().find("causes.json"), std::string::npos);
}

TEST(Recogniser, TenThousandCharactersTakeLittleTime) {
  std::string text;
  while (text.size() < 30000) {
    text +=
        "原告张三向本院提出诉讼请求：判令被告李四偿还借款本金50,000元，电话13812345678，"
        "住江苏省昆山市玉山镇北门路12号3幢401室。2024年3月5日，江苏省昆山市人民法院受理。\n";
  }
  double best = 1e9;
  for (int i = 0; i < 5; ++i) {
    const double start = ThreadCpuMilliseconds();
    ASSERT_TRUE(Shared().Find(text).ok());
    best = std::min(best, ThreadCpuMilliseconds() - start);
  }
  std::printf("10,000 characters: %.1f ms\n", best);
  // The bar is 20 ms; sanitizers and emulators get the room that keeps this a test of growth.
  EXPECT_LT(best, 400);
}

}  // namespace
}  // namespace zhibi::entity
