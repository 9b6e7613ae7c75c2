// SPDX-License-Identifier: Apache-2.0
// SessionGenerator: SpanGenerator over a sequence of the runtime (runtime/text_session.h). Thread
// rule: one thread; engine and tokenizer outlive it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "draft/generator.h"
#include "runtime/text_session.h"
#include "text/chat_template.h"
#include "text/tokenizer.h"

namespace zhibi::draft {

class SessionGenerator : public SpanGenerator {
 public:
  // `chat`: the model's chat template, none when it has none.
  static Result<std::unique_ptr<SessionGenerator>> Create(runtime::Engine& engine,
                                                          const text::Tokenizer& tokenizer,
                                                          std::optional<text::ChatTemplate> chat);

  Status AppendForced(std::string_view text, bool is_template) override;
  Result<SpanResult> Generate(const SpanOptions& options, const PieceFn& on_piece) override;
  std::int64_t context_tokens() const override { return session_->capacity(); }
  std::int64_t tokens_used() const override;
  std::int64_t CountTokens(std::string_view text, bool is_template) const override;
  bool KnowsControlToken(std::string_view token) const override;
  Result<legal::Segments> RenderChat(std::string_view user_text) const override;

 private:
  SessionGenerator(runtime::Engine& engine, const text::Tokenizer& tokenizer,
                   std::optional<text::ChatTemplate> chat)
      : engine_(engine), tokenizer_(tokenizer), chat_(std::move(chat)) {}
  runtime::Engine& engine_;
  const text::Tokenizer& tokenizer_;
  std::optional<text::ChatTemplate> chat_;
  std::unique_ptr<runtime::TextSession> session_;
};

}  // namespace zhibi::draft
