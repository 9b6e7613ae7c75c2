// SPDX-License-Identifier: Apache-2.0
#include "cli/tokenize_command.h"

#include <cstdio>

#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/json.h"
#include "base/status_macros.h"
#include "cli/model_loader.h"

namespace zhibi::cli {
namespace {

// Ids with the text of each token; a part of a character is shown as its bytes.
void PrintTable(const text::Tokenizer& tokenizer, const std::vector<text::TokenId>& ids) {
  for (const text::TokenId id : ids) {
    const std::string bytes(tokenizer.TokenBytes(id));
    const nlohmann::json shown(bytes);
    std::string text;
    try {
      text = shown.dump();
    } catch (const nlohmann::json::exception&) {
      for (const char c : bytes) {
        char hex[8];
        std::snprintf(hex, sizeof(hex), "<%02X>",
                      static_cast<unsigned>(static_cast<unsigned char>(c)));
        text += hex;
      }
    }
    std::printf("%7d  %s\n", id, text.c_str());
  }
  std::printf("%zu tokens\n", ids.size());
}

}  // namespace

Status RunTokenize(const TokenizeOptions& options) {
  std::shared_ptr<const engine::EngineFile> keep_alive;
  ZB_ASSIGN_OR_RETURN(const std::unique_ptr<text::Tokenizer> tokenizer,
                      LoadTokenizer(options.model, keep_alive));
  const text::EncodeOptions encode{.parse_special = options.parse_special,
                                   .add_special_tokens = options.add_special_tokens};
  if (options.file.empty()) {
    const std::vector<text::TokenId> ids = tokenizer->Encode(options.text, encode);
    if (options.json) {
      std::printf("%s\n", nlohmann::json(ids).dump().c_str());
    } else {
      PrintTable(*tokenizer, ids);
    }
    return OkStatus();
  }
  ZB_ASSIGN_OR_RETURN(const std::string text, base::ReadFile(options.file, std::size_t{256} << 20));
  ZB_ASSIGN_OR_RETURN(const nlohmann::json list, base::ParseJson(text, options.file));
  if (!list.is_array()) return InvalidArgumentError(options.file + ": expected a list of strings");
  nlohmann::json answer = nlohmann::json::array();
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!list[i].is_string()) {
      return InvalidArgumentError(options.file + ": entry " + std::to_string(i) +
                                  ": expected a string, got " + list[i].type_name());
    }
    answer.push_back(tokenizer->Encode(list[i].get_ref<const std::string&>(), encode));
  }
  std::printf("%s\n", answer.dump().c_str());
  return OkStatus();
}

}  // namespace zhibi::cli
