// SPDX-License-Identifier: Apache-2.0
// Beside this program there is no module, as on a machine where PDF was not built; with it the
// writer is tested by tests/cli/command_contract.py, what is in it by tests/export/pdf.
#include "export/pdf_writer.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace zhibi::exporting {
namespace {

using ::testing::HasSubstr;

TEST(PdfWriter, WithoutTheModuleTheMessageNamesThePackages) {
  const Result<Layout> layout = LoadLayout(std::string(ZHIBI_SOURCE_DIR) + "/data", "court");
  ASSERT_TRUE(layout.ok()) << layout.status().ToString();
  for (int turn = 0; turn < 2; ++turn) {
    const Result<PdfFile> file = WritePdf({}, *layout, {});
    ASSERT_FALSE(file.ok());
    EXPECT_EQ(file.status().code(), StatusCode::kFailedPrecondition);
    EXPECT_THAT(file.status().message(), HasSubstr("apt-get install libpangocairo-1.0-0"));
    EXPECT_THAT(file.status().message(), HasSubstr("libzhibi_pdf.so"));
  }
}

}  // namespace
}  // namespace zhibi::exporting
