// SPDX-License-Identifier: Apache-2.0
// Small tensors for the tests of ops: they own their values and run OpDef::reference.
#pragma once

#include <cstring>
#include <initializer_list>
#include <vector>

#include <gtest/gtest.h>

#include "graph/op.h"

namespace zhibi::graph {

// Values of any element type, as the bytes that a kernel would see.
class Tensor {
 public:
  Tensor() = default;  // an absent operand
  template <typename T>
  Tensor(DType dtype, std::vector<std::int64_t> dims, const std::vector<T>& values)
      : bytes_(values.size() * sizeof(T)) {
    if (!bytes_.empty()) std::memcpy(bytes_.data(), values.data(), bytes_.size());
    SetView(dtype, dims);
  }
  static Tensor F32(std::vector<std::int64_t> dims, const std::vector<float>& values) {
    return {DType::kF32, std::move(dims), values};
  }
  static Tensor I32(std::vector<std::int64_t> dims, const std::vector<std::int32_t>& values) {
    return {DType::kI32, std::move(dims), values};
  }
  static Tensor Zeros(DType dtype, const std::vector<std::int64_t>& dims) {
    std::int64_t bytes = DTypeBits(dtype) / 8;
    for (const std::int64_t n : dims) bytes *= n;
    Tensor tensor;
    tensor.bytes_.resize(static_cast<std::size_t>(bytes));
    tensor.SetView(dtype, dims);
    return tensor;
  }

  TensorView view() {
    TensorView view = view_;
    view.data = view.rank == 0 ? nullptr : bytes_.data();
    return view;
  }
  template <typename T>
  std::vector<T> values() const {
    std::vector<T> out(bytes_.size() / sizeof(T));
    if (!out.empty()) std::memcpy(out.data(), bytes_.data(), bytes_.size());
    return out;
  }

 private:
  void SetView(DType dtype, const std::vector<std::int64_t>& dims) {
    view_.dtype = dtype;
    view_.rank = static_cast<std::int32_t>(dims.size());
    for (std::size_t i = 0; i < dims.size(); ++i) view_.dims[i] = dims[i];
  }

  TensorView view_;
  std::vector<std::byte> bytes_;
};

inline TensorDesc DescOf(const TensorView& view) {
  TensorDesc desc;
  desc.dtype = view.dtype;
  for (int i = 0; i < view.rank; ++i)
    desc.shape.emplace_back(view.dims[static_cast<std::size_t>(i)]);
  return desc;
}

// Infers the results, which must succeed, and runs the reference.
inline std::vector<Tensor> RunReference(const OpDef& op, const Attrs& attrs,
                                        std::vector<Tensor> src,
                                        const std::vector<CacheView>& caches = {}) {
  std::vector<TensorView> views;
  std::vector<TensorDesc> descs;
  for (Tensor& tensor : src) {
    views.push_back(tensor.view());
    descs.push_back(DescOf(views.back()));
  }
  const auto inferred = op.infer(attrs, descs);
  EXPECT_TRUE(inferred.ok()) << inferred.status().ToString();
  std::vector<Tensor> dst;
  if (!inferred.ok()) return dst;
  std::vector<TensorView> results;
  for (const TensorDesc& desc : *inferred) {
    std::vector<std::int64_t> dims;
    for (const Dim& dim : desc.shape) dims.push_back(dim.constant().value());
    dst.push_back(Tensor::Zeros(desc.dtype, dims));
  }
  for (Tensor& tensor : dst) results.push_back(tensor.view());
  op.reference({.attrs = &attrs, .src = views, .dst = results, .caches = caches});
  return dst;
}

inline void ExpectNear(const Tensor& tensor, const std::vector<float>& expected, float error) {
  const auto given = tensor.values<float>();
  ASSERT_EQ(given.size(), expected.size());
  for (std::size_t i = 0; i < given.size(); ++i) EXPECT_NEAR(given[i], expected[i], error) << i;
}

}  // namespace zhibi::graph
