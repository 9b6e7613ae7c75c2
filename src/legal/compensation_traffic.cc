// SPDX-License-Identifier: Apache-2.0
#include "legal/compensation_traffic.h"

#include <algorithm>

#include "base/status_macros.h"
#include "legal/calculation.h"
#include "legal/compensation.h"

namespace zhibi::legal {
namespace {

constexpr std::int64_t kYuan = 100;
constexpr Date kFirstLimits = {2008, 2, 1};
constexpr Date kReform = {2020, 9, 19};

struct Limits {
  std::int64_t injury_fen;
  std::int64_t medical_fen;
  std::int64_t property_fen;
};

Limits LimitsOf(const Date& accident, bool no_fault) {
  if (accident >= kReform) {
    return no_fault ? Limits{18'000 * kYuan, 1'800 * kYuan, 100 * kYuan}
                    : Limits{180'000 * kYuan, 18'000 * kYuan, 2'000 * kYuan};
  }
  return no_fault ? Limits{11'000 * kYuan, 1'000 * kYuan, 100 * kYuan}
                  : Limits{110'000 * kYuan, 10'000 * kYuan, 2'000 * kYuan};
}

std::string Within(const char* name, std::int64_t loss, std::int64_t limit) {
  std::string out = std::string(name) + FormulaYuan(std::min(loss, limit));
  if (loss > limit) out += "（损失" + FormulaYuan(loss) + "，限额" + FormulaYuan(limit) + "）";
  return out;
}

Status CheckLosses(const TrafficLosses& losses) {
  constexpr Rate kNoFaultShare = kWholePercent / 10;
  if (losses.fault < 0 || losses.fault > kWholePercent) {
    return InvalidArgumentError("责任比例应在0至100%之间 (a share of 0 to 100 percent)");
  }
  if (losses.no_fault && losses.fault > kNoFaultShare) {
    return InvalidArgumentError(
        "机动车一方没有过错的，责任比例不超过10% (at most 10 percent without fault)");
  }
  if (losses.accident < kFirstLimits) {
    return InvalidArgumentError(
        "2008年2月1日以前的事故的交强险限额没有收录 (no limits before 2008-02-01)");
  }
  return OkStatus();
}

}  // namespace

Result<TrafficSplit> SplitTrafficLosses(const TrafficLosses& losses) {
  ZB_RETURN_IF_ERROR(CheckLosses(losses));
  ZB_ASSIGN_OR_RETURN(std::int64_t total, AddFen(losses.medical_fen, losses.injury_fen));
  ZB_ASSIGN_OR_RETURN(total, AddFen(total, losses.property_fen));
  const Limits limits = LimitsOf(losses.accident, losses.no_fault);
  TrafficSplit out;
  out.compulsory_medical_fen = std::min(losses.medical_fen, limits.medical_fen);
  out.compulsory_injury_fen = std::min(losses.injury_fen, limits.injury_fen);
  out.compulsory_property_fen = std::min(losses.property_fen, limits.property_fen);
  out.compulsory_fen =
      out.compulsory_medical_fen + out.compulsory_injury_fen + out.compulsory_property_fen;
  const std::int64_t rest = total - out.compulsory_fen;
  ZB_ASSIGN_OR_RETURN(out.liable_fen, MulDiv(rest, losses.fault, kWholePercent));
  if (losses.commercial_limit_fen && *losses.commercial_limit_fen < 0) {
    return InvalidArgumentError("商业三者险限额不能为负 (the commercial limit is not negative)");
  }
  out.commercial_fen = std::min(out.liable_fen, losses.commercial_limit_fen.value_or(0));
  out.tortfeasor_fen = out.liable_fen - out.commercial_fen;

  out.formula = "交强险：" + Within("医疗费用", losses.medical_fen, limits.medical_fen) + " + " +
                Within("死亡伤残", losses.injury_fen, limits.injury_fen) + " + " +
                Within("财产损失", losses.property_fen, limits.property_fen) + " = " +
                FormulaYuan(out.compulsory_fen) + " 元；余额 " + FormulaYuan(rest) + "×" +
                FormulaDecimal(losses.fault, 4) + "% = " + FormulaYuan(out.liable_fen) + " 元";
  if (losses.commercial_limit_fen) {
    out.formula += "，其中商业三者险 " + FormulaYuan(out.commercial_fen) + " 元、侵权人 " +
                   FormulaYuan(out.tortfeasor_fen) + " 元";
  }
  out.warnings.emplace_back(
      "交强险责任限额按" +
      std::string(losses.accident >= kReform ? "2020年9月19日起" : "2008年2月1日起") +
      "的标准计算，由使用者核对");
  return out;
}

}  // namespace zhibi::legal
