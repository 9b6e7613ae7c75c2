// SPDX-License-Identifier: Apache-2.0
// linear for AVX2 with FMA and F16C, all formats, on the layouts of linear_kernel.h. Float formats
// read x itself and sum acc = fma(w, x, acc), k ascending (bf16 activations are not rounded here).
// Integers are exact: vpmaddubsw multiplies |w| with x carrying w's sign, so a pair sum is at most
// 2 * 128 * 127 = 32512 and never saturates; int4 needs no sign trick (15 * 127 * 8 columns fit).
// Lost: widening both operands to 16 bit for vpmaddwd (half the speed, same result).
#include <immintrin.h>

#include "backend/cpu/kernels/linear_kernel.h"
#include "backend/cpu/kernels/math_avx2.h"

namespace zhibi::cpu {
namespace {

constexpr int kFloatRows = 3;    // 12 accumulators of 16 registers
constexpr int kIntegerRows = 2;  // 8 accumulators and the unpacking

[[gnu::always_inline]] inline __m256i Load(const std::byte* at) {
  return _mm256_load_si256(reinterpret_cast<const __m256i*>(at));
}

// One number or 8 of a row of results: v is [32] and padded, so that only stores look at the width.
void Epilogue(const LinearCall& call, std::int64_t row, std::int64_t panel, float* v) {
  const std::int64_t n_begin = panel * kPanel;
  const std::int64_t width = call.n - n_begin < kPanel ? call.n - n_begin : kPanel;
  if (call.row_scales != nullptr) {
    for (int i = 0; i < kPanel; ++i) v[i] *= call.row_scales[row];
  }
  if (call.bias != nullptr) {
    for (std::int64_t i = 0; i < width; ++i) v[i] += call.bias[n_begin + i];
  }
  std::int64_t count = width;
  std::int64_t at = row * call.n + n_begin;
  alignas(32) float y[kPanel] = {};
  if (call.gated) {
    count = width / 2;
    at = row * (call.n / 2) + n_begin / 2;
    alignas(32) float gate[kPanel / 2];
    for (int i = 0; i < kPanel / 2; ++i) gate[i] = v[2 * i];
    for (int i = 0; i < kPanel / 2; i += 8) {
      _mm256_store_ps(gate + i, Activate(call.activation, _mm256_load_ps(gate + i)));
    }
    for (int i = 0; i < kPanel / 2; ++i) y[i] = gate[i] * v[2 * i + 1];
  } else {
    for (int i = 0; i < kPanel; i += 8) {
      _mm256_store_ps(y + i, Activate(call.activation, _mm256_load_ps(v + i)));
    }
  }
  if (call.residual != nullptr) {
    for (std::int64_t i = 0; i < count; ++i) y[i] += call.residual[at + i];
  }
  for (std::int64_t i = 0; i < count; ++i) call.dst[at + i] = y[i];
}

struct F32Format {
  static constexpr std::int64_t kStep = 1;
  static constexpr std::int64_t kStepBytes = 128;
  [[gnu::always_inline]] static __m256 Weights(const std::byte* w, int c, int /*k*/) {
    return _mm256_load_ps(reinterpret_cast<const float*>(w + 32 * c));
  }
};

struct F16Format {
  static constexpr std::int64_t kStep = 1;
  static constexpr std::int64_t kStepBytes = 64;
  [[gnu::always_inline]] static __m256 Weights(const std::byte* w, int c, int /*k*/) {
    return _mm256_cvtph_ps(_mm_load_si128(reinterpret_cast<const __m128i*>(w + 16 * c)));
  }
};

struct BF16Format {
  static constexpr std::int64_t kStep = 2;
  static constexpr std::int64_t kStepBytes = 128;
  [[gnu::always_inline]] static __m256 Weights(const std::byte* w, int c, int k) {
    const __m256i both = Load(w + 32 * c);
    return _mm256_castsi256_ps(k == 0 ? _mm256_slli_epi32(both, 16)
                                      : _mm256_and_si256(both, _mm256_set1_epi32(-65536)));
  }
};

template <typename F, int MR>
void FloatTile(const LinearCall& call, const std::byte* w, std::int64_t row, std::int64_t panel) {
  __m256 acc[MR][4];
  for (int r = 0; r < MR; ++r) {
    for (int c = 0; c < 4; ++c) acc[r][c] = _mm256_setzero_ps();
  }
  const float* x = call.x + row * call.k;
  for (std::int64_t k = 0; k < call.k; k += F::kStep, w += F::kStepBytes) {
#pragma GCC unroll 2
    for (int s = 0; s < F::kStep; ++s) {
      if (k + s >= call.k) break;
      __m256 b[MR];
#pragma GCC unroll 3
      for (int r = 0; r < MR; ++r) b[r] = _mm256_broadcast_ss(x + r * call.k + k + s);
#pragma GCC unroll 4
      for (int c = 0; c < 4; ++c) {
        const __m256 weights = F::Weights(w, c, s);
#pragma GCC unroll 3
        for (int r = 0; r < MR; ++r) acc[r][c] = _mm256_fmadd_ps(weights, b[r], acc[r][c]);
      }
    }
  }
  for (int r = 0; r < MR; ++r) {
    alignas(32) float v[kPanel];
    for (int c = 0; c < 4; ++c) _mm256_store_ps(v + 8 * c, acc[r][c]);
    Epilogue(call, row + r, panel, v);
  }
}

[[gnu::always_inline]] inline __m256i Unit(const std::byte* x) {
  return _mm256_set1_epi32(*reinterpret_cast<const std::int32_t*>(x));
}

template <int MR>
void I8Tile(const LinearCall& call, const std::byte* w, std::int64_t row, std::int64_t panel) {
  const std::byte* x = call.units + row * call.units_per_row * 4 + 4 * MR;  // behind start values
  const std::int64_t units = call.units_per_row - 1;
  const __m256i offset = _mm256_set1_epi8(-128);
  const __m256i ones = _mm256_set1_epi16(1);
  __m256i acc[MR][4];
  for (int r = 0; r < MR; ++r) {
    for (int c = 0; c < 4; ++c) acc[r][c] = _mm256_setzero_si256();
  }
  for (std::int64_t u = 0; u < units; ++u, w += 128, x += 4 * MR) {
#pragma GCC unroll 4
    for (int c = 0; c < 4; ++c) {
      const __m256i weights = _mm256_xor_si256(Load(w + 32 * c), offset);
      const __m256i magnitude = _mm256_abs_epi8(weights);
#pragma GCC unroll 2
      for (int r = 0; r < MR; ++r) {
        const __m256i pairs =
            _mm256_maddubs_epi16(magnitude, _mm256_sign_epi8(Unit(x + 4 * r), weights));
        acc[r][c] = _mm256_add_epi32(acc[r][c], _mm256_madd_epi16(pairs, ones));
      }
    }
  }
  for (int r = 0; r < MR; ++r) {
    alignas(32) float v[kPanel];
    for (int c = 0; c < 4; ++c) {
      const __m256 scale = _mm256_load_ps(reinterpret_cast<const float*>(w + 32 * c));
      _mm256_store_ps(v + 8 * c, _mm256_mul_ps(_mm256_cvtepi32_ps(acc[r][c]), scale));
    }
    Epilogue(call, row + r, panel, v);
  }
}

template <int MR>
void I4Tile(const LinearCall& call, const std::byte* w, std::int64_t row, std::int64_t panel) {
  const std::byte* x = call.units + row * call.units_per_row * 4;
  const std::int64_t groups = call.units_per_row / 9;
  const __m256i nibble = _mm256_set1_epi8(15);
  const __m256i ones = _mm256_set1_epi16(1);
  __m256 acc[MR][4];
  for (int r = 0; r < MR; ++r) {
    for (int c = 0; c < 4; ++c) acc[r][c] = _mm256_setzero_ps();
  }
  for (std::int64_t g = 0; g < groups; ++g, w += kI4BlockBytes, x += 36 * MR) {
#pragma GCC unroll 4
    for (int c = 0; c < 4; ++c) {
      __m256i sum[MR];
      for (int r = 0; r < MR; ++r) sum[r] = _mm256_setzero_si256();
#pragma GCC unroll 4
      for (int j = 0; j < 4; ++j) {
        const __m256i both = Load(w + 128 * j + 32 * c);
        const __m256i low = _mm256_and_si256(both, nibble);
        const __m256i high = _mm256_and_si256(_mm256_srli_epi16(both, 4), nibble);
#pragma GCC unroll 2
        for (int r = 0; r < MR; ++r) {
          const __m256i first = Unit(x + 4 * (MR * (1 + 2 * j) + r));
          const __m256i second = Unit(x + 4 * (MR * (2 + 2 * j) + r));
          sum[r] = _mm256_add_epi16(sum[r], _mm256_add_epi16(_mm256_maddubs_epi16(low, first),
                                                             _mm256_maddubs_epi16(high, second)));
        }
      }
      const __m256 scale =
          _mm256_cvtph_ps(_mm_load_si128(reinterpret_cast<const __m128i*>(w + 512 + 16 * c)));
      for (int r = 0; r < MR; ++r) {
        const __m256i total = _mm256_add_epi32(_mm256_madd_epi16(sum[r], ones), Unit(x + 4 * r));
        acc[r][c] = _mm256_fmadd_ps(_mm256_cvtepi32_ps(total), scale, acc[r][c]);
      }
    }
  }
  for (int r = 0; r < MR; ++r) {
    alignas(32) float v[kPanel];
    for (int c = 0; c < 4; ++c) _mm256_store_ps(v + 8 * c, acc[r][c]);
    Epilogue(call, row + r, panel, v);
  }
}

// As InverseScale of linear_prepare_avx512.h.
float InverseScale(const float* x, std::int64_t k, float* scale) {
  std::int32_t top = 0;
  for (std::int64_t i = 0; i < k; ++i) {
    std::int32_t bits = 0;
    __builtin_memcpy(&bits, x + i, sizeof(bits));
    bits &= 0x7FFFFFFF;
    top = bits > top ? bits : top;
  }
  float absmax = 0;
  __builtin_memcpy(&absmax, &top, sizeof(absmax));
  if (top >= 0x7F800000) {
    *scale = __builtin_nanf("");
    return 0;
  }
  if (absmax < 1e-35F) {
    *scale = 0;
    return 0;
  }
  *scale = absmax / 127.0F;
  return 127.0F / absmax;
}

// Quantises row r of a tile into units with stride mr, `header` units in front of each `group`
// units; a header starts a sum at -offset times the sum of the group's codes.
void PrepareRow(const float* x, std::int64_t k, float inverse, int mr, std::int64_t group,
                int offset, std::int32_t* units) {
  const std::int64_t count = CeilDiv(k, 4);
  for (std::int64_t first = 0; first < count; first += group) {
    std::int32_t* const header = units;
    units += mr;
    // Unsigned: infinite activations convert to the least integer, and their sum may wrap.
    std::uint32_t total = 0;
    for (std::int64_t u = first; u < first + group; ++u, units += mr) {
      std::uint32_t four = 0;
      for (int b = 0; b < 4; ++b) {
        const std::int64_t i = 4 * u + b;
        const std::int32_t q =
            i < k ? _mm_cvtss_si32(_mm_set_ss(x[i] * inverse)) : 0;  // to nearest, ties to even
        total += static_cast<std::uint32_t>(q);
        four |= (static_cast<std::uint32_t>(q) & 255U) << (8 * b);
      }
      __builtin_memcpy(units, &four, sizeof(four));
    }
    *header = static_cast<std::int32_t>(0U - static_cast<std::uint32_t>(offset) * total);
  }
}

void PrepareTile(const LinearCall& call, std::int64_t tile, bool grouped) {
  const std::int64_t row = RowTileBegin(call, tile);
  const int mr = static_cast<int>(RowTileBegin(call, tile + 1) - row);
  auto* units = reinterpret_cast<std::int32_t*>(call.units) + row * call.units_per_row;
  for (int r = 0; r < mr; ++r) {
    const float* x = call.x + (row + r) * call.k;
    const float inverse = InverseScale(x, call.k, call.row_scales + row + r);
    PrepareRow(x, call.k, inverse, mr, grouped ? 8 : call.units_per_row - 1, grouped ? 8 : 128,
               units + r);
  }
}

void PrepareI8(const LinearCall& call, std::int64_t tile) { PrepareTile(call, tile, false); }
void PrepareI4(const LinearCall& call, std::int64_t tile) { PrepareTile(call, tile, true); }

using TileFunction = void (*)(const LinearCall&, const std::byte*, std::int64_t, std::int64_t);

template <TileFunction kOne, TileFunction kTwo, TileFunction kThree>
void Compute(const LinearCall& call, std::int64_t panel_begin, std::int64_t panel_end,
             std::int64_t tile_begin, std::int64_t tile_end) {
  constexpr TileFunction kTiles[3] = {kOne, kTwo, kThree};
  for (std::int64_t panel = panel_begin; panel < panel_end; ++panel) {
    for (std::int64_t tile = tile_begin; tile < tile_end; ++tile) {
      const std::int64_t row = RowTileBegin(call, tile);
      const std::int64_t mr = RowTileBegin(call, tile + 1) - row;
      kTiles[mr - 1](call, call.weights + panel * call.panel_bytes, row, panel);
    }
  }
}

template <typename F>
constexpr LinearKernel FloatKernel() {
  return {.max_row_tile = kFloatRows,
          .prepare = nullptr,
          .compute = &Compute<&FloatTile<F, 1>, &FloatTile<F, 2>, &FloatTile<F, 3>>};
}

}  // namespace

const LinearKernel kLinearAvx2[kLinearFormats] = {
    FloatKernel<F32Format>(),
    FloatKernel<F16Format>(),
    FloatKernel<BF16Format>(),
    {.max_row_tile = kIntegerRows,
     .prepare = &PrepareI8,
     .compute = &Compute<&I8Tile<1>, &I8Tile<2>, nullptr>},
    {.max_row_tile = kIntegerRows,
     .prepare = &PrepareI4,
     .compute = &Compute<&I4Tile<1>, &I4Tile<2>, nullptr>},
};

}  // namespace zhibi::cpu
