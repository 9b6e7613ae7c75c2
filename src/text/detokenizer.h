// SPDX-License-Identifier: Apache-2.0
// Streaming detokenizer: token ids in, whole characters out, as early as they are certain.
// Bytes of an unfinished character are held (3 at most); bytes that can no longer become a
// character are replaced by U+FFFD at once, one per maximal subpart (WHATWG), exactly as
// Tokenizer::Decode does it, so that the pieces of a stream always add up to the non-streamed text.
// Thread rule: one thread at a time; the tokenizer outlives it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "text/tokenizer.h"
#include "zhibi/status.h"

namespace zhibi::text {

// The byte half: UTF-8 with replacement over any cuts. Tokenizer::Decode uses it as well.
class Utf8Stream {
 public:
  // Appends to dst the characters that are certain now.
  void Push(std::string_view bytes, std::string* dst);
  // End of the text: a held unfinished character becomes one U+FFFD. Ready for a new text
  // afterwards.
  void Finish(std::string* dst);
  // Bytes held back, 0 to 3.
  int num_held() const { return num_held_; }

 private:
  std::array<char, 4> held_{};
  int num_held_ = 0;
};

class Detokenizer {
 public:
  // tokenizer: not null, outlives this.
  Detokenizer(const Tokenizer* tokenizer, bool skip_special)
      : tokenizer_(tokenizer), skip_special_(skip_special) {}

  // Appends to dst the text that this token makes certain (often nothing for half a character).
  // kInvalidArgument: id outside the vocabulary; the state is unchanged.
  Status Push(TokenId id, std::string* dst);
  // End of the stream: what is held becomes U+FFFD. Ready for a new stream afterwards.
  void Finish(std::string* dst);
  int num_held() const { return stream_.num_held(); }

 private:
  const Tokenizer* tokenizer_;
  bool skip_special_;
  Utf8Stream stream_;
};

}  // namespace zhibi::text
