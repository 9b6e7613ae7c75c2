// SPDX-License-Identifier: Apache-2.0
// Dimensions: an integer or an expression over named symbols (tokens, seqs, out_rows, an ONNX
// name). Expressions are kept in a canonical form, so that equal sizes compare equal, and travel as
// a postfix program that the runtime evaluates once a step without allocating. Values; immutable;
// thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "zhibi/status.h"

namespace zhibi::graph {

// Index into a graph's (and its plan's) symbol table.
enum class SymbolId : std::int32_t {};

inline constexpr int kMaxRank = 8;
inline constexpr int kMaxSymbols = 32;

class Dim {
 public:
  Dim() = default;  // the constant 0
  // NOLINTNEXTLINE(google-explicit-constructor): a plain size is a dimension.
  Dim(std::int64_t value);
  static Dim Symbol(SymbolId symbol);

  friend Dim operator+(const Dim& a, const Dim& b);
  friend Dim operator-(const Dim& a, const Dim& b);
  friend Dim operator*(const Dim& a, const Dim& b);
  // divisor > 0. FloorDiv of a multiple simplifies; CeilDiv(a, d) is FloorDiv(a + d - 1, d).
  static Dim FloorDiv(const Dim& a, std::int64_t divisor);
  static Dim CeilDiv(const Dim& a, std::int64_t divisor);
  static Dim Max(const Dim& a, const Dim& b);

  // Same canonical form.
  friend bool operator==(const Dim& a, const Dim& b);

  std::optional<std::int64_t> constant() const;
  // kOutOfRange on overflow or a missing symbol; values are indexed by SymbolId.
  Result<std::int64_t> Evaluate(std::span<const std::int64_t> symbols) const;
  // "4*tokens + 1"; names are indexed by SymbolId.
  std::string ToString(std::span<const std::string> names) const;

  // The postfix program, for storing; see EvaluateProgram.
  std::vector<std::int64_t> Program() const;
  // kInvalidArgument for a program that was not made by Program().
  static Result<Dim> FromProgram(std::span<const std::int64_t> program);

 private:
  // An atom is a symbol or a nested floor_div or max, as its canonical program: comparing programs
  // compares meaning.
  using Atom = std::vector<std::int64_t>;
  struct Term {
    std::int64_t coefficient = 0;
    std::vector<Atom> atoms;  // sorted; a product
    friend bool operator==(const Term&, const Term&) = default;
  };

  static Dim Invalid();
  static Dim FromAtom(Atom atom);
  void AddTerm(Term term);

  std::vector<Term> terms_;  // a sum, sorted by atoms; no zero coefficient
  bool invalid_ = false;     // a coefficient overflowed, or the expression grew absurdly large
};

using Shape = std::vector<Dim>;  // rank 0 to kMaxRank

// "[tokens, 64]"; names as in Dim::ToString.
std::string ShapeToString(std::span<const Dim> shape, std::span<const std::string> names);

// Evaluates a stored program on symbol values; no allocation; the program was validated by
// Dim::FromProgram. An overflow or a missing symbol gives -1, which no size has.
std::int64_t EvaluateProgram(std::span<const std::int64_t> program,
                             std::span<const std::int64_t> symbols);

}  // namespace zhibi::graph
