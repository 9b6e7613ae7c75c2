// SPDX-License-Identifier: Apache-2.0
#include "graph/dim.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "base/check.h"

namespace zhibi::graph {
namespace {

// Opcodes of the postfix program. Stored in engine files: append only.
enum Op : std::int64_t {
  kConst = 0,   // followed by the value
  kSymbol = 1,  // followed by the symbol's index
  kAdd = 2,
  kMul = 3,
  kFloorDiv = 4,  // followed by the divisor, > 0
  kMax = 5,
};

constexpr std::size_t kMaxProgram = 512;
constexpr std::size_t kMaxTerms = 64;
constexpr std::size_t kMaxStack = 48;

bool HasArgument(std::int64_t op) { return op == kConst || op == kSymbol || op == kFloorDiv; }

std::int64_t FloorDivInt(std::int64_t a, std::int64_t d) {
  const std::int64_t q = a / d;
  return a % d < 0 ? q - 1 : q;
}

struct Evaluation {
  bool ok = false;
  std::int64_t value = 0;
  std::int64_t missing_symbol = -1;
};

Evaluation Run(std::span<const std::int64_t> program, std::span<const std::int64_t> symbols) {
  std::array<std::int64_t, kMaxStack> stack;
  std::size_t depth = 0;
  Evaluation result;
  for (std::size_t i = 0; i < program.size(); ++i) {
    const std::int64_t op = program[i];
    if (HasArgument(op) && i + 1 >= program.size()) return result;
    if (op == kConst || op == kSymbol) {
      if (depth == kMaxStack) return result;
      std::int64_t value = program[++i];
      if (op == kSymbol) {
        if (value < 0 || static_cast<std::size_t>(value) >= symbols.size()) {
          result.missing_symbol = value;
          return result;
        }
        value = symbols[static_cast<std::size_t>(value)];
      }
      stack[depth++] = value;
    } else if (op == kFloorDiv) {
      const std::int64_t divisor = program[++i];
      if (depth < 1 || divisor <= 0) return result;
      stack[depth - 1] = FloorDivInt(stack[depth - 1], divisor);
    } else {
      if (depth < 2) return result;
      const std::int64_t b = stack[--depth];
      std::int64_t& a = stack[depth - 1];
      if (op == kMax) {
        a = std::max(a, b);
      } else if (op == kAdd ? __builtin_add_overflow(a, b, &a) : __builtin_mul_overflow(a, b, &a)) {
        return result;
      }
    }
  }
  result.ok = depth == 1;
  if (result.ok) result.value = stack[0];
  return result;
}

void Append(std::vector<std::int64_t>& program, std::initializer_list<std::int64_t> words) {
  for (const std::int64_t word : words) program.push_back(word);
}

std::string SymbolName(std::int64_t symbol, std::span<const std::string> names) {
  if (symbol >= 0 && static_cast<std::size_t>(symbol) < names.size()) {
    return names[static_cast<std::size_t>(symbol)];
  }
  return "$" + std::to_string(symbol);
}

}  // namespace

Dim::Dim(std::int64_t value) {
  if (value != 0) terms_.push_back({value, {}});
}

Dim Dim::Invalid() {
  Dim dim;
  dim.invalid_ = true;
  return dim;
}

Dim Dim::FromAtom(Atom atom) {
  if (atom.size() > kMaxProgram) return Invalid();
  Dim dim;
  dim.terms_.push_back({1, {std::move(atom)}});
  return dim;
}

Dim Dim::Symbol(SymbolId symbol) {
  const auto index = static_cast<std::int64_t>(symbol);
  if (index < 0 || index >= kMaxSymbols) return Invalid();
  return FromAtom({kSymbol, index});
}

void Dim::AddTerm(Term term) {
  if (invalid_ || term.coefficient == 0) return;
  const auto it =
      std::lower_bound(terms_.begin(), terms_.end(), term, [](const Term& a, const Term& b) {
        // Longer products first and the constant last, so that people read "4*tokens + 1".
        if (a.atoms.size() != b.atoms.size()) return a.atoms.size() > b.atoms.size();
        return a.atoms < b.atoms;
      });
  if (it != terms_.end() && it->atoms == term.atoms) {
    if (__builtin_add_overflow(it->coefficient, term.coefficient, &it->coefficient)) {
      *this = Invalid();
    } else if (it->coefficient == 0) {
      terms_.erase(it);
    }
    return;
  }
  terms_.insert(it, std::move(term));
  if (terms_.size() > kMaxTerms) *this = Invalid();
}

Dim operator+(const Dim& a, const Dim& b) {
  if (a.invalid_ || b.invalid_) return Dim::Invalid();
  Dim sum = a;
  for (const Dim::Term& term : b.terms_) sum.AddTerm(term);
  return sum;
}

Dim operator-(const Dim& a, const Dim& b) { return a + b * Dim(-1); }

Dim operator*(const Dim& a, const Dim& b) {
  if (a.invalid_ || b.invalid_) return Dim::Invalid();
  Dim product;
  for (const Dim::Term& x : a.terms_) {
    for (const Dim::Term& y : b.terms_) {
      Dim::Term term;
      if (__builtin_mul_overflow(x.coefficient, y.coefficient, &term.coefficient) ||
          x.atoms.size() + y.atoms.size() > static_cast<std::size_t>(kMaxRank)) {
        return Dim::Invalid();
      }
      std::merge(x.atoms.begin(), x.atoms.end(), y.atoms.begin(), y.atoms.end(),
                 std::back_inserter(term.atoms));
      product.AddTerm(std::move(term));
    }
  }
  return product;
}

Dim Dim::FloorDiv(const Dim& a, std::int64_t divisor) {
  if (a.invalid_ || divisor <= 0) return Invalid();
  // floor((d * q + r) / d) = q + floor(r / d) for integers: multiples leave the division.
  Dim quotient;
  Dim rest;
  for (const Term& term : a.terms_) {
    // Rounding down must not leave 64 bits.
    if (term.coefficient < std::numeric_limits<std::int64_t>::min() / 2 ||
        divisor > std::numeric_limits<std::int64_t>::max() / 2) {
      return Invalid();
    }
    const std::int64_t out = FloorDivInt(term.coefficient, divisor);
    quotient.AddTerm({out, term.atoms});
    rest.AddTerm({term.coefficient - out * divisor, term.atoms});
  }
  if (rest.constant().has_value()) return quotient;  // 0 <= rest < divisor
  Atom atom = rest.Program();
  Append(atom, {kFloorDiv, divisor});
  return quotient + FromAtom(std::move(atom));
}

Dim Dim::CeilDiv(const Dim& a, std::int64_t divisor) {
  if (divisor <= 0) return Invalid();
  return FloorDiv(a + Dim(divisor - 1), divisor);
}

Dim Dim::Max(const Dim& a, const Dim& b) {
  if (a.invalid_ || b.invalid_) return Invalid();
  if (const auto difference = (a - b).constant()) return *difference >= 0 ? a : b;
  Atom first = a.Program();
  Atom second = b.Program();
  if (second < first) std::swap(first, second);
  first.insert(first.end(), second.begin(), second.end());
  first.push_back(kMax);
  return FromAtom(std::move(first));
}

bool operator==(const Dim& a, const Dim& b) {
  return a.invalid_ == b.invalid_ && a.terms_ == b.terms_;
}

std::optional<std::int64_t> Dim::constant() const {
  if (invalid_) return std::nullopt;
  if (terms_.empty()) return 0;
  if (terms_.size() == 1 && terms_[0].atoms.empty()) return terms_[0].coefficient;
  return std::nullopt;
}

Result<std::int64_t> Dim::Evaluate(std::span<const std::int64_t> symbols) const {
  if (invalid_) return OutOfRangeError("dimension: expected a 64-bit size, its terms overflow");
  const Evaluation evaluation = Run(Program(), symbols);
  if (evaluation.ok) return evaluation.value;
  if (evaluation.missing_symbol >= 0) {
    return OutOfRangeError("dimension " + ToString({}) + ": expected values of symbols 0.." +
                           std::to_string(evaluation.missing_symbol) + ", got " +
                           std::to_string(symbols.size()) + " values");
  }
  return OutOfRangeError("dimension " + ToString({}) + ": expected a 64-bit size, it overflows");
}

std::vector<std::int64_t> Dim::Program() const {
  std::vector<std::int64_t> program;
  if (invalid_) return program;
  if (terms_.empty()) Append(program, {kConst, 0});
  bool first_term = true;
  for (const Term& term : terms_) {
    bool first_factor = true;
    if (term.coefficient != 1 || term.atoms.empty()) {
      Append(program, {kConst, term.coefficient});
      first_factor = false;
    }
    for (const Atom& atom : term.atoms) {
      program.insert(program.end(), atom.begin(), atom.end());
      if (!first_factor) program.push_back(kMul);
      first_factor = false;
    }
    if (!first_term) program.push_back(kAdd);
    first_term = false;
  }
  return program;
}

Result<Dim> Dim::FromProgram(std::span<const std::int64_t> program) {
  if (program.empty() || program.size() > kMaxProgram) {
    return InvalidArgumentError("dimension program: expected 1.." + std::to_string(kMaxProgram) +
                                " words, got " + std::to_string(program.size()));
  }
  const auto bad = [](std::size_t at, const char* expected) {
    return InvalidArgumentError("dimension program: word " + std::to_string(at) + ": expected " +
                                expected);
  };
  std::vector<Dim> stack;
  for (std::size_t i = 0; i < program.size(); ++i) {
    const std::int64_t op = program[i];
    if (op < kConst || op > kMax) return bad(i, "an opcode 0..5");
    if (HasArgument(op) && i + 1 >= program.size()) return bad(i, "an argument after it");
    if (op == kConst || op == kSymbol) {
      if (stack.size() == kMaxStack) return bad(i, "a shallower expression");
      const std::int64_t value = program[++i];
      if (op == kSymbol && (value < 0 || value >= kMaxSymbols)) return bad(i, "a symbol 0..31");
      stack.push_back(op == kConst ? Dim(value) : Symbol(static_cast<SymbolId>(value)));
      continue;
    }
    if (op == kFloorDiv) {
      const std::int64_t divisor = program[++i];
      if (stack.empty() || divisor <= 0) return bad(i, "an operand and a positive divisor");
      stack.back() = FloorDiv(stack.back(), divisor);
    } else {
      if (stack.size() < 2) return bad(i, "two operands");
      const Dim b = std::move(stack.back());
      stack.pop_back();
      Dim& a = stack.back();
      a = op == kAdd ? a + b : op == kMul ? a * b : Max(a, b);
    }
    if (stack.back().invalid_) return bad(i, "64-bit coefficients and a small expression");
  }
  if (stack.size() != 1) return bad(program.size(), "one result");
  const std::vector<std::int64_t> again = stack[0].Program();
  if (!std::equal(again.begin(), again.end(), program.begin(), program.end())) {
    return InvalidArgumentError("dimension program: expected the canonical form of " +
                                stack[0].ToString({}));
  }
  return std::move(stack[0]);
}

std::string Dim::ToString(std::span<const std::string> names) const {
  if (invalid_) return "overflow";
  if (terms_.empty()) return "0";
  // Renders the canonical program of an atom, which may nest sums.
  const auto render = [&names](const Atom& atom) {
    if (atom[0] == kSymbol && atom.size() == 2) return SymbolName(atom[1], names);
    std::vector<std::string> stack;
    for (std::size_t i = 0; i < atom.size(); ++i) {
      if (atom[i] == kConst) {
        stack.push_back(std::to_string(atom[++i]));
      } else if (atom[i] == kSymbol) {
        stack.push_back(SymbolName(atom[++i], names));
      } else if (atom[i] == kFloorDiv) {
        stack.back() = "floor_div(" + stack.back() + ", " + std::to_string(atom[++i]) + ")";
      } else {
        const std::string b = std::move(stack.back());
        stack.pop_back();
        std::string& a = stack.back();
        if (atom[i] == kMul) a = a + "*" + b;
        if (atom[i] == kAdd) a = a + " + " + b;
        if (atom[i] == kMax) a = "max(" + a + ", " + b + ")";
      }
    }
    return stack.back();
  };
  std::string text;
  for (const Term& term : terms_) {
    std::int64_t coefficient = term.coefficient;
    if (!text.empty()) {
      text += coefficient < 0 ? " - " : " + ";
      if (coefficient < 0 && coefficient != std::numeric_limits<std::int64_t>::min()) {
        coefficient = -coefficient;
      }
    }
    std::string product;
    if (coefficient != 1 || term.atoms.empty()) product = std::to_string(coefficient);
    for (const Atom& atom : term.atoms) product += (product.empty() ? "" : "*") + render(atom);
    text += product;
  }
  return text;
}

std::string ShapeToString(std::span<const Dim> shape, std::span<const std::string> names) {
  std::string text = "[";
  for (std::size_t i = 0; i < shape.size(); ++i) {
    text += (i == 0 ? "" : ", ") + shape[i].ToString(names);
  }
  return text + "]";
}

std::int64_t EvaluateProgram(std::span<const std::int64_t> program,
                             std::span<const std::int64_t> symbols) {
  const Evaluation evaluation = Run(program, symbols);
  return evaluation.ok ? evaluation.value : -1;
}

}  // namespace zhibi::graph
