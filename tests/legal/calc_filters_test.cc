// SPDX-License-Identifier: Apache-2.0
// The filters as skeletons use them, and what they refuse; sums by hand.
#include "legal/calc_filters.h"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "legal/calculation.h"
#include "legal/money.h"
#include "text/jinja.h"

namespace zhibi::legal {
namespace {

struct Tables {
  LprTable lpr;
  BenchmarkTable benchmark;
  HolidayTable holidays;
};

const Tables& Shipped() {
  static const Tables kTables = [] {
    const std::string data = std::string(ZHIBI_SOURCE_DIR) + "/data";
    return Tables{*LprTable::Load(data), *BenchmarkTable::Load(data), *HolidayTable::Load(data)};
  }();
  return kTables;
}

Result<std::string> Render(std::string_view source) {
  text::HostFilters filters;
  AddCalcFilters(filters, {Shipped().lpr, Shipped().benchmark, Shipped().holidays});
  const Result<text::JinjaTemplate> parsed = text::JinjaTemplate::Parse(source, "test");
  if (!parsed.ok()) return parsed.status();
  text::RenderOptions options;
  options.filters = &filters;
  const auto segments = parsed->RenderSegments(nlohmann::ordered_json::object(), options);
  if (!segments.ok()) return segments.status();
  return text::JoinSegments(*segments);
}

TEST(CalcFiltersTest, Fees) {
  EXPECT_EQ(*Render("{{ 10000000 | court_fee('property') }}"), "230000");
  EXPECT_EQ(*Render("{{ 10000000 | court_fee('property') | half_fee }}"), "115000");
  EXPECT_EQ(*Render("{{ none | court_fee('labour') }}"), "1000");
  EXPECT_EQ(*Render("{{ none | court_fee('divorce', 20000) }}"), "20000");
  EXPECT_EQ(*Render("{{ 10000000 | court_fee_formula('property') }}"),
            "50 + 90,000×2.5% = 2,300 元");
}

TEST(CalcFiltersTest, Refuses) {
  EXPECT_FALSE(Render("{{ none | court_fee('property') }}").ok());
  EXPECT_FALSE(Render("{{ none | court_fee('divorce') }}").ok());  // a band, no figure
  EXPECT_FALSE(Render("{{ 1 | court_fee('nothing') }}").ok());
  EXPECT_FALSE(Render("{{ 1 | court_fee }}").ok());
  EXPECT_FALSE(Render("{{ '1' | court_fee('property') }}").ok());
  EXPECT_FALSE(Render("{{ none | half_fee }}").ok());
}

// The message of a call that fails.
std::string Error(std::string_view source) {
  const Result<std::string> text = Render(source);
  return text.ok() ? "no error: " + *text : text.status().message();
}

TEST(CalcFiltersTest, Interest) {
  // 1,127.1233 yuan, see lpr_interest_test.cc.
  EXPECT_EQ(*Render("{{ 10000000 | lpr_interest('2024-07-01', '2024-11-01') }}"), "112712");
  EXPECT_EQ(*Render("{{ 10000000 | lpr_interest('2024-07-01', '2024-11-01', 1.5) }}"), "169068");
  EXPECT_EQ(*Render("{{ 10000000 | lpr_interest('1999-01-01', '2024-11-01') }}"), "None");
  EXPECT_EQ(*Render("{{ 10000000 | lpr_interest_formula('2025-05-20', '2026-05-20') }}"),
            "100,000×2025年5月20日至2026年5月19日3%×365天÷365 = 3,000 元");
  EXPECT_EQ(*Render("{{ 1 | lpr_interest_warnings('2019-08-01', '2019-09-01') | length }}"), "1");
  EXPECT_EQ(*Render("{{ '2022-03-01' | lpr_cap }}"), "14.8");
  EXPECT_EQ(*Render("{{ '2025-06-01' | lpr_cap }}"), "12");
  EXPECT_EQ(*Render("{{ '2019-08-19' | lpr_cap }}"), "None");
  EXPECT_EQ(*Render("{{ 10000000 | capped_interest(18, '2022-03-01', '2024-01-01', '2022-03-01', "
                    "'2023-03-01') }}"),
            "1480000");
  EXPECT_EQ(*Render("{{ 10000000 | capped_interest(30, '2019-01-01', '2021-06-01', '2020-08-01', "
                    "'2020-09-01', true) }}"),
            "175562");
}

TEST(CalcFiltersTest, DoubledInterest) {
  EXPECT_EQ(*Render("{{ 10000000 | doubled_interest('2024-01-01', '2024-04-10') }}"), "175000");
  EXPECT_EQ(*Render("{{ 10000000 | doubled_interest('2024-01-01', '2024-04-10', [['2024-02-01', "
                    "'2024-02-21']]) }}"),
            "140000");
  EXPECT_EQ(*Render("{{ 10000000 | doubled_interest('2024-01-01', '2024-04-10', [{'from': "
                    "'2024-02-01', 'to': '2024-02-21'}]) }}"),
            "140000");
}

TEST(CalcFiltersTest, Days) {
  EXPECT_EQ(*Render("{{ '2024-09-01' | add_days(15) }}"), "2024-09-18");
  EXPECT_EQ(*Render("{{ '2024-09-01' | add_days(15, false) }}"), "2024-09-16");
  EXPECT_EQ(*Render("{{ '2024年1月31日' | add_months(1) }}"), "2024-02-29");
  EXPECT_EQ(*Render("{{ '2024-02-29' | add_years(1) }}"), "2025-02-28");
  EXPECT_EQ(*Render("{{ '2024-03-06' | appeal_deadline }}"), "2024-03-21");
  EXPECT_EQ(*Render("{{ '2024-09-19' | appeal_deadline(10) }}"), "2024-09-29");
  EXPECT_EQ(*Render("{{ '2021-03-10' | limitation_deadline }}"), "2024-03-11");
  EXPECT_EQ(*Render("{{ '2024-05-20' | enforcement_deadline }}"), "2026-05-20");
  EXPECT_EQ(*Render("{{ '2024-05-20' | labour_arbitration_deadline }}"), "2025-05-20");
  EXPECT_EQ(*Render("{{ '2024-05-20' | labour_arbitration_deadline_warnings | length }}"), "1");
  EXPECT_EQ(*Render("{{ '2026-12-20' | add_days_warnings(15) | length }}"), "1");
  EXPECT_EQ(*Render("{{ '2024-10-01' | is_day_off }}"), "True");
}

TEST(CalcFiltersTest, Compensation) {
  // Sums as in compensation_test.cc and compensation_traffic_test.cc.
  EXPECT_EQ(*Render("{{ 68 | death_compensation(5000000) }}"), "60000000");
  EXPECT_EQ(*Render("{{ 66 | disability_compensation(31, 5000000) }}"), "21700000");
  EXPECT_EQ(*Render("{{ 10 | disability_percent }}"), "10");
  EXPECT_EQ(*Render("{{ 61 | compensation_years }}"), "19");
  EXPECT_EQ(*Render("{{ [{'age': 10, 'supporters': 2}, {'months': 120, 'supporters': 3}] | "
                    "dependant_living(3000000, 20) }}"),
            "4400000");
  EXPECT_EQ(*Render("{{ 800000 | funeral_expense }}"), "4800000");
  EXPECT_EQ(*Render("{{ 90 | lost_wages(600000, 'month') }}"), "1800000");
  EXPECT_EQ(*Render("{{ 90 | lost_wages(20000) }}"), "1800000");
  EXPECT_EQ(*Render("{{ 90 | lost_wages(7300000, 'year') }}"), "1800000");
  EXPECT_EQ(*Render("{{ 30 | nursing_fee(15000, 'day', 2, 50) }}"), "450000");
  EXPECT_EQ(*Render("{{ 20 | meal_allowance(10000) }}"), "200000");
  EXPECT_EQ(*Render("{{ 20 | nutrition_fee_formula(10000) }}"), "100×20天 = 2,000 元");
  EXPECT_EQ(*Render("{% set split = {'medical_fen': 3000000, 'injury_fen': 40000000, "
                    "'property_fen': 500000, 'accident_date': '2023-05-01', 'fault_percent': 70, "
                    "'no_fault': false, 'commercial_limit_fen': 10000000} | traffic_split %}"
                    "{{ split.compulsory_fen }} {{ split.commercial_fen }} "
                    "{{ split.tortfeasor_fen }} {{ split.warnings | length }}"),
            "20000000 10000000 6450000 1");
}

TEST(CalcFiltersTest, Labour) {
  // Sums as in labour_test.cc.
  EXPECT_EQ(*Render("{{ 800000 | severance_pay('2018-03-01', '2024-08-30', 700000) }}"), "5200000");
  EXPECT_EQ(*Render("{{ 800000 | severance_pay('2018-03-01', '2024-08-30', none, 900000) }}"),
            "5850000");
  EXPECT_EQ(*Render("{{ 800000 | unlawful_dismissal_pay('2018-03-01', '2024-08-30') }}"),
            "10400000");
  EXPECT_EQ(*Render("{{ 800000 | severance_pay('2001-01-01', '2007-01-01') }}"), "None");
  EXPECT_EQ(*Render("{{ 800000 | double_wage('2020-03-01', '2022-01-01') }}"), "8800000");
  EXPECT_EQ(*Render("{{ 870000 | overtime_pay(10, 16.5, 8) }}"), "360000");
  EXPECT_EQ(*Render("{{ 800000 | overtime_pay(1) }}"), "6897");
  EXPECT_EQ(*Render("{{ 800000 | annual_leave_pay(5) }}"), "367816");
  EXPECT_EQ(*Render("{{ 800000 | annual_leave_pay(5, false) }}"), "551724");
  EXPECT_EQ(*Render("{{ 10 | annual_leave_days }}"), "10");
  EXPECT_EQ(*Render("{{ 10 | annual_leave_days(183, 1) }}"), "4");
  EXPECT_EQ(
      *Render("{{ [{'month': '2024年1月', 'due_fen': 800000, 'paid_fen': 300000}, {'due_fen': "
              "800000}] | wage_arrears_formula }}"),
      "2024年1月(8,000−3,000) + 8,000 = 13,000 元");
}

TEST(CalcFiltersTest, IdentityNumbers) {
  EXPECT_EQ(*Render("{{ '11010519491231002X' | birth_of_id }}"), "1949-12-31");
  EXPECT_EQ(*Render("{{ '11010519491231002X' | sex_of_id }}"), "女");
  const std::string error = Error("{{ '110105194912310021' | sex_of_id }}");
  EXPECT_NE(error.find("sex_of_id: 公民身份号码的校验位不对"), std::string::npos) << error;
  EXPECT_EQ(error.find("110105"), std::string::npos) << error;
}

TEST(CalcFiltersTest, MissingValuesPassThrough) {
  EXPECT_EQ(*Render("{{ '【待填：本金】' | lpr_interest('2024-07-01', '2024-11-01') }}"),
            "【待填：本金】");
  EXPECT_EQ(*Render("{{ 1 | lpr_interest_formula('【待填：起息日】', '2024-11-01') }}"),
            "【待填：起息日】");
  EXPECT_EQ(*Render("{{ 1 | doubled_interest('2024-01-01', '2024-04-10', [{'from': "
                    "'【待填：中止日】', 'to': '2024-02-21'}]) }}"),
            "【待填：中止日】");
}

TEST(CalcFiltersTest, ErrorsNameFilterAndArgument) {
  for (const auto& [source, part] : std::vector<std::pair<std::string, std::string>>{
           {"{{ 'x' | lpr_interest('2024-07-01', '2024-11-01') }}", "lpr_interest: principal_fen"},
           {"{{ -1 | lpr_interest('2024-07-01', '2024-11-01') }}", "lpr_interest: principal_fen"},
           {"{{ 1 | lpr_interest('2024-02-30', '2024-11-01') }}", "lpr_interest: from"},
           {"{{ 1 | lpr_interest('2024-02-01', 3) }}", "lpr_interest: to"},
           {"{{ 1 | lpr_interest('2024-02-01', '2024-03-01', -1) }}", "lpr_interest: multiple"},
           {"{{ 1 | lpr_interest('2024-02-01') }}", "(from, to, multiple?)"},
           {"{{ 1 | capped_interest(1001, '2022-03-01', '2024-01-01', '2022-03-01', "
            "'2023-03-01') }}",
            "capped_interest: rate_percent"},
           {"{{ 1 | capped_interest(10, '2022-03-02', '2024-01-01', '2022-03-01', '2023-03-01') }}",
            "capped_interest: 合同成立日"},
           {"{{ 1 | doubled_interest('2024-01-01', '2024-04-10', 5) }}",
            "doubled_interest: suspended"},
           {"{{ '2024-01-01' | add_days(-1) }}", "add_days: count"},
           {"{{ '2024-01-01' | add_days(1.5) }}", "add_days: count"},
           {"{{ '2024-01-01' | add_days(1, 1) }}", "add_days: roll"},
           {"{{ '2024-01-01' | appeal_deadline(14) }}", "appeal_deadline: 上诉期"},
           {"{{ 151 | death_compensation(1) }}", "death_compensation: age"},
           {"{{ 40 | disability_compensation(101, 1) }}", "disability_compensation: percent"},
           {"{{ 40 | disability_compensation(0, 1) }}", "disability_compensation: 系数"},
           {"{{ 11 | disability_percent }}", "disability_percent: grade"},
           {"{{ 5 | dependant_living(1) }}", "dependant_living: dependants"},
           {"{{ [{'age': 5}, {'supporters': 1}] | dependant_living(1) }}",
            "dependant_living: dependants[1].age"},
           {"{{ [{'age': 5, 'supporters': 0}] | dependant_living(1) }}",
            "dependant_living: dependants[0].supporters"},
           {"{{ [3] | dependant_living(1) }}", "dependant_living: dependants[0]"},
           {"{{ 9 | lost_wages(1, 'week') }}", "lost_wages: unit"},
           {"{{ 9 | nursing_fee(1, 'day', 0) }}", "nursing_fee: persons"},
           {"{{ {'fault_percent': 1} | traffic_split }}", "traffic_split: losses.accident_date"},
           {"{{ {'accident_date': '2023-01-01'} | traffic_split }}",
            "traffic_split: losses.fault_percent"},
           {"{{ {'accident_date': '2023-01-01', 'fault_percent': 1, 'medical_fen': -1} | "
            "traffic_split }}",
            "traffic_split: losses.medical_fen"},
           {"{{ 1 | severance_pay('2024-01-02', '2024-01-01') }}", "severance_pay: 离职日"},
           {"{{ 1 | severance_pay('2024-01-02', '2024-01-03', -1) }}",
            "severance_pay: average_fen"},
           {"{{ 1 | overtime_pay(1.005) }}", "overtime_pay: weekday_hours"},
           {"{{ 1 | overtime_pay(1, 'x') }}", "overtime_pay: rest_day_hours"},
           {"{{ 1 | annual_leave_pay(1, 1) }}", "annual_leave_pay: normal_paid"},
           {"{{ 1 | wage_arrears }}", "wage_arrears: months"},
           {"{{ [{'due_fen': 1}, {}] | wage_arrears }}", "wage_arrears: months[1].due_fen"},
           {"{{ [{'due_fen': 1, 'paid_fen': 2}] | wage_arrears }}", "wage_arrears: 第1个月"}}) {
    const std::string error = Error(source);
    EXPECT_NE(error.find(part), std::string::npos) << error;
  }
}

TEST(CalculationTest, RoundsOnceHalfUp) {
  EXPECT_EQ(*MulDiv(1, 1, 2), 1);
  EXPECT_EQ(*MulDiv(1, 1, 3), 0);
  EXPECT_EQ(*MulDiv(kMaxFen, kMaxFen, kMaxFen), kMaxFen);
  EXPECT_FALSE(MulDiv(kMaxFen, 2, 1).ok());
  EXPECT_FALSE(MulDiv(-1, 1, 1).ok());
  EXPECT_FALSE(MulDiv(1, 1, 0).ok());
  EXPECT_FALSE(AddFen(kMaxFen, 1).ok());
}

TEST(CalculationTest, Formats) {
  EXPECT_EQ(FormulaYuan(230'000), "2,300");
  EXPECT_EQ(FormulaYuan(115'050), "1,150.50");
  EXPECT_EQ(FormulaDecimal(250, 2), "2.5");
}

}  // namespace
}  // namespace zhibi::legal
