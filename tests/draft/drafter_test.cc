// SPDX-License-Identifier: Apache-2.0
// Drafting over a generator that is scripted: order of events, what reaches the model's sequence,
// counts, limits, cancelling, and the skeleton alone.
#include "draft/drafter.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/json.h"
#include "legal/doctype.h"
#include "text/jinja_string.h"

namespace zhibi::draft {
namespace {

// A token is a character. Clauses are answered from a list.
class FakeGenerator : public SpanGenerator {
 public:
  explicit FakeGenerator(std::vector<std::string> answers) : answers_(std::move(answers)) {}

  Status AppendForced(std::string_view text, bool is_template) override {
    sequence += is_template ? std::string(text) : "[" + std::string(text) + "]";
    used_ += CountTokens(text, is_template);
    return OkStatus();
  }
  Result<SpanResult> Generate(const SpanOptions& options, const PieceFn& on_piece) override {
    seen.push_back(options);
    SpanResult result;
    const std::string& answer = answers_[seen.size() - 1];
    for (std::size_t at = 0; at < answer.size();) {
      if (result.decoded_tokens == options.max_tokens) {
        result.end = SpanEnd::kLength;
        break;
      }
      const std::size_t length = text::jinja::CharLength(answer, at);
      ++result.decoded_tokens;
      result.text += answer.substr(at, length);
      if (!on_piece(std::string_view(answer).substr(at, length))) {
        result.end = SpanEnd::kCancelled;
        break;
      }
      at += length;
    }
    sequence += "{" + result.text + "}";
    used_ += result.decoded_tokens;
    return result;
  }
  std::int64_t context_tokens() const override { return context; }
  std::int64_t tokens_used() const override { return used_; }
  std::int64_t CountTokens(std::string_view text, bool) const override {
    return static_cast<std::int64_t>(text::jinja::CountChars(text));
  }
  bool KnowsControlToken(std::string_view) const override { return mini; }
  Result<legal::Segments> RenderChat(std::string_view text) const override {
    if (!chat) return NotFoundError("none");
    return legal::Segments{{"<user>", true}, {std::string(text), false}, {"<assistant>", true}};
  }

  std::string sequence;
  std::vector<SpanOptions> seen;
  std::int64_t context = 8192;
  bool mini = true;
  bool chat = true;

 private:
  std::vector<std::string> answers_;
  std::int64_t used_ = 0;
};

legal::DraftPlan ExamplePlan(const char* changed_field = nullptr, const std::string& value = {}) {
  const std::string root = ZHIBI_SOURCE_DIR;
  const Result<legal::Doctype> doctype = legal::Doctype::Load(root + "/data", "civil-complaint");
  EXPECT_TRUE(doctype.ok()) << doctype.status().ToString();
  nlohmann::json elements = *base::ParseJson(
      *base::ReadFile(root + "/examples/private-lending.json", 1 << 20), "example");
  if (changed_field != nullptr) elements[nlohmann::json::json_pointer(changed_field)] = value;
  const Result<legal::PlanResult> plan = doctype->Plan(elements, {2026, 11, 30});
  EXPECT_TRUE(plan.ok()) << plan.status().ToString();
  EXPECT_TRUE(plan->errors.empty()) << legal::FormatViolations(plan->errors);
  return plan->plan;
}

struct Draft {
  Status status;
  Report report;
  std::string text;
  std::string marked;  // with origins: k copied, d decoded, g gap in brackets
  std::vector<std::string> clauses;
  bool done = false;
};

Draft DraftWith(const legal::DraftPlan& plan, SpanGenerator* generator, int cancel_after = -1) {
  Draft draft;
  GeneratorFn make;
  if (generator != nullptr) make = [generator] { return Result<SpanGenerator*>(generator); };
  Drafter drafter(plan, make);
  int events = 0;
  const Result<Report> report = drafter.Run({}, [&](const Event& event) {
    if (cancel_after >= 0 && events++ >= cancel_after) return false;
    if (event.kind == EventKind::kClause) draft.clauses.push_back(event.clause);
    if (event.kind == EventKind::kDone) draft.done = true;
    if (event.kind != EventKind::kDelta) return true;
    draft.text += event.text;
    draft.marked += event.origin == Origin::kDecoded ? "<d:" + event.text + ">" : event.text;
    return true;
  });
  if (report.ok()) {
    draft.report = *report;
  } else {
    draft.status = report.status();
  }
  return draft;
}

const std::vector<std::string> kAnswers = {" 甲乙。", "丙。", "丁戊己。"};

TEST(DrafterTest, SkeletonAloneHasPlainFacts) {
  const Draft draft = DraftWith(ExamplePlan(), nullptr);
  ASSERT_TRUE(draft.status.ok()) << draft.status.ToString();
  EXPECT_TRUE(draft.done);
  EXPECT_EQ(draft.text.rfind("民事起诉状\n", 0), 0U);
  EXPECT_NE(draft.text.find("　　2024年3月5日，被告李建国"), std::string::npos) << draft.text;
  EXPECT_EQ(draft.text.find("【待补"), std::string::npos);
  EXPECT_EQ(draft.report.document, legal::DocumentWithoutModel(ExamplePlan()));
  EXPECT_EQ(draft.text.find("人工智能"), std::string::npos);
  EXPECT_EQ(draft.report.decoded_tokens, 0);
  EXPECT_LT(draft.report.first_model_text_s, 0);
  EXPECT_GT(draft.report.characters, 600);
}

TEST(DrafterTest, OneSequenceOfForcedAndDecodedText) {
  const legal::DraftPlan plan = ExamplePlan();
  FakeGenerator generator(kAnswers);
  const Draft draft = DraftWith(plan, &generator);
  ASSERT_TRUE(draft.status.ok()) << draft.status.ToString();
  std::string head;
  for (const text::RenderedSegment& segment : plan.prompts[0].head) {
    head += segment.is_template ? segment.text : "[" + segment.text + "]";
  }
  EXPECT_EQ(generator.sequence,
            head +
                "<|clause|>借款经过\n{ 甲乙。}<|end|><|clause|>履行与催收\n{丙。}<|end|>"
                "<|clause|>理由\n{丁戊己。}<|end|>");
  EXPECT_NE(draft.text.find("事实与理由：\n　　甲乙。\n　　丙。\n　　丁戊己。\n　　上述请求依据《"),
            std::string::npos);
  EXPECT_NE(draft.text.find("由人工智能辅助生成"), std::string::npos);
  EXPECT_EQ(draft.report.prompt_form, "zhibi-mini");
  EXPECT_EQ(draft.report.decoded_tokens, 10);
  EXPECT_GT(draft.report.copied_tokens, 100);
  EXPECT_GT(draft.report.forced_tokens, 300);
  EXPECT_GE(draft.report.first_model_text_s, draft.report.first_text_s);
  ASSERT_EQ(generator.seen.size(), 3U);
  EXPECT_EQ(generator.seen[0].stop, (std::vector<std::string>{"<|end|>", "\n"}));
  EXPECT_EQ(generator.seen[0].max_tokens, 512);
}

TEST(DrafterTest, EventsComeInTheOrderOfTheDocument) {
  FakeGenerator generator(kAnswers);
  const Draft draft = DraftWith(ExamplePlan(), &generator);
  EXPECT_EQ(draft.clauses, (std::vector<std::string>{"title", "parties", "cause", "claims",
                                                     "facts-heading", "loan-facts", "performance",
                                                     "reasons", "law", "evidence", "closing"}));
  EXPECT_NE(draft.marked.find("　　<d:甲><d:乙><d:。>\n"), std::string::npos);
}

TEST(DrafterTest, OtherModelsGetTheChatPrompt) {
  FakeGenerator generator(kAnswers);
  generator.mini = false;
  const Draft draft = DraftWith(ExamplePlan(), &generator);
  ASSERT_TRUE(draft.status.ok()) << draft.status.ToString();
  EXPECT_EQ(draft.report.prompt_form, "chat");
  EXPECT_EQ(generator.sequence.rfind("<user>[", 0), 0U);
  EXPECT_NE(generator.sequence.find("<assistant>借款经过：{ 甲乙。}\n履行与催收：{丙。}"),
            std::string::npos);
  FakeGenerator plain(kAnswers);
  plain.mini = false;
  plain.chat = false;
  EXPECT_TRUE(DraftWith(ExamplePlan(), &plain).status.ok());
  EXPECT_EQ(plain.sequence.find("<user>"), std::string::npos);
}

TEST(DrafterTest, TooLongElementsAreAnErrorThatNamesTheField) {
  FakeGenerator generator(kAnswers);
  generator.context = 500;
  std::string purpose;
  for (int i = 0; i < 80; ++i) purpose += "长";
  const Draft draft = DraftWith(ExamplePlan("/loan/purpose", purpose), &generator);
  EXPECT_EQ(draft.status.code(), StatusCode::kResourceExhausted);
  EXPECT_NE(draft.status.message().find("模型只有 500 个"), std::string::npos)
      << draft.status.message();
  EXPECT_NE(draft.status.message().find("loan.purpose（80 字）"), std::string::npos)
      << draft.status.message();
  EXPECT_FALSE(draft.done);
}

TEST(DrafterTest, LimitsAndSilenceAreSaid) {
  std::string endless;
  for (int i = 0; i < 600; ++i) endless += "长";
  FakeGenerator generator({endless, "", "\n 　"});
  const Draft draft = DraftWith(ExamplePlan(), &generator);
  ASSERT_TRUE(draft.status.ok()) << draft.status.ToString();
  ASSERT_EQ(draft.report.notes.size(), 3U);
  EXPECT_NE(draft.report.notes[0].find("512"), std::string::npos);
  EXPECT_NE(draft.report.notes[1].find("没有写出"), std::string::npos);
  EXPECT_NE(draft.text.find("　　【待补：履行与催收"), std::string::npos);
  EXPECT_NE(draft.text.find("　　【待补：理由"), std::string::npos);
}

TEST(DrafterTest, CancelsAtEveryEvent) {
  const legal::DraftPlan plan = ExamplePlan();
  int cancelled = 0;
  for (int after = 0; after < 400; ++after) {
    FakeGenerator generator(kAnswers);
    const Draft draft = DraftWith(plan, &generator, after);
    if (draft.status.ok()) break;
    EXPECT_EQ(draft.status.code(), StatusCode::kCancelled);
    EXPECT_FALSE(draft.done);
    ++cancelled;
  }
  EXPECT_GT(cancelled, 60);
}

TEST(DrafterTest, AModelThatFailsToLoadIsTheError) {
  const legal::DraftPlan plan = ExamplePlan();
  Drafter drafter(plan, [] { return Result<SpanGenerator*>(NotFoundError("no such model")); });
  std::string text;
  const Result<Report> report = drafter.Run({}, [&](const Event& event) {
    text += event.kind == EventKind::kDelta ? event.text : "";
    return true;
  });
  EXPECT_EQ(report.status().code(), StatusCode::kNotFound);
  EXPECT_NE(text.find("诉讼请求"), std::string::npos)
      << "fixed clauses stream before the model is needed";
}

}  // namespace
}  // namespace zhibi::draft
