// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <gtest/gtest.h>

#include "base/file.h"
#include "base/paths.h"
#include "base/temp_dir.h"
#include "statute/table.h"

namespace zhibi::statute {
namespace {

legal::Date Day(std::string_view text) { return legal::ParseDate(text).value(); }

TEST(LocalRows, JoinTheShippedOnes) {
  const base::TempDir folder;
  ASSERT_TRUE(base::WriteFileAtomic(folder.path() + "/table.json", R"({"format":1,
    "as_of":"2028-01-01","statutes":[
    {"name":"某市物业管理条例","kind":"地方性法规","as_of":"2028-01-01",
     "versions":[{"from":"2022-05-01","articles":80}]},
    {"name":"中华人民共和国仲裁法","kind":"法律","as_of":"2028-01-01",
     "versions":[{"published":"2027-09-01","from":"2028-01-01","articles":99}]}]})")
                  .ok());
  const Result<Table> table = Table::Load(base::SharePath("data").value(), folder.path());
  ASSERT_TRUE(table.ok()) << table.status().message();
  const Statute* own = table->Find("某市物业管理条例").statute;
  ASSERT_NE(own, nullptr);
  EXPECT_TRUE(own->local);
  const Statute* arbitration = table->Find("仲裁法").statute;
  ASSERT_NE(arbitration, nullptr);
  EXPECT_TRUE(arbitration->local);
  EXPECT_EQ(arbitration->kind, Kind::kLaw);
  EXPECT_EQ(StateOn(*arbitration, Day("2027-12-31")).version->articles, 96);
  EXPECT_EQ(StateOn(*arbitration, Day("2028-01-01")).version->articles, 99);
  EXPECT_FALSE(table->Find("民法典").statute->local);
}

TEST(LocalRows, AMalformedFileNamesItself) {
  const base::TempDir folder;
  ASSERT_TRUE(base::WriteFileAtomic(folder.path() + "/table.json", "{\"format\":1,").ok());
  const Result<Table> table = Table::Load(base::SharePath("data").value(), folder.path());
  ASSERT_FALSE(table.ok());
  EXPECT_NE(table.status().message().find(folder.path()), std::string::npos);
}

}  // namespace
}  // namespace zhibi::statute
