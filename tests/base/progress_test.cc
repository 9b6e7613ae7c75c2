// SPDX-License-Identifier: Apache-2.0
#include "base/progress.h"

#include <cstdio>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "base/file.h"
#include "base/temp_dir.h"

namespace zhibi::base {
namespace {

std::string Draw(std::int64_t total, std::int64_t done, bool draw) {
  const TempDir dir;
  const std::string path = dir.path() + "/out";
  std::FILE* out = std::fopen(path.c_str(), "w");
  if (out == nullptr) return "cannot open";
  {
    ProgressBar bar("packing", total, out, draw);
    bar.Update(done, "layer 3");
    bar.Update(done, "too soon");
  }
  std::fclose(out);
  return ReadFile(path, 10000).value();
}

TEST(ProgressTest, DrawsShareAndWipesItself) {
  EXPECT_EQ(Draw(48, 12, true),
            "\rpacking [######..................] 25% 0s layer 3\x1b[K\r\x1b[K");
  EXPECT_EQ(Draw(0, 12, true), "\rpacking 12 0s layer 3\x1b[K\r\x1b[K");
  EXPECT_NE(Draw(10, 99, true).find("] 100% "), std::string::npos);
  EXPECT_NE(Draw(10, -5, true).find("] 0% "), std::string::npos);
}

TEST(ProgressTest, SilentWhereNothingDraws) { EXPECT_EQ(Draw(48, 12, false), ""); }

}  // namespace
}  // namespace zhibi::base
