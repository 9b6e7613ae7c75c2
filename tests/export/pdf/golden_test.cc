// SPDX-License-Identifier: Apache-2.0
// The samples of docs/samples, whose pictures were looked at: every line of every page where it was
// then. Positions, not pixels: other versions of the fonts draw other pixels in the same places.
#include <cstdio>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/json.h"
#include "base/utf8.h"
#include "export/pdf/pdf_samples.h"

namespace zhibi::exporting {
namespace {

constexpr std::size_t kMaxBytes = std::size_t{1} << 20;

void Describe(const PlacedLine& line, std::string& out) {
  const std::string text = TextOf(line);
  const std::vector<std::string_view> characters = base::Characters(text);
  char place[64];
  std::snprintf(place, sizeof place, "%.1f %.1f %zu ", line.x, line.baseline, characters.size());
  out += place;
  for (std::size_t i = 0; i < characters.size() && i < 3; ++i) out += characters[i];
  out += line.ai_spans.empty() ? "\n" : " ai\n";
}

std::string Describe(const TypesetDocument& document) {
  std::string out;
  for (std::size_t p = 0; p < document.pages.size(); ++p) {
    const PlacedPage& page = document.pages[p];
    out += "page " + std::to_string(p + 1) + ", " + std::to_string(page.rules.size()) + " rules\n";
    for (const PlacedLine& line : page.lines) Describe(line, out);
    for (const PlacedLine& line : page.furniture) Describe(line, out);
  }
  return out;
}

class GoldenPages : public testing::TestWithParam<const char*> {};

TEST_P(GoldenPages, EveryLineStandsWhereThePictureShowsIt) {
  const std::string name = GetParam();
  const std::string source = ZHIBI_SOURCE_DIR;
  const Result<nlohmann::json> json =
      base::ReadJsonFile(source + "/docs/samples/" + name + ".json", kMaxBytes);
  ASSERT_TRUE(json.ok()) << json.status().ToString();
  const Result<legal::Document> document = legal::DocumentFromJson(*json);
  ASSERT_TRUE(document.ok()) << document.status().ToString();
  Typesetter setter(document->layout);
  const std::string actual = Describe(setter.Set(*document));
  for (const std::string& note : setter.fonts->Notes()) {
    if (note.find("Noto Serif CJK SC") == std::string::npos &&
        note.find("Noto Sans CJK SC") == std::string::npos)
      GTEST_SKIP() << "the pictures are of Noto CJK, but here: " << note;
  }
  const std::string path = source + "/tests/export/pdf/golden/" + name + ".txt";
  const Result<std::string> expected = base::ReadFile(path, kMaxBytes);
  const std::string here = testing::TempDir() + "/" + name + ".txt";
  if (expected.ok() && *expected == actual) return;
  EXPECT_TRUE(base::WriteFileAtomic(here, actual).ok());
  FAIL() << "compare " << path << " and " << here
         << "; where the new pages are right, look at new pictures and copy it";
}

INSTANTIATE_TEST_SUITE_P(Samples, GoldenPages,
                         testing::Values("judgment", "complaint", "element-form"),
                         [](const auto& test) {
                           std::string name = test.param;
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name;
                         });

}  // namespace
}  // namespace zhibi::exporting
