// SPDX-License-Identifier: Apache-2.0
// What a legal text mentions: one Entity is a span of the text (bytes, on character borders), its
// kind, and the value that the span stands for. Spans of different kinds may overlap (an account
// inside an address does not, a date inside a case number does not: see Recogniser::Find).
// Thread rule: plain data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace zhibi::entity {

enum class Kind : std::uint8_t {
  // Numbers that belong to a person or an organisation; the subject of redaction.
  kCitizenNumber,  // value: 18 characters (15 as written); flag kUnverified: check digit wrong
  kCreditCode,     // value: 18 characters; kUnverified: a check digit is wrong
  kMobile,         // value: 11 digits
  kLandline,       // value: digits
  kBankCard,       // value: digits; kUnverified: fails Luhn, found by its context only
  kAccount,        // value: digits, by context (账号, 开户行)
  kPassport,       // value: as written
  kPermit,         // 港澳台 permits, 军官证; value: as written
  kPlate,          // value: as written
  kVin,            // value: 17 characters; kUnverified: check digit wrong
  kPropertyCertificate,  // value: as written
  kEmail,
  kWechat,
  kQq,
  kIp,
  kImei,
  kAddress,  // value: the part up to the county (江苏省昆山市); the span is the whole address
  // Who and what.
  kPerson,        // role: 原告, 法定代表人, ... of the first mention; value: the name
  kOrganisation,  // value: the name as at its first mention (an abbreviation's full name)
  kCourt,         // value: the name
  kCause,         // value: name of the cause of action in the table
  // Figures.
  kMoney,    // number: fen; kApproximate: 余, 约, 多; kForeign: another currency (value: its name)
  kDate,     // value: ISO 8601 day; kPartial: month or year only (value "2024-03", "2024")
  kPercent,  // number: millionths (12% = 120000); value: unit, "percent", "permille", "bp"
  // Protected: never redacted.
  kCaseNumber,      // value: as written with full-width brackets; see CaseNumber
  kArticle,         // 第一百二十条第二款
  kStatute,         // 《...》
  kContractNumber,  // 合同编号：...
  kJudge,           // value: the name; role: 审判长, 书记员, ...
};
std::string_view KindName(Kind kind);  // "citizen_number", "case_number", ...

enum Flag : std::uint32_t {
  kMasked = 1U << 0,       // 某, ×, ＊ in it: no full value is there
  kUnverified = 1U << 1,   // the form fits, a check digit does not
  kApproximate = 1U << 2,  // 余, 约, 左右
  kPartial = 1U << 3,      // a day is not complete
  kCapital = 1U << 4,      // a sum in capital characters
  kForeign = 1U << 5,      // not renminbi
  kDeclared = 1U << 6,     // a name where the text introduces it (head, 法定代表人：)
  kOldForm = 1U << 7,      // a case number of before 2016, a 15-digit citizen number
  kNoUnit = 1U << 8,       // a bare number taken for a sum by its context
};

struct Entity {
  Kind kind = Kind::kDate;
  std::size_t begin = 0;  // bytes
  std::size_t end = 0;
  std::string value;
  std::int64_t number = 0;
  std::string role;
  std::uint32_t flags = 0;

  bool Has(Flag flag) const { return (flags & flag) != 0; }
  friend bool operator==(const Entity&, const Entity&) = default;
};

// Is the kind one whose spans redaction must leave alone?
bool IsProtected(Kind kind);

}  // namespace zhibi::entity
