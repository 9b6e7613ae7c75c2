// SPDX-License-Identifier: Apache-2.0
// The sampler's passes for one instruction set: sample_body.h on the vectors of vec_avx512.h.
#include "backend/cpu/kernels/sample_body.h"
#include "backend/cpu/kernels/vec_avx512.h"

namespace zhibi::cpu {

const SampleKernels& SampleKernelsAvx512() { return SamplePasses<Vec>::kKernels; }

}  // namespace zhibi::cpu
