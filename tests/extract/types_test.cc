// SPDX-License-Identifier: Apache-2.0
// A text as people write it (invented people) for every type with an extract.json: the values that
// must come out, at their fields, each at a place that holds it.
#include <algorithm>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/json.h"
#include "entity/recogniser.h"
#include "extract/extract.h"
#include "extract/schema_fixture.h"
#include "legal/doctype.h"
#include "legal/element_path.h"

namespace zhibi::extract {
namespace {

using nlohmann::json;

const std::string kRoot = ZHIBI_SOURCE_DIR;

TEST(Types, TextsAsPeopleWriteThem) {
  const entity::Recogniser recogniser = entity::Recogniser::Load(kRoot + "/data").value();
  const Extractor extractor = Extractor::Create(recogniser).value();
  std::size_t files = 0;
  for (const std::string& id : legal::Doctype::List(kRoot + "/data")) {
    if (!std::filesystem::exists(kRoot + "/data/doctypes/" + id + "/extract.json")) continue;
    SCOPED_TRACE(id);
    const auto read = base::ReadJsonFile(kRoot + "/tests/extract/types/" + id + ".json", 1 << 20);
    ASSERT_TRUE(read.ok()) << read.status().message();
    ++files;
    const std::string text = (*read)["text"].get<std::string>();
    const legal::Doctype doctype = legal::Doctype::Load(kRoot + "/data", id).value();
    const auto rules = LoadRules(kRoot + "/data", id).value();
    const Extraction extraction = extractor.Extract(text, &doctype.schema(), rules).value();
    for (const auto& [path, expected] : (*read)["expect"].items()) {
      const json* got = legal::FindPath(extraction.elements, path);
      EXPECT_TRUE(got != nullptr && *got == expected)
          << path << ": expected " << expected << ", got " << (got == nullptr ? json() : *got);
      const Value* value = FindValue(extraction, path);
      if (value == nullptr) continue;
      EXPECT_LT(value->begin, value->end) << path;
      EXPECT_LE(value->end, text.size()) << path;
    }
  }
  EXPECT_GE(files, 16U);
}

}  // namespace
}  // namespace zhibi::extract
