// SPDX-License-Identifier: Apache-2.0
#include "entity/causes.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/status_macros.h"
#include "base/utf8.h"
#include "entity/data_file.h"

namespace zhibi::entity {
namespace {

// Half-width commas and blanks of typing do not make another cause.
std::string Plain(std::string_view name) {
  std::string plain;
  for (std::size_t i = 0; i < name.size();) {
    const base::Utf8Char c = base::DecodeUtf8(name.substr(i));
    if (c.code_point == ',' || c.code_point == U'，') {
      plain += "、";
    } else if (c.code_point != ' ' && c.code_point != 0x3000) {
      plain.append(name.substr(i, c.length));
    }
    i += c.length;
  }
  return plain;
}

std::set<char32_t> Characters(std::string_view text) {
  std::set<char32_t> set;
  for (std::size_t i = 0; i < text.size();) {
    const base::Utf8Char c = base::DecodeUtf8(text.substr(i));
    set.insert(c.code_point);
    i += c.length;
  }
  return set;
}

}  // namespace

Result<Causes> Causes::Load(const std::string& data_dir) {
  ZB_ASSIGN_OR_RETURN(const nlohmann::json json, ReadTable(data_dir, "causes.json"));
  const std::string source = "data/entity/causes.json";
  ZB_ASSIGN_OR_RETURN(const auto rows, Rows(json, "causes", 4, source));
  Causes causes;
  if (!json.contains("in_force") || !json["in_force"].is_string()) {
    return InvalidArgumentError(source + ": \"in_force\": expected a date");
  }
  ZB_ASSIGN_OR_RETURN(causes.in_force_, legal::ParseDate(json["in_force"].get<std::string>()));
  for (const std::vector<std::string>& row : rows) {
    if (row[1].size() != 1 || row[1][0] < '1' || row[1][0] > '4') {
      return InvalidArgumentError(source + ": \"" + row[0] + "\": expected a level 1 to 4, got " +
                                  row[1]);
    }
    // A name on two levels (人格权纠纷) stays with the higher one: both are names of causes.
    causes.causes_.emplace(row[0], Cause{row[0], row[2], row[1][0] - '0', row[3]});
    causes.longest_ = std::max(causes.longest_, row[0].size());
  }
  return causes;
}

const Cause* Causes::Find(std::string_view name) const {
  const auto found = causes_.find(Plain(name));
  return found == causes_.end() ? nullptr : &found->second;
}

CauseCheck Causes::Check(std::string_view name, const legal::Date& filed) const {
  if (Find(name) != nullptr) return CauseCheck::kKnown;
  return filed < in_force_ ? CauseCheck::kUnknown : CauseCheck::kWrong;
}

std::vector<std::string> Causes::Nearest(std::string_view name, std::size_t limit) const {
  const std::set<char32_t> wanted = Characters(Plain(name));
  std::vector<std::pair<double, std::string>> scored;
  for (const auto& [key, cause] : causes_) {
    const std::set<char32_t> have = Characters(key);
    std::size_t shared = 0;
    for (const char32_t c : have) shared += wanted.count(c);
    const double all = static_cast<double>(wanted.size() + have.size() - shared);
    if (shared > 2 && all > 0) scored.emplace_back(-static_cast<double>(shared) / all, key);
  }
  std::sort(scored.begin(), scored.end());
  std::vector<std::string> nearest;
  for (const auto& [score, key] : scored) {
    if (nearest.size() == limit) break;
    nearest.push_back(key);
  }
  return nearest;
}

const Cause* Causes::EndingAt(std::string_view text, std::size_t end) const {
  const std::size_t begin = base::BorderFrom(text, end > longest_ ? end - longest_ : 0);
  const std::string_view window = text.substr(begin, end - begin);
  for (std::size_t i = 0; i < window.size(); i += base::DecodeUtf8(window.substr(i)).length) {
    const auto found = causes_.find(window.substr(i));
    if (found != causes_.end()) return &found->second;
  }
  return nullptr;
}

}  // namespace zhibi::entity
