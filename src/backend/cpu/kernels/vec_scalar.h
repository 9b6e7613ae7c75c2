// SPDX-License-Identifier: Apache-2.0
// One float, as the kernels' bodies (*_body.h) see it; the functions of vec_avx512.h. Any
// processor.
#pragma once

#include <cmath>
#include <cstdint>

#include "backend/cpu/kernels/linear_kernel.h"
#include "graph/ops/activation.h"
#include "quant/codec.h"

namespace zhibi::cpu {
namespace {

struct Vec {
  using F = float;
  static constexpr int kWidth = 1;
  static constexpr int kScoreQueries = 1;
  static constexpr int kOutputQueries = 1;

  static F Zero() { return 0; }
  static F Set1(float x) { return x; }
  static F Load(const float* p) { return *p; }
  static void Store(float* p, F x) { *p = x; }
  static F LoadN(const float* p, int n) { return n > 0 ? *p : 0; }
  static void StoreN(float* p, F x, int n) {
    if (n > 0) *p = x;
  }

  static F Add(F a, F b) { return a + b; }
  static F Sub(F a, F b) { return a - b; }
  static F Mul(F a, F b) { return a * b; }
  static F Div(F a, F b) { return a / b; }
  static F Max(F a, F b) { return a > b ? a : b; }
  static F Fma(F a, F b, F c) { return a * b + c; }
  static F Exp(F x) { return std::exp(x); }
  static F Tanh(F x) { return std::tanh(x); }
  static F Activate(LinearActivation activation, F x) {
    return graph::Activate(static_cast<graph::Activation>(activation), x);
  }
  static F Sqrt(F x) { return std::sqrt(x); }
  static float Sum(F x) { return x; }
  static float Largest(F x) { return x; }
  static float Lane0(F x) { return x; }
  static F Keep(F x, int begin, int end, float other) { return begin <= 0 && end > 0 ? x : other; }
  static std::uint32_t Greater(F x, F y) { return x > y ? 1 : 0; }
  static F Choose(std::uint32_t bits, F a, F b) { return (bits & 1) != 0 ? a : b; }
  static std::uint32_t IsNan(F x) { return std::isnan(x) ? 1 : 0; }

  static void SinCos(F x, F* sine, F* cosine) {
    *sine = std::sin(x);
    *cosine = std::cos(x);
  }

  static F LoadF16(const std::uint16_t* p) { return quant::F16ToF32(*p); }
  static F LoadF16N(const std::uint16_t* p, int n) { return n > 0 ? quant::F16ToF32(*p) : 0; }
  static F LoadBF16(const std::uint16_t* p) { return quant::BF16ToF32(*p); }
  static F LoadBF16N(const std::uint16_t* p, int n) { return n > 0 ? quant::BF16ToF32(*p) : 0; }
  static F LoadI8N(const std::int8_t* p, int n) { return n > 0 ? static_cast<float>(*p) : 0; }
  static void StoreF16N(std::uint16_t* p, F x, int n) {
    if (n > 0) *p = quant::F32ToF16(x);
  }
  static void StoreBF16N(std::uint16_t* p, F x, int n) {
    if (n > 0) *p = quant::F32ToBF16(x);
  }
  static void Transpose(F* /*rows*/) {}
};

}  // namespace
}  // namespace zhibi::cpu
