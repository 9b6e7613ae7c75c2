// SPDX-License-Identifier: Apache-2.0
// TextSession: one sequence seen as text. Appended text is tokenised canonically together with the
// open text before it (design.md §7.13): whatever the model decoded, the tokens in the cache become
// tokenize(text) again before the next turn, so a finished draft's tokens equal
// tokenize(detokenize(draft)) except at borders. Only control tokens are borders: what stands
// between them, the program's and the user's text, is tokenised as one, as the model saw it in
// training. Stop strings match on text across tokens; tokens past a stop are dropped. One client
// thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/engine.h"
#include "text/tokenizer.h"
#include "zhibi/status.h"

namespace zhibi::runtime {

struct SpanRequest {
  std::int64_t max_tokens = 256;
  SamplingOptions sampling;
  std::vector<std::string> stops;
  bool include_stop = false;
  std::vector<TokenId> stop_ids;
  std::shared_ptr<TokenConstraint> constraint;
};

struct SpanOutcome {
  FinishReason reason = FinishReason::kNone;
  std::string text;       // what on_piece got, in one
  int matched_stop = -1;  // index into stops
  TokenId stop_id = -1;
  std::int64_t decoded_tokens = 0;  // sampled, one decoding step each
  std::int64_t forced_tokens = 0;   // by the constraint
  std::int64_t prompt_tokens = 0;   // rows appended for this span
  std::int64_t reused_tokens = 0;   // of them, held by the prefix cache
  double decode_s = 0;              // from the first sampled token to the last, the engine's clock
  std::vector<TokenEvent> events;   // when keep_events
};

class TextSession {
 public:
  // engine and tokenizer outlive the session. capacity 0: the context.
  static Result<std::unique_ptr<TextSession>> Create(Engine& engine,
                                                     const text::Tokenizer& tokenizer,
                                                     std::int64_t capacity);
  ~TextSession();
  TextSession(const TextSession&) = delete;
  TextSession& operator=(const TextSession&) = delete;

  // Text of users or of a document: never becomes a control token.
  void AppendText(std::string_view text);
  // Text of the program: control tokens in it count.
  void AppendTemplate(std::string_view text);
  // What the tokenizer puts before a text, e.g. <|begin_of_text|>.
  void AppendBeginning();
  void AppendTokens(std::vector<TokenId> ids);

  // Decodes until a stop. on_piece gets whole characters; false cancels. The Status is an error of
  // the request or the engine; a cancelled or finished span is an outcome.
  Result<SpanOutcome> Generate(const SpanRequest& request,
                               const std::function<bool(std::string_view)>& on_piece,
                               bool keep_events = false);
  // Cancels a running Generate; from any thread.
  void Cancel();

  // Tokens wanted so far (in the cache or waiting to be appended), and the most that fit.
  std::int64_t size() const { return static_cast<std::int64_t>(tokens().size()); }
  std::int64_t capacity() const { return sequence_->capacity(); }
  // Tokens that `text` would take if it were appended now.
  std::int64_t CountTokens(std::string_view text) const;
  const std::vector<TokenId>& tokens() const;

 private:
  TextSession(Engine& engine, const text::Tokenizer& tokenizer, std::shared_ptr<Sequence> sequence)
      : engine_(engine), tokenizer_(tokenizer), sequence_(std::move(sequence)) {}
  void AppendControl(TokenId id);
  Status StartTurn(const SpanRequest& request, SpanOutcome& outcome);

  Engine& engine_;
  const text::Tokenizer& tokenizer_;
  std::shared_ptr<Sequence> sequence_;
  mutable std::vector<TokenId> wanted_;  // tokens() brings them up to date with open_text_
  mutable bool stale_ = false;
  std::size_t border_ = 0;  // wanted_ before it is settled
  std::string open_text_;   // text after it
};

}  // namespace zhibi::runtime
