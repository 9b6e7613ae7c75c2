// SPDX-License-Identifier: Apache-2.0
// The table of every document type: filled from each of its cases and read again it gives the same
// elements, and drafting from them the same document.
#include <algorithm>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "extract/schema_fixture.h"
#include "extract/table.h"
#include "extract/table_parts.h"
#include "legal/doctype.h"
#include "legal/doctype_cases.h"
#include "legal/document.h"
#include "legal/document_builder.h"
#include "legal/money.h"

namespace zhibi::extract {
namespace {

using nlohmann::json;

const std::string kData = std::string(ZHIBI_SOURCE_DIR) + "/data";

TEST(TableParts, FirstOfAListDescribesAll) {
  EXPECT_EQ(FirstOf("plaintiffs[12].agents[3].name"), "plaintiffs[0].agents[0].name");
  EXPECT_EQ(FirstOf("court"), "court");
  EXPECT_EQ(FirstOf(""), "");
}

TEST(TableParts, TrimsBlanksOnly) {
  EXPECT_EQ(Trimmed(" \t a b\t"), "a b");
  EXPECT_EQ(Trimmed("   "), "");
  EXPECT_EQ(Trimmed("line\n"), "line\n");
}

TEST(Template, ChoicesAreCalledByTheirDescription) {
  legal::SchemaField field;
  field.values = {"yes", "no"};
  field.description = "yes 是，no 否（没有约定）";
  EXPECT_EQ(ChoiceLabels(field), (std::vector<std::string>{"是", "否（没有约定）"}));
  field.description = "only yes 是";  // one without a name: codes for all
  EXPECT_EQ(ChoiceLabels(field), field.values);
  field.description = "yes no，no yes";  // a label that is another's code
  EXPECT_EQ(ChoiceLabels(field), field.values);
}

TEST(Template, LinesSayWhatIsWanted) {
  const std::vector<TemplateLine> lines = TemplateLines(SmallSchema(), nullptr);
  const auto line = [&](const std::string& path) {
    const auto found = std::find_if(lines.begin(), lines.end(),
                                    [&](const auto& one) { return one.field.path == path; });
    return found == lines.end() ? std::vector<std::string>() : TemplateCells(*found);
  };
  EXPECT_EQ(line("secured"), (std::vector<std::string>{"secured", "担保", "", "", "选择", "有、无",
                                                       "yes 有，no 无；只能由人填写"}));
  EXPECT_EQ(line("court")[3], "必填");
  EXPECT_EQ(line("amount")[4], "金额（元）");
  EXPECT_EQ(line("urgent")[5], "是、否");
  EXPECT_EQ(line("plaintiffs[0].sex")[5], "男、女");
  EXPECT_EQ(line("plaintiffs[0].name").size(), TemplateHeads().size());
}

// One form for what a table cannot tell apart: a number and its digits, sums in fen and in yuan, a
// text and an object of a name only; empty lists and objects have no cell, `doctype` is no field.
json Plain(const json& value) {
  if (value.is_number()) return value.dump();
  if (!value.is_structured()) return value;
  json made = value.is_array() ? json::array() : json::object();
  for (const auto& [key, item] : value.items()) {
    json plain = Plain(item);
    if (plain.is_null() || (plain.is_structured() && plain.empty())) continue;
    if (value.is_array()) {
      made.push_back(std::move(plain));
    } else if (key.ends_with("_fen") && item.is_number_integer()) {
      made[key.substr(0, key.size() - 4)] = legal::FormatYuan(item.get<std::int64_t>());
    } else if (key != "doctype") {
      made[key] = std::move(plain);
    }
  }
  return made.is_object() && made.size() == 1 && made.contains("name") ? made["name"] : made;
}

TEST(Template, EveryCaseOfEveryTypeComesBack) {
  constexpr legal::Date kDay = {2026, 12, 1};
  std::size_t cases = 0;
  std::size_t drafted = 0;
  for (const std::string& id : legal::Doctype::List(kData)) {
    const legal::Doctype doctype = legal::Doctype::Load(kData, id).value();
    const auto files = legal::CaseElements(doctype, kData).value();
    for (const auto& [file, elements] : files) {
      SCOPED_TRACE(id + "/" + file);
      TableRows rows = {TemplateHeads()};
      for (const TemplateLine& line : TemplateLines(doctype.schema(), elements))
        rows.push_back(TemplateCells(line));
      const TableRows read = ParseCsv(FormatCsv(rows), file).value();
      const Result<Extraction> extraction = FromTable(read, doctype.schema(), file);
      const legal::PlanResult before = doctype.Plan(elements, kDay).value();
      if (!extraction.ok()) {
        // A case that is wrong on purpose may be refused here already, where the cell is known.
        EXPECT_FALSE(before.errors.empty()) << extraction.status().message();
        continue;
      }
      const json difference = json::diff(Plain(elements), Plain(extraction->elements));
      EXPECT_TRUE(difference.empty()) << difference.dump(1);
      ++cases;
      const legal::PlanResult after = doctype.Plan(extraction->elements, kDay).value();
      // How many: an empty object in a case lacks its fields, in a table it is not there.
      EXPECT_EQ(before.errors.empty(), after.errors.empty());
      if (!before.errors.empty() || !after.errors.empty()) continue;
      EXPECT_EQ(legal::PlainText(legal::DocumentWithoutModel(before.plan)),
                legal::PlainText(legal::DocumentWithoutModel(after.plan)));
      ++drafted;
    }
  }
  EXPECT_GE(cases, 36U);
  EXPECT_GE(drafted, 36U);
}

}  // namespace
}  // namespace zhibi::extract
