// SPDX-License-Identifier: Apache-2.0
// What the program drafts passes its own check: over every case of every document type no error,
// except where the case itself expects to be warned of the same. Adding a type adds it here without
// a change.
#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "legal/date.h"
#include "legal/doctype.h"
#include "legal/doctype_cases.h"
#include "rules/checker.h"
#include "rules/the_checker.h"

namespace zhibi::rules {
namespace {

const std::string kData = std::string(ZHIBI_SOURCE_DIR) + "/data";

// Rules that speak of any document as it should: it names laws and cases that a person verifies
// (CIT-13), and what is not known is marked in the text (STR-06).
bool Always(const Finding& finding) {
  return finding.level == Level::kInfo || finding.id == "STR-06";
}

class DraftsTest : public testing::TestWithParam<std::string> {};

TEST_P(DraftsTest, PassTheCheck) {
  const Result<legal::Doctype> doctype = legal::Doctype::Load(kData, GetParam());
  ASSERT_TRUE(doctype.ok()) << doctype.status().ToString();
  const Result<legal::TypeReport> report = legal::RunCases(*doctype, kData);
  ASSERT_TRUE(report.ok()) << report.status().ToString();
  const auto elements = legal::CaseElements(*doctype, kData);
  ASSERT_TRUE(elements.ok()) << elements.status().ToString();
  std::size_t drafts = 0;
  std::size_t warnings = 0;
  for (const legal::CaseRun& run : report->cases) {
    if (run.text.empty()) continue;
    ++drafts;
    std::ifstream file(kData + "/doctypes/" + GetParam() + "/cases/" + run.file);
    const nlohmann::json source = nlohmann::json::parse(file, nullptr, false);
    ASSERT_FALSE(source.is_discarded()) << run.file;
    const nlohmann::json expect = source.value("expect", nlohmann::json::object());
    const auto expected = expect.value("warnings", std::vector<std::string>{});
    CheckOptions options;
    options.doctype = GetParam();
    options.today = legal::Date{2026, 12, 1};
    for (const auto& [name, values] : *elements) {
      if (name == run.file) options.elements = values;
    }
    const Result<Report> checked = TheChecker().Check(run.text, options);
    ASSERT_TRUE(checked.ok()) << run.file << ": " << checked.status().ToString();
    for (const Finding& finding : checked->findings) {
      if (Always(finding)) continue;
      if (std::find(expected.begin(), expected.end(), finding.id) != expected.end()) continue;
      const std::string said =
          run.file + ": " + finding.id + " " + finding.message + "【" +
          run.text.substr(finding.span.begin, finding.span.end - finding.span.begin) + "】";
      EXPECT_NE(finding.level, Level::kError) << said;
      ++warnings;
    }
  }
  EXPECT_GT(drafts, 0U);
  // A warning that most drafts of a type get is a fault of the type or of the rule.
  EXPECT_LE(warnings, 1 + drafts / 2) << GetParam();
}

std::string TestName(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace_if(name.begin(), name.end(), [](char c) { return c == '.' || c == '-'; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, DraftsTest, testing::ValuesIn(legal::Doctype::List(kData)), TestName);

}  // namespace
}  // namespace zhibi::rules
