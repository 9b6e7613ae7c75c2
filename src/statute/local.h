// SPDX-License-Identifier: Apache-2.0
// Statutes that users add themselves: local regulations, laws newer than the shipped table. Their
// rows lie in one folder with the texts (store.h), in the form of table.json, and stay theirs: the
// shipped table is never written. Table::Load reads both. Thread rule: functions thread-safe; two
// programs that add at the same time leave one of the two results, whole.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "legal/date.h"
#include "statute/store_text.h"
#include "statute/table.h"
#include "zhibi/status.h"

namespace zhibi::statute {

// base::UserDir() + "/statutes"; empty where the system names no such folder.
std::string LocalDir();

// What a text does not say of itself.
struct RowFacts {
  Kind kind = Kind::kLocalRegulation;
  std::optional<legal::Date> published;
  std::optional<legal::Date> from;
  std::string adopted_by;
  std::string document_number;
  legal::Date as_of;
};
// A row of a text: articles, those inserted and struck out, paragraphs and items.
Statute RowOf(const StatuteText& text, const RowFacts& facts);

// Puts rows beside those of dir/table.json; versions of a name that is there join it.
// kInvalidArgument as Table::FromJson, for the file that is there.
Status AddRows(const std::string& dir, std::vector<Statute> rows);

// The form of table.json; Table::FromJson reads it back.
nlohmann::ordered_json RowToJson(const Statute& statute);

// The versions of `newer` joined to `older`: a version of the same day is replaced, an older one
// ends where the next begins.
void JoinVersions(Statute& older, Statute&& newer);

}  // namespace zhibi::statute
