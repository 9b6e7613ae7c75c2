// SPDX-License-Identifier: Apache-2.0
// The sampler's passes for one instruction set: sample_body.h on the vectors of vec_scalar.h.
#include "backend/cpu/kernels/sample_body.h"
#include "backend/cpu/kernels/vec_scalar.h"

namespace zhibi::cpu {

const SampleKernels& SampleKernelsScalar() { return SamplePasses<Vec>::kKernels; }

}  // namespace zhibi::cpu
