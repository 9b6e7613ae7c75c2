// SPDX-License-Identifier: Apache-2.0
#include "entity/courts.h"

#include "base/status_macros.h"
#include "entity/data_file.h"

namespace zhibi::entity {

Result<Courts> Courts::Load(const std::string& data_dir) {
  ZB_ASSIGN_OR_RETURN(const nlohmann::json json, ReadTable(data_dir, "courts.json"));
  ZB_ASSIGN_OR_RETURN(const auto rows, Rows(json, "courts", 3, "data/entity/courts.json"));
  Courts courts;
  courts.names_["最高法"] = "最高人民法院";
  courts.codes_["最高人民法院"] = "最高法";
  for (const std::vector<std::string>& row : rows) {
    courts.names_[row[0]] = row[1];
    courts.codes_[row[1]] = row[0];
    // 昆山市人民法院 and 江苏省昆山市人民法院 are one court.
    if (row[1].starts_with(row[2])) {
      courts.codes_.emplace(row[1].substr(row[2].size()), row[0]);
    } else {
      courts.codes_.emplace(row[2] + row[1], row[0]);
    }
  }
  return courts;
}

std::string_view Courts::NameOf(std::string_view code) const {
  const auto found = names_.find(code);
  return found == names_.end() ? std::string_view() : std::string_view(found->second);
}

std::string_view Courts::CodeOf(std::string_view name) const {
  const auto found = codes_.find(name);
  return found == codes_.end() ? std::string_view() : std::string_view(found->second);
}

CourtLevel LevelOfCourtName(std::string_view name) {
  const auto has = [&](std::string_view word) { return name.find(word) != std::string_view::npos; };
  if (!has("法院")) return CourtLevel::kUnknown;
  if (has("最高人民法院")) return CourtLevel::kSupreme;
  if (has("高级人民法院")) return CourtLevel::kHigh;
  if (has("中级") || has("海事法院") || has("知识产权法院") || has("金融法院")) {
    return CourtLevel::kIntermediate;
  }
  return CourtLevel::kBasic;
}

}  // namespace zhibi::entity
