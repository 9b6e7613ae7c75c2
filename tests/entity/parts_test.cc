// SPDX-License-Identifier: Apache-2.0
// The parts behind the recogniser: folding, tables and their errors, learning of names.
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "entity/causes.h"
#include "entity/data_file.h"
#include "entity/figures.h"
#include "entity/folded.h"
#include "entity/names.h"
#include "entity/numbers.h"

namespace zhibi::entity {
namespace {

const std::string kData = std::string(ZHIBI_SOURCE_DIR) + "/data";

TEST(Folded, MapsBackToEveryByte) {
  const std::string text = "甲１2Ａ，％乙";
  const Folded folded(text);
  EXPECT_EQ(folded.text(), "甲12A，%乙");
  EXPECT_EQ(text.substr(folded.Origin(3), 3), "１");
  EXPECT_EQ(folded.Origin(folded.text().size()), text.size());
  const Folded same("甲，乙（丙）");
  EXPECT_EQ(same.text().data(), same.original().data());  // nothing to fold: no copy
}

TEST(DataFile, ErrorsNameTableAndRow) {
  EXPECT_FALSE(Rows({{"a", {{"x"}}}}, "a", 2, "t.json").ok());
  EXPECT_NE(Rows({{"a", {{"x", "y"}, {"z"}}}}, "a", 2, "t.json").status().message().find("row 1"),
            std::string::npos);
  EXPECT_NE(StringList({{"a", {"x", 3}}}, "a", "t.json").status().message().find("entry 1"),
            std::string::npos);
  EXPECT_EQ(Alternatives({"a", "abc", "b.c"}), "(?:abc|b\\.c|a)");
}

TEST(DataFile, BrokenTablesAreRefused) {
  const auto folder = std::filesystem::temp_directory_path() / "zhibi_entity_tables";
  std::filesystem::create_directories(folder / "entity");
  const auto write = [&](const std::string& text) {
    std::ofstream(folder / "entity" / "causes.json") << text;
    return Causes::Load(folder.string()).status().message();
  };
  EXPECT_NE(write("[]").find("expected an object"), std::string::npos);
  EXPECT_NE(write(R"({"causes": []})").find("in_force"), std::string::npos);
  EXPECT_NE(write(R"({"in_force": "2026-13-01", "causes": []})"), "");
  EXPECT_NE(write(R"({"in_force": "2026-01-01", "causes": [["x", 7, "", ""]]})").find("level"),
            std::string::npos);
  std::filesystem::remove_all(folder);
}

TEST(Names, LearnsDeclaredBeforeMentioned) {
  const Names names = Names::Create(kData).value();
  LearnedNames learned;
  names.Learn(
      "原告：张三，男。被告李四、王小五和赵六诉称，附带民事诉讼原告人罗某、罗某美诉称。"
      "法定代理人：欧阳修，男。被告（张卫东、王兰萍）称。",
      learned);
  for (const char* name :
       {"张三", "李四", "王小五", "赵六", "罗某", "罗某美", "欧阳修", "张卫东", "王兰萍"}) {
    EXPECT_EQ(learned.count(name), 1U) << name;
  }
  EXPECT_EQ(learned["罗某美"].role, "附带民事诉讼原告人");
  EXPECT_EQ(learned["张三"].role, "原告");
  EXPECT_EQ(names.SurnameLength("欧阳修"), std::string("欧阳").size());
  EXPECT_TRUE(names.LooksLikePerson("张某某"));
  EXPECT_FALSE(names.LooksLikePerson("张某辩称"));
  EXPECT_FALSE(names.LooksLikePerson("本院"));
}

TEST(Numbers, CountyLength) {
  const Numbers numbers = Numbers::Create({"江苏省", "上海市"}).value();
  const auto county = [&](std::string_view text) {
    return std::string(text.substr(0, numbers.CountyLength(text)));
  };
  EXPECT_EQ(county("江苏省昆山市玉山镇"), "江苏省昆山市");
  EXPECT_EQ(county("江苏省苏州市姑苏区人民路8号"), "江苏省苏州市姑苏区");
  EXPECT_EQ(county("上海市浦东新区张杨路"), "上海市浦东新区");
  EXPECT_EQ(county("人民路8号幸福小区"), "");
}

TEST(Figures, ReferencesComeFirst) {
  const Figures figures = Figures::Create().value();
  const CaseNumbers case_numbers = CaseNumbers::Load(kData).value();
  Spans spans;
  const std::string text = "（2024）京0105民初1234号，借款1234元";
  figures.FindReferences(text, case_numbers, spans);
  figures.FindFigures(text, spans);
  ASSERT_EQ(spans.list().size(), 2U);
  EXPECT_EQ(spans.list()[1].number, 123400);
}

}  // namespace
}  // namespace zhibi::entity
