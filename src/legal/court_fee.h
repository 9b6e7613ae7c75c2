// SPDX-License-Identifier: Apache-2.0
// Court fees (诉讼费用交纳办法, 国务院令第481号, articles 13 to 18), with the line that shows how
// each came about. Where the 办法 gives a band (divorce 50 to 300 yuan) and the province's figure
// is not given, the fee is a range. Amounts are fen; nothing is rounded to whole yuan, though many
// courts do that when they collect. Thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "legal/calculation.h"
#include "zhibi/status.h"

namespace zhibi::legal {

enum class FeeKind : std::uint8_t {
  kProperty,            // 13(一), brackets
  kAppeal,              // 17: brackets on the part of the judgment that is appealed against
  kDivorce,             // 13(二)1, band 50-300, 0.5 % of property above 200,000
  kPersonality,         // 13(二)2, band 100-500, 1 % above 50,000, 0.5 % above 100,000
  kNonProperty,         // 13(二)3, band 50-100
  kIp,                  // 13(三): without amount a band 500-1,000, with amount as property
  kLabour,              // 13(四), 10
  kAdministrativeIp,    // 13(五)1, trade mark, patent, maritime: 100
  kAdministrative,      // 13(五)2, 50
  kJurisdiction,        // 13(六), band 50-100, when the objection fails
  kEnforcement,         // 14(一); without amount a band 50-500
  kPreservation,        // 14(二), at most 5,000
  kPaymentOrder,        // 14(三), a third of the property fee
  kPublicNotice,        // 14(四), 100
  kArbitrationReview,   // 14(五), 400
  kBankruptcy,          // 14(六), half the property fee, at most 300,000
  kMaritimeFund,        // 14(七)1, band 1,000-10,000
  kMaritimeOrder,       // 14(七)2, band 1,000-5,000
  kMaritimeLien,        // 14(七)3, band 1,000-5,000
  kMaritimeClaim,       // 14(七)4, 1,000
  kMaritimeAdjustment,  // 14(七)5, 1,000
};

// "property", "appeal", "divorce", "personality", "non_property", "ip", "labour",
// "administrative_ip", "administrative", "jurisdiction", "enforcement", "preservation",
// "payment_order", "public_notice", "arbitration_review", "bankruptcy", "maritime_fund",
// "maritime_order", "maritime_lien", "maritime_claim", "maritime_adjustment".
std::optional<FeeKind> FeeKindFromName(std::string_view name);

struct CourtFee {
  std::int64_t low_fen = 0;
  std::int64_t high_fen = 0;  // equal to low_fen when the 办法 leaves no choice
  std::string formula;        // of the exact fee; of a range "50 至 300 元"
  std::string basis;          // "诉讼费用交纳办法第十三条第一款第（一）项"

  bool exact() const { return low_fen == high_fen; }
};

// `amount_fen`: the sum in dispute, none when there is none. `base_fen`: the province's figure
// within the band, where there is one. kInvalidArgument: an amount is negative or too large, one is
// needed and missing, or the base lies outside its band.
Result<CourtFee> ComputeCourtFee(FeeKind kind, std::optional<std::int64_t> amount_fen,
                                 std::optional<std::int64_t> base_fen = std::nullopt);

// 15, 16, 18: simple procedure, mediation, withdrawal, counterclaim. "2,300÷2 = 1,150 元".
Result<Calculation> HalfFee(std::int64_t fen);

}  // namespace zhibi::legal
