// SPDX-License-Identifier: Apache-2.0
// Vectors: the annex of GB 11643 and public company codes.
#include "legal/identity.h"

#include <string>

#include <gtest/gtest.h>

namespace zhibi::legal {
namespace {

TEST(IdentityTest, CitizenNumbersOfTheStandard) {
  const Result<CitizenNumber> woman = ParseCitizenNumber("11010519491231002x");
  ASSERT_TRUE(woman.ok()) << woman.status().ToString();
  EXPECT_EQ(woman->text, "11010519491231002X");
  EXPECT_TRUE(woman->female);
  EXPECT_EQ(woman->birth, (Date{1949, 12, 31}));
  const Result<CitizenNumber> man = ParseCitizenNumber("440524188001010014");
  ASSERT_TRUE(man.ok()) << man.status().ToString();
  EXPECT_FALSE(man->female);
}

// Every single wrong digit changes the check sum: the weights are all prime to 11.
TEST(IdentityTest, FindsEverySingleWrongDigit) {
  const std::string good = "440524188001010014";
  for (std::size_t i = 0; i < good.size(); ++i) {
    for (char c = '0'; c <= '9'; ++c) {
      if (c == good[i]) continue;
      std::string wrong = good;
      wrong[i] = c;
      const Result<CitizenNumber> result = ParseCitizenNumber(wrong);
      EXPECT_FALSE(result.ok()) << wrong;
      EXPECT_EQ(result.status().message().find(wrong), std::string::npos)
          << "a message must not hold the number";
    }
  }
  EXPECT_FALSE(ParseCitizenNumber("44052418800101001").ok());
  EXPECT_FALSE(ParseCitizenNumber("4405241880010100X4").ok());
  EXPECT_FALSE(ParseCitizenNumber("").ok());
}

TEST(IdentityTest, CreditCodesWithBothCheckDigits) {
  for (const char* code :
       {"91330100799655058B", "9144030071526726XG", "91110000802100433B", "91330100799655058b"}) {
    EXPECT_TRUE(ParseCreditCode(code).ok()) << code;
  }
  for (const char* code : {"91330100799655058C", "91330100799655059B", "9133010079965505",
                           "I1330100799655058B", "9144030071526726YG", ""}) {
    EXPECT_FALSE(ParseCreditCode(code).ok()) << code;
  }
}

}  // namespace
}  // namespace zhibi::legal
