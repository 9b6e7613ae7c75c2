// SPDX-License-Identifier: Apache-2.0
// What no draft of any type and case may hold, whatever is absent from the elements: marks that
// double or dangle, brackets with nothing in them, traces of templates. Adding a type adds it to
// this test without a change.
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "legal/doctype.h"
#include "legal/doctype_cases.h"

namespace zhibi::legal {
namespace {

const std::string kData = std::string(ZHIBI_SOURCE_DIR) + "/data";

class DraftsTextTest : public ::testing::TestWithParam<std::string> {};

// Byte patterns; each alternative is whole characters, so that UTF-8 needs no care.
const std::vector<std::string>& Faults() {
  static const std::vector<std::string> faults = {
      "，，",  "。。",     "；；",       "、、",     "：：", "，。",      "、。",   "；。",
      "：。",  "。，",     "。；",       "，；",     "；，", "、，",      "，、",   "、；",
      "（）",  "《》",     "“”",         "（，",     "，）", "、）",      "（、",   "null",
      "None",  "{{",       "}}",         "{%",       "%}",   "undefined", "@party", "@claim",
      "@body", "@heading", "@signature", "@style",   "  ",   "\t",        "元元",   "年年",
      "的的",  "第条",     "第项",       "人民币元", "自至", "，于被",    "，系的", "在在"};
  return faults;
}

TEST_P(DraftsTextTest, MarksNeitherDoubleNorDangle) {
  const Result<Doctype> doctype = Doctype::Load(kData, GetParam());
  ASSERT_TRUE(doctype.ok()) << doctype.status().ToString();
  const Result<TypeReport> report = RunCases(*doctype, kData);
  ASSERT_TRUE(report.ok()) << report.status().ToString();
  std::size_t read = 0;
  for (const CaseRun& run : report->cases) {
    if (run.text.empty()) continue;
    ++read;
    EXPECT_EQ(run.text.find("\n\n\n"), std::string::npos) << run.file << ": two empty lines";
    std::size_t begin = 0;
    for (int line = 1; begin < run.text.size(); ++line) {
      const std::size_t end = std::min(run.text.find('\n', begin), run.text.size());
      const std::string words = run.text.substr(begin, end - begin);
      for (const std::string& fault : Faults()) {
        EXPECT_EQ(words.find(fault), std::string::npos)
            << run.file << ":" << line << ": \"" << fault << "\" in " << words;
      }
      for (const char* start : {"，", "。", "；", "、", "：", "）"}) {
        EXPECT_FALSE(words.starts_with(start)) << run.file << ":" << line << ": " << words;
      }
      for (const char* last : {"，", "、", "（"}) {
        EXPECT_FALSE(words.ends_with(last)) << run.file << ":" << line << ": " << words;
      }
      begin = end + 1;
    }
  }
  EXPECT_GT(read, 0U);
}

std::string TestName(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace_if(name.begin(), name.end(), [](char c) { return c == '.' || c == '-'; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, DraftsTextTest, ::testing::ValuesIn(Doctype::List(kData)), TestName);

}  // namespace
}  // namespace zhibi::legal
