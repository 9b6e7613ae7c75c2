// SPDX-License-Identifier: Apache-2.0
// Courts: names and the codes of their case numbers, a sample of about 270 of 3,500 read off
// published judgments (data/entity/courts.json). A miss is "unknown", never an error. Thread-safe.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "entity/case_number.h"
#include "zhibi/status.h"

namespace zhibi::entity {

class Courts {
 public:
  static Result<Courts> Load(const std::string& data_dir);

  // 京0105 -> 北京市朝阳区人民法院; "" when unknown.
  std::string_view NameOf(std::string_view code) const;
  // The reverse; names are tried with and without the province. "" when unknown.
  std::string_view CodeOf(std::string_view name) const;
  std::size_t size() const { return names_.size(); }

 private:
  std::map<std::string, std::string, std::less<>> names_;  // code -> name
  std::map<std::string, std::string, std::less<>> codes_;  // name -> code
};

// From the words of the name: 最高, 高级, 中级 (and the special intermediate courts), else basic.
CourtLevel LevelOfCourtName(std::string_view name);

}  // namespace zhibi::entity
