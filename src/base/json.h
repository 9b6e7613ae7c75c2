// SPDX-License-Identifier: Apache-2.0
// Reading JSON from foreign bytes: strict (RFC 8259), UTF-8 checked, duplicate keys refused,
// nesting limited; errors carry line and column. For building JSON use nlohmann::json itself.
// Thread-safe.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "zhibi/status.h"

namespace zhibi::base {

struct JsonLimits {
  std::size_t max_depth = 64;
  std::size_t max_bytes = std::size_t{256} << 20;
};

// `source` names the text in messages, e.g. the path. A leading UTF-8 byte order mark is skipped.
// kInvalidArgument: "config.json:3:17: duplicate key "hidden_size"".
Result<nlohmann::json> ParseJson(std::string_view text, std::string_view source,
                                 const JsonLimits& limits = {});

// A whole file, named by its path in messages. Also ReadFile's errors (base/file.h).
Result<nlohmann::json> ReadJsonFile(const std::string& path, std::size_t max_bytes);

}  // namespace zhibi::base
