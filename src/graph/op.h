// SPDX-License-Identifier: Apache-2.0
// What an operation is, without knowing any device. One file per op in graph/ops/<op>.h|.cc defines
// a plain attribute struct, shape rule, float reference and cost, and exports one constant
// `kOp_<op>`; CMake lists the folder and writes the table (no static registration: a static library
// may drop it). Immutable; thread-safe.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "graph/dim.h"
#include "quant/format.h"
#include "zhibi/status.h"
#include "zhibi/types.h"

namespace zhibi::graph {

// Attributes of a node: the bytes of the op's trivially copyable attribute struct, zero-filled
// first, so that equal attributes compare equal. Stored verbatim in engine files together with the
// op's version.
class Attrs {
 public:
  static constexpr std::size_t kMaxBytes = 128;

  Attrs() = default;
  template <typename T>
  static Attrs Of(const T& value) {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= kMaxBytes && alignof(T) <= 8);
    Attrs attrs;
    std::memcpy(attrs.bytes_.data(), &value, sizeof(T));
    attrs.size_ = static_cast<std::uint32_t>(sizeof(T));
    return attrs;
  }
  template <typename T>
  T As() const {
    T value{};
    std::memcpy(&value, bytes_.data(), sizeof(T));
    return value;
  }
  const void* data() const { return bytes_.data(); }
  std::uint32_t size() const { return size_; }
  static Result<Attrs> FromBytes(std::span<const std::byte> bytes);
  friend bool operator==(const Attrs&, const Attrs&) = default;

 private:
  alignas(8) std::array<std::byte, kMaxBytes> bytes_{};
  std::uint32_t size_ = 0;
};

struct TensorDesc {
  DType dtype = DType::kF32;
  Shape shape;
  friend bool operator==(const TensorDesc&, const TensorDesc&) = default;
};

// A dense row-major tensor with its sizes evaluated; raw memory of the device that runs the op. A
// weight operand's data are packed bytes in the layout that the kernel declared; dims and dtype
// stay logical.
struct TensorView {
  void* data = nullptr;
  DType dtype = DType::kF32;
  std::int32_t rank = 0;
  std::array<std::int64_t, kMaxRank> dims{};

  std::int64_t elements() const {
    std::int64_t count = 1;
    for (int i = 0; i < rank; ++i) count *= dims[static_cast<std::size_t>(i)];
    return count;
  }
  // Product of all dimensions but the last.
  std::int64_t rows() const { return rank == 0 ? 1 : elements() / (cols() == 0 ? 1 : cols()); }
  std::int64_t cols() const { return rank == 0 ? 1 : dims[static_cast<std::size_t>(rank - 1)]; }
  template <typename T>
  T* as() const {
    return static_cast<T*>(data);
  }
};

// One cache group (Graph::caches) as a kernel sees it. Layout of a page, for kind kv:
//   page p, layer l:  base + p * page_bytes + l * layer_bytes:
//     K [kv_heads][page_tokens][head_dim], then V [kv_heads][page_tokens][value_dim], elements of
//     `dtype`.
struct CacheView {
  std::byte* base = nullptr;
  std::int64_t page_bytes = 0;
  std::int64_t layer_bytes = 0;
  std::int32_t page_tokens = 0;
  DType dtype = DType::kF32;
};

struct Cost {
  double flops = 0;
  double bytes = 0;  // moved at least: sources read once, results written once
};

struct ReferenceArgs {
  const Attrs* attrs = nullptr;
  std::span<const TensorView> src;  // weights as row-major f32 here
  std::span<const TensorView> dst;
  std::span<const CacheView> caches;  // indexed by cache group
};

struct OpDef {
  std::string_view name;
  std::uint32_t version = 1;      // rises when the attribute struct or the meaning changes
  std::uint32_t attrs_bytes = 0;  // sizeof the attribute struct
  bool has_effect = false;        // writes a cache: never removed or merged, order kept
  // Descriptors of the results. kInvalidArgument names operand, expected and given shape or dtype.
  Result<std::vector<TensorDesc>> (*infer)(const Attrs&, std::span<const TensorDesc> src) = nullptr;
  // Scalar, float accumulation. Sources and results are f32 (ids i32); the yardstick of every
  // kernel.
  void (*reference)(const ReferenceArgs&) = nullptr;
  // Cost with all sizes known.
  Cost (*cost)(const Attrs&, std::span<const TensorView> src,
               std::span<const TensorView> dst) = nullptr;
  // Attributes as "key=value key=value" for people.
  std::string (*describe)(const Attrs&) = nullptr;
};

// nullptr for an unknown name. The table is sorted by name; a test rejects duplicates.
const OpDef* FindOp(std::string_view name);
std::span<const OpDef* const> AllOps();

}  // namespace zhibi::graph
