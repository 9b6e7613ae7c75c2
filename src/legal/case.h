// SPDX-License-Identifier: Apache-2.0
// The one schema of cases (data/schemas/case.schema.json): parties, court, claims, events, evidence
// and facts that do not depend on a kind of document. Doctype::ElementsFromCase takes from it what
// a document needs, so one case gives a set of documents that can't disagree. Thread rule:
// immutable.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "legal/json_schema.h"
#include "zhibi/status.h"

namespace zhibi::legal {

// Either a case in its normal form (dates ISO, sums in fen), or everything that is wrong with it.
struct CaseResult {
  std::vector<Violation> errors;
  nlohmann::json data;
};

class CaseSchema {
 public:
  // kNotFound, kInvalidArgument: the schema's own file.
  static Result<CaseSchema> Load(const std::string& data_dir);

  CaseResult Read(nlohmann::json case_data) const;
  const JsonSchema& schema() const { return schema_; }

 private:
  explicit CaseSchema(JsonSchema schema) : schema_(std::move(schema)) {}
  JsonSchema schema_;
};

}  // namespace zhibi::legal
