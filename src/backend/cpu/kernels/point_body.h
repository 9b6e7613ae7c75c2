// SPDX-License-Identifier: Apache-2.0
// Elementwise kernels and softmax; V is Vec of vec_*.h. Ranges are of elements, but for softmax and
// for binary with a repeating b, whose ranges are of rows.
#pragma once

#include "backend/cpu/kernels/row_kernels.h"

namespace zhibi::cpu {

template <class V>
struct Points {
  using F = typename V::F;
  static constexpr int kW = V::kWidth;

  static int Lanes(std::int64_t left) { return left < kW ? static_cast<int>(left) : kW; }

  static void Unary(const PointCall& call, std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; i += kW) {
      const int lanes = Lanes(end - i);
      V::StoreN(call.dst + i, V::Activate(call.activation, V::LoadN(call.a + i, lanes)), lanes);
    }
  }

  static F Apply(BinaryOp op, F a, F b) {
    switch (op) {
      case BinaryOp::kAdd:
        return V::Add(a, b);
      case BinaryOp::kSub:
        return V::Sub(a, b);
      case BinaryOp::kMul:
        return V::Mul(a, b);
      case BinaryOp::kDiv:
        return V::Div(a, b);
    }
    return a;
  }

  // Rows of `width` elements; b is a row of its own, one row for all (period == width) or one
  // element.
  static void Binary(const PointCall& call, std::int64_t begin, std::int64_t end) {
    for (std::int64_t r = begin; r < end; ++r) {
      const float* a = call.a + r * call.width;
      const float* b = call.b + (call.period == 0 ? r * call.width : 0);
      float* y = call.dst + r * call.width;
      for (std::int64_t i = 0; i < call.width; i += kW) {
        const int lanes = Lanes(call.width - i);
        const F second = call.period == 1 ? V::Set1(*call.b) : V::LoadN(b + i, lanes);
        V::StoreN(y + i, Apply(call.binary, V::LoadN(a + i, lanes), second), lanes);
      }
    }
  }

  static void Gated(const PointCall& call, std::int64_t begin, std::int64_t end) {
    float gates[64];
    float ups[64];
    for (std::int64_t i = begin; i < end; i += 64) {
      const std::int64_t count = end - i < 64 ? end - i : 64;
      const float* gate = call.a + i;
      const float* up = ups;
      if (call.b == nullptr) {
        for (std::int64_t j = 0; j < count; ++j) {
          gates[j] = call.a[2 * (i + j)];
          ups[j] = call.a[2 * (i + j) + 1];
        }
        gate = gates;
      } else {
        up = call.b + i;
      }
      for (std::int64_t j = 0; j < count; j += kW) {
        const int lanes = Lanes(count - j);
        const F active = V::Activate(call.activation, V::LoadN(gate + j, lanes));
        V::StoreN(call.dst + i + j, V::Mul(active, V::LoadN(up + j, lanes)), lanes);
      }
    }
  }

  static void Softmax(const PointCall& call, std::int64_t begin, std::int64_t end) {
    const F scale = V::Set1(call.scale);
    for (std::int64_t r = begin; r < end; ++r) {
      const float* x = call.a + r * call.width;
      float* y = call.dst + r * call.width;
      F largest = V::Set1(-__builtin_inff());
      for (std::int64_t i = 0; i < call.width; i += kW) {
        const int lanes = Lanes(call.width - i);
        const F scaled = V::Mul(V::LoadN(x + i, lanes), scale);
        largest = V::Max(largest, V::Keep(scaled, 0, lanes, -__builtin_inff()));
      }
      const F top = V::Set1(V::Largest(largest));
      F sum = V::Zero();
      for (std::int64_t i = 0; i < call.width; i += kW) {
        const int lanes = Lanes(call.width - i);
        const F e = V::Exp(V::Sub(V::Mul(V::LoadN(x + i, lanes), scale), top));
        V::StoreN(y + i, e, lanes);
        sum = V::Add(sum, V::Keep(e, 0, lanes, 0));
      }
      const F total = V::Set1(V::Sum(sum));
      for (std::int64_t i = 0; i < call.width; i += kW) {
        const int lanes = Lanes(call.width - i);
        V::StoreN(y + i, V::Div(V::LoadN(y + i, lanes), total), lanes);
      }
    }
  }
};

}  // namespace zhibi::cpu
