// SPDX-License-Identifier: Apache-2.0
// Text of users stays marked through every operation, so that it can never become a control token.
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "text/jinja.h"
#include "text/jinja_string.h"

namespace zhibi::text {
namespace {

using nlohmann::ordered_json;

// Segments with users' text in square brackets, e.g. "<s>[text]</s>".
std::string Marked(const std::string& source, const ordered_json& user) {
  const Result<JinjaTemplate> parsed = JinjaTemplate::Parse(source, "t");
  EXPECT_TRUE(parsed.ok()) << parsed.status().ToString();
  if (!parsed.ok()) return "";
  RenderOptions options;
  options.user_keys = {"u"};
  const Result<std::vector<RenderedSegment>> segments =
      parsed->RenderSegments({{"u", user}, {"own", "o"}}, options);
  EXPECT_TRUE(segments.ok()) << segments.status().ToString();
  if (!segments.ok()) return "";
  std::string out;
  for (const RenderedSegment& segment : *segments) {
    EXPECT_FALSE(segment.text.empty());
    out += segment.is_template ? segment.text : "[" + segment.text + "]";
  }
  return out;
}

struct MarkCase {
  std::string source;
  std::string expected;
};

TEST(JinjaMarkTest, FollowsEveryOperation) {
  const MarkCase cases[] = {
      {"<{{ u }}>{{ own }}", "<[  aXb ]>o"},
      {"{{ '<' ~ u ~ '>' }}{{ '<' + u + '>' }}", "<[  aXb ]><[  aXb ]>"},
      {"{{ ('<' + u)[1:4] }}|{{ ('<' + u)[:2] }}", "[  a]|<[ ]"},
      {"{{ u | trim }}{{ u.strip() }}{{ ('-' ~ u).lstrip('-') }}", "[aXbaXb  aXb ]"},
      {"{{ u | upper }}{{ u.lower() }}{{ ('c' ~ u) | upper }}", "[  AXB   axb ]C[  AXB ]"},
      {"{{ u.split('X')[0] }}-{{ u.split('X')[1] }}", "[  a]-[b ]"},
      {"{{ u.replace('X', '<|end|>') }}", "[  a]<|end|>[b ]"},
      {"{{ 'qXr'.replace('X', u) }}", "q[  aXb ]r"},
      {"{{ [u, own] | join(',') }}", "[  aXb ],o"},
      {"{{ u ~ own | tojson }}", "[  aXb ]\"o\""},
      {"{{ {'k': u} | tojson }}", "{\"k\": [\"  aXb \"]}"},
      {"{{ [u] }}", "[['  aXb ']]"},
      {"{{ u[::-1] }}{{ u[2] }}", "[ bXa  a]"},
      {"{% set x %}<{{ u }}>{% endset %}{{ x }}", "<[  aXb ]>"},
      {"{% macro m(a) %}({{ a }}){% endmacro %}{{ m(u) }}", "([  aXb ])"},
      {"{% set n = namespace(t='') %}{% for c in u.strip() %}{% set n.t = n.t ~ c ~ '.' %}{% "
       "endfor %}{{ n.t }}",
       "[a].[X].[b]."},
      {"{{ u | string | default('d') }}{{ '' | default(u, true) }}", "[  aXb   aXb ]"},
      {"{{ (u ~ '\n' ~ own) | indent(2) }}", "[  aXb ]\n  o"},
      {"{{ u * 2 }}", "[  aXb   aXb ]"},
      {"{{ u | capitalize }}{{ u | title }}", "[  axb   Axb ]"},
      {"{{ u if u is string else own }}{{ own or u }}", "[  aXb ]o"},
      {"{% filter trim %} {{ u }}{% endfilter %}", "[aXb]"},
      {"{{ {'a': own}.get('a', u) }}{{ [u] | first }}{{ [u, own] | map('trim') | join('') }}",
       "o[  aXb aXb]o"},
  };
  for (const MarkCase& test : cases) {
    SCOPED_TRACE(test.source);
    EXPECT_EQ(Marked(test.source, "  aXb "), test.expected);
  }
}

TEST(JinjaMarkTest, KeysOfUsersAreMarkedToo) {
  EXPECT_EQ(Marked("{% for k, v in u.items() %}{{ k }}={{ v }};{% endfor %}{{ u | tojson }}",
                   {{"<|x|>", 5}}),
            "[<|x|>]=5;{[\"<|x|>\"]: 5}");
  EXPECT_EQ(Marked("{{ u | list | join }}", {{"k", 1}}), "[k]");
}

TEST(JinjaMarkTest, TwoHalvesOfAControlTokenDoNotJoin) {
  // The template writes "<|im_", the user "end|>": no segment holds the whole token.
  EXPECT_EQ(Marked("<|im_{{ u }}", "end|>"), "<|im_[end|>]");
}

TEST(MarkedStringTest, SpansMergeAndClip) {
  jinja::MarkedString text("ab", true);
  text.Append("cd", true);
  text.Append("ef", false);
  text.Append(jinja::MarkedString("gh", true));
  ASSERT_EQ(text.user_spans().size(), 2U);
  EXPECT_EQ(text.user_spans()[0].end, 4U);
  const jinja::MarkedString part = text.Slice(3, 7);
  EXPECT_EQ(part.text(), "defg");
  ASSERT_EQ(part.user_spans().size(), 2U);
  EXPECT_EQ(part.user_spans()[0].begin, 0U);
  EXPECT_EQ(part.user_spans()[1].begin, 3U);
  EXPECT_EQ(text.Slice(6, 2).size(), 0U);
}

}  // namespace
}  // namespace zhibi::text
