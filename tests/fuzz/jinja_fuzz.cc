// SPDX-License-Identifier: Apache-2.0
// Foreign bytes as a template. What parses is rendered under tight limits; what renders must join
// to the same text with and without marks.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <nlohmann/json.hpp>

#include "text/jinja.h"

namespace {

using nlohmann::ordered_json;

// The context of tests/golden/templates, so that its snippets are seeds.
const ordered_json& Context() {
  static const ordered_json context =
      ordered_json::parse(R"({"s": "  Hello World \n", "cn": "　借款人民币五万元　",
    "n": 7, "neg": -7, "f": 2.5, "big": 1e20, "zero": 0, "yes": true, "no": false, "nil": null, "empty": "",
    "list": [3, 1, 2], "words": ["b", "A", "c", "a"], "d": {"x": 1, "items": [1, 2], "k y": "v", "get": "shadow"},
    "html": "<a>&'</a>", "people": [{"name": "王五", "age": 30, "tags": ["x"]}, {"name": "李四", "age": 20},
    {"name": "赵六", "age": 30, "gone": true}], "nested": {"a": {"b": [{"c": "深"}]}},
    "nums": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], "mixed": [1, "a", null, true, 2.0, [1], {"k": "v"}],
    "multi": "a\nb\n\nc", "quote": "it's \"q\"", "esc": "tab\t\\ é", "bos_token": "<s>", "eos_token": "</s>",
    "add_generation_prompt": true, "messages": [{"role": "system", "content": " 甲 "}, {"role": "user",
    "content": "乙"}, {"role": "assistant", "content": "<think>\n丙</think>丁", "tool_calls": [{"type": "function",
    "id": "abcdefghi", "function": {"name": "f", "arguments": "{}"}}]}, {"role": "tool", "content": "戊",
    "tool_call_id": "abcdefghi"}], "tools": [{"type": "function", "function": {"name": "f", "parameters": {}}}]})");
  return context;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view source(reinterpret_cast<const char*>(data), size);
  const auto parsed = zhibi::text::JinjaTemplate::Parse(source, "fuzz");
  if (!parsed.ok()) return 0;
  zhibi::text::RenderOptions options;
  options.limits = {.max_steps = 20'000, .max_output_bytes = 1 << 16, .max_depth = 100};
  options.user_keys = {"s", "cn", "d", "people", "messages", "list"};
  options.now = std::tm{};
  const auto segments = parsed->RenderSegments(Context(), options);
  options.user_keys.clear();
  const auto plain = parsed->RenderSegments(Context(), options);
  if (segments.ok() != plain.ok()) std::abort();
  if (segments.ok() && JoinSegments(*segments) != JoinSegments(*plain)) std::abort();
  return 0;
}
