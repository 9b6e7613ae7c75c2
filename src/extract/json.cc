// SPDX-License-Identifier: Apache-2.0
// Extraction as JSON, with places in code points.
#include <algorithm>

#include "base/utf8.h"
#include "extract/extract.h"

namespace zhibi::extract {
namespace {

using nlohmann::json;

// Byte offsets to code points by one table: a walk for every value would cost a text each.
class Places {
 public:
  explicit Places(std::string_view text) : before_(text.size() + 1) {
    std::size_t count = 0;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t length = base::DecodeUtf8(text.substr(at)).length;
      for (std::size_t i = 0; i < length; ++i) before_[at + i] = count;
      at += length;
      ++count;
    }
    before_[text.size()] = count;
  }
  std::size_t At(std::size_t byte) const { return before_[std::min(byte, before_.size() - 1)]; }

 private:
  std::vector<std::size_t> before_;
};

json One(const Value& value, const Places& places) {
  json made = {{"path", value.path}, {"value", value.value}, {"state", StateName(value.state)}};
  if (value.end > value.begin) {
    made["span"] = {{"start", places.At(value.begin)}, {"end", places.At(value.end)}};
  }
  if (!value.place.empty()) made["place"] = value.place;
  if (!value.note.empty()) made["note"] = value.note;
  return made;
}

json All(const std::vector<Value>& values, const Places& places) {
  json list = json::array();
  for (const Value& value : values) list.push_back(One(value, places));
  return list;
}

}  // namespace

json ToJson(const Extraction& extraction, std::string_view text) {
  const Places places(text);
  json parties = json::array();
  for (const Party& party : extraction.parties) {
    parties.push_back({{"role", party.role},
                       {"side", party.side},
                       {"kind", party.organisation ? "organization" : "natural"},
                       {"fields", All(party.fields, places)}});
  }
  return {{"elements", extraction.elements},
          {"values", All(extraction.values, places)},
          {"parties", std::move(parties)},
          {"people", extraction.people},
          {"people_by_act", extraction.people_by_act},
          {"claims", All(extraction.claims, places)},
          {"holdings", All(extraction.holdings, places)},
          {"sums", All(extraction.sums, places)},
          {"singles", All(extraction.singles, places)}};
}

}  // namespace zhibi::extract
