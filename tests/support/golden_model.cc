// SPDX-License-Identifier: Apache-2.0
#include "support/golden_model.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/check.h"
#include "base/file.h"
#include "base/json.h"
#include "base/status_macros.h"
#include "import/checkpoint.h"

namespace zhibi::test {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxBytes = std::size_t{1} << 24;

Result<json> ReadJson(const std::string& path) {
  ZB_ASSIGN_OR_RETURN(const std::string text, base::ReadFile(path, kMaxBytes));
  return base::ParseJson(text, path);
}

std::vector<std::int32_t> Ids(const json& object, const char* key) {
  return object.contains(key) ? object[key].get<std::vector<std::int32_t>>()
                              : std::vector<std::int32_t>{};
}

Status ReadArray(const std::string& path, NpyArray<float>& array) {
  if (!std::filesystem::exists(path)) return OkStatus();
  ZB_ASSIGN_OR_RETURN(array, ReadNpyF32(path));
  return OkStatus();
}

}  // namespace

std::string GoldenFolder(std::string_view name) {
  return std::string(ZHIBI_SOURCE_DIR) + "/tests/golden/models/" + std::string(name);
}

Result<GoldenModel> GoldenModel::Load(std::string_view name) {
  GoldenModel model;
  model.name = name;
  model.folder = GoldenFolder(name);
  ZB_ASSIGN_OR_RETURN(model.source, import::Checkpoint::Open(model.folder));
  ZB_ASSIGN_OR_RETURN(const json config, ReadJson(model.folder + "/config.json"));
  ZB_ASSIGN_OR_RETURN(const graph::Family* family,
                      graph::FindFamily(config["architectures"][0].get<std::string>()));
  ZB_ASSIGN_OR_RETURN(model.graphs, family->build(config, *model.source, {}));
  ZB_ASSIGN_OR_RETURN(const json cases, ReadJson(model.folder + "/cases.json"));
  for (const json& entry : cases["sequences"]) {
    model.sequences.push_back({Ids(entry, "ids"), Ids(entry, "positions"), Ids(entry, "source"),
                               Ids(entry, "source_positions"), Ids(entry, "token_types")});
  }
  for (const json& entry : cases.value("greedy", json::array())) {
    model.greedy.push_back({Ids(entry, "source"), Ids(entry, "prompt"), Ids(entry, "tokens"),
                            entry["margins"].get<std::vector<double>>()});
  }
  ZB_RETURN_IF_ERROR(ReadArray(model.folder + "/logits.npy", model.logits));
  ZB_RETURN_IF_ERROR(ReadArray(model.folder + "/hidden.npy", model.hidden));
  ZB_RETURN_IF_ERROR(ReadArray(model.folder + "/pooled.npy", model.pooled));
  return model;
}

const graph::Graph& GoldenModel::plan(std::string_view plan_name) const {
  const auto at = std::ranges::find(graphs.plans, plan_name, &graph::Graph::name);
  ZB_CHECK(at != graphs.plans.end());
  return *at;
}

double RowError(const float* given, const float* exact, std::int64_t size) {
  double difference = 0;
  double largest = 0;
  for (std::int64_t i = 0; i < size; ++i) {
    const double distance = std::abs(static_cast<double>(given[i]) - exact[i]);
    // NaN compares false everywhere: it must not pass as "no difference".
    if (!(distance <= difference)) difference = distance;
    largest = std::max(largest, std::abs(static_cast<double>(exact[i])));
  }
  return difference / largest;
}

}  // namespace zhibi::test
