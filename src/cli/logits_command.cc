// SPDX-License-Identifier: Apache-2.0
#include "cli/logits_command.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <limits>
#include <system_error>

#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/json.h"
#include "base/status_macros.h"
#include "cli/npy.h"

namespace zhibi::cli {
namespace {

using runtime::TokenId;

Status WriteLogits(runtime::Engine& engine, const std::vector<TokenId>& ids,
                   const std::string& path) {
  const std::int64_t vocab = engine.vocab();
  const auto length = static_cast<std::int64_t>(ids.size());
  std::vector<float> logits(static_cast<std::size_t>(length * vocab));
  ZB_ASSIGN_OR_RETURN(const std::shared_ptr<runtime::Sequence> sequence,
                      engine.NewSequence(length));
  runtime::Turn turn;
  turn.append = ids;
  turn.logits_sink = [&](std::int64_t position, std::span<const float> row) {
    std::copy(row.begin(), row.end(), logits.begin() + position * vocab);
  };
  ZB_RETURN_IF_ERROR(engine.Start(sequence, std::move(turn)));
  const runtime::TurnResult result = sequence->Wait();
  if (!result.status.ok()) return result.status;
  engine.Close(sequence);
  const std::int64_t shape[] = {length, vocab};
  return WriteNpy(path, "<f4", shape, std::as_bytes(std::span(logits)));
}

Status RunGreedy(runtime::Engine& engine, const std::vector<TokenId>& ids, std::int64_t tokens,
                 const std::string& path) {
  const auto length = static_cast<std::int64_t>(ids.size());
  ZB_ASSIGN_OR_RETURN(const std::shared_ptr<runtime::Sequence> sequence,
                      engine.NewSequence(length + tokens));
  runtime::Turn turn;
  turn.append = ids;
  turn.max_tokens = tokens;
  ZB_RETURN_IF_ERROR(engine.Start(sequence, std::move(turn)));
  const runtime::TurnResult result = sequence->Wait();
  if (!result.status.ok()) return result.status;
  const std::vector<std::int64_t> out(sequence->tokens().begin() + length,
                                      sequence->tokens().end());
  engine.Close(sequence);
  const std::int64_t shape[] = {static_cast<std::int64_t>(out.size())};
  return WriteNpy(path, "<i8", shape, std::as_bytes(std::span(out)));
}

}  // namespace

Result<std::vector<std::vector<TokenId>>> ParseIdLists(const std::string& text,
                                                       const std::string& source) {
  ZB_ASSIGN_OR_RETURN(const nlohmann::json json, base::ParseJson(text, source));
  if (!json.is_array()) return InvalidArgumentError(source + ": expected a list of token-id lists");
  std::vector<std::vector<TokenId>> lists;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const std::string place = source + ": list " + std::to_string(i);
    if (!json[i].is_array() || json[i].empty()) {
      return InvalidArgumentError(place + ": expected a list of at least one token id");
    }
    std::vector<TokenId>& ids = lists.emplace_back();
    for (std::size_t j = 0; j < json[i].size(); ++j) {
      const nlohmann::json& value = json[i][j];
      if (!value.is_number_integer() || value.get<std::int64_t>() < 0 ||
          value.get<std::int64_t>() > std::numeric_limits<TokenId>::max()) {
        return InvalidArgumentError(place + ", entry " + std::to_string(j) +
                                    ": expected a token id, got " + value.dump());
      }
      ids.push_back(value.get<TokenId>());
    }
  }
  return lists;
}

Status RunLogits(const LogitsOptions& options) {
  ZB_ASSIGN_OR_RETURN(const std::string text, base::ReadFile(options.ids, std::size_t{64} << 20));
  ZB_ASSIGN_OR_RETURN(const std::vector<std::vector<TokenId>> lists,
                      ParseIdLists(text, options.ids));
  std::error_code error;
  std::filesystem::create_directories(options.out, error);
  if (error)
    return UnavailableError(options.out + ": cannot create the folder: " + error.message());
  ZB_ASSIGN_OR_RETURN(const LoadedModel model, LoadModel(options.model));
  for (std::size_t i = 0; i < lists.size(); ++i) {
    const std::string index = std::to_string(i);
    ZB_RETURN_IF_ERROR(
        WriteLogits(*model.engine, lists[i], options.out + "/logits" + index + ".npy")
            .WithContext(options.ids + ": list " + index));
    if (options.greedy > 0) {
      ZB_RETURN_IF_ERROR(RunGreedy(*model.engine, lists[i], options.greedy,
                                   options.out + "/greedy" + index + ".npy")
                             .WithContext(options.ids + ": list " + index));
    }
  }
  return OkStatus();
}

}  // namespace zhibi::cli
