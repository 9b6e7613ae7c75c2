// SPDX-License-Identifier: Apache-2.0
// Every case of every document type is drafted without a model and read again: how much of what is
// printed (parties, sums, claims) comes back, and at its own field. Prints the table of
// docs/reference/extract-measured.md:
//   extract_test --gtest_filter='RoundTrip.*'
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "entity/recogniser.h"
#include "extract/extract.h"
#include "extract/table_parts.h"
#include "legal/date.h"
#include "legal/doctype.h"
#include "legal/doctype_cases.h"
#include "legal/element_path.h"
#include "legal/money.h"
#include "legal/schema_fields.h"

namespace zhibi::extract {
namespace {

using nlohmann::json;

const std::string kData = std::string(ZHIBI_SOURCE_DIR) + "/data";

enum Class { kParty, kSum, kClaim, kClasses };

struct Counts {
  std::size_t printed = 0;  // of the case's values, in the text
  std::size_t found = 0;    // anywhere in what was read
  std::size_t placed = 0;   // at its own field
  std::size_t wrong = 0;    // another value at a field of the case
};

struct Leaf {
  std::string path;
  json value;
};

void Flatten(const json& value, const std::string& path, std::vector<Leaf>& leaves) {
  if (value.is_object()) {
    for (const auto& [key, item] : value.items())
      Flatten(item, path.empty() ? key : path + "." + key, leaves);
  } else if (value.is_array()) {
    for (std::size_t i = 0; i < value.size(); ++i)
      Flatten(value[i], path + "[" + std::to_string(i) + "]", leaves);
  } else {
    leaves.push_back({path, value});
  }
}

class Fields {
 public:
  explicit Fields(const legal::JsonSchema& schema) {
    for (legal::SchemaField& field : legal::ListFields(schema)) {
      const std::string path = field.path;
      fields_.emplace(path, std::move(field));
    }
  }

  const legal::SchemaField* At(const std::string& path) const {
    const auto found = fields_.find(FirstOf(path));
    return found == fields_.end() ? nullptr : &found->second;
  }

  int ClassOf(const std::string& path) const {
    const legal::SchemaField* field = At(path);
    // Outcomes are never put into elements.
    if (field == nullptr || field->human_only || path.starts_with("holdings") ||
        path.starts_with("fee_bearers")) {
      return -1;
    }
    if (field->kind == "money") return kSum;
    const std::string& first = field->path;
    for (const char* list : {"claims[0]", "counterclaims[0]", "appeal_claims[0]"}) {
      if (first == list || first == std::string(list) + ".text") return kClaim;
    }
    // A party: something with a name and a telephone or a sex.
    const std::size_t top = first.find('.');
    if (top == std::string::npos) return -1;
    const std::string party = first.substr(0, top);
    if (!fields_.contains(party + ".name") ||
        (!fields_.contains(party + ".phone") && !fields_.contains(party + ".sex"))) {
      return -1;
    }
    static const std::set<std::string> kFields = {
        "name",    "sex",         "birth_date",   "ethnicity",      "id_number",
        "address", "domicile",    "phone",        "representative", "representative_post",
        "firm",    "credit_code", "original_role"};
    return kFields.contains(first.substr(first.rfind('.') + 1)) ? kParty : -1;
  }

 private:
  std::map<std::string, legal::SchemaField> fields_;
};

// One form for a value however it is spelt; empty: not comparable.
std::string Plain(const json& value, const legal::SchemaField& field) {
  std::string text = value.is_string() ? value.get<std::string>() : value.dump();
  if (field.kind == "money") {
    const auto fen = legal::ParseMoney(text);
    return fen.ok() ? legal::FormatYuan(*fen) : "";
  }
  if (field.kind == "date") {
    const auto day = legal::ParseDate(text);
    return day.ok() ? legal::FormatIso(*day) : "";
  }
  return text;
}

bool IsPrinted(const std::string& plain, const legal::SchemaField& field, const std::string& text) {
  if (plain.empty()) return false;
  if (field.kind == "date")
    return text.find(legal::FormatBody(legal::ParseDate(plain).value())) != std::string::npos;
  return text.find(plain) != std::string::npos;
}

bool IsFound(const std::string& plain, int what, const Extraction& extraction) {
  if (what == kSum) {
    for (const Value& sum : extraction.sums) {
      if (legal::FormatYuan(sum.value.get<std::int64_t>()) == plain) return true;
    }
    return false;
  }
  if (what == kClaim) {
    for (const Value& claim : extraction.claims) {
      if (claim.value.get_ref<const std::string&>().find(plain) != std::string::npos) return true;
    }
    return false;
  }
  for (const Party& party : extraction.parties) {
    for (const Value& value : party.fields) {
      if (value.value == plain) return true;
    }
  }
  return false;
}

void Compare(const Fields& fields, const json& elements, const std::string& text,
             const Extraction& extraction, std::vector<Counts>& counts, bool verbose) {
  std::vector<Leaf> leaves;
  Flatten(elements, "", leaves);
  for (const Leaf& leaf : leaves) {
    const int what = fields.ClassOf(leaf.path);
    if (what < 0) continue;
    const legal::SchemaField& field = *fields.At(leaf.path);
    const std::string plain = Plain(leaf.value, field);
    Counts& count = counts[static_cast<std::size_t>(what)];
    const json* got = legal::FindPath(extraction.elements, leaf.path);
    const std::string read = got == nullptr ? "" : Plain(*got, field);
    const bool wrong = got != nullptr && !plain.empty() && read != plain;
    count.wrong += wrong ? 1U : 0U;
    if (verbose && wrong)
      std::printf("wrong %s: %s, case %s\n", leaf.path.c_str(), read.c_str(), plain.c_str());
    if (!IsPrinted(plain, field, text)) continue;
    ++count.printed;
    count.placed += read == plain ? 1U : 0U;
    count.found += read == plain || IsFound(plain, what, extraction) ? 1U : 0U;
    if (verbose && read != plain && !wrong)
      std::printf("not placed %s: %s\n", leaf.path.c_str(), plain.c_str());
  }
}

std::string Cell(const Counts& count) {
  if (count.printed == 0 && count.wrong == 0) return "–";
  const auto share = [&](std::size_t of) {
    return std::to_string((of * 1000 / std::max<std::size_t>(count.printed, 1) + 5) / 10);
  };
  return std::to_string(count.printed) + ": " + share(count.found) + " / " + share(count.placed) +
         " %" + (count.wrong > 0 ? ", " + std::to_string(count.wrong) + " wrong" : "");
}

TEST(RoundTrip, WhatIsPrintedComesBack) {
  const char* only = std::getenv("ZHIBI_TEST_DOCTYPE");
  const entity::Recogniser recogniser = entity::Recogniser::Load(kData).value();
  const Extractor extractor = Extractor::Create(recogniser).value();
  std::vector<Counts> all(kClasses);
  std::printf(
      "| type | cases | parties: found / placed | sums | claims |\n|---|--:|---|---|---|\n");
  for (const std::string& id : legal::Doctype::List(kData)) {
    if (only != nullptr && id != only) continue;
    const legal::Doctype doctype = legal::Doctype::Load(kData, id).value();
    const auto rules = LoadRules(kData, id).value();
    const Fields fields(doctype.schema());
    const auto files = legal::CaseElements(doctype, kData).value();
    const legal::TypeReport report = legal::RunCases(doctype, kData).value();
    std::vector<Counts> counts(kClasses);
    std::size_t cases = 0;
    for (const legal::CaseRun& run : report.cases) {
      if (run.text.empty()) continue;
      for (const auto& [file, elements] : files) {
        if (file != run.file) continue;
        if (only != nullptr) std::printf("-- %s\n", file.c_str());
        const Extraction extraction = extractor.Extract(run.text, &doctype.schema(), rules).value();
        Compare(fields, elements, run.text, extraction, counts, only != nullptr);
        ++cases;
      }
    }
    std::printf("| %s | %zu | %s | %s | %s |\n", id.c_str(), cases, Cell(counts[kParty]).c_str(),
                Cell(counts[kSum]).c_str(), Cell(counts[kClaim]).c_str());
    for (std::size_t i = 0; i < kClasses; ++i) {
      all[i].printed += counts[i].printed;
      all[i].found += counts[i].found;
      all[i].placed += counts[i].placed;
      all[i].wrong += counts[i].wrong;
    }
  }
  std::printf("| all | | %s | %s | %s |\n", Cell(all[kParty]).c_str(), Cell(all[kSum]).c_str(),
              Cell(all[kClaim]).c_str());
  if (only != nullptr) return;
  // Floors a little below docs/reference/extract-measured.md.
  const auto share = [](std::size_t of, std::size_t printed) {
    return static_cast<double>(of) / static_cast<double>(printed);
  };
  EXPECT_GE(all[kParty].printed, 5000U);
  EXPECT_GE(all[kSum].printed, 700U);
  EXPECT_GE(all[kClaim].printed, 50U);
  EXPECT_GE(share(all[kParty].placed, all[kParty].printed), 0.95);
  EXPECT_GE(share(all[kParty].found, all[kParty].printed), 0.98);
  EXPECT_GE(share(all[kSum].placed, all[kSum].printed), 0.92);
  EXPECT_GE(share(all[kSum].found, all[kSum].printed), 0.96);
  EXPECT_GE(share(all[kClaim].placed, all[kClaim].printed), 0.96);
  // Another value at a field of the case is worse than none.
  EXPECT_LE(all[kParty].wrong, 5U);
  EXPECT_LE(all[kSum].wrong, 6U);
  EXPECT_LE(all[kClaim].wrong, 1U);
}

}  // namespace
}  // namespace zhibi::extract
