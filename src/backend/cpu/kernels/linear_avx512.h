// SPDX-License-Identifier: Apache-2.0
// The loop nest of linear for AVX-512, shared by the formats (linear_<format>_avx512.cc). A policy
// F says how one step of the weight stream meets the prepared activations:
//   Acc                  register type of a sum of 16 outputs
//   kStepBytes           bytes of a panel a step reads; kStepUnits: units of a row it uses
//   kTrailerBytes        bytes of a panel behind its last step
//   kHeaderUnits         units in front of a row that start the accumulators
//   kMaxRowTile, Streams(mr)   rows per tile; panels in flight for mr rows
//   Start, Step, Finish  below
// Order of summation: for one output element, k ascending within the format's own grouping,
// whatever the number of rows or panels in flight. Only for *_avx512.cc.
//
// Measured on 2 cores of a Zen 5 server VM, 0.5B shape, shares of the limits measured beside each
// run, machine otherwise busy (bench/backend/linear_bench, real-time priority): 1 row 85 % (int8),
// 79 % (int4) of the read bandwidth; 8 rows 77 %, 63 %; 512 rows 82 %, 71 % of the int8 peak, 78 %
// (bf16) of the bf16 peak.
// Lost: four panels in flight (matrices of 28 panels then split unevenly); fetching ahead into the
// second level or past the caches (within 3 %), and not at all (equal for one row on huge pages);
// two steps a loop (GCC 12 copies accumulators); merging the two prefetch loops into one (spills);
// idle workers fetching 256 KiB of their next product between launches (one row, int8: 98 instead
// of 106 tokens/s over three alternated pairs at 72 to 92 GB/s; int4: the same).
#pragma once

#include <immintrin.h>

#include "backend/cpu/kernels/linear_epilogue_avx512.h"
#include "backend/cpu/kernels/linear_kernel.h"

namespace zhibi::cpu {
namespace {

// acc += u * s, four products an int32 lane, u unsigned and s signed. As assembly, since around
// the intrinsic GCC 12 copies and spills accumulators (it gives them two vector types): 3 times
// slower with 24 of them.
[[gnu::always_inline]] inline void DotU8S8(__m512i& acc, __m512i u, __m512i s) {
  asm("vpdpbusd %2, %1, %0" : "+v"(acc) : "v"(u), "v"(s));
}

inline constexpr int kMaxStreams = 4;
// Bytes that are fetched ahead, over all streams: at 35 GB/s a thread and 120 ns of latency 4 KiB
// must be on their way. Measured at 8 rows
// (int8, 0.5B shape, one stream): 2 KiB 35.7 GB/s, 8 KiB 43.1.
inline constexpr std::int64_t kAheadBytes = 8192;

// w: the first of NP panels; x: the tile's units; sums: [NP][MR][32].
using MicroFunction = void (*)(const std::byte* w, std::int64_t panel_bytes, const std::byte* x,
                               std::int64_t steps, float* sums);

template <typename F, int NP>
[[gnu::always_inline]] inline void Prefetch(const std::byte* w, std::int64_t panel_bytes) {
#pragma GCC unroll 4
  for (int p = 0; p < NP; ++p) {
#pragma GCC unroll 9
    for (int line = 0; line < F::kStepBytes; line += 64) {
      _mm_prefetch(reinterpret_cast<const char*>(w + p * panel_bytes + line), _MM_HINT_T0);
    }
  }
}

template <typename F, int MR, int NP, bool kPrefetch>
[[gnu::noinline]] void Micro(const std::byte* w, std::int64_t panel_bytes, const std::byte* x,
                             std::int64_t steps, float* sums) {
  typename F::Acc acc[MR][2 * NP];
#pragma GCC unroll 12
  for (int r = 0; r < MR; ++r) {
#pragma GCC unroll 8
    for (int c = 0; c < 2 * NP; ++c) acc[r][c] = F::Start(x + 4 * r);
  }
  x += 4 * MR * F::kHeaderUnits;
  const auto run = [&](std::int64_t count, std::int64_t ahead) __attribute__((always_inline)) {
#pragma GCC unroll 1
    for (std::int64_t s = 0; s < count; ++s) {
      if constexpr (kPrefetch) Prefetch<F, NP>(w + ahead, panel_bytes);
      F::template Step<MR, NP>(w, panel_bytes, x, acc);
      w += F::kStepBytes;
      x += 4 * MR * F::kStepUnits;
    }
  };
  if constexpr (kPrefetch) {
    // The last steps of a stream already fetch the panel that it reads next, which lies behind the
    // other streams' panels.
    constexpr std::int64_t kAhead = kAheadBytes / NP;
    constexpr std::int64_t kTail = (kAhead - F::kTrailerBytes) / F::kStepBytes;
    const std::int64_t main = steps > kTail ? steps - kTail : 0;
    run(main, kAhead);
    run(steps - main, kAhead + (NP - 1) * panel_bytes);
  } else {
    run(steps, 0);
  }
  // Else GCC 12 hoists the loads behind the loop into it and runs out of registers.
  asm volatile("" : "+r"(w), "+r"(x));
#pragma GCC unroll 12
  for (int r = 0; r < MR; ++r) {
#pragma GCC unroll 8
    for (int c = 0; c < 2 * NP; ++c) {
      // `w` stands behind the last step: at the scales of i8.
      const __m512 v = F::Finish(acc[r][c], w + (c / 2) * panel_bytes, c % 2);
      _mm512_store_ps(sums + ((c / 2) * MR + r) * kPanel + (c % 2) * 16, v);
    }
  }
}

// Of a number of rows: alone in flight without and with prefetch, and as many panels as Streams.
struct MicroSet {
  MicroFunction single;
  MicroFunction single_ahead;
  MicroFunction streams_ahead;
  int streams;
};

template <typename F, int MR>
constexpr MicroSet MicroSetOf() {
  if constexpr (MR > F::kMaxRowTile) {
    return {nullptr, nullptr, nullptr, 1};
  } else {
    return {&Micro<F, MR, 1, false>, &Micro<F, MR, 1, true>, &Micro<F, MR, F::Streams(MR), true>,
            F::Streams(MR)};
  }
}

template <typename F>
struct LinearLoops {
  static constexpr MicroSet kSets[kMaxRowTile] = {
      MicroSetOf<F, 1>(), MicroSetOf<F, 2>(),  MicroSetOf<F, 3>(),  MicroSetOf<F, 4>(),
      MicroSetOf<F, 5>(), MicroSetOf<F, 6>(),  MicroSetOf<F, 7>(),  MicroSetOf<F, 8>(),
      MicroSetOf<F, 9>(), MicroSetOf<F, 10>(), MicroSetOf<F, 11>(), MicroSetOf<F, 12>(),
  };

  static void Compute(const LinearCall& call, std::int64_t panel_begin, std::int64_t panel_end,
                      std::int64_t tile_begin, std::int64_t tile_end) {
    alignas(64) float sums[kMaxStreams * 4 * kPanel + kMaxRowTile * kPanel];
    const std::int64_t steps = F::Steps(call.k);
    std::int64_t panel = panel_begin;
    if (call.row_tiles == 1) {
      const MicroSet& set = kSets[call.rows - 1];
      const int mr = static_cast<int>(call.rows);
      const std::byte* x = UnitsOf(call, 0);
      for (; panel + set.streams <= panel_end; panel += set.streams) {
        set.streams_ahead(call.weights + panel * call.panel_bytes, call.panel_bytes, x, steps,
                          sums);
        for (int p = 0; p < set.streams; ++p) {
          Epilogue(call, 0, mr, panel + p, sums + p * mr * kPanel);
        }
      }
    }
    for (; panel < panel_end; ++panel) {
      const std::byte* w = call.weights + panel * call.panel_bytes;
      for (std::int64_t tile = tile_begin; tile < tile_end; ++tile) {
        const std::int64_t row = RowTileBegin(call, tile);
        const int mr = static_cast<int>(RowTileBegin(call, tile + 1) - row);
        const MicroSet& set = kSets[mr - 1];
        const MicroFunction micro = tile == tile_begin ? set.single_ahead : set.single;
        micro(w, call.panel_bytes, UnitsOf(call, row), steps, sums);
        Epilogue(call, row, mr, panel, sums);
      }
    }
  }

  // The units of the tile that begins at `row`.
  static const std::byte* UnitsOf(const LinearCall& call, std::int64_t row) {
    if (F::kSingleRowInPlace && call.rows == 1) return reinterpret_cast<const std::byte*>(call.x);
    return call.units + row * call.units_per_row * 4;
  }
};

}  // namespace
}  // namespace zhibi::cpu
