// SPDX-License-Identifier: Apache-2.0
#include "legal/input_text.h"

#include <string>

#include <gtest/gtest.h>

namespace zhibi::legal {
namespace {

TEST(InputTextTest, Utf8PassesAndItsMarkIsDropped) {
  EXPECT_EQ(DecodeInput("{\"甲\": 1}", "f")->utf8, "{\"甲\": 1}");
  EXPECT_EQ(DecodeInput("{\"甲\": 1}", "f")->note, "");
  EXPECT_EQ(DecodeInput("\xEF\xBB\xBF{}", "f")->utf8, "{}");
  EXPECT_EQ(DecodeInput("", "f")->utf8, "");
}

TEST(InputTextTest, Gb18030IsReadAndSaid) {
  // 原告 in GBK, and a character that only GB18030's four bytes have (U+20BB7).
  const Result<InputText> text = DecodeInput("\xD4\xAD\xB8\xE6", "f");
  ASSERT_TRUE(text.ok()) << text.status().ToString();
  EXPECT_EQ(text->utf8, "原告");
  EXPECT_NE(text->note.find("GBK"), std::string::npos);
  const Result<InputText> rare = DecodeInput("\x95\x34\xB2\x35\xD4\xAD", "f");
  ASSERT_TRUE(rare.ok()) << rare.status().ToString();
  EXPECT_EQ(rare->utf8, "𠮷原");
}

TEST(InputTextTest, Utf16WithMark) {
  const Result<InputText> little = DecodeInput(std::string("\xFF\xFE\x9F\x53\x4A\x54", 6), "f");
  ASSERT_TRUE(little.ok()) << little.status().ToString();
  EXPECT_EQ(little->utf8, "原告");
  EXPECT_EQ(DecodeInput(std::string("\xFE\xFF\x53\x9F\x54\x4A", 6), "f")->utf8, "原告");
}

TEST(InputTextTest, NamesBytesThatAreNothing) {
  const Result<InputText> text = DecodeInput("ab\xFF\xFF\xFF", "case.json");
  ASSERT_FALSE(text.ok());
  EXPECT_NE(text.status().message().find("case.json"), std::string::npos);
  EXPECT_NE(text.status().message().find("第 3 字节"), std::string::npos)
      << text.status().message();
  EXPECT_FALSE(DecodeInput(std::string("\xFF\xFE\x00\xD8", 4), "f").ok())
      << "half a surrogate pair";
}

}  // namespace
}  // namespace zhibi::legal
