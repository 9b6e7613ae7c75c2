// SPDX-License-Identifier: Apache-2.0
// What a family says of a golden model's config with one key changed. For the tests of this folder.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "base/file.h"
#include "fake_source.h"
#include "support/golden_model.h"

namespace zhibi::test {

inline std::string GoldenFault(const char* name, const char* architecture, const char* key,
                               const nlohmann::json& value) {
  const auto model = GoldenModel::Load(name);
  if (!model.ok()) return model.status().ToString();
  auto config = base::ParseJson(base::ReadFile(model->folder + "/config.json", 1 << 20).value(),
                                "config.json")
                    .value();
  config[key] = value;
  return Fault(architecture, config.dump(), *model->source);
}

}  // namespace zhibi::test
