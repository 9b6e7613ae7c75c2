// SPDX-License-Identifier: Apache-2.0
// Which sections the courts' documents consist of, in which order, and what must not stand in them:
// rules.json "tables.sections" (each section once) and "tables.documents" (which document has
// which). Other documents are described by "structure" of their document type. Thread rule:
// immutable after loading; DoctypeStructures may be asked from many threads.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "legal/doctype.h"
#include "rules/matcher.h"
#include "rules/view.h"
#include "zhibi/status.h"

namespace zhibi::rules {

struct DocumentSection {
  std::string zh;
  std::string rule;  // that speaks when the section is missing: STR-01, STR-04, STR-05
  std::shared_ptr<const Pattern> pattern;
  // Needed only in texts where `when` is found and `unless` is not; null: no condition.
  std::shared_ptr<const Pattern> when;
  std::shared_ptr<const Pattern> unless;
  bool required = true;
  bool ordered = true;         // its place in the order is fixed
  bool last = false;           // its place is the last match, not the first
  bool in_head = false;        // looked for in the first lines only
  bool after_holding = false;  // looked for behind the holding's opening words only
  std::string at;              // where its lack is shown: "title", "holding", "end"
  std::string suggestion;
  Basis basis;
};

struct ForbiddenWords {
  std::shared_ptr<const Pattern> pattern;
  std::vector<std::string> parts;  // of the text (PartName); empty: everywhere
  std::string message;
  std::string suggestion;
  std::optional<Level> level;
  Basis basis;
};

struct DocumentStructure {
  std::string zh;
  std::vector<std::string> doctypes;
  std::vector<std::string> instances;  // empty: all
  std::shared_ptr<const Pattern> when;
  std::shared_ptr<const Pattern> unless;
  std::vector<DocumentSection> sections;  // in order
  std::vector<ForbiddenWords> forbidden;
};

class StructureTable {
 public:
  // `tables`: "tables" of rules.json, `source` its file. kInvalidArgument names the entry.
  static Result<StructureTable> FromJson(const nlohmann::json& tables, const std::string& source);

  // The first description that fits the text, null if none does.
  const DocumentStructure* For(const View& view) const;

 private:
  std::vector<DocumentStructure> documents_;
};

// Structures of document types, each read once.
class DoctypeStructures {
 public:
  explicit DoctypeStructures(std::string data_dir);

  // Null: there is no such type. Errors name the type's file that is malformed.
  Result<std::shared_ptr<const legal::Structure>> For(std::string_view doctype);
  // With the conditions of its sections decided by the elements; elements that the type refuses
  // decide nothing.
  Result<std::shared_ptr<const legal::Structure>> For(std::string_view doctype,
                                                      const nlohmann::json& elements,
                                                      const legal::Date& today);

 private:
  std::string data_dir_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const legal::Structure>, std::less<>> known_;
};

}  // namespace zhibi::rules
