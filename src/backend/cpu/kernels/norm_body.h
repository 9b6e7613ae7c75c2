// SPDX-License-Identifier: Apache-2.0
// rms_norm, add_rms_norm, layer_norm; V is Vec of vec_*.h. Sums run in four vectors side by side
// over the width (the order depends on the width alone), then across them and their lanes; error
// about 2 units in the last place.
#pragma once

#include "backend/cpu/kernels/row_kernels.h"

namespace zhibi::cpu {

template <class V>
struct Norms {
  using F = typename V::F;
  static constexpr int kW = V::kWidth;

  static int Lanes(std::int64_t left) { return left < kW ? static_cast<int>(left) : kW; }

  // Sum over [0, n) of term(F x) in a fixed order.
  template <class Term>
  [[gnu::always_inline]] static float SumOf(const float* x, std::int64_t n, Term term) {
    F sums[4] = {V::Zero(), V::Zero(), V::Zero(), V::Zero()};
    std::int64_t i = 0;
    for (; i + 4 * kW <= n; i += 4 * kW) {
      for (int v = 0; v < 4; ++v) sums[v] = term(V::Load(x + i + v * kW), sums[v], kW);
    }
    for (int v = 0; i < n; i += kW, v = (v + 1) & 3) {
      const int lanes = Lanes(n - i);
      sums[v] = term(V::LoadN(x + i, lanes), sums[v], lanes);
    }
    return V::Sum(V::Add(V::Add(sums[0], sums[1]), V::Add(sums[2], sums[3])));
  }

  static float Squares(const float* x, std::int64_t n) {
    return SumOf(x, n, [](F value, F sum, int) { return V::Fma(value, value, sum); });
  }

  static float InverseRoot(float mean, float eps) {
    return V::Lane0(V::Div(V::Set1(1), V::Sqrt(V::Set1(mean + eps))));
  }

  static void ScaleRow(const float* x, const float* weight, float scale, std::int64_t n, float* y) {
    const F factor = V::Set1(scale);
    for (std::int64_t i = 0; i < n; i += kW) {
      const int lanes = Lanes(n - i);
      const F scaled = V::Mul(V::LoadN(x + i, lanes), factor);
      V::StoreN(y + i, V::Mul(scaled, V::LoadN(weight + i, lanes)), lanes);
    }
  }

  [[gnu::noinline]] static void RmsRow(const float* x, const float* weight, float eps,
                                       std::int64_t n, float* y) {
    ScaleRow(x, weight, InverseRoot(Squares(x, n) / static_cast<float>(n), eps), n, y);
  }

  static void Rms(const NormCall& call, std::int64_t begin, std::int64_t end) {
    for (std::int64_t r = begin; r < end; ++r) {
      RmsRow(call.x + r * call.width, call.weight, call.eps, call.width, call.dst + r * call.width);
    }
  }

  static void AddRms(const NormCall& call, std::int64_t begin, std::int64_t end) {
    for (std::int64_t r = begin; r < end; ++r) {
      const float* x = call.x + r * call.width;
      const float* residual = call.residual + r * call.width;
      float* sum = call.sum + r * call.width;
      for (std::int64_t i = 0; i < call.width; i += kW) {
        const int lanes = Lanes(call.width - i);
        V::StoreN(sum + i, V::Add(V::LoadN(x + i, lanes), V::LoadN(residual + i, lanes)), lanes);
      }
      RmsRow(sum, call.weight, call.eps, call.width, call.dst + r * call.width);
    }
  }

  static void Layer(const NormCall& call, std::int64_t begin, std::int64_t end) {
    const auto n = static_cast<float>(call.width);
    for (std::int64_t r = begin; r < end; ++r) {
      const float* x = call.x + r * call.width;
      float* y = call.dst + r * call.width;
      const float mean =
          SumOf(x, call.width, [](F value, F sum, int) { return V::Add(value, sum); }) / n;
      const F center = V::Set1(mean);
      const float squares = SumOf(x, call.width, [center](F value, F sum, int lanes) {
        const F d = V::Keep(V::Sub(value, center), 0, lanes, 0);
        return V::Fma(d, d, sum);
      });
      const F scale = V::Set1(InverseRoot(squares / n, call.eps));
      for (std::int64_t i = 0; i < call.width; i += kW) {
        const int lanes = Lanes(call.width - i);
        const F d = V::Mul(V::Sub(V::LoadN(x + i, lanes), center), scale);
        const F bias = call.bias == nullptr ? V::Zero() : V::LoadN(call.bias + i, lanes);
        V::StoreN(y + i, V::Fma(d, V::LoadN(call.weight + i, lanes), bias), lanes);
      }
    }
  }
};

}  // namespace zhibi::cpu
