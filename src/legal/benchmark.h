// SPDX-License-Identifier: Apache-2.0
// The benchmark lending rate of the People's Bank (六个月至一年（含）期贷款基准利率), which stood
// where the LPR stands since 2019-08-20: what courts ordered as 中国人民银行同期同类贷款基准利率.
// The table is data (data/rates/benchmark.json); rows say how many independent sources they were
// read from, and what rests on a single one is a warning. Thread-safe.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "legal/date.h"
#include "legal/interest.h"
#include "zhibi/status.h"

namespace zhibi::legal {

class BenchmarkTable {
 public:
  struct Row {
    Date from;
    Rate rate = 0;
    bool confirmed = false;  // read from two independent sources
  };

  // Holds no row: every day before the LPR is unknown.
  BenchmarkTable() = default;

  // {"loans": [["2002-02-21", 5.31, 1], ...], "term": "六个月至一年（含）", "until": "2019-08-19"},
  // rising dates, the third number counts sources. kInvalidArgument names `source`.
  static Result<BenchmarkTable> FromJson(const nlohmann::json& json, std::string_view source);
  // data_dir/rates/benchmark.json; an empty table where there is no such file.
  static Result<BenchmarkTable> Load(const std::string& data_dir);

  // Rising by day.
  const std::vector<Row>& rows() const { return rows_; }
  // For which loans the rates are, e.g. "六个月至一年（含）".
  const std::string& term() const { return term_; }
  // The last day on which the table counts.
  const Date& until() const { return until_; }

 private:
  std::vector<Row> rows_;
  std::string term_;
  Date until_;
};

}  // namespace zhibi::legal
