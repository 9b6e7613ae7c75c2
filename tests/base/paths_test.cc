// SPDX-License-Identifier: Apache-2.0
#include "base/paths.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/temp_dir.h"

namespace zhibi::base {
namespace {

TEST(PathsTest, ProgramDirHoldsThisTest) { EXPECT_EQ(ProgramDir().front(), '/'); }

TEST(PathsTest, BuildTreeKnowsItsSource) {
  const std::vector<std::string> candidates = ShareDirCandidates();
  EXPECT_NE(std::find(candidates.begin(), candidates.end(), ZHIBI_SOURCE_DIR), candidates.end());
}

TEST(PathsTest, SharePathOfANamedFolder) {
  const TempDir dir;
  dir.Put("data/doctypes/a.json", "{}");
  ASSERT_EQ(::setenv("ZHIBI_SHARE_DIR", dir.path().c_str(), 1), 0);
  EXPECT_EQ(ShareDir().value(), dir.path());
  EXPECT_EQ(SharePath("data/doctypes").value(), dir.path() + "/data/doctypes");
  const Result<std::string> missing = SharePath("models/none");
  EXPECT_EQ(missing.status().code(), StatusCode::kNotFound);
  EXPECT_NE(missing.status().message().find(dir.path() + "/models/none"), std::string::npos);
  ASSERT_EQ(::unsetenv("ZHIBI_SHARE_DIR"), 0);
}

TEST(PathsTest, NamedFolderWithoutDataIsAnErrorNotAFallback) {
  const TempDir dir;
  ASSERT_EQ(::setenv("ZHIBI_SHARE_DIR", dir.path().c_str(), 1), 0);
  const Result<std::string> share = ShareDir();
  ASSERT_FALSE(share.ok());
  EXPECT_NE(share.status().message().find("ZHIBI_SHARE_DIR"), std::string::npos);
  EXPECT_NE(share.status().message().find(dir.path()), std::string::npos);
  ASSERT_EQ(::unsetenv("ZHIBI_SHARE_DIR"), 0);
}

TEST(PathsTest, CacheDirOrder) {
  ASSERT_EQ(::setenv("ZHIBI_CACHE_DIR", "/a/b", 1), 0);
  ASSERT_EQ(::setenv("XDG_CACHE_HOME", "/x", 1), 0);
  ASSERT_EQ(::setenv("HOME", "/home/user", 1), 0);
  EXPECT_EQ(CacheDir(), "/a/b");
  ASSERT_EQ(::unsetenv("ZHIBI_CACHE_DIR"), 0);
  EXPECT_EQ(CacheDir(), "/x/zhibi");
  ASSERT_EQ(::setenv("XDG_CACHE_HOME", "relative", 1), 0);
  EXPECT_EQ(CacheDir(), "/home/user/.cache/zhibi");
  ASSERT_EQ(::unsetenv("HOME"), 0);
  EXPECT_NE(CacheDir().find("zhibi-cache-"), std::string::npos);
  ASSERT_EQ(::unsetenv("XDG_CACHE_HOME"), 0);
}

TEST(PathsTest, UserDirOrder) {
  ASSERT_EQ(::setenv("ZHIBI_USER_DIR", "/a/b", 1), 0);
  ASSERT_EQ(::setenv("XDG_DATA_HOME", "/x", 1), 0);
  ASSERT_EQ(::setenv("HOME", "/home/user", 1), 0);
  EXPECT_EQ(UserDir().value(), "/a/b");
  ASSERT_EQ(::unsetenv("ZHIBI_USER_DIR"), 0);
  EXPECT_EQ(UserDir().value(), "/x/zhibi");
  ASSERT_EQ(::unsetenv("XDG_DATA_HOME"), 0);
  EXPECT_EQ(UserDir().value(), "/home/user/.local/share/zhibi");
  ASSERT_EQ(::unsetenv("HOME"), 0);
  EXPECT_EQ(UserDir().status().code(), StatusCode::kNotFound);
}

}  // namespace
}  // namespace zhibi::base
