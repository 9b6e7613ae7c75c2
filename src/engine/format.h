// SPDX-License-Identifier: Apache-2.0
// The small sections of an engine file as bytes: info, plans, weight table. Our own compact form
// and no JSON, since these are read on every start (load path: a few hundred microseconds). A
// change of any field raises kFormatVersion. Functions; thread-safe. Contract:
// docs/contracts/engine.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/plan.h"
#include "zhibi/status.h"

namespace zhibi::engine {

std::string SerializeInfo(const EngineInfo& info);
std::string SerializePlans(const std::vector<Plan>& plans);
std::string SerializeWeights(const std::vector<PackedWeight>& weights);

// `offset` is where the section starts in the file, for messages. kDataLoss names section, offset,
// field, what was expected and what came. Plans are well-formed, not yet valid (ValidatePlan).
Result<EngineInfo> ParseInfo(std::span<const std::byte> bytes, std::uint64_t offset);
Result<std::vector<Plan>> ParsePlans(std::span<const std::byte> bytes, std::uint64_t offset);
Result<std::vector<PackedWeight>> ParseWeights(std::span<const std::byte> bytes,
                                               std::uint64_t offset);

}  // namespace zhibi::engine
