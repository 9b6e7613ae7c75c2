// SPDX-License-Identifier: Apache-2.0
#include "text/detokenizer.h"

#include <cstddef>
#include <cstring>

#include "base/utf8.h"

namespace zhibi::text {

void Utf8Stream::Push(std::string_view bytes, std::string* dst) {
  // A held beginning grows byte by byte until it is a character, or never can be one.
  while (num_held_ > 0 && !bytes.empty()) {
    held_[static_cast<std::size_t>(num_held_)] = bytes.front();
    const std::string_view held(held_.data(), static_cast<std::size_t>(num_held_) + 1);
    const base::Utf8Char c = base::DecodeUtf8(held);
    if (c.state == base::Utf8State::kInvalid) {
      // The new byte does not belong to the beginning before it: it stays for the rest.
      dst->append(base::kReplacementUtf8);
      num_held_ = 0;
      break;
    }
    bytes.remove_prefix(1);
    ++num_held_;
    if (c.state == base::Utf8State::kValid) {
      dst->append(held);
      num_held_ = 0;
    }
  }
  while (!bytes.empty()) {
    const std::size_t valid = base::ValidUtf8Prefix(bytes);
    dst->append(bytes.substr(0, valid));
    bytes.remove_prefix(valid);
    if (bytes.empty()) return;
    const base::Utf8Char c = base::DecodeUtf8(bytes);
    if (c.state == base::Utf8State::kIncomplete) {
      std::memcpy(held_.data(), bytes.data(), bytes.size());
      num_held_ = static_cast<int>(bytes.size());
      return;
    }
    dst->append(base::kReplacementUtf8);
    bytes.remove_prefix(c.length);
  }
}

void Utf8Stream::Finish(std::string* dst) {
  if (num_held_ > 0) dst->append(base::kReplacementUtf8);
  num_held_ = 0;
}

Status Detokenizer::Push(TokenId id, std::string* dst) {
  if (!tokenizer_->IsValid(id)) {
    return InvalidArgumentError("token id " + std::to_string(id) + " is not in the vocabulary of " +
                                std::to_string(tokenizer_->vocab_size()));
  }
  if (skip_special_ && tokenizer_->IsSpecial(id)) return OkStatus();
  stream_.Push(tokenizer_->TokenBytes(id), dst);
  return OkStatus();
}

void Detokenizer::Finish(std::string* dst) { stream_.Finish(dst); }

}  // namespace zhibi::text
