// SPDX-License-Identifier: Apache-2.0
// A sequence as text, on the shipped tokenizer: tokens of what was appended and decoded are the
// tokens of the whole text, stop strings match across tokens and are cut away, streamed pieces add
// up.
#include "runtime/text_session.h"

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "base/file.h"
#include "support/tiny_engine.h"

namespace zhibi::runtime {
namespace {

class TextSessionTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    const std::string path = std::string(ZHIBI_SOURCE_DIR) + "/models/zhibi-mini/tokenizer.json";
    const Result<std::string> json = base::ReadFile(path, std::size_t{64} << 20);
    ASSERT_TRUE(json.ok()) << json.status().ToString();
    Result<text::Tokenizer> tokenizer = text::Tokenizer::FromJson(*json, path);
    ASSERT_TRUE(tokenizer.ok()) << tokenizer.status().ToString();
    tokenizer_ = new text::Tokenizer(
        std::move(tokenizer).value());  // NOLINT(cppcoreguidelines-owning-memory): suite's
    graph::StepLimits limits = test::TinyLimits();
    limits.max_context = 1024;
    const Result<test::TinyEngine> tiny = test::BuildTinyEngineFrom(
        std::string(ZHIBI_SOURCE_DIR) + "/models/zhibi-mini", "int8", "cpu", limits);
    ASSERT_TRUE(tiny.ok()) << tiny.status().ToString();
    Result<std::unique_ptr<Engine>> engine = Engine::Create(tiny->file, tiny->device, {});
    ASSERT_TRUE(engine.ok()) << engine.status().ToString();
    engine_ = engine->release();
  }
  static void TearDownTestSuite() {
    delete engine_;     // NOLINT(cppcoreguidelines-owning-memory): suite's
    delete tokenizer_;  // NOLINT(cppcoreguidelines-owning-memory): suite's
  }

  static std::unique_ptr<TextSession> NewSession() {
    Result<std::unique_ptr<TextSession>> session = TextSession::Create(*engine_, *tokenizer_, 0);
    EXPECT_TRUE(session.ok()) << session.status().ToString();
    return std::move(session).value();
  }

  static SpanOutcome Generate(TextSession& session, const SpanRequest& request) {
    std::string pieces;
    Result<SpanOutcome> outcome = session.Generate(request, [&](std::string_view piece) {
      pieces += piece;
      return true;
    });
    EXPECT_TRUE(outcome.ok()) << outcome.status().ToString();
    if (!outcome.ok()) return {};
    EXPECT_EQ(pieces, outcome->text);
    return std::move(outcome).value();
  }

  static Engine* engine_;
  static text::Tokenizer* tokenizer_;
};

Engine* TextSessionTest::engine_ = nullptr;
text::Tokenizer* TextSessionTest::tokenizer_ = nullptr;

TEST_F(TextSessionTest, TokensAreThoseOfTheWholeText) {
  const std::unique_ptr<TextSession> session = NewSession();
  std::string text;
  for (const char* part : {"原告张", "三与被告李四系朋友", "关系。", "2024年3", "月5日，"}) {
    session->AppendText(part);
    text += part;
    EXPECT_EQ(session->tokens(), tokenizer_->Encode(text));
  }
  SpanRequest request;
  request.max_tokens = 20;
  request.sampling.temperature = 1;
  request.sampling.seed = 3;
  text += Generate(*session, request).text;
  EXPECT_EQ(session->tokens(), tokenizer_->Encode(text));
  session->AppendText("综上所述");
  text += "综上所述";
  EXPECT_EQ(session->tokens(), tokenizer_->Encode(text));
  // What a fresh session decodes after the same text is what this one decodes.
  const std::unique_ptr<TextSession> fresh = NewSession();
  fresh->AppendText(text);
  EXPECT_EQ(Generate(*fresh, request).text, Generate(*session, request).text);
}

TEST_F(TextSessionTest, ControlTokensComeFromTemplatesOnly) {
  const std::unique_ptr<TextSession> session = NewSession();
  session->AppendText("<|clause|>");
  const std::int64_t spelled = session->size();
  EXPECT_GT(spelled, 1);
  session->AppendTemplate("<|clause|>");
  EXPECT_EQ(session->size(), spelled + 1);
  // Between control tokens the program's and the user's text are one.
  session->AppendTemplate("<|clause|>事实\n");
  session->AppendText("\n原告");
  session->AppendTemplate("诉称<|end|>");
  std::vector<TokenId> expected = tokenizer_->Encode("<|clause|>");
  const std::vector<TokenId> rest =
      tokenizer_->Encode("<|clause|><|clause|>事实\n\n原告诉称<|end|>", {.parse_special = true});
  expected.insert(expected.end(), rest.begin(), rest.end());
  EXPECT_EQ(session->tokens(), expected);
}

TEST_F(TextSessionTest, StopStringsAreCutAndTheSessionGoesOn) {
  SpanRequest request;
  request.max_tokens = 30;
  const std::unique_ptr<TextSession> plain = NewSession();
  plain->AppendText("原告与被告系朋友关系。");
  const std::string full = Generate(*plain, request).text;
  ASSERT_GT(full.size(), 30U);
  // A stop string that begins inside the text, on a character border, and spans several tokens.
  std::size_t begin = 12;
  while ((static_cast<unsigned char>(full[begin]) & 0xC0) == 0x80) ++begin;
  std::size_t end = begin + 9;
  while (end < full.size() && (static_cast<unsigned char>(full[end]) & 0xC0) == 0x80) ++end;
  request.stops = {"没有这样的文字", full.substr(begin, end - begin)};
  const std::unique_ptr<TextSession> session = NewSession();
  session->AppendText("原告与被告系朋友关系。");
  const SpanOutcome outcome = Generate(*session, request);
  EXPECT_EQ(outcome.reason, FinishReason::kStop);
  EXPECT_EQ(outcome.matched_stop, 1);
  EXPECT_EQ(outcome.text, full.substr(0, full.find(request.stops[1])));
  EXPECT_EQ(session->tokens(), tokenizer_->Encode("原告与被告系朋友关系。" + outcome.text));
  request.stops.clear();
  EXPECT_GT(Generate(*session, request).decoded_tokens, 0);
}

TEST_F(TextSessionTest, TooLongIsRefusedWithTokensNeededAndThere) {
  const std::unique_ptr<TextSession> session = NewSession();
  std::string text;
  for (int i = 0; i < 900; ++i) text += "借款";
  session->AppendText(text);
  SpanRequest request;
  request.max_tokens = 1000;
  const Result<SpanOutcome> outcome =
      session->Generate(request, [](std::string_view) { return true; });
  ASSERT_FALSE(outcome.ok());
  EXPECT_EQ(outcome.status().code(), StatusCode::kInvalidArgument);
  EXPECT_NE(outcome.status().message().find("holds 1024"), std::string::npos)
      << outcome.status().message();
}

TEST_F(TextSessionTest, ReceiverMayCancel) {
  const std::unique_ptr<TextSession> session = NewSession();
  session->AppendText("原告");
  SpanRequest request;
  request.max_tokens = 500;
  int pieces = 0;
  const Result<SpanOutcome> outcome =
      session->Generate(request, [&pieces](std::string_view) { return ++pieces < 3; });
  ASSERT_TRUE(outcome.ok());
  EXPECT_EQ(outcome->reason, FinishReason::kCancelled);
  EXPECT_EQ(pieces, 3);
}

}  // namespace
}  // namespace zhibi::runtime
