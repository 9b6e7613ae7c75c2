// SPDX-License-Identifier: Apache-2.0
#include "legal/court_fee.h"

#include <algorithm>
#include <array>
#include <span>

#include "base/status_macros.h"
#include "legal/money.h"

namespace zhibi::legal {
namespace {

constexpr std::int64_t kYuan = 100;
constexpr std::int64_t kWan = 10'000 * kYuan;

// The part of the amount above `above_fen`, up to the next bracket, pays `basis_points`/10,000.
struct Bracket {
  std::int64_t above_fen;
  std::int64_t basis_points;
};

constexpr std::array kPropertyBrackets = {
    Bracket{1 * kWan, 250},  Bracket{10 * kWan, 200},  Bracket{20 * kWan, 150},
    Bracket{50 * kWan, 100}, Bracket{100 * kWan, 90},  Bracket{200 * kWan, 80},
    Bracket{500 * kWan, 70}, Bracket{1000 * kWan, 60}, Bracket{2000 * kWan, 50}};
constexpr std::array kDivorceBrackets = {Bracket{20 * kWan, 50}};
constexpr std::array kPersonalityBrackets = {Bracket{5 * kWan, 100}, Bracket{10 * kWan, 50}};
constexpr std::array kEnforcementBrackets = {Bracket{1 * kWan, 150}, Bracket{50 * kWan, 100},
                                             Bracket{500 * kWan, 50}, Bracket{1000 * kWan, 10}};
constexpr std::array kPreservationBrackets = {Bracket{1000 * kYuan, 100}, Bracket{10 * kWan, 50}};

struct Schedule {
  const char* name;
  FeeKind kind;
  std::int64_t low_fen;  // of the fixed part
  std::int64_t high_fen;
  std::span<const Bracket> brackets;
  bool needs_amount;
  std::int64_t divisor;  // of the whole
  std::int64_t cap_fen;  // 0: none
  const char* basis;
};

constexpr std::array kSchedules = {
    Schedule{"property", FeeKind::kProperty, 50 * kYuan, 50 * kYuan, kPropertyBrackets, true, 1, 0,
             "第十三条第一款第（一）项"},
    Schedule{"appeal", FeeKind::kAppeal, 50 * kYuan, 50 * kYuan, kPropertyBrackets, true, 1, 0,
             "第十三条第一款第（一）项、第十七条"},
    Schedule{"divorce", FeeKind::kDivorce, 50 * kYuan, 300 * kYuan, kDivorceBrackets, false, 1, 0,
             "第十三条第一款第（二）项"},
    Schedule{"personality", FeeKind::kPersonality, 100 * kYuan, 500 * kYuan, kPersonalityBrackets,
             false, 1, 0, "第十三条第一款第（二）项"},
    Schedule{"non_property",
             FeeKind::kNonProperty,
             50 * kYuan,
             100 * kYuan,
             {},
             false,
             1,
             0,
             "第十三条第一款第（二）项"},
    Schedule{
        "ip", FeeKind::kIp, 500 * kYuan, 1000 * kYuan, {}, false, 1, 0, "第十三条第一款第（三）项"},
    Schedule{"labour",
             FeeKind::kLabour,
             10 * kYuan,
             10 * kYuan,
             {},
             false,
             1,
             0,
             "第十三条第一款第（四）项"},
    Schedule{"administrative_ip",
             FeeKind::kAdministrativeIp,
             100 * kYuan,
             100 * kYuan,
             {},
             false,
             1,
             0,
             "第十三条第一款第（五）项"},
    Schedule{"administrative",
             FeeKind::kAdministrative,
             50 * kYuan,
             50 * kYuan,
             {},
             false,
             1,
             0,
             "第十三条第一款第（五）项"},
    Schedule{"jurisdiction",
             FeeKind::kJurisdiction,
             50 * kYuan,
             100 * kYuan,
             {},
             false,
             1,
             0,
             "第十三条第一款第（六）项"},
    Schedule{"enforcement", FeeKind::kEnforcement, 50 * kYuan, 50 * kYuan, kEnforcementBrackets,
             false, 1, 0, "第十四条第（一）项"},
    Schedule{"preservation", FeeKind::kPreservation, 30 * kYuan, 30 * kYuan, kPreservationBrackets,
             false, 1, 5000 * kYuan, "第十四条第（二）项"},
    Schedule{"payment_order", FeeKind::kPaymentOrder, 50 * kYuan, 50 * kYuan, kPropertyBrackets,
             true, 3, 0, "第十四条第（三）项"},
    Schedule{"public_notice",
             FeeKind::kPublicNotice,
             100 * kYuan,
             100 * kYuan,
             {},
             false,
             1,
             0,
             "第十四条第（四）项"},
    Schedule{"arbitration_review",
             FeeKind::kArbitrationReview,
             400 * kYuan,
             400 * kYuan,
             {},
             false,
             1,
             0,
             "第十四条第（五）项"},
    Schedule{"bankruptcy", FeeKind::kBankruptcy, 50 * kYuan, 50 * kYuan, kPropertyBrackets, true, 2,
             30 * kWan, "第十四条第（六）项"},
    Schedule{"maritime_fund",
             FeeKind::kMaritimeFund,
             1000 * kYuan,
             10'000 * kYuan,
             {},
             false,
             1,
             0,
             "第十四条第（七）项"},
    Schedule{"maritime_order",
             FeeKind::kMaritimeOrder,
             1000 * kYuan,
             5000 * kYuan,
             {},
             false,
             1,
             0,
             "第十四条第（七）项"},
    Schedule{"maritime_lien",
             FeeKind::kMaritimeLien,
             1000 * kYuan,
             5000 * kYuan,
             {},
             false,
             1,
             0,
             "第十四条第（七）项"},
    Schedule{"maritime_claim",
             FeeKind::kMaritimeClaim,
             1000 * kYuan,
             1000 * kYuan,
             {},
             false,
             1,
             0,
             "第十四条第（七）项"},
    Schedule{"maritime_adjustment",
             FeeKind::kMaritimeAdjustment,
             1000 * kYuan,
             1000 * kYuan,
             {},
             false,
             1,
             0,
             "第十四条第（七）项"},
};

struct Share {
  std::int64_t scaled = 0;  // sum of part * basis points, so that rounding happens once
  std::string terms;        // " + 90,000×2.5% + ..."
};

Share Percentages(std::span<const Bracket> brackets, std::int64_t amount) {
  Share share;
  for (std::size_t i = 0; i < brackets.size() && amount > brackets[i].above_fen; ++i) {
    const std::int64_t top =
        i + 1 < brackets.size() ? std::min(amount, brackets[i + 1].above_fen) : amount;
    const std::int64_t part = top - brackets[i].above_fen;
    share.scaled += part * brackets[i].basis_points;
    share.terms +=
        " + " + FormulaYuan(part) + "×" + FormulaDecimal(brackets[i].basis_points, 2) + "%";
  }
  return share;
}

// (base + share) / divisor, with its line.
Result<Calculation> Total(const Schedule& schedule, std::int64_t base, const Share& share) {
  ZB_ASSIGN_OR_RETURN(std::int64_t fen,
                      MulDiv(base * 10'000 + share.scaled, 1, schedule.divisor * 10'000));
  Calculation out;
  std::string left = FormulaYuan(base) + share.terms;
  if (schedule.divisor > 1) {
    if (!share.terms.empty()) left = "(" + left + ")";
    left += "÷" + std::to_string(schedule.divisor);
  }
  if (schedule.divisor == 1 && share.terms.empty()) {
    out.formula = "每件 " + left + " 元";
  } else {
    out.formula = left + " = " + FormulaYuan(fen) + " 元";
  }
  if (schedule.cap_fen > 0 && fen > schedule.cap_fen) {
    fen = schedule.cap_fen;
    out.formula += "，超过上限，按 " + FormulaYuan(fen) + " 元";
  }
  out.fen = fen;
  return out;
}

Status CheckAmount(const Schedule& schedule, std::optional<std::int64_t> amount) {
  if (!amount && schedule.needs_amount) {
    return InvalidArgumentError(std::string("诉讼费 ") + schedule.name +
                                "：需要金额 (this court fee needs an amount)");
  }
  if (amount && (*amount < 0 || *amount > kMaxFen)) {
    return InvalidArgumentError(
        std::string("诉讼费 ") + schedule.name +
        "：金额应在0至9999亿元之间 (an amount of 0 to 999999999999.99 yuan)");
  }
  return OkStatus();
}

}  // namespace

std::optional<FeeKind> FeeKindFromName(std::string_view name) {
  for (const Schedule& schedule : kSchedules) {
    if (schedule.name == name) return schedule.kind;
  }
  return std::nullopt;
}

Result<CourtFee> ComputeCourtFee(FeeKind kind, std::optional<std::int64_t> amount_fen,
                                 std::optional<std::int64_t> base_fen) {
  const auto* found = std::find_if(kSchedules.begin(), kSchedules.end(),
                                   [kind](const Schedule& row) { return row.kind == kind; });
  if (found == kSchedules.end()) return InvalidArgumentError("unknown kind of court fee");
  Schedule schedule = *found;
  ZB_RETURN_IF_ERROR(CheckAmount(schedule, amount_fen));
  if (kind == FeeKind::kIp && amount_fen) {
    schedule.low_fen = schedule.high_fen = 50 * kYuan;
    schedule.brackets = kPropertyBrackets;
  }
  if (kind == FeeKind::kEnforcement && !amount_fen) schedule.high_fen = 500 * kYuan;
  if (base_fen) {
    if (*base_fen < schedule.low_fen || *base_fen > schedule.high_fen) {
      return InvalidArgumentError(
          std::string("诉讼费 ") + schedule.name + "：每件 " + FormulaYuan(*base_fen) + " 元不在 " +
          FormulaYuan(schedule.low_fen) + " 至 " + FormulaYuan(schedule.high_fen) +
          " 元的幅度内 (the fixed part lies outside its band)");
    }
    schedule.low_fen = schedule.high_fen = *base_fen;
  }
  const Share share = Percentages(schedule.brackets, amount_fen.value_or(0));
  ZB_ASSIGN_OR_RETURN(const Calculation low, Total(schedule, schedule.low_fen, share));
  ZB_ASSIGN_OR_RETURN(const Calculation high, Total(schedule, schedule.high_fen, share));
  CourtFee fee;
  fee.low_fen = low.fen;
  fee.high_fen = high.fen;
  fee.formula = low.fen == high.fen ? low.formula
                                    : FormulaYuan(low.fen) + " 至 " + FormulaYuan(high.fen) + " 元";
  fee.basis = std::string("《诉讼费用交纳办法》") + schedule.basis;
  return fee;
}

Result<Calculation> HalfFee(std::int64_t fen) {
  Calculation out;
  ZB_ASSIGN_OR_RETURN(out.fen, MulDiv(fen, 1, 2));
  out.formula = FormulaYuan(fen) + "÷2 = " + FormulaYuan(out.fen) + " 元";
  return out;
}

}  // namespace zhibi::legal
