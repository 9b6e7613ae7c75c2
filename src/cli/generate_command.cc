// SPDX-License-Identifier: Apache-2.0
#include "cli/generate_command.h"

#include <chrono>
#include <cstdio>
#include <ctime>

#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/interrupt.h"
#include "base/json.h"
#include "base/status_macros.h"
#include "runtime/text_session.h"
#include "text/chat_template.h"

namespace zhibi::cli {
namespace {

std::string_view ReasonName(runtime::FinishReason reason) {
  switch (reason) {
    case runtime::FinishReason::kStop:
      return "stop";
    case runtime::FinishReason::kLength:
      return "length";
    case runtime::FinishReason::kCancelled:
      return "cancelled";
    case runtime::FinishReason::kNone:
    case runtime::FinishReason::kError:
      return "error";
  }
  return "error";
}

// Template text may hold control tokens, text of the messages never (text/chat_template.h).
Status AppendChat(const GenerateOptions& options, const LoadedModel& model,
                  runtime::TextSession& session) {
  ZB_ASSIGN_OR_RETURN(const std::string text, base::ReadFile(options.chat, std::size_t{16} << 20));
  ZB_ASSIGN_OR_RETURN(const nlohmann::json messages, base::ParseJson(text, options.chat));
  const std::string source = options.model.model + ": tokenizer_config.json";
  ZB_ASSIGN_OR_RETURN(
      const nlohmann::json config,
      base::ParseJson(model.tokenizer_config.empty() ? "{}" : model.tokenizer_config, source));
  ZB_ASSIGN_OR_RETURN(const text::ChatTemplate chat,
                      text::ChatTemplate::FromTokenizerConfig(config, source, model.chat_template));
  text::ChatOptions chat_options;
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  if (localtime_r(&now, &local) != nullptr) chat_options.now = local;
  ZB_ASSIGN_OR_RETURN(const std::vector<text::RenderedSegment> segments,
                      chat.Render(messages, chat_options));
  for (const text::RenderedSegment& segment : segments) {
    if (segment.is_template) {
      session.AppendTemplate(segment.text);
    } else {
      session.AppendText(segment.text);
    }
  }
  return OkStatus();
}

void PrintJson(const runtime::SpanOutcome& outcome, double seconds, double first_ms) {
  nlohmann::ordered_json json;
  json["text"] = outcome.text;
  json["finish_reason"] = ReasonName(outcome.reason);
  json["usage"] = {{"prompt_tokens", outcome.prompt_tokens},
                   {"completion_tokens", outcome.decoded_tokens + outcome.forced_tokens},
                   {"cached_tokens", outcome.reused_tokens}};
  std::vector<runtime::TokenId> ids;
  for (const runtime::TokenEvent& event : outcome.events) ids.push_back(event.id);
  json["ids"] = ids;
  json["first_token_ms"] = first_ms;
  json["seconds"] = seconds;
  std::printf("%s\n", json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace).c_str());
}

}  // namespace

Status RunGenerate(const GenerateOptions& options) {
  ZB_ASSIGN_OR_RETURN(const LoadedModel model, LoadModel(options.model));
  if (model.tokenizer == nullptr) {
    return InvalidArgumentError(options.model.model +
                                ": has no tokenizer.json: expected one beside the weights");
  }
  ZB_ASSIGN_OR_RETURN(const std::unique_ptr<runtime::TextSession> session,
                      runtime::TextSession::Create(*model.engine, *model.tokenizer, 0));
  if (options.chat.empty()) {
    session->AppendBeginning();
    session->AppendText(options.prompt);
  } else {
    ZB_RETURN_IF_ERROR(AppendChat(options, model, *session));
  }
  runtime::SpanRequest request;
  request.max_tokens = options.max_tokens;
  request.sampling = options.sampling;
  request.stops = options.stops;
  if (!options.ignore_eos) request.stop_ids = model.engine->info().model.eos_ids;
  const auto start = std::chrono::steady_clock::now();
  double first_ms = 0;
  auto elapsed = [&start] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  ZB_ASSIGN_OR_RETURN(const runtime::SpanOutcome outcome, session->Generate(
                                                              request,
                                                              [&](std::string_view piece) {
                                                                if (first_ms == 0)
                                                                  first_ms = elapsed() * 1e3;
                                                                if (!options.json) {
                                                                  std::fwrite(piece.data(), 1,
                                                                              piece.size(), stdout);
                                                                  std::fflush(stdout);
                                                                }
                                                                return !base::Interrupted();
                                                              },
                                                              options.json));
  if (options.json) {
    PrintJson(outcome, elapsed(), first_ms);
  } else {
    std::printf("\n");
    std::fprintf(
        stderr,
        "%lld tokens in %.3f s (%.1f tokens/s), prompt %lld tokens, first text after %.1f ms, %s\n",
        static_cast<long long>(outcome.decoded_tokens), elapsed(),
        static_cast<double>(outcome.decoded_tokens) / elapsed(),
        static_cast<long long>(outcome.prompt_tokens), first_ms,
        std::string(ReasonName(outcome.reason)).c_str());
  }
  return base::Interrupted() ? CancelledError("interrupted") : OkStatus();
}

}  // namespace zhibi::cli
