// SPDX-License-Identifier: Apache-2.0
// Byte-level BPE tokenizer: a Hugging Face tokenizer.json, or the mapped blob that is made from
// one. Why a blob: the engine file carries it, and a vocabulary of 150,000 tokens must be ready in
// milliseconds, so the tokenizer works on views into those bytes and builds nothing at load. Text
// that comes from users never becomes a control token unless the caller asks for it
// (EncodeOptions::parse_special). Thread rule: immutable and thread-safe after creation; copies are
// cheap and share the same bytes. Ids follow Hugging Face's `tokenizers` library; where they do
// not, docs/adr/0020-tokenizer.md says so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "zhibi/status.h"

namespace zhibi::text {

using TokenId = std::int32_t;

struct EncodeOptions {
  // true: added tokens (control tokens such as <|im_end|> included) found in the text become their
  // ids; for text of the program itself, e.g. of a chat template. false: for text of users; text
  // that spells a control token is encoded as plain text. Added tokens that are plain text
  // themselves (runs of blanks) are still used.
  bool parse_special = false;
  // true: what the file's post-processor puts around one sequence, e.g. <|begin_of_text|>.
  bool add_special_tokens = false;
};

class TokenizerData;  // tokenizer_data.h: the views and tables; private to src/text

class Tokenizer {
 public:
  // tokenizer_json: the file's text, hostile; `source` names it in messages.
  // kInvalidArgument: malformed, contradictory; kResourceExhausted: over a limit (tokenizer_json.h
  // lists them); kUnimplemented: a model, normalizer, pre-tokenizer or pattern that zhibi does not
  // know, named in the message.
  static Result<Tokenizer> FromJson(std::string_view tokenizer_json, std::string_view source);

  // The blob (tokenizer_blob.h gives its layout): version, little endian, no checksum. FromBlob
  // takes it.
  std::string Serialize() const;

  // Views into `blob`, which the caller keeps alive and unchanged as long as this tokenizer or a
  // copy of it lives. blob.data() must be aligned to 8 bytes. kDataLoss: truncated or out of range,
  // with the field; kUnimplemented: a newer version.
  static Result<Tokenizer> FromBlob(std::span<const std::byte> blob);

  // Bytes that are not UTF-8 are read as U+FFFD, one per maximal subpart. Never fails; time grows
  // near-linearly.
  std::vector<TokenId> Encode(std::string_view text, EncodeOptions options = {}) const;
  // The same, appended to dst.
  void EncodeTo(std::string_view text, EncodeOptions options, std::vector<TokenId>* dst) const;

  // Valid UTF-8 always: invalid bytes become U+FFFD, one per maximal subpart (WHATWG).
  // kInvalidArgument: an id that is not in the vocabulary, with its place. skip_special leaves out
  // the tokens of IsSpecial.
  Result<std::string> Decode(std::span<const TokenId> ids, bool skip_special) const;

  // Raw bytes of a token, often not valid UTF-8 alone; empty for an id outside the vocabulary.
  // Lives as long as the tokenizer (for FromBlob: as the blob).
  std::string_view TokenBytes(TokenId id) const;
  // Marked `special` in the file. false outside the vocabulary.
  bool IsSpecial(TokenId id) const;
  // Special, or an added token written like markup (<think>): never made from text of users.
  bool IsControl(TokenId id) const;
  // In the vocabulary (ids may have holes).
  bool IsValid(TokenId id) const;
  // One more than the largest id.
  std::int64_t vocab_size() const;
  // token_text: raw bytes ("你好", "<|im_end|>"), not the file's byte-level spelling. Added tokens
  // come first.
  std::optional<TokenId> IdOf(std::string_view token_text) const;

 private:
  explicit Tokenizer(std::shared_ptr<const TokenizerData> data) : data_(std::move(data)) {}
  // Shared among copies of the tokenizer, all of which own it.
  std::shared_ptr<const TokenizerData> data_;
};

}  // namespace zhibi::text
