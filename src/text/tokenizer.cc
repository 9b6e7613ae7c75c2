// SPDX-License-Identifier: Apache-2.0
#include "text/tokenizer.h"

#include <algorithm>
#include <utility>

#include "base/status_macros.h"
#include "base/utf8.h"
#include "text/added_tokens.h"
#include "text/bpe.h"
#include "text/detokenizer.h"
#include "text/normalizer.h"
#include "text/split_pattern.h"
#include "text/tokenizer_blob.h"
#include "text/tokenizer_data.h"
#include "text/tokenizer_json.h"

namespace zhibi::text {
namespace {

// One call of Encode: cuts text at added tokens, normalizes, splits, merges.
class Encoder {
 public:
  Encoder(const TokenizerData& data, bool with_control, std::vector<TokenId>* dst)
      : data_(data), with_control_(with_control), dst_(dst) {}

  // text: valid UTF-8.
  void Run(std::string_view text) {
    CutAtAdded(AddedGroup::kRaw, text, [this](std::string_view piece) { Normalize(piece); });
  }

 private:
  template <typename Next>
  void CutAtAdded(AddedGroup group, std::string_view text, Next next) {
    std::size_t from = 0;
    if (HasAddedTokens(data_, group, with_control_)) {
      while (from < text.size()) {
        const AddedMatch match = FindAddedToken(data_, group, with_control_, text, from);
        if (match.token == nullptr) break;
        if (match.begin > from) next(text.substr(from, match.begin - from));
        dst_->push_back(static_cast<TokenId>(match.token->id));
        from = match.end;
      }
    }
    if (from < text.size()) next(text.substr(from));
  }

  void Normalize(std::string_view piece) {
    const auto plain = [this](std::string_view text) { Plain(text); };
    if (data_.nfc && !IsCertainlyNfc(piece)) {
      CutAtAdded(AddedGroup::kNormalized, ToNfc(piece), plain);
    } else {
      CutAtAdded(AddedGroup::kNormalized, piece, plain);
    }
  }

  void Plain(std::string_view piece) {
    if (data_.prefix_space && piece.front() != ' ') {
      Split(0, std::string(" ").append(piece));
    } else {
      Split(0, piece);
    }
  }

  // Applies the splits from `depth` on; each sees only the piece that the one before it left. depth
  // <= 255.
  void Split(std::size_t depth, std::string_view piece) {
    if (depth == data_.splits.size()) {
      EncodeWord(data_, piece, dst_);
      return;
    }
    const auto pattern = static_cast<SplitPattern>(data_.splits[depth]);
    while (!piece.empty()) {
      const auto length = static_cast<std::size_t>(NextPiece(pattern, piece) - piece.data());
      Split(depth + 1, piece.substr(0, length));
      piece.remove_prefix(length);
    }
  }

  const TokenizerData& data_;
  bool with_control_;
  std::vector<TokenId>* dst_;
};

}  // namespace

Result<Tokenizer> Tokenizer::FromJson(std::string_view tokenizer_json, std::string_view source) {
  ZB_ASSIGN_OR_RETURN(const TokenizerSpec spec, ReadTokenizerJson(tokenizer_json, source));
  auto data = std::make_shared<TokenizerData>();
  data->storage = WriteBlob(spec);
  ZB_RETURN_IF_ERROR(ReadBlob(std::as_bytes(std::span(data->storage)), data.get()));
  return Tokenizer(std::move(data));
}

Result<Tokenizer> Tokenizer::FromBlob(std::span<const std::byte> blob) {
  auto data = std::make_shared<TokenizerData>();
  ZB_RETURN_IF_ERROR(ReadBlob(blob, data.get()));
  return Tokenizer(std::move(data));
}

std::string Tokenizer::Serialize() const {
  return {reinterpret_cast<const char*>(data_->blob.data()), data_->blob.size()};
}

void Tokenizer::EncodeTo(std::string_view text, EncodeOptions options,
                         std::vector<TokenId>* dst) const {
  if (options.add_special_tokens)
    dst->insert(dst->end(), data_->prefix.begin(), data_->prefix.end());
  Encoder encoder(*data_, options.parse_special, dst);
  if (base::IsValidUtf8(text)) {
    encoder.Run(text);
  } else {
    encoder.Run(base::RepairUtf8(text));
  }
  if (options.add_special_tokens)
    dst->insert(dst->end(), data_->suffix.begin(), data_->suffix.end());
}

std::vector<TokenId> Tokenizer::Encode(std::string_view text, EncodeOptions options) const {
  std::vector<TokenId> ids;
  ids.reserve(text.size() / 4 + 8);
  EncodeTo(text, options, &ids);
  return ids;
}

Result<std::string> Tokenizer::Decode(std::span<const TokenId> ids, bool skip_special) const {
  std::string text;
  text.reserve(ids.size() * 6);
  Utf8Stream stream;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (!IsValid(ids[i])) {
      return InvalidArgumentError("token " + std::to_string(i) + ": id " + std::to_string(ids[i]) +
                                  " is not in the vocabulary of " + std::to_string(vocab_size()));
    }
    if (skip_special && IsSpecial(ids[i])) continue;
    stream.Push(TokenBytes(ids[i]), &text);
  }
  stream.Finish(&text);
  return text;
}

std::string_view Tokenizer::TokenBytes(TokenId id) const {
  return IsValid(id) ? data_->TokenBytes(static_cast<std::size_t>(id)) : std::string_view();
}

bool Tokenizer::IsValid(TokenId id) const {
  return id >= 0 && id < vocab_size() &&
         (data_->token_flags[static_cast<std::size_t>(id)] & kTokenPresent) != 0;
}

bool Tokenizer::IsSpecial(TokenId id) const {
  return IsValid(id) && (data_->token_flags[static_cast<std::size_t>(id)] & kTokenSpecial) != 0;
}

bool Tokenizer::IsControl(TokenId id) const {
  return IsValid(id) && (data_->token_flags[static_cast<std::size_t>(id)] & kTokenControl) != 0;
}

std::int64_t Tokenizer::vocab_size() const {
  return static_cast<std::int64_t>(data_->num_tokens());
}

std::optional<TokenId> Tokenizer::IdOf(std::string_view token_text) const {
  // A handful of added tokens (818 at most in the known files): a scan is enough, this is not on
  // the token path.
  for (const AddedRecord& record : data_->added) {
    if (data_->TokenBytes(record.id) == token_text) return static_cast<TokenId>(record.id);
  }
  const std::int32_t id = data_->FindWord(token_text);
  return id >= 0 ? std::optional<TokenId>(id) : std::nullopt;
}

}  // namespace zhibi::text
