// SPDX-License-Identifier: Apache-2.0
// Errors name template, line and cause; limits hold against templates that try to take forever,
// grow or recurse.
#include <chrono>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "text/jinja.h"

namespace zhibi::text {
namespace {

using nlohmann::ordered_json;
using ::testing::HasSubstr;

Status RenderStatus(const std::string& source, const ordered_json& context = ordered_json::object(),
                    const RenderLimits& limits = {}) {
  const Result<JinjaTemplate> parsed = JinjaTemplate::Parse(source, "t");
  if (!parsed.ok()) return parsed.status();
  const Result<std::string> text = parsed->Render(context, limits);
  return text.ok() ? OkStatus() : text.status();
}

struct ErrorCase {
  std::string source;
  std::string message;
};

TEST(JinjaErrorTest, NamesTemplateLineAndCause) {
  const ErrorCase cases[] = {
      {"a\nb\n{{ x.y }}", "t:3: 'x' is undefined"},
      {"\n{% if a %}\n{% endfor %}", "t:3: expected 'elif' or 'else' or 'endif', got 'endfor'"},
      {"{% for x in [1] %}\n\n{{ raise_exception('bad ' ~ x) }}{% endfor %}",
       "t:3: the template refuses: bad 1"},
      {"{{ 'x' | nope }}", "t:1: filter 'nope': there is no filter of this name"},
      {"{{ 'x' is nope }}", "t:1: there is no test 'nope'"},
      {"\n\n{{ 'a' + 1 }}", "t:3: '+' between str and int"},
      {"{{ 9223372036854775807 + 1 }}",
       "t:1: the result of an operation does not fit into 64 bits"},
      {"{{ 9223372036854775808 }}",
       "t:1: the number 9223372036854775808 does not fit into 64 bits"},
      {"{% include 'x' %}", "t:1: the tag 'include' is not part of the subset"},
      {"{% extends 'x' %}", "t:1: the tag 'extends' is not part of the subset"},
      {"{% import 'x' as y %}", "t:1: the tag 'import' is not part of the subset"},
      {"{{ f(*a) }}", "t:1: unpacking of arguments is not part of the subset"},
      {"{% for x in y recursive %}{% endfor %}", "t:1: recursive loops are not part of the subset"},
      {"{% if a %}", "t:1: the template ends, expected 'elif' or 'else' or 'endif'"},
      {"{{ a | trim(x=1) }}", "t:1: filter 'trim': trim: unexpected argument 'x'"},
      {"{{ 'a'.nope() }}", "t:1: a str has no method 'nope'"},
      {"{{ strftime_now('%Y') }}", "t:1: strftime_now: no clock was given"},
      {"{{ \"\\ud800\" }}", "t:1: a string escapes a code point that does not exist"},
      {"{{ ( ] }}", "t:1: unexpected ']', expected ')'"},
      {"{% macro a() %}{% macro b() %}{% endmacro %}{% endmacro %}",
       "t:1: macros inside loops or macros are not part of the subset"},
      {"{{ x }}", ""},
  };
  for (const ErrorCase& test : cases) {
    SCOPED_TRACE(test.source);
    const Status status = RenderStatus(test.source);
    EXPECT_EQ(status.ok(), test.message.empty());
    EXPECT_EQ(status.message(), test.message);
  }
}

TEST(JinjaErrorTest, ReachesNoObjectOfTheHost) {
  for (const char* source :
       {"{{ ''.__class__.__mro__ }}", "{{ x.__init__.__globals__['os'].popen('id').read() }}",
        "{{ self.__dict__ }}", "{{ range.__self__.open('f') }}", "{{ cycler.__init__ }}"}) {
    SCOPED_TRACE(source);
    EXPECT_FALSE(RenderStatus(source, {{"x", "y"}}).ok());
  }
}

TEST(JinjaErrorTest, StrictUndefinedRefusesToPrintNothing) {
  const Result<JinjaTemplate> parsed = JinjaTemplate::Parse("{{ a.b }}", "t");
  ASSERT_TRUE(parsed.ok());
  RenderOptions options;
  options.strict_undefined = true;
  const ordered_json context = {{"a", ordered_json::object()}};
  const Result<std::vector<RenderedSegment>> strict = parsed->RenderSegments(context, options);
  ASSERT_FALSE(strict.ok());
  EXPECT_EQ(strict.status().message(), "t:1: 'b' of a dict is undefined");
  options.strict_undefined = false;
  EXPECT_TRUE(parsed->RenderSegments(context, options).ok());
}

// Every one of these would run for hours, take all memory or overflow the stack in a naive
// interpreter.
TEST(JinjaErrorTest, LimitsHold) {
  const std::string nines(400, '(');
  std::string deep_list = "{% set a = [] %}";
  for (int i = 0; i < 80; ++i) deep_list += "{% set a = [a] %}";
  const std::string hostile[] = {
      "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}",
      "{{ 'a' * 99999999999 }}",
      "{{ [1] * 99999999999 }}",
      "{% set ns = namespace(x='aaaaaaaaaaaaaaaa') %}{% for i in range(60) %}{% set ns.x = ns.x ~ "
      "ns.x %}{% endfor %}",
      "{% set ns = namespace(x=[1]) %}{% for i in range(60) %}{% set ns.x = ns.x + ns.x %}{% "
      "endfor %}",
      "{% set ns = namespace(x=[1]) %}{% for i in range(60) %}{% set ns.x = [ns.x, ns.x] %}{% "
      "endfor %}{{ ns.x }}",
      "{% set ns = namespace(x=[1]) %}{% for i in range(60) %}{% set ns.x = [ns.x, ns.x] %}{% "
      "endfor %}"
      "{{ ns.x | tojson | length }}",
      "{% set ns = namespace(x=[1], y=[1]) %}{% for i in range(60) %}{% set ns.x = [ns.x, ns.x] %}"
      "{% set ns.y = [ns.y, ns.y] %}{% endfor %}{{ ns.x == ns.y }}",
      "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
      "{% macro m(n) %}{{ m(n) }}{{ m(n) }}{% endmacro %}{{ m(1) }}",
      "{{ " + nines,
      "{{ " + std::string(400, '-') + "1 }}",
      "{% if " +
          [] {
            std::string nots;
            for (int i = 0; i < 400; ++i) nots += "not ";
            return nots;
          }() +
          "1 %}{% endif %}",
      [] {
        std::string sum = "{{ 1";
        for (int i = 0; i < 100000; ++i) sum += "+1";
        return sum + " }}";
      }(),
      [] {
        std::string blocks;
        for (int i = 0; i < 1000; ++i) blocks += "{% if 1 %}";
        return blocks;
      }(),
      [] {
        std::string chain = "{{ x";
        for (int i = 0; i < 10000; ++i) chain += ".y";
        return chain + " }}";
      }(),
      deep_list,
      "{{ 10 ** 300 }}",
      "{{ ('a' * 1000000).replace('', 'b' * 1000) | length }}",
      "{{ ('a,' * 1000000).split(',') | join('x' * 100) | length }}",
      "{{ 'a' | indent(2000) }}",
      "{% set ns = namespace() %}{% set ns.x = ns %}",
      "{{ [namespace()] }}",
      "{{ range(-9223372036854775807, 9223372036854775807, 1) }}",
  };
  for (const std::string& source : hostile) {
    SCOPED_TRACE(source.substr(0, 120));
    const auto start = std::chrono::steady_clock::now();
    EXPECT_FALSE(RenderStatus(source).ok());
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
  }
}

TEST(JinjaErrorTest, TemplateAndContextSizesAreLimited) {
  EXPECT_EQ(JinjaTemplate::Parse(std::string((1U << 20) + 1, 'a'), "t").status().code(),
            StatusCode::kResourceExhausted);
  ordered_json deep = 1;
  for (int i = 0; i < 80; ++i) deep = ordered_json::array({deep});
  EXPECT_THAT(RenderStatus("", {{"deep", deep}}).message(), HasSubstr("context 'deep'"));
  EXPECT_FALSE(RenderStatus("", ordered_json::array()).ok());
  RenderLimits limits;
  limits.max_output_bytes = 10;
  EXPECT_TRUE(RenderStatus("0123456789", ordered_json::object(), limits).ok());
  EXPECT_EQ(RenderStatus("01234567890", ordered_json::object(), limits).code(),
            StatusCode::kResourceExhausted);
}

TEST(JinjaErrorTest, HostFiltersGetAndGiveJson) {
  const HostFilters filters = {
      {"twice", [](const std::vector<ordered_json>& args) -> Result<ordered_json> {
         if (args.size() != 1 || !args[0].is_number_integer())
           return InvalidArgumentError("expected an integer");
         return ordered_json(args[0].get<std::int64_t>() * 2);
       }}};
  RenderOptions options;
  options.filters = &filters;
  const Result<JinjaTemplate> good = JinjaTemplate::Parse("{{ n | twice + 1 }}", "t");
  ASSERT_TRUE(good.ok());
  const Result<std::vector<RenderedSegment>> segments = good->RenderSegments({{"n", 20}}, options);
  ASSERT_TRUE(segments.ok()) << segments.status().ToString();
  EXPECT_EQ(JoinSegments(*segments), "41");
  const Result<JinjaTemplate> bad = JinjaTemplate::Parse("{{ 'x' | twice }}", "t");
  ASSERT_TRUE(bad.ok());
  EXPECT_EQ(bad->RenderSegments(ordered_json::object(), options).status().message(),
            "t:1: filter 'twice': expected an integer");
}

}  // namespace
}  // namespace zhibi::text
