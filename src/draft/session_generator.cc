// SPDX-License-Identifier: Apache-2.0
#include "draft/session_generator.h"

#include <algorithm>
#include <ctime>
#include <utility>

#include "base/status_macros.h"

namespace zhibi::draft {
Result<std::unique_ptr<SessionGenerator>> SessionGenerator::Create(
    runtime::Engine& engine, const text::Tokenizer& tokenizer,
    std::optional<text::ChatTemplate> chat) {
  // NOLINTNEXTLINE(cppcoreguidelines-owning-memory): private constructor
  std::unique_ptr<SessionGenerator> generator(
      new SessionGenerator(engine, tokenizer, std::move(chat)));
  ZB_ASSIGN_OR_RETURN(generator->session_, runtime::TextSession::Create(engine, tokenizer, 0));
  return generator;
}

bool SessionGenerator::KnowsControlToken(std::string_view token) const {
  const std::optional<text::TokenId> id = tokenizer_.IdOf(token);
  return id.has_value() && tokenizer_.IsControl(*id);
}

Status SessionGenerator::AppendForced(std::string_view text, bool is_template) {
  if (is_template) {
    session_->AppendTemplate(text);
  } else {
    session_->AppendText(text);
  }
  return OkStatus();
}

std::int64_t SessionGenerator::tokens_used() const { return session_->size(); }

std::int64_t SessionGenerator::CountTokens(std::string_view text, bool is_template) const {
  return static_cast<std::int64_t>(tokenizer_.Encode(text, {.parse_special = is_template}).size());
}

Result<SpanResult> SessionGenerator::Generate(const SpanOptions& options, const PieceFn& on_piece) {
  runtime::SpanRequest request;
  request.max_tokens = options.max_tokens;
  request.sampling.temperature = options.temperature;
  request.sampling.top_p = options.top_p;
  request.sampling.seed = options.seed;
  request.stop_ids = engine_.info().model.eos_ids;
  for (const std::string& stop : options.stop) {
    const std::optional<text::TokenId> id = tokenizer_.IdOf(stop);
    if (id.has_value() && tokenizer_.IsControl(*id)) {
      if (std::find(request.stop_ids.begin(), request.stop_ids.end(), *id) ==
          request.stop_ids.end()) {
        request.stop_ids.push_back(*id);
      }
    } else {
      request.stops.push_back(stop);
    }
  }
  ZB_ASSIGN_OR_RETURN(const runtime::SpanOutcome outcome, session_->Generate(request, on_piece));
  SpanResult result;
  result.text = outcome.text;
  result.decoded_tokens = outcome.decoded_tokens;
  result.decode_s = outcome.decode_s;
  switch (outcome.reason) {
    case runtime::FinishReason::kLength:
      result.end = SpanEnd::kLength;
      break;
    case runtime::FinishReason::kCancelled:
      result.end = SpanEnd::kCancelled;
      break;
    case runtime::FinishReason::kStop:
    case runtime::FinishReason::kNone:
    case runtime::FinishReason::kError:
      result.end = SpanEnd::kStop;
      break;
  }
  return result;
}

Result<legal::Segments> SessionGenerator::RenderChat(std::string_view user_text) const {
  if (!chat_) return NotFoundError("the model has no chat template");
  text::ChatOptions options;
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  if (localtime_r(&now, &local) != nullptr) options.now = local;
  // Models that think aloud would fill the limit of tokens before the first word of the draft.
  options.variables["enable_thinking"] = false;
  const nlohmann::ordered_json messages = {{{"role", "user"}, {"content", std::string(user_text)}}};
  return chat_->Render(messages, options);
}

}  // namespace zhibi::draft
