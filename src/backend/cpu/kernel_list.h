// SPDX-License-Identifier: Apache-2.0
// How kernels/<op>.cc enters the backend: it defines `void AppendKernels_<op>(const Isa&,
// KernelList*)`, CMake lists the folder and writes the table of these functions. A function appends
// the entries that run on the given instruction sets, best first; entries are static constants.
// Thread rule: pure functions on immutable tables.
#pragma once

#include <span>
#include <vector>

#include "backend/kernel.h"
#include "base/machine.h"

namespace zhibi::cpu {

// What kernels may use; a level that was forced down hides the features above it.
struct Isa {
  base::CpuLevel level = base::CpuLevel::kScalar;
  base::CpuFeatures features;  // base::CpuInfo::usable()
};

using KernelList = std::vector<const backend::KernelEntry*>;

// Entries of all kernels/<op>.cc for an instruction set; one op's entries in order of preference.
KernelList CpuKernels(const Isa& isa);

}  // namespace zhibi::cpu
