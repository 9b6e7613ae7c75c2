// SPDX-License-Identifier: Apache-2.0
#include "base/interrupt.h"

#include <signal.h>
#include <unistd.h>

#include <gtest/gtest.h>

namespace zhibi::base {
namespace {

TEST(InterruptTest, FirstSignalSetsTheFlag) {
  ::signal(SIGINT, SIG_DFL);  // a program in the background may have inherited that it is ignored
  InstallInterruptHandler();
  EXPECT_FALSE(Interrupted());
  ASSERT_EQ(::raise(SIGINT), 0);
  EXPECT_TRUE(Interrupted());
  EXPECT_TRUE(InterruptFlag().load());
  EXPECT_EQ(InterruptSignal(), SIGINT);
  EXPECT_EQ(InterruptExitCode(), 130);
  ClearInterruptForTest();
  EXPECT_FALSE(Interrupted());
}

TEST(InterruptDeathTest, SecondSignalEndsAtOnce) {
  EXPECT_EXIT(
      {
        InstallInterruptHandler();
        ::raise(SIGTERM);
        ::raise(SIGTERM);
      },
      ::testing::ExitedWithCode(143), "");
}

TEST(InterruptDeathTest, IgnoredSignalsStayIgnored) {
  EXPECT_EXIT(
      {
        ::signal(SIGHUP, SIG_IGN);
        InstallInterruptHandler();
        ::raise(SIGHUP);
        ::_exit(Interrupted() ? 1 : 0);
      },
      ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace zhibi::base
