// SPDX-License-Identifier: Apache-2.0
// Values that are not known: a mark stands for them, and what a condition over an unknown value
// leaves undefined is a mark too, where it is used. Without marks the same names are errors.
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "text/jinja.h"

namespace zhibi::text {
namespace {

using nlohmann::ordered_json;

constexpr const char* kMark = "[?:";
constexpr const char* kUndefined = "[?:undefined]";

Result<std::string> Render(const std::string& source, bool marks) {
  const Result<JinjaTemplate> parsed = JinjaTemplate::Parse(source, "t");
  if (!parsed.ok()) return parsed.status();
  const HostFilters filters = {
      {"double", [](const std::vector<ordered_json>& args) -> Result<ordered_json> {
         return ordered_json(args[0].get<int>() * 2);
       }}};
  RenderOptions options;
  options.strict_undefined = true;
  options.filters = &filters;
  if (marks) {
    options.missing_mark = kMark;
    options.undefined_text = kUndefined;
  }
  auto segments = parsed->RenderSegments(
      {{"loan", {{"agreed", "[?:agreed]"}, {"sum", 3}}}, {"list", {1, 2}}}, options);
  if (!segments.ok()) return segments.status();
  return JoinSegments(*segments);
}

TEST(JinjaMissingTest, WhatIsUndefinedIsAMarkWhereItIsUsed) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"{% if loan.agreed == 'none' %}no{% else %}{{ loan.rate | double }}%{% endif %}",
       "[?:undefined]%"},
      {"{{ loan.rate }}", kUndefined},
      {"{{ loan.term.end }}", kUndefined},
      {"{{ loan.rate + 1 }}", kUndefined},
      {"{{ 'x' ~ loan.rate }}", std::string("x") + kUndefined},
      {"{% if loan.rate > 3 %}high{% else %}low{% endif %}", "low"},
      {"{{ nothing[0] }}", kUndefined},
      {"{{ loan.sum | double }}", "6"},
      {"{{ loan.agreed | double }}", "[?:agreed]"},
      {"{{ loan.rate | default('none') }}", "none"},
      {"{% if loan.rate %}a{% else %}b{% endif %}", "b"},
  };
  for (const auto& [source, expected] : cases) {
    const Result<std::string> text = Render(source, true);
    ASSERT_TRUE(text.ok()) << source << ": " << text.status().ToString();
    EXPECT_EQ(*text, expected) << source;
  }
}

TEST(JinjaMissingTest, WithoutMarksItIsAnError) {
  for (const char* source : {"{{ loan.rate | double }}", "{{ loan.rate }}", "{{ loan.term.end }}",
                             "{{ loan.rate + 1 }}", "{% if loan.rate > 3 %}{% endif %}"}) {
    const Result<std::string> text = Render(source, false);
    ASSERT_FALSE(text.ok()) << source;
    EXPECT_NE(text.status().message().find("is undefined"), std::string::npos)
        << text.status().ToString();
  }
}

}  // namespace
}  // namespace zhibi::text
