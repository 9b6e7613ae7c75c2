// SPDX-License-Identifier: Apache-2.0
// Extraction: on the tracked documents against the hand-read key (tests/extract/key.json; all 50
// with tools/extract_score.py) and on written examples with a schema.
#include "extract/extract.h"

#include <algorithm>
#include <set>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/json.h"
#include "extract/schema_fixture.h"

namespace zhibi::extract {
namespace {

const std::string kRoot = ZHIBI_SOURCE_DIR;

const Extractor& Shared() {
  static const entity::Recogniser recogniser = entity::Recogniser::Load(kRoot + "/data").value();
  static const Extractor extractor = Extractor::Create(recogniser).value();
  return extractor;
}

constexpr std::string_view kComplaint =
    "民事起诉状\n原告：张三，汉族，住北京市朝阳区，公民身份号码11010519491231002X。\n"
    "被告：李四，男。\n诉讼请求：\n1．判令被告偿还借款本金5万元；\n2．诉讼费由被告承担。\n"
    "事实与理由：被告借款5万元未还。\n此致\n北京市朝阳区人民法院\n具状人：张三\n2024年3月1日\n";

TEST(Extract, ElementsWithPlacesAndStates) {
  const legal::JsonSchema schema = SmallSchema();
  const Extraction extraction = Shared().Extract(kComplaint, &schema, {}).value();
  const nlohmann::json& elements = extraction.elements;
  EXPECT_EQ(elements["plaintiffs"][0]["name"], "张三");
  EXPECT_EQ(elements["court"], "北京市朝阳区人民法院");
  EXPECT_EQ(elements["filing_date"], "2024-03-01");
  EXPECT_EQ(elements["claims"], (nlohmann::json{"判令被告偿还借款本金5万元", "诉讼费由被告承担"}));
  const Value* name = FindValue(extraction, "plaintiffs[0].name");
  ASSERT_NE(name, nullptr);
  EXPECT_EQ(name->state, State::kRead);
  EXPECT_EQ(kComplaint.substr(name->begin, name->end - name->begin), "张三");
  // The text gives neither; the number does.
  EXPECT_EQ(FindValue(extraction, "plaintiffs[0].birth_date")->state, State::kComputed);
  EXPECT_EQ(elements["plaintiffs"][0]["birth_date"], "1949-12-31");
  // Required, not in the text: missing, and nothing in its place.
  EXPECT_EQ(FindValue(extraction, "note")->state, State::kMissing);
  EXPECT_EQ(FindValue(extraction, "plaintiffs[0].phone")->state, State::kMissing);
  EXPECT_FALSE(elements["plaintiffs"][0].contains("phone"));
  EXPECT_FALSE(elements.contains("note"));
}

TEST(Extract, EverySpanHoldsItsValue) {
  const Extraction extraction = Shared().Extract(kComplaint, nullptr, {}).value();
  for (const Value& claim : extraction.claims) {
    EXPECT_EQ(kComplaint.substr(claim.begin, claim.end - claim.begin),
              claim.value.get<std::string>());
  }
  ASSERT_EQ(extraction.sums.size(), 2U);
  EXPECT_EQ(extraction.sums[0].value, 5000000);
  const nlohmann::json json = ToJson(extraction, kComplaint);
  // Places in code points: 民事起诉状, line feed, 原告： are nine of them.
  EXPECT_EQ(json["parties"][0]["fields"][0]["span"]["start"], 9);
}

TEST(Extract, MaskedAndApproximateAreDoubtful) {
  const Extraction extraction =
      Shared().Extract("原告：张某1，男。\n被告借款10万余元。", nullptr, {}).value();
  EXPECT_EQ(extraction.parties[0].fields[0].state, State::kDoubtful);
  EXPECT_EQ(extraction.sums[0].state, State::kDoubtful);
}

// Published texts number people of one family name; the number runs into the sum.
TEST(Extract, DigitsOfANameAreNoneOfTheSum) {
  const Extraction extraction =
      Shared()
          .Extract("原告：许某1，男。\n今借到许某150000元，另付许某1，000元。", nullptr, {})
          .value();
  ASSERT_FALSE(extraction.sums.empty());
  EXPECT_EQ(extraction.sums[0].value, 5000000);
  EXPECT_EQ(extraction.sums[0].state, State::kDoubtful);
  const Extraction odd = Shared().Extract("限额不超过人民币110，0000元。", nullptr, {}).value();
  for (const Value& sum : odd.sums) EXPECT_EQ(sum.state, State::kDoubtful);
}

TEST(Extract, NumbersInSentencesMayBeAnotherCases) {
  const Extraction extraction =
      Shared()
          .Extract("某市中级人民法院以（2013）沪一中刑初字第44号刑事判决认定。", nullptr, {})
          .value();
  const auto found = std::find_if(extraction.singles.begin(), extraction.singles.end(),
                                  [](const Value& one) { return one.path == "case_number"; });
  ASSERT_NE(found, extraction.singles.end());
  EXPECT_EQ(found->state, State::kDoubtful);
}

TEST(Extract, EmptyTextGivesOnlyMissing) {
  const legal::JsonSchema schema = SmallSchema();
  const Extraction extraction = Shared().Extract("", &schema, {}).value();
  EXPECT_TRUE(extraction.elements.empty());
  for (const Value& value : extraction.values) EXPECT_EQ(value.state, State::kMissing);
}

TEST(Extract, HoldingsAreReadFromTheLastOrder) {
  const Extraction extraction =
      Shared()
          .Extract(
              "一审判决如下：一、驳回请求。本院认为有误。依照第一条，判决如下：\n一、撤销原判决；\n"
              "二、被告支付100元。\n案件受理费50元。\n审判员 张三\n",
              nullptr, {})
          .value();
  ASSERT_EQ(extraction.holdings.size(), 2U);
  EXPECT_EQ(extraction.holdings[1].value, "被告支付100元");
}

struct Score {
  std::size_t right = 0;
  std::size_t found = 0;
  std::size_t gold = 0;
  double F1() const { return 2.0 * static_cast<double>(right) / static_cast<double>(found + gold); }
};

template <typename T>
void Add(const std::set<T>& gold, const std::set<T>& found, Score& score) {
  for (const T& value : found) score.right += gold.count(value);
  score.found += found.size();
  score.gold += gold.size();
}

TEST(Extract, TrackedDocumentsAgainstTheKey) {
  const std::string bytes = base::ReadFile(kRoot + "/tests/extract/key.json", 1 << 20).value();
  const nlohmann::json key = base::ParseJson(bytes, "key.json").value();
  Score names;
  Score sums;
  Score claims;
  std::size_t read = 0;
  for (const nlohmann::json& entry : key["documents"]) {
    const auto text = base::ReadFile(
        kRoot + "/tests/extract/documents/" + entry["id"].get<std::string>() + ".txt", 1 << 20);
    if (!text.ok()) continue;
    ++read;
    const Extraction extraction = Shared().Extract(*text, nullptr, {}).value();
    Add(entry["names"].get<std::set<std::string>>(),
        std::set<std::string>(extraction.people.begin(), extraction.people.end()), names);
    std::set<std::int64_t> found;
    for (const Value& sum : extraction.sums) found.insert(sum.value.get<std::int64_t>());
    Add(entry["sums_fen"].get<std::set<std::int64_t>>(), found, sums);
    for (const nlohmann::json& head : entry["claims"]) {
      const auto hit =
          std::any_of(extraction.claims.begin(), extraction.claims.end(), [&](const Value& claim) {
            return claim.value.get_ref<const std::string&>().find(head.get<std::string>()) <= 12;
          });
      claims.right += hit ? 1U : 0U;
    }
    claims.gold += entry["claims"].size();
    claims.found += extraction.claims.size();
  }
  EXPECT_EQ(read, 10U);
  EXPECT_GE(names.F1(), 0.97);
  EXPECT_GE(sums.F1(), 0.95);  // one document holds 张某1 written against 50，000元
  EXPECT_GE(claims.F1(), 0.9);
}

}  // namespace
}  // namespace zhibi::extract
