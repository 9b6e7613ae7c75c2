// SPDX-License-Identifier: Apache-2.0
// The backends that are linked into the program, as OpenDevice and CreateFencedDevice see them;
// each folder implements its own functions. backend/ includes no backend's header (layers.txt), so
// the borders are declared here. Thread-safe.
#pragma once

#include <memory>
#include <span>

#include "backend/backend.h"

namespace zhibi::reference {

// One entry an op and weight format; they answer everything. Layout "row_major". Static.
std::span<const backend::KernelEntry* const> ReferenceKernels();
Result<std::unique_ptr<backend::Device>> OpenReferenceDevice(const backend::DeviceOptions& options);

}  // namespace zhibi::reference

namespace zhibi::cpu {

Result<std::unique_ptr<backend::Device>> OpenCpuDevice(
    const backend::DeviceOptions& options, std::span<const backend::KernelEntry* const> fallback);

}  // namespace zhibi::cpu
