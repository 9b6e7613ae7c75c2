// SPDX-License-Identifier: Apache-2.0
// SpanGenerator: what drafting needs of a model. One object is one sequence: text is forced onto it
// or decoded from it, and later text sees all that came before. draft/session_generator.h is the
// one over the runtime; tests use their own. Thread rule: one thread at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "legal/doctype.h"
#include "zhibi/status.h"

namespace zhibi::draft {

struct SpanOptions {
  std::vector<std::string> stop;  // strings or control tokens; never part of the text
  std::int64_t max_tokens = 512;
  float temperature = 0;  // 0: greedy
  float top_p = 1;
  std::uint64_t seed = 0;
};

enum class SpanEnd : std::uint8_t {
  kStop,       // a stop string or an end token
  kLength,     // max_tokens, or the sequence is full
  kCancelled,  // on_piece answered false
};

struct SpanResult {
  std::string text;  // all pieces
  std::int64_t decoded_tokens = 0;
  // From the first decoded token to the last, by the generator's clock: a reader that the system
  // wakes late does not change it.
  double decode_s = 0;
  SpanEnd end = SpanEnd::kStop;
};

using PieceFn = std::function<bool(std::string_view piece)>;

class SpanGenerator {
 public:
  virtual ~SpanGenerator() = default;

  // Appends text without decoding, tokenised canonically (the last open token included, design.md
  // §7.13). Control tokens count in template text only.
  virtual Status AppendForced(std::string_view text, bool is_template) = 0;
  // Decodes until a stop. on_piece gets whole characters only; false cancels. The text joins the
  // sequence, the stop does not.
  virtual Result<SpanResult> Generate(const SpanOptions& options, const PieceFn& on_piece) = 0;

  virtual std::int64_t context_tokens() const = 0;
  virtual std::int64_t tokens_used() const = 0;
  // Tokens of a text on its own.
  virtual std::int64_t CountTokens(std::string_view text, bool is_template) const = 0;
  virtual bool KnowsControlToken(std::string_view token) const = 0;
  // One user message in the model's chat template, ready for the answer. kNotFound: the model has
  // none.
  virtual Result<legal::Segments> RenderChat(std::string_view user_text) const = 0;
};

}  // namespace zhibi::draft
