// SPDX-License-Identifier: Apache-2.0
// How the losses of a traffic accident fall on the compulsory insurance (交强险), the commercial
// third-party insurance and the driver: 民法典 1213, 道路交通安全法 76, 交强险条例 21, 23. The
// limits of the compulsory insurance are those of the insurance supervisor since 2020-09-19 and
// since 2008-02-01; they stand in no law of the table of statutes, so every split warns. One
// victim; the share of several is not computed. Thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "legal/date.h"
#include "legal/interest.h"
#include "zhibi/status.h"

namespace zhibi::legal {

struct TrafficLosses {
  std::int64_t medical_fen = 0;   // 医疗费、住院伙食补助费、营养费、后续治疗费
  std::int64_t injury_fen = 0;    // 死亡伤残项下：残疾/死亡赔偿金、误工、护理、交通、精神抚慰金等
  std::int64_t property_fen = 0;  // 财产损失
  Date accident;
  bool no_fault = false;  // the insured vehicle is without fault
  Rate fault = 0;         // share of the vehicle's side in what the compulsory insurance leaves
  std::optional<std::int64_t> commercial_limit_fen;  // none: no commercial insurance
};

struct TrafficSplit {
  std::int64_t compulsory_medical_fen = 0;
  std::int64_t compulsory_injury_fen = 0;
  std::int64_t compulsory_property_fen = 0;
  std::int64_t compulsory_fen = 0;  // the three together
  std::int64_t liable_fen = 0;      // the rest times the share of fault
  std::int64_t commercial_fen = 0;  // of that, within the commercial limit
  std::int64_t tortfeasor_fen = 0;  // of that, what remains
  std::string formula;
  std::vector<std::string> warnings;
};

// kInvalidArgument: negative sums, a share above 100 % (above 10 % without fault), an accident
// before 2008-02-01.
Result<TrafficSplit> SplitTrafficLosses(const TrafficLosses& losses);

}  // namespace zhibi::legal
