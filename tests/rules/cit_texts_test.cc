// SPDX-License-Identifier: Apache-2.0
// Quotations against texts that a user has installed (CIT-14, CIT-11), with invented words: only
// the text of the version in force on the day counts, and without texts nothing is said.
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "legal/date.h"
#include "rules/checker.h"
#include "statute/store.h"

namespace zhibi::rules {
namespace {

class InstalledTexts : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) / "zhibi_cit_texts";
    std::filesystem::remove_all(folder_);
    statute::StatuteText text;
    text.name = "中华人民共和国民法典";
    text.date = legal::Date{2020, 5, 28};
    text.articles.push_back(
        {{675, 0}, "甲应当按照约定的期限返还乙，不得迟延。\n没有约定期限的，甲可以随时返还。"});
    ASSERT_TRUE(statute::AddTexts(folder_.string(), {text}).ok());
    Result<Checker> loaded = Checker::Load(ZHIBI_SOURCE_DIR "/data", folder_.string());
    ASSERT_TRUE(loaded.ok()) << loaded.status().message();
    checker_.emplace(std::move(*loaded));
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::vector<std::string> Cited(const std::string& quote, const std::string& date = "2024-03-01",
                                 const std::string& opens = "规定：") {
    const std::string text =
        "本院认为，《中华人民共和国民法典》第六百七十五条" + opens + "“" + quote + "”。";
    CheckOptions options;
    options.date = *legal::ParseDate(date);
    const Result<Report> report = checker_->Check(text, options);
    EXPECT_TRUE(report.ok());
    std::vector<std::string> out;
    for (const Finding& f : report.ok() ? report->findings : std::vector<Finding>{}) {
      if (f.id != "CIT-14" && f.id != "CIT-11") continue;
      out.push_back(f.id + " " + text.substr(f.span.begin, f.span.end - f.span.begin));
    }
    return out;
  }

  std::filesystem::path folder_;
  std::optional<Checker> checker_;
};

using Lines = std::vector<std::string>;

TEST_F(InstalledTexts, WholeParagraphsAreClean) {
  EXPECT_EQ(Cited("甲应当按照约定的期限返还乙，不得迟延。"), Lines{});
  EXPECT_EQ(Cited("没有约定期限的，甲可以随时返还"), Lines{});
  EXPECT_EQ(Cited("甲应当按照约定的期限返还乙，不得迟延。没有约定期限的，甲可以随时返还。"),
            Lines{});
}

TEST_F(InstalledTexts, OneWordThatDiffersIsFoundAtItsPlace) {
  EXPECT_EQ(Cited("甲应当按照约定的期间返还乙，不得迟延。"), Lines{"CIT-14 间返还乙，不得迟延。"});
}

TEST_F(InstalledTexts, HoweverTheQuotationIsIntroduced) {
  for (const char* opens :
       {"规定：", "：", "", "所规定的", "中规定的", "中", "明确规定，", "的规定，"}) {
    EXPECT_EQ(Cited("甲应当按照约定的期间返还乙，不得迟延。", "2024-03-01", opens),
              Lines{"CIT-14 间返还乙，不得迟延。"})
        << opens;
  }
}

TEST_F(InstalledTexts, APartOfAParagraph) {
  EXPECT_EQ(Cited("甲应当按照约定的期限返还乙"), Lines{"CIT-11 甲应当按照约定的期限返还乙"});
}

TEST_F(InstalledTexts, OfAnotherDayNothingIsSaid) {
  EXPECT_EQ(Cited("甲应当按照约定的期间返还乙，不得迟延。", "2020-12-31"), Lines{});
}

TEST_F(InstalledTexts, WithoutTextsNothingIsSaid) {
  std::filesystem::remove_all(folder_);
  Result<Checker> loaded = Checker::Load(ZHIBI_SOURCE_DIR "/data", folder_.string());
  ASSERT_TRUE(loaded.ok()) << loaded.status().message();
  checker_.emplace(std::move(*loaded));
  EXPECT_EQ(Cited("甲应当按照约定的期间返还乙，不得迟延。"), Lines{});
}

}  // namespace
}  // namespace zhibi::rules
