// SPDX-License-Identifier: Apache-2.0
#include "base/log.h"

#include <cstdlib>
#include <regex>
#include <string>

#include <gtest/gtest.h>

namespace zhibi::base {
namespace {

TEST(LogTest, LevelsByArea) {
  ASSERT_TRUE(SetLogLevels("info,dispatch:debug,kv:off").ok());
  EXPECT_TRUE(LogEnabled(LogArea::kGeneral, LogLevel::kInfo));
  EXPECT_FALSE(LogEnabled(LogArea::kGeneral, LogLevel::kDebug));
  EXPECT_TRUE(LogEnabled(LogArea::kDispatch, LogLevel::kDebug));
  EXPECT_FALSE(LogEnabled(LogArea::kKv, LogLevel::kError));
  EXPECT_FALSE(LogEnabled(LogArea::kDispatch, LogLevel::kOff));
  ASSERT_TRUE(SetLogLevels("").ok());
  EXPECT_TRUE(LogEnabled(LogArea::kKv, LogLevel::kWarn));
  EXPECT_FALSE(LogEnabled(LogArea::kKv, LogLevel::kInfo));
}

TEST(LogTest, BadWordsNameWhatIsAccepted) {
  ASSERT_TRUE(SetLogLevels("error").ok());
  const Status level = SetLogLevels("debug,kv:loud");
  EXPECT_EQ(level.message(), "log level \"loud\": expected one of off error warn info debug");
  const Status area = SetLogLevels("http:info");
  EXPECT_EQ(area.code(), StatusCode::kInvalidArgument);
  EXPECT_NE(area.message().find("general dispatch sched kv exec"), std::string::npos);
  EXPECT_FALSE(LogEnabled(LogArea::kGeneral, LogLevel::kWarn)) << "levels changed by a bad text";
  ASSERT_EQ(::setenv("ZHIBI_LOG", "loud", 1), 0);
  EXPECT_EQ(InitLogging().message().rfind("ZHIBI_LOG: ", 0), 0U);
  ASSERT_EQ(::unsetenv("ZHIBI_LOG"), 0);
  ASSERT_TRUE(InitLogging().ok());
}

TEST(LogTest, LinesGoToStandardError) {
  ASSERT_TRUE(SetLogLevels("kv:info").ok());
  ::testing::internal::CaptureStderr();
  Log(LogArea::kKv, LogLevel::kInfo, "3 pages {} free");
  Log(LogArea::kKv, LogLevel::kDebug, "not shown");
  const std::string text = ::testing::internal::GetCapturedStderr();
  EXPECT_TRUE(std::regex_match(
      text,
      std::regex(
          "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z info kv: 3 pages \\{\\} free\n")))
      << text;
  ASSERT_TRUE(SetLogLevels("").ok());
}

}  // namespace
}  // namespace zhibi::base
