// SPDX-License-Identifier: Apache-2.0
// Passes over a row of logits; V is Vec of vec_*.h. Bound by the reading of the row (0.6 MB for a
// vocabulary of 152k, in the second-level cache after the head has written it).
#pragma once

#include "backend/cpu/kernels/sample_kernel.h"

namespace zhibi::cpu {

template <class V>
struct SamplePasses {
  using F = typename V::F;
  static constexpr int kW = V::kWidth;
  static constexpr float kInfinity = __builtin_inff();

  static int Lanes(std::int64_t left) { return left < kW ? static_cast<int>(left) : kW; }

  static float Largest(const float* x, std::int64_t n, bool* has_nan) {
    F largest = V::Set1(-kInfinity);
    std::uint32_t nan = 0;
    for (std::int64_t i = 0; i < n; i += kW) {
      const int lanes = Lanes(n - i);
      const F value = V::Keep(V::LoadN(x + i, lanes), 0, lanes, -kInfinity);
      nan |= V::IsNan(value);
      largest = V::Max(largest, value);
    }
    if (nan != 0) *has_nan = true;
    return V::Largest(largest);
  }

  // Of a block in f32: 64 terms a lane at most, so that its error stays below that of exp.
  static float BlockExpSum(const float* x, std::int64_t n, F largest) {
    F sum = V::Zero();
    for (std::int64_t i = 0; i < n; i += kW) {
      const int lanes = Lanes(n - i);
      sum = V::Add(sum, V::Keep(V::Exp(V::Sub(V::LoadN(x + i, lanes), largest)), 0, lanes, 0));
    }
    return V::Sum(sum);
  }

  static double ExpSum(const float* x, std::int64_t n, float largest) {
    double sum = 0;
    for (std::int64_t i = 0; i < n; i += kSampleBlock) {
      sum += BlockExpSum(x + i, n - i < kSampleBlock ? n - i : kSampleBlock, V::Set1(largest));
    }
    return sum;
  }

  static void Mask(float* x, std::int64_t n, const std::uint8_t* bits) {
    const F none = V::Set1(-kInfinity);
    for (std::int64_t i = 0; i < n; i += kW) {
      const int lanes = Lanes(n - i);
      std::uint32_t allowed = bits[i / 8];
      if constexpr (kW == 16) {
        if (i + 8 < n) allowed |= static_cast<std::uint32_t>(bits[i / 8 + 1]) << 8;
      }
      if constexpr (kW == 1) allowed >>= i % 8;
      V::StoreN(x + i, V::Choose(allowed, V::LoadN(x + i, lanes), none), lanes);
    }
  }

  static void Weigh(float* x, std::int64_t n, float largest, float temperature, double* blocks) {
    const F top = V::Set1(largest);
    const F divisor = V::Set1(temperature);
    const F none = V::Set1(-kInfinity);
    for (std::int64_t begin = 0; begin < n; begin += kSampleBlock) {
      const std::int64_t end = n - begin < kSampleBlock ? n : begin + kSampleBlock;
      F sum = V::Zero();
      for (std::int64_t i = begin; i < end; i += kW) {
        const int lanes = Lanes(end - i);
        const F value = V::LoadN(x + i, lanes);
        const F weight = V::Choose(V::Greater(value, none),
                                   V::Exp(V::Div(V::Sub(value, top), divisor)), V::Zero());
        V::StoreN(x + i, weight, lanes);
        sum = V::Add(sum, V::Keep(weight, 0, lanes, 0));
      }
      *blocks++ = V::Sum(sum);
    }
  }

  static std::int64_t Collect(const float* x, std::int64_t n, float low, float high,
                              std::int32_t* ids) {
    const F from = V::Set1(low);
    const F to = V::Set1(high);
    std::int64_t count = 0;
    for (std::int64_t i = 0; i < n; i += kW) {
      const int lanes = Lanes(n - i);
      const F value = V::LoadN(x + i, lanes);
      std::uint32_t hits = V::Greater(to, value) & ~V::Greater(from, value);
      hits &= static_cast<std::uint32_t>((1ULL << lanes) - 1);
      for (; hits != 0; hits &= hits - 1) {
        ids[count++] = static_cast<std::int32_t>(i + __builtin_ctz(hits));
      }
    }
    return count;
  }

  static void Insert(TopList* list, std::int32_t id, float value) {
    std::int64_t at = list->count < list->size ? list->count++ : list->size - 1;
    for (; at > 0 && list->values[at - 1] < value; --at) {
      list->values[at] = list->values[at - 1];
      list->ids[at] = list->ids[at - 1];
    }
    list->values[at] = value;
    list->ids[at] = id;
  }

  static void Top(const float* x, std::int64_t n, TopList* list) {
    if (list->size == 0) return;
    float border = -kInfinity;
    for (std::int64_t i = 0; i < n; i += kW) {
      const int lanes = Lanes(n - i);
      std::uint32_t hits = V::Greater(V::LoadN(x + i, lanes), V::Set1(border));
      hits &= static_cast<std::uint32_t>((1ULL << lanes) - 1);
      for (; hits != 0; hits &= hits - 1) {
        const auto id = static_cast<std::int32_t>(i + __builtin_ctz(hits));
        if (!(x[id] > border)) continue;  // the border rose within the vector
        Insert(list, id, x[id]);
        if (list->count == list->size) border = list->values[list->size - 1];
      }
    }
  }

  static constexpr SampleKernels kKernels{&Largest, &ExpSum, &Mask, &Weigh, &Collect, &Top};
};

}  // namespace zhibi::cpu
