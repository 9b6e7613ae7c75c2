// SPDX-License-Identifier: Apache-2.0
// Walks every shipped document type and every case of it: each loads quickly, each case drafts to
// what it promises, and no prompt holds a field that a person alone fills in. Adding a type adds it
// to this test without a change.
#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "legal/doctype.h"
#include "legal/doctype_cases.h"
#include "legal/missing_fields.h"
#include "support/cpu_clock.h"

namespace zhibi::legal {
namespace {

using nlohmann::json;

const std::string kData = std::string(ZHIBI_SOURCE_DIR) + "/data";

class DoctypesWalkTest : public ::testing::TestWithParam<std::string> {};

TEST_P(DoctypesWalkTest, CasesKeepTheirPromises) {
  const Result<Doctype> doctype = Doctype::Load(kData, GetParam());
  ASSERT_TRUE(doctype.ok()) << doctype.status().ToString();
  const Result<TypeReport> report = RunCases(*doctype, kData);
  ASSERT_TRUE(report.ok()) << report.status().ToString();
  EXPECT_FALSE(report->cases.empty()) << "a type has cases";
  for (const CaseRun& run : report->cases) {
    for (const std::string& problem : run.problems) ADD_FAILURE() << run.file << ": " << problem;
  }
  // The coverage that the types have reached; the table is `zhibi doctypes validate`.
  EXPECT_EQ(BothWays(report->clauses), report->clauses.size()) << "a `when` goes one way only";
}

TEST_P(DoctypesWalkTest, LoadsWithinTenMilliseconds) {
  double best = 1e9;
  for (int i = 0; i < 5; ++i) {
    const double start = ThreadCpuMilliseconds();
    const Result<Doctype> doctype = Doctype::Load(kData, GetParam());
    ASSERT_TRUE(doctype.ok()) << doctype.status().ToString();
    best = std::min(best, ThreadCpuMilliseconds() - start);
  }
  RecordProperty("load_ms", std::to_string(best));
#if defined(NDEBUG) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  // An emulated processor (tools/run_tests.py, stage qemu) tells nothing about time.
  if (std::getenv("ZHIBI_QEMU") == nullptr) {
    EXPECT_LT(best, 10.0);
  }
#endif
}

std::vector<std::string> Heads(const Doctype& doctype, const json& elements) {
  PlanOptions options;
  options.allow_missing = true;
  const Result<PlanResult> result = doctype.Plan(elements, {2026, 12, 1}, options);
  std::vector<std::string> heads;
  if (!result.ok() || !result->errors.empty()) return heads;
  for (const PromptForm& form : result->plan.prompts)
    heads.push_back(text::JoinSegments(form.head));
  return heads;
}

// Prompts are the same, byte for byte, whatever a person enters as the outcome.
TEST_P(DoctypesWalkTest, OutcomesStayOutOfPrompts) {
  const Result<Doctype> doctype = Doctype::Load(kData, GetParam());
  ASSERT_TRUE(doctype.ok()) << doctype.status().ToString();
  if (!HasHumanOnly(doctype->schema())) return;
  const auto cases = CaseElements(*doctype, kData);
  ASSERT_TRUE(cases.ok()) << cases.status().ToString();
  for (const auto& [file, elements] : *cases) {
    const std::vector<std::string> heads = Heads(*doctype, elements);
    json without = elements;
    if (!without.is_object()) continue;
    DropHumanOnly(doctype->schema(), without);
    const json taken = json::diff(without, elements);
    for (const json& step : taken) {
      if (!step.contains("value") || !step["value"].is_string()) continue;
      const auto value = step["value"].get<std::string>();
      if (value.size() < 12 || without.dump().find(value) != std::string::npos) continue;
      for (const std::string& head : heads)
        EXPECT_EQ(head.find(value), std::string::npos) << file << ": " << step["path"];
    }
  }
}

std::string TestName(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace_if(name.begin(), name.end(), [](char c) { return c == '.' || c == '-'; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, DoctypesWalkTest, ::testing::ValuesIn(Doctype::List(kData)),
                         TestName);

}  // namespace
}  // namespace zhibi::legal
