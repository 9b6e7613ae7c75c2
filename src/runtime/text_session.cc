// SPDX-License-Identifier: Apache-2.0
#include "runtime/text_session.h"

#include <algorithm>
#include <utility>

#include "base/status_macros.h"
#include "text/detokenizer.h"
#include "text/stop.h"

namespace zhibi::runtime {
namespace {

// Longest control token that is looked for.
constexpr std::size_t kMaxControlBytes = 64;

// Length of the control token at `at`, 0 for none; the longest wins.
std::size_t ControlAt(const text::Tokenizer& tokenizer, std::string_view text, std::size_t at) {
  if (text[at] != '<' && text[at] != '[') return 0;
  const char close = text[at] == '<' ? '>' : ']';
  const std::string_view window = text.substr(at, kMaxControlBytes);
  std::size_t longest = 0;
  for (std::size_t end = window.find(close); end != std::string_view::npos;
       end = window.find(close, end + 1)) {
    const std::optional<text::TokenId> id = tokenizer.IdOf(window.substr(0, end + 1));
    if (id.has_value() && tokenizer.IsControl(*id)) longest = end + 1;
  }
  return longest;
}

}  // namespace

Result<std::unique_ptr<TextSession>> TextSession::Create(Engine& engine,
                                                         const text::Tokenizer& tokenizer,
                                                         std::int64_t capacity) {
  ZB_ASSIGN_OR_RETURN(std::shared_ptr<Sequence> sequence, engine.NewSequence(capacity));
  return std::unique_ptr<TextSession>(  // NOLINT(cppcoreguidelines-owning-memory): private
                                        // constructor
      new TextSession(engine, tokenizer, std::move(sequence)));
}

TextSession::~TextSession() { engine_.Close(sequence_); }

const std::vector<TokenId>& TextSession::tokens() const {
  if (stale_) {
    wanted_.resize(border_);
    tokenizer_.EncodeTo(open_text_, {}, &wanted_);
    stale_ = false;
  }
  return wanted_;
}

void TextSession::AppendText(std::string_view text) {
  open_text_ += text;
  stale_ = true;
}

void TextSession::AppendControl(TokenId id) { AppendTokens({id}); }

void TextSession::AppendTemplate(std::string_view text) {
  std::size_t plain = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = ControlAt(tokenizer_, text, at);
    if (length == 0) {
      ++at;
      continue;
    }
    AppendText(text.substr(plain, at - plain));
    AppendControl(*tokenizer_.IdOf(text.substr(at, length)));
    at += length;
    plain = at;
  }
  AppendText(text.substr(plain));
}

void TextSession::AppendBeginning() {
  AppendTokens(tokenizer_.Encode("", {.add_special_tokens = true}));
}

void TextSession::AppendTokens(std::vector<TokenId> ids) {
  static_cast<void>(tokens());
  wanted_.insert(wanted_.end(), ids.begin(), ids.end());
  border_ = wanted_.size();
  open_text_.clear();
}

std::int64_t TextSession::CountTokens(std::string_view text) const {
  const std::int64_t open = size() - static_cast<std::int64_t>(border_);
  return static_cast<std::int64_t>(tokenizer_.Encode(open_text_ + std::string(text)).size()) - open;
}

void TextSession::Cancel() { engine_.Cancel(sequence_); }

Status TextSession::StartTurn(const SpanRequest& request, SpanOutcome& outcome) {
  const std::vector<TokenId>& wanted = tokens();
  const std::span<const TokenId> held = sequence_->tokens();
  const auto common = static_cast<std::size_t>(
      std::mismatch(held.begin(), held.end(), wanted.begin(), wanted.end()).second -
      wanted.begin());
  if (common < held.size())
    ZB_RETURN_IF_ERROR(engine_.Truncate(sequence_, static_cast<std::int64_t>(common)));
  Turn turn;
  turn.append.assign(wanted.begin() + static_cast<std::ptrdiff_t>(common), wanted.end());
  turn.max_tokens = request.max_tokens;
  turn.sampling = request.sampling;
  turn.stop_ids = request.stop_ids;
  turn.constraint = request.constraint;
  outcome.prompt_tokens = static_cast<std::int64_t>(turn.append.size());
  return engine_.Start(sequence_, std::move(turn));
}

Result<SpanOutcome> TextSession::Generate(const SpanRequest& request,
                                          const std::function<bool(std::string_view)>& on_piece,
                                          bool keep_events) {
  ZB_ASSIGN_OR_RETURN(text::StopMatcher matcher,
                      text::StopMatcher::Create(request.stops, request.include_stop));
  SpanOutcome outcome;
  ZB_RETURN_IF_ERROR(StartTurn(request, outcome));
  text::Detokenizer detokenizer(&tokenizer_, /*skip_special=*/true);
  bool wanted = true;
  std::string certain;
  std::string piece;
  auto deliver = [&] {
    if (piece.empty()) return;
    outcome.text += piece;
    wanted = on_piece(piece) && wanted;
    piece.clear();
  };
  Status status;
  std::int64_t first_ns = 0;
  while (const std::optional<TokenEvent> event = sequence_->Next()) {
    ++(event->forced ? outcome.forced_tokens : outcome.decoded_tokens);
    if (!event->forced) {
      if (first_ns == 0) first_ns = event->time_ns;
      outcome.decode_s = static_cast<double>(event->time_ns - first_ns) / 1e9;
    }
    if (matcher.stopped() || !wanted || !status.ok()) continue;
    if (keep_events) outcome.events.push_back(*event);
    certain.clear();
    status = detokenizer.Push(event->id, &certain);
    const bool stopped = matcher.Push(certain, &piece);
    deliver();
    if (stopped || !wanted || !status.ok()) engine_.Cancel(sequence_);
  }
  if (!matcher.stopped() && wanted) {
    certain.clear();
    detokenizer.Finish(&certain);
    if (!matcher.Push(certain, &piece)) matcher.Finish(&piece);
    deliver();
  }
  const TurnResult result = sequence_->result();
  if (status.ok()) status = result.status;
  if (!status.ok() && result.reason != FinishReason::kCancelled) return status;
  outcome.reason = matcher.stopped() ? FinishReason::kStop : result.reason;
  outcome.matched_stop = matcher.matched();
  outcome.stop_id = matcher.stopped() ? -1 : result.stop_id;
  outcome.reused_tokens = result.reused;
  AppendText(outcome.text);
  return outcome;
}

}  // namespace zhibi::runtime
