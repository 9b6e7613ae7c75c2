// SPDX-License-Identifier: Apache-2.0
// Before an engine's weights are handed to kernels: every kernel that the plan names must read no
// more bytes than the file holds for its weights, and in the layout that they are packed in. An
// engine file is foreign bytes; a plan that is sound in itself may still not fit this program's
// kernels. Stateless; thread-safe.
#pragma once

#include <span>
#include <vector>

#include "backend/kernel.h"
#include "engine/plan.h"
#include "zhibi/status.h"

namespace zhibi::runtime {

// kernels: the entries of plan.kernels, in order. kDataLoss names op, weight, bytes expected and
// given.
Status CheckWeights(const engine::Plan& plan, const std::vector<engine::PackedWeight>& weights,
                    std::span<const backend::KernelEntry* const> kernels);

}  // namespace zhibi::runtime
