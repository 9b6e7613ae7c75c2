// SPDX-License-Identifier: Apache-2.0
// Numbers that identify people and organisations, with their check digits: citizen number (GB
// 11643-1999) and unified social credit code (GB 32100-2015, whose inner organisation code carries
// a check digit of GB 11714). Thread-safe.
#pragma once

#include <string>
#include <string_view>

#include "legal/date.h"
#include "zhibi/status.h"

namespace zhibi::legal {

struct CitizenNumber {
  std::string text;  // 18 characters, X in upper case
  Date birth;
  bool female = false;
};

// kInvalidArgument says which part is wrong (length, characters, day of birth, check digit); the
// message never holds the number itself.
Result<CitizenNumber> ParseCitizenNumber(std::string_view text);

// The 18 characters in upper case; kInvalidArgument as above.
Result<std::string> ParseCreditCode(std::string_view text);

}  // namespace zhibi::legal
