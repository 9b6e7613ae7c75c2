// SPDX-License-Identifier: Apache-2.0
// `zhibi statutes` as a clerk uses it: a text installed, a local regulation added, both shown as
// the user's own and known to `zhibi check`, and what is refused.
#include "cli/statutes_command.h"

#include <unistd.h>

#include <filesystem>
#include <functional>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "cli/statutes_view.h"
#include "legal/data_dir.h"
#include "rules/checker.h"

namespace zhibi::cli {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

constexpr const char* kRegulation =
    "示例市物业管理条例\n"
    "2022年3月1日示例市人民代表大会常务委员会第二次会议通过\n"
    "第一条　为了规范物业管理，制定本条例。\n"
    "第二条　业主应当按照物业服务合同的约定按时足额交纳物业费。\n"
    "第三条　本条例自2022年5月1日起施行。\n";

class StatutesCommandTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("zhibi 法规 " + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
    options_.dir = (folder_ / "user").string();
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string Write(const std::string& name, const std::string& text) const {
    const std::string path = (folder_ / name).string();
    EXPECT_TRUE(base::WriteFileAtomic(path, text).ok());
    return path;
  }
  // What the command prints; it must succeed.
  std::string Output(const std::function<Status(const StatutesOptions&)>& command) const {
    testing::internal::CaptureStdout();
    const Status status = command(options_);
    std::string out = testing::internal::GetCapturedStdout();
    EXPECT_TRUE(status.ok()) << status.ToString();
    return out;
  }
  void AddRegulation() {
    options_.file = Write("条例.txt", kRegulation);
    options_.kind = "地方性法规";
    options_.published = "2022-03-01";
    options_.from = "2022-05-01";
    options_.adopted_by = "示例市人民代表大会常务委员会";
    Output(RunStatutesAdd);
    const std::string dir = options_.dir;
    options_ = StatutesOptions();
    options_.dir = dir;
  }

  std::filesystem::path folder_;
  StatutesOptions options_;
};

TEST_F(StatutesCommandTest, TheShippedTableIsThereWithoutAnythingInstalled) {
  options_.json = true;
  const json list = json::parse(Output(RunStatutesList));
  EXPECT_GT(list.at("rows"), 1000);
  EXPECT_EQ(list.at("local_rows"), 0);
  EXPECT_TRUE(list.at("texts").empty());

  options_.name = "中华人民共和国民法典";
  options_.article = "第五百七十七条";
  options_.date = "2026-01-05";
  const json code = json::parse(Output(RunStatutesShow));
  EXPECT_EQ(code.at("state"), "现行");
  EXPECT_EQ(code.at("local"), false);

  options_.json = false;
  EXPECT_THAT(Output(RunStatutesShow), HasSubstr("第五百七十七条：未装文本"));
  options_.date = "2020-12-31";
  EXPECT_THAT(Output(RunStatutesShow), HasSubstr("2020年12月31日：未生效"));
}

TEST_F(StatutesCommandTest, ATextOfTheUserIsShownArticleByArticle) {
  options_.files = {
      Write("民法典.txt",
            "中华人民共和国民法典\n"
            "2020年5月28日第十三届全国人民代表大会第三次会议通过\n"
            "第一条　甲甲甲。\n第二条　有下列情形之一的：\n（一）乙；\n（二）丙。\n")};
  options_.from = "2021-01-01";
  EXPECT_THAT(Output(RunStatutesImport), HasSubstr("装入 1 部，替换 0 部，共 2 条；不在表中 0 部"));
  EXPECT_THAT(Output(RunStatutesImport), HasSubstr("装入 0 部，替换 1 部"));
  options_.from.clear();
  options_.name = "民法典";
  options_.date = "2026-01-05";
  for (const char* article : {"第二条", "2", "第2条", "第二条第一款第（二）项"}) {
    options_.article = article;
    EXPECT_THAT(Output(RunStatutesShow),
                HasSubstr("第二条\n有下列情形之一的：\n（一）乙；\n（二）丙。"))
        << article;
  }
}

TEST_F(StatutesCommandTest, ATextOfAnotherDayIsShownAsSuch) {
  options_.files = {Write("民法典.txt", "中华人民共和国民法典\n第一条　甲甲甲。\n")};
  options_.published = "2020-05-28";
  options_.from = "2021-01-01";
  Output(RunStatutesImport);
  options_.name = "民法典";
  options_.article = "1";
  options_.date = "2020-12-31";
  const std::string shown = Output(RunStatutesShow);
  EXPECT_THAT(shown, HasSubstr("不能确定是该日施行的版本"));
  EXPECT_THAT(shown, HasSubstr("甲甲甲"));
}

TEST_F(StatutesCommandTest, InstallingAnewMendsADamagedStore) {
  options_.files = {Write("条例.txt", kRegulation)};
  Output(RunStatutesImport);
  const std::string store = options_.dir + "/texts.zbs";
  std::filesystem::resize_file(store, 20);
  options_.name = "民法典";
  options_.article = "1";
  EXPECT_FALSE(RunStatutesShow(options_).ok());
  options_.name.clear();
  testing::internal::CaptureStderr();
  EXPECT_THAT(Output(RunStatutesImport), HasSubstr("装入 1 部"));
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("texts.zbs.damaged"));
  EXPECT_EQ(std::filesystem::file_size(store + ".damaged"), 20U);
  options_.name = "民法典";
  EXPECT_TRUE(RunStatutesShow(options_).ok());
}

TEST_F(StatutesCommandTest, ASecondTextOfANameNeedsItsDay) {
  AddRegulation();
  std::string undated = kRegulation;
  undated.erase(undated.find("2022年3月1日"), std::string("2022年3月1日").size());
  options_.file = Write("条例.txt", undated);
  options_.kind = "地方性法规";
  const Status status = RunStatutesAdd(options_);
  EXPECT_FALSE(status.ok());
  EXPECT_THAT(status.message(), HasSubstr("--published"));
  options_.from = "2025-01-01";
  EXPECT_TRUE(RunStatutesAdd(options_).ok());
}

TEST_F(StatutesCommandTest, ALocalRegulationIsTheUsersOwnEverywhere) {
  AddRegulation();
  options_.words = "示例市物业";
  EXPECT_THAT(Output(RunStatutesSearch), HasSubstr("示例市物业管理条例\t地方性法规\t现行\t本地"));
  options_.name = "示例市物业管理条例";
  options_.article = "2";
  options_.date = "2024-01-01";
  const std::string shown = Output(RunStatutesShow);
  EXPECT_THAT(shown, HasSubstr("《示例市物业管理条例》（本地）"));
  EXPECT_THAT(shown, HasSubstr("按时足额交纳物业费"));
  EXPECT_THAT(Output(RunStatutesList), HasSubstr("本地\t示例市物业管理条例\t地方性法规"));
  // Kept apart: the shipped table does not know it.
  const std::string data_dir = legal::FindDataDir().value();
  EXPECT_EQ(statute::Table::Load(data_dir, "").value().Find("示例市物业管理条例").statute, nullptr);
}

TEST_F(StatutesCommandTest, CheckReadsWhatTheUserInstalled) {
  const std::string text =
      "民事起诉状\n原告：张三丰，男，汉族，住江苏省昆山市玉山镇北门路12号。\n"
      "被告：李四，男，汉族，住江苏省昆山市玉山镇北门路14号。\n诉讼请求：\n"
      "1．判令被告支付物业费3000元；\n事实与理由：\n"
      "依照《示例市物业管理条例》第二条“业主应当按照物业服务合同的约定按时交纳物业费”和《示例市物业"
      "管理条例》"
      "第九条的规定提起诉讼。\n此致\n昆山市人民法院\n具状人：张三丰\n2024年3月5日\n";
  const auto findings = [&](const std::string& dir) {
    const auto checker = rules::Checker::Load(legal::FindDataDir().value(), dir);
    EXPECT_TRUE(checker.ok()) << checker.status().ToString();
    std::string out;
    const auto report = checker->Check(text, {});
    EXPECT_TRUE(report.ok());
    for (const rules::Finding& finding : report->findings)
      out += finding.id + finding.message + "\n";
    return out;
  };
  EXPECT_THAT(findings(options_.dir), HasSubstr("不在"));
  AddRegulation();
  const std::string after = findings(options_.dir);
  EXPECT_THAT(after, HasSubstr("第九条"));
  EXPECT_THAT(after, HasSubstr("第二条"));
}

TEST_F(StatutesCommandTest, RefusalsNameFileLineAndOption) {
  const auto message = [&](const std::function<Status(const StatutesOptions&)>& command) {
    const Status status = command(options_);
    EXPECT_FALSE(status.ok());
    return status.message();
  };
  options_.name = "民法点";
  EXPECT_THAT(message(RunStatutesShow), HasSubstr("不在表中"));
  options_.name = "民法典";
  options_.article = "第条";
  EXPECT_THAT(message(RunStatutesShow), HasSubstr("第五百七十七条、577、133-1"));
  options_.article.clear();
  options_.date = "2024-13-01";
  EXPECT_THAT(message(RunStatutesShow), HasSubstr("--date"));
  options_ = StatutesOptions();
  options_.dir = (folder_ / "user").string();
  options_.files = {Write("空.txt", "没有条文\n")};
  EXPECT_THAT(message(RunStatutesImport), HasSubstr("空.txt"));
  options_.files = {
      Write("行.jsonl", "{\"title\": \"甲法\", \"text\": \"第一条 乙。\"}\n{\"title\": 1}\n")};
  EXPECT_THAT(message(RunStatutesImport), HasSubstr("行.jsonl:2"));
  options_.files = {(folder_ / "没有.txt").string()};
  EXPECT_THAT(message(RunStatutesImport), HasSubstr("没有.txt"));
  options_.file = Write("条例.txt", kRegulation);
  EXPECT_THAT(message(RunStatutesAdd), HasSubstr("--kind"));
  options_.kind = "条令";
  EXPECT_THAT(message(RunStatutesAdd), HasSubstr("地方性法规"));
}

TEST(StatutesView, WarnsPast180Days) {
  EXPECT_EQ(StaleWarning({2026, 1, 1}, {2026, 6, 30}), "");
  EXPECT_THAT(StaleWarning({2026, 1, 1}, {2026, 7, 1}), HasSubstr("已过 181 日"));
}

}  // namespace
}  // namespace zhibi::cli
