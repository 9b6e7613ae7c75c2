// SPDX-License-Identifier: Apache-2.0
#include "legal/case.h"

#include <utility>

#include "base/json.h"
#include "base/status_macros.h"
#include "legal/missing_fields.h"
#include "legal/normalise.h"

namespace zhibi::legal {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxFileBytes = std::size_t{4} << 20;

}  // namespace

Result<CaseSchema> CaseSchema::Load(const std::string& data_dir) {
  ZB_ASSIGN_OR_RETURN(json schema,
                      base::ReadJsonFile(data_dir + "/schemas/case.schema.json", kMaxFileBytes));
  ZB_ASSIGN_OR_RETURN(const json common,
                      base::ReadJsonFile(data_dir + "/schemas/common.schema.json", kMaxFileBytes));
  ZB_ASSIGN_OR_RETURN(JsonSchema checked,
                      JsonSchema::FromJson(std::move(schema), "schemas/case.schema.json", common));
  return CaseSchema(std::move(checked));
}

CaseResult CaseSchema::Read(nlohmann::json case_data) const {
  CaseResult result;
  DropNulls(case_data);
  result.errors = schema_.Validate(case_data);
  if (!case_data.is_object()) return result;
  Normalise(schema_, case_data, result.errors);
  if (!result.errors.empty()) return result;
  result.errors = schema_.Validate(case_data);
  result.data = std::move(case_data);
  return result;
}

}  // namespace zhibi::legal
