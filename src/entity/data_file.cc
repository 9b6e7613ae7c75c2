// SPDX-License-Identifier: Apache-2.0
#include "entity/data_file.h"

#include <algorithm>

#include "base/json.h"
#include "base/status_macros.h"

namespace zhibi::entity {
namespace {

constexpr std::size_t kMaxTableBytes = std::size_t{8} << 20;

}  // namespace

Result<nlohmann::json> ReadTable(const std::string& data_dir, const std::string& name) {
  const std::string path = data_dir + "/entity/" + name;
  ZB_ASSIGN_OR_RETURN(nlohmann::json json, base::ReadJsonFile(path, kMaxTableBytes));
  if (!json.is_object()) return InvalidArgumentError(path + ": expected an object");
  return json;
}

Result<std::vector<std::string>> StringList(const nlohmann::json& json, const std::string& key,
                                            const std::string& source) {
  const auto found = json.find(key);
  if (found == json.end() || !found->is_array()) {
    return InvalidArgumentError(source + ": \"" + key + "\": expected a list of strings");
  }
  std::vector<std::string> list;
  for (const nlohmann::json& item : *found) {
    if (!item.is_string() || item.get_ref<const std::string&>().empty()) {
      std::string message = source;
      message.append(": \"").append(key).append("\", entry ");
      message.append(std::to_string(list.size())).append(": expected a text");
      return InvalidArgumentError(message);
    }
    list.push_back(item.get<std::string>());
  }
  return list;
}

Result<std::vector<std::vector<std::string>>> Rows(const nlohmann::json& json,
                                                   const std::string& key, std::size_t columns,
                                                   const std::string& source) {
  const auto found = json.find(key);
  if (found == json.end() || !found->is_array()) {
    return InvalidArgumentError(source + ": \"" + key + "\": expected a list of rows");
  }
  std::vector<std::vector<std::string>> rows;
  for (const nlohmann::json& item : *found) {
    std::vector<std::string> row;
    if (item.is_array()) {
      for (const nlohmann::json& cell : item) {
        row.push_back(cell.is_string() ? cell.get<std::string>() : cell.dump());
      }
    }
    if (row.size() != columns) {
      std::string message = source;
      message.append(": \"").append(key).append("\", row ").append(std::to_string(rows.size()));
      message.append(": expected ").append(std::to_string(columns)).append(" values, got ");
      message.append(std::to_string(row.size()));
      return InvalidArgumentError(message);
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string Escaped(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (std::string_view("\\^$.[]|()?*+{}-# ").find(c) != std::string_view::npos) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string Alternatives(std::vector<std::string> words) {
  std::stable_sort(words.begin(), words.end(),
                   [](const std::string& a, const std::string& b) { return a.size() > b.size(); });
  std::string pattern = "(?:";
  for (const std::string& word : words) {
    if (pattern.size() > 3) pattern += '|';
    pattern += Escaped(word);
  }
  return pattern + ")";
}

}  // namespace zhibi::entity
