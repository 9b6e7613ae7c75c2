// SPDX-License-Identifier: Apache-2.0
// Models of real shapes with random weights, for speed without a checkpoint. Speed is real, text is
// not.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "graph/weights.h"
#include "zhibi/status.h"

namespace zhibi::cli {

std::vector<std::string_view> BenchShapes();  // "30m", "135m", "0.5b"
// config.json of a shape; kInvalidArgument lists the shapes.
Result<nlohmann::json> BenchShapeConfig(std::string_view shape);

// Int8 tensors with row scales for every matrix that the config implies, F32 ones for vectors. All
// are windows into one random block, so that a 0.5B model needs no gigabyte.
std::unique_ptr<graph::WeightSource> RandomWeights(const nlohmann::json& config);

}  // namespace zhibi::cli
