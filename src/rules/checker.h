// SPDX-License-Identifier: Apache-2.0
// The rule engine: loads the rules and their tables once and checks texts. No model, no network.
// Thread-safe after Load.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "rules/context.h"
#include "rules/finding.h"
#include "zhibi/status.h"

namespace zhibi::rules {

class Checker {
 public:
  // data_dir: the folder data/ (legal::FindDataDir). statutes_dir: the user's own statutes and
  // texts (statute::LocalDir), empty for none. Errors name the file that is missing or wrong.
  static Result<Checker> Load(const std::string& data_dir, const std::string& statutes_dir = {});

  Checker(Checker&& other) noexcept;
  Checker& operator=(Checker&& other) noexcept;
  Checker(const Checker&) = delete;
  Checker& operator=(const Checker&) = delete;
  ~Checker();

  // Findings by place. kInvalidArgument: not UTF-8 (names the byte), unknown elements;
  // kResourceExhausted: more than kMaxBytes.
  static constexpr std::size_t kMaxBytes = std::size_t{16} << 20;
  Result<Report> Check(std::string_view text, const CheckOptions& options) const;

  const RuleSet& rules() const;

 private:
  struct Parts;
  explicit Checker(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace zhibi::rules
