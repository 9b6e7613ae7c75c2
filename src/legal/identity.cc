// SPDX-License-Identifier: Apache-2.0
#include "legal/identity.h"

#include <array>
#include <cstddef>

#include "base/status_macros.h"

namespace zhibi::legal {
namespace {

std::string Upper(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == ' ') continue;
    out += c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
  }
  return out;
}

}  // namespace

Result<CitizenNumber> ParseCitizenNumber(std::string_view text) {
  constexpr std::array<int, 17> kWeights = {7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2};
  constexpr std::string_view kChecks = "10X98765432";
  CitizenNumber number;
  number.text = Upper(text);
  if (number.text.size() != 18) {
    return InvalidArgumentError("公民身份号码应为 18 位，现为 " +
                                std::to_string(number.text.size()) +
                                " 位 (a citizen number has 18 characters)");
  }
  int sum = 0;
  for (std::size_t i = 0; i < 17; ++i) {
    const char c = number.text[i];
    if (c < '0' || c > '9') {
      return InvalidArgumentError("公民身份号码第 " + std::to_string(i + 1) +
                                  " 位不是数字 (not a digit)");
    }
    sum += (c - '0') * kWeights[i];
  }
  const Result<Date> birth = ParseDate(number.text.substr(6, 8));
  if (!birth.ok())
    return InvalidArgumentError("公民身份号码中的出生日期不存在 (no such day of birth)");
  number.birth = *birth;
  if (number.text[17] != kChecks[static_cast<std::size_t>(sum % 11)]) {
    return InvalidArgumentError("公民身份号码的校验位不对，请核对 (the check digit is wrong)");
  }
  number.female = (number.text[16] - '0') % 2 == 0;
  return number;
}

Result<std::string> ParseCreditCode(std::string_view text) {
  constexpr std::string_view kCharacters = "0123456789ABCDEFGHJKLMNPQRTUWXY";
  constexpr std::array<int, 17> kWeights = {1,  3,  9,  27, 19, 26, 16, 17, 20,
                                            29, 25, 13, 8,  24, 10, 30, 28};
  std::string code = Upper(text);
  if (code.size() != 18) {
    return InvalidArgumentError("统一社会信用代码应为 18 位，现为 " + std::to_string(code.size()) +
                                " 位 (a unified social credit code has 18 characters)");
  }
  int sum = 0;
  for (std::size_t i = 0; i < 18; ++i) {
    const std::size_t value = kCharacters.find(code[i]);
    if (value == std::string_view::npos) {
      return InvalidArgumentError("统一社会信用代码第 " + std::to_string(i + 1) +
                                  " 位的字符不允许 (bad character)");
    }
    if (i < 17) sum += static_cast<int>(value) * kWeights[i];
  }
  constexpr std::array<int, 8> kInnerWeights = {3, 7, 9, 10, 5, 8, 4, 2};
  int inner = 0;
  for (std::size_t i = 0; i < 8; ++i) {
    const char c = code[8 + i];
    inner += (c >= '0' && c <= '9' ? c - '0' : c - 'A' + 10) * kInnerWeights[i];
  }
  const int rest = 11 - inner % 11;
  const char inner_check = rest == 10 ? 'X' : (rest == 11 ? '0' : static_cast<char>('0' + rest));
  const auto check = static_cast<std::size_t>((31 - sum % 31) % 31);
  if (code[16] != inner_check || code[17] != kCharacters[check]) {
    return InvalidArgumentError("统一社会信用代码的校验位不对，请核对 (the check digit is wrong)");
  }
  return code;
}

}  // namespace zhibi::legal
