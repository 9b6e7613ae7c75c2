// SPDX-License-Identifier: Apache-2.0
// A small tokenizer.json for tests: 256 bytes, merges trained on the legal sample, a few added
// tokens.
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace zhibi::text {

constexpr std::string_view kQwen2Regex =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";

// Ids 0 to 255: the bytes; then the merges in order; then <|im_start|>, <|im_end|> (special) and
// <think> (not). Pre-tokenizer of Qwen2, NFC, 800 merges; the same value every time, safe to
// change.
nlohmann::json TinyTokenizer();

// {"id": ..., "content": ..., flags false, "special": special, "normalized": false}
nlohmann::json AddedToken(int id, const std::string& content, bool special);

// The file's spelling of raw bytes, by a table of its own.
std::string SpellBytes(std::string_view bytes);

}  // namespace zhibi::text
