// SPDX-License-Identifier: Apache-2.0
#include "statute/store.h"

#include <cstdio>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/file.h"
#include "base/temp_dir.h"
#include "statute/store_format.h"
#include "support/cpu_clock.h"

namespace zhibi::statute {
namespace {

legal::Date Day(std::string_view text) { return legal::ParseDate(text).value(); }

StatuteText Text(std::string name, const char* date, const std::string& words) {
  StatuteText text;
  text.name = std::move(name);
  if (date != nullptr) text.date = Day(date);
  text.articles = {{{1, 0}, words + "一"}, {{1, 1}, words + "一之一"}, {{2, 0}, words + "二"}};
  return text;
}

std::string Words(const Result<std::optional<ArticleText>>& found) {
  if (!found.ok()) return std::string(found.status().message());
  return *found ? (*found)->text : "none";
}

TEST(Store, AFolderThatIsNotThereIsEmpty) {
  const base::TempDir folder;
  const Result<TextStore> store = TextStore::Open(folder.path() + "/none");
  ASSERT_TRUE(store.ok());
  EXPECT_EQ(store->size(), 0U);
  EXPECT_EQ(Words(store->Article("甲法", {1, 0}, std::nullopt)), "none");
  EXPECT_TRUE(store->List()->empty());
}

TEST(Store, FindsArticlesByNameAndDay) {
  const base::TempDir folder;
  const std::string dir = folder.path() + "/deep/er";
  ASSERT_TRUE(
      AddTexts(dir, {Text("中华人民共和国甲法", "2020-01-01", "旧"), Text("乙条例", nullptr, "乙")})
          .ok());
  const Result<StoreChange> change =
      AddTexts(dir, {Text("中华人民共和国甲法", "2024-01-01", "新")});
  ASSERT_TRUE(change.ok()) << change.status().message();
  EXPECT_EQ(change->added, 1U);
  const TextStore store = TextStore::Open(dir).value();
  ASSERT_EQ(store.size(), 3U);
  EXPECT_EQ(Words(store.Article("《甲法》", {1, 1}, std::nullopt)), "新一之一");
  EXPECT_EQ(Words(store.Article("甲法", {1, 0}, Day("2023-12-31"))), "旧一");
  EXPECT_EQ(Words(store.Article("甲法", {1, 0}, Day("2024-01-01"))), "新一");
  EXPECT_EQ(Words(store.Article("甲法", {1, 0}, Day("2019-12-31"))), "none");
  EXPECT_EQ(Words(store.Article("乙条例", {2, 0}, Day("2001-01-01"))), "乙二");
  EXPECT_EQ(Words(store.Article("甲法", {3, 0}, std::nullopt)), "none");
  EXPECT_EQ(Words(store.Article("丙法", {1, 0}, std::nullopt)), "none");
  EXPECT_EQ(store.List()->at(2).name, "中华人民共和国甲法");
}

TEST(Store, ReplacesATextOfTheSameDay) {
  const base::TempDir folder;
  ASSERT_TRUE(AddTexts(folder.path(), {Text("甲法", "2020-01-01", "误")}).ok());
  const Result<StoreChange> change =
      AddTexts(folder.path(),
               {Text("中华人民共和国甲法", "2020-01-01", "正"), Text("甲法", "2020-01-01", "再")});
  ASSERT_TRUE(change.ok());
  EXPECT_EQ(change->replaced, 2U);
  const TextStore store = TextStore::Open(folder.path()).value();
  EXPECT_EQ(store.size(), 1U);
  EXPECT_EQ(Words(store.Article("甲法", {1, 0}, std::nullopt)), "再一");
}

TEST(Store, GivesTheTextOfTheVersionInForceOrNone) {
  const base::TempDir folder;
  ASSERT_TRUE(AddTexts(folder.path(), {Text("甲法", "2019-10-01", "旧")}).ok());
  Statute statute;
  statute.name = "甲法";
  statute.as_of = Day("2026-01-01");
  statute.versions.resize(2);
  statute.versions[0].published = Day("2019-10-01");
  statute.versions[0].from = Day("2020-01-01");
  statute.versions[0].until = Day("2025-01-01");
  statute.versions[0].ended = true;
  statute.versions[0].articles = statute.versions[1].articles = 2;
  statute.versions[1].published = Day("2024-10-01");
  statute.versions[1].from = Day("2025-01-01");
  const TextStore store = TextStore::Open(folder.path()).value();
  EXPECT_EQ(Words(store.Article(statute, {2, 0}, Day("2020-01-01"))), "旧二");
  EXPECT_TRUE((*store.Article(statute, {2, 0}, Day("2024-12-31")))->of_the_day);
  EXPECT_EQ(Words(store.Article(statute, {2, 0}, Day("2019-12-31"))), "none");
  // The new version is in force and not installed: the old words prove nothing.
  EXPECT_EQ(Words(store.Article(statute, {2, 0}, Day("2025-01-01"))), "none");
  EXPECT_EQ(Words(store.Article(statute, {2, 0}, std::nullopt)), "旧二");
}

// Every byte of a small store set to other values, and every length of the file: an answer or a
// status, never a crash. Sanitizers see reads outside.
TEST(Store, SurvivesDamage) {
  const base::TempDir folder;
  ASSERT_TRUE(
      AddTexts(folder.path(), {Text("甲法", "2020-01-01", "甲"), Text("乙法", nullptr, "乙")})
          .ok());
  const std::string path = TextStore::PathIn(folder.path());
  const std::string sound = base::ReadFile(path, 1 << 20).value();
  const auto look = [&folder] {
    const Result<TextStore> store = TextStore::Open(folder.path());
    if (!store.ok()) {
      EXPECT_EQ(store.status().code(), StatusCode::kDataLoss);
      return;
    }
    for (const char* name : {"甲法", "乙法"}) {
      const auto found = store->Article(name, {1, 1}, std::nullopt);
      EXPECT_TRUE(found.ok() || found.status().code() == StatusCode::kDataLoss);
    }
    const Result<std::vector<StatuteText>> all = store->ReadAll();
    EXPECT_TRUE(all.ok() || all.status().code() == StatusCode::kDataLoss);
  };
  for (std::size_t at = 0; at < sound.size(); ++at) {
    std::string broken = sound;
    broken[at] = static_cast<char>(broken[at] ^ 0x81);
    // The checksum is no secret: a file made to harm has a right one.
    StoreHeader header;
    std::memcpy(&header, broken.data(), sizeof(header));
    if (at >= sizeof(header) && StringsOffset(header) <= broken.size()) {
      header.index_checksum = IndexChecksum(
          std::string_view(broken).substr(sizeof(header), StringsOffset(header) - sizeof(header)));
      std::memcpy(broken.data(), &header, sizeof(header));
    }
    folder.Put("texts.zbs", broken);
    look();
  }
  for (std::size_t size = 0; size < sound.size(); ++size) {
    folder.Put("texts.zbs", sound.substr(0, size));
    EXPECT_EQ(TextStore::Open(folder.path()).status().code(), StatusCode::kDataLoss) << size;
  }
}

// Prints what a look-up takes among 1,400 texts of 60 articles. No bar: a clock proves nothing
// under emulation and sanitizers.
TEST(Store, LooksUpFast) {
  const base::TempDir folder;
  std::vector<StatuteText> texts;
  for (int i = 0; i < 1400; ++i) {
    StatuteText text;
    text.name = "第" + std::to_string(i) + "号条例";
    text.date = Day("2020-01-01");
    for (int j = 1; j <= 60; ++j) text.articles.push_back({{j, 0}, std::string(300, 'x')});
    texts.push_back(std::move(text));
  }
  ASSERT_TRUE(AddTexts(folder.path(), std::move(texts)).ok());
  const TextStore store = TextStore::Open(folder.path()).value();
  constexpr int kLookups = 2000;
  const double begin = ThreadCpuMilliseconds();
  for (int i = 0; i < kLookups; ++i) {
    const std::string name = "第" + std::to_string(i * 7 % 1400) + "号条例";
    ASSERT_NE(Words(store.Article(name, {1 + i % 60, 0}, std::nullopt)), "none");
  }
  const double each = (ThreadCpuMilliseconds() - begin) / kLookups;
  std::printf("an article of 1400 texts: %.2f us\n", each * 1e3);
  EXPECT_LT(each, 1.0);  // milliseconds: the bar, also under a sanitizer or an emulator
}

TEST(Quote, EqualWhateverTheWidthAndBlanks) {
  const std::string article =
      "当事人一方不履行合同义务的，应当承担“违约责任”。\n（一）甲；\n（二）乙。";
  for (const char* quote : {"当事人一方不履行合同义务的，应当承担“违约责任”。",
                            "当事人一方 不履行合同义务的,应当承担违约责任", "应当承担‘违约责任’；",
                            "当事人一方……（二）乙。", "(一)甲；(二)乙"}) {
    EXPECT_EQ(CompareQuote(quote, article).result, QuoteResult::kEqual) << quote;
  }
}

TEST(Quote, SaysWhereItDiffers) {
  const std::string article = "当事人一方不履行合同义务的，应当承担违约责任。";
  const std::string quote = "当事人一方不履行合同义务的，可以承担违约责任。";
  const QuoteComparison found = CompareQuote(quote, article);
  EXPECT_EQ(found.result, QuoteResult::kDiffers);
  EXPECT_EQ(quote.substr(found.at, 6), "可以");
  EXPECT_EQ(found.stands.substr(0, 6), "应当");
  const std::string early = "甲人一方不履行合同义务的";
  EXPECT_EQ(CompareQuote(early, article).result, QuoteResult::kDiffers);
  EXPECT_EQ(CompareQuote(early, article).at, 0U);
  // Words left out without a mark are a difference.
  EXPECT_EQ(CompareQuote("当事人一方应当承担违约责任", article).result, QuoteResult::kDiffers);
  // Parts in another order too.
  EXPECT_EQ(CompareQuote("应当承担违约责任……当事人一方不履行", article).result,
            QuoteResult::kNotFound);
}

TEST(Quote, NotFoundWhereNothingAgrees) {
  EXPECT_EQ(CompareQuote("太空旅行归他管", "当事人应当守约。").result, QuoteResult::kNotFound);
  EXPECT_EQ(CompareQuote("", "当事人应当守约。").result, QuoteResult::kNotFound);
  EXPECT_EQ(CompareQuote("……", "当事人应当守约。").result, QuoteResult::kNotFound);
  EXPECT_EQ(CompareQuote("当事人", "").result, QuoteResult::kNotFound);
  EXPECT_EQ(CompareQuote("\xFF\xFE", "当事人\xFF").result, QuoteResult::kNotFound);
}

}  // namespace
}  // namespace zhibi::statute
