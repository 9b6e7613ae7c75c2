// SPDX-License-Identifier: Apache-2.0
// What the parser of citations reads: one line a citation, compared with what a person reads in the
// same words; byte spans; nothing where nothing is cited; limits.
#include "statute/citation.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace zhibi::statute {
namespace {

std::string Written(const Place& place) {
  std::string out = std::to_string(place.article.number);
  if (place.article.inserted > 0) out += "-" + std::to_string(place.article.inserted);
  if (place.last) {
    out += ".." + std::to_string(place.last->number);
    if (place.last->inserted > 0) out += "-" + std::to_string(place.last->inserted);
  }
  if (place.paragraph > 0) out += "/" + std::to_string(place.paragraph);
  if (place.item > 0) out += "(" + std::to_string(place.item) + ")";
  if (place.subitem > 0) out += "[" + std::to_string(place.subitem) + "]";
  if (place.part) out += "~";
  return out;
}

std::string Written(const Citation& citation) {
  static constexpr std::string_view kForms[] = {
      "", "outside:", "misplaced:", "bare:", "ref:", "rel:"};
  std::string out(kForms[static_cast<std::size_t>(citation.form)]);
  out += citation.name;
  if (!citation.version.empty()) out += "{" + citation.version + "}";
  if (!citation.document_number.empty()) out += "{" + citation.document_number + "}";
  if (citation.refers_to != kNone) out += "@" + std::to_string(citation.refers_to);
  if (citation.definition != kNone) out += "=" + std::to_string(citation.definition);
  for (const Division& division : citation.divisions) {
    out += " " + std::to_string(division.number) + division.unit;
  }
  for (const Place& place : citation.places) out += " " + Written(place);
  return out;
}

std::string Read(std::string_view text, const EndingName& known = {}) {
  std::string out;
  for (const Citation& citation : ParseCitations(text, known).citations) {
    if (!out.empty()) out += "; ";
    out += Written(citation);
  }
  return out;
}

// Knows 民法典, 中华人民共和国民法典 and 民事诉讼法.
std::size_t Known(std::string_view before) {
  for (const std::string_view name : {"中华人民共和国民法典", "民法典", "民事诉讼法"}) {
    if (before.ends_with(name)) return name.size();
  }
  return 0;
}

struct Example {
  const char* text;
  const char* read;
};

const Example kExamples[] = {
    {"依照《中华人民共和国民法典》第六百七十五条规定", "中华人民共和国民法典 675"},
    {"《刑法》第一百二十条之一第二款", "刑法 120-1/2"},
    {"《刑法》第一百二十条之规定", "刑法 120"},
    {"《刑法》第120条第2款第(三)项", "刑法 120/2(3)"},
    {"《刑法》第１２０条第２款第（３）项第1目", "刑法 120/2(3)[1]"},
    {"《民诉法》第一百条至第一百零三条、第一百零五条", "民诉法 100..103 105"},
    {"《民诉法》第十条-第十二条", "民诉法 10..12"},
    {"《民诉法》第一百条至一百零三条", "民诉法 100..103"},
    {"《合同法》第六条、第七条第二款、第九条", "合同法 6 7/2 9"},
    {"《合同法》第六、七条", "合同法 6 7"},
    {"《合同法》第六条和第七条以及第八条", "合同法 6 7 8"},
    {"《刑法》第二百七十七条第一、五款之规定", "刑法 277/1 277/5"},
    {"《刑法》第二十六条第一款、第四款", "刑法 26/1 26/4"},
    {"《刑法》第二十六条第一款、第四款、第六十七条第一款", "刑法 26/1 26/4 67/1"},
    {"《物权法》第一百八十条第一款第（四）、（六）项", "物权法 180/1(4) 180/1(6)"},
    {"《物权法》第一百八十条第一款第（四）项、第（六）项", "物权法 180/1(4) 180/1(6)"},
    {"《刑诉法》第二百二十五条第一款第㈠项之规定", "刑诉法 225/1(1)"},
    {"《劳动合同法》第四十七条一款、第八十二条一款", "劳动合同法 47/1 82/1"},
    {"《民法典》第三编第一章", "民法典 3编 1章"},
    {"《民法典》第三编第二分编第六百七十五条", "民法典 3编 2分编 675"},
    {"《民法典》第一条前段", "民法典 1~"},
    {"《民法典》第一条第二款后半句", "民法典 1/2~"},
    {"《最高人民法院关于适用〈中华人民共和国刑事诉讼法〉的解释》第三百五十条第（一）项",
     "最高人民法院关于适用〈中华人民共和国刑事诉讼法〉的解释 350(1)"},
    {"《最高人民法院关于适用《中华人民共和国婚姻法》若干问题的解释（一）》第二十二条",
     "最高人民法院关于适用〈中华人民共和国婚姻法〉若干问题的解释（一） 22"},
    {"《最高人民法院关于适用﹤中华人民共和国婚姻法﹥若干问题的解释(一)》第二条",
     "最高人民法院关于适用〈中华人民共和国婚姻法〉若干问题的解释（一） 2"},
    {"最高人民法院《关于民事诉讼证据的若干规定》第二条",
     "outside:最高人民法院关于民事诉讼证据的若干规定 2"},
    {"最高人民法院、最高人民检察院《关于办理盗窃刑事案件适用法律若干问题的解释》第一条",
     "outside:最高人民法院、最高人民检察院关于办理盗窃刑事案件适用法律若干问题的解释 1"},
    {"依照最高人民法院关于适用《中华人民共和国民事诉讼法》的解释第九十条",
     "misplaced:最高人民法院关于适用〈中华人民共和国民事诉讼法〉的解释 90"},
    {"最高人民法院关于适用《婚姻法》若干问题的解释（二）第二十四条",
     "misplaced:最高人民法院关于适用〈婚姻法〉若干问题的解释（二） 24"},
    {"《关于适用〈婚姻法〉若干问题的解释》（二）第二十四条",
     "outside:关于适用〈婚姻法〉若干问题的解释（二） 24"},
    {"《最高人民法院关于适用《中华人民共和国民事诉讼法》的解释第九十条",
     "misplaced:最高人民法院关于适用〈中华人民共和国民事诉讼法〉的解释 90"},
    {"《公司法（2018修正）》第二十条", "公司法{2018修正} 20"},
    {"《公司法》（2018年修正）第二十条", "公司法{2018年修正} 20"},
    {"《关于审理民间借贷案件的规定》（法释〔2020〕17号）第二十五条",
     "关于审理民间借贷案件的规定{法释〔2020〕17号} 25"},
    {"《中华人民共和国\n民法典》第六百\n七十五条", "中华人民共和国民法典 675"},
    {"《民法典》\n第六百七十五条规定", "民法典 675"},
    {"《民法典》\n第一条　合同标的", "民法典"},
    {"《民法典》第一条。该法第二条，同法第三条", "民法典 1; ref:该法@0 2; ref:同法@0 3"},
    {"《民法典》第一条规定，该条第二款又规定", "民法典 1; ref:该条@0 1/2"},
    {"《民法典》第一条第二款，前款规定", "民法典 1/2; rel:@0"},
    {"《甲规定》（以下简称民间借贷规定）第一条，依照民间借贷规定第二条，《民间借贷规定》第三条",
     "甲规定 1; bare:民间借贷规定=0 2; 民间借贷规定=0 3"},
    {"《中华人民共和国担保法》，以下简称《担保法》，《担保法》第三条",
     "中华人民共和国担保法; 担保法=0 3"},
    {"《甲法》第一条、《乙法》第二条", "甲法 1; 乙法 2"},
    {"《甲法》和《乙法》", "甲法; 乙法"},
    {"《甲法》第十条，第二被告应当", "甲法 10"},
    {"《甲法》第十条、三项请求", "甲法 10"},
    {"《甲法》第十条、2018年", "甲法 10"},
    {"《甲法》二百二十五条第一款第（一）项", "甲法 225/1(1)"},
    {"《甲法》三项、三章", "甲法"},
    {"《甲法》的第十条", "甲法 10"},
    {"中华人民共和国合同法第六十条", "bare:中华人民共和国合同法 60"},
    {"中华人民共和国合同法》第六十条", "bare:中华人民共和国合同法 60"},
    {"关于适用﹤中华人民共和国合同法﹥的解释》第六十条", ""},
    {"本院《关于适用〈甲法〉的解释》第六十条", "outside:关于适用〈甲法〉的解释 60"},
    {"本合同第三条约定，第五条", ""},
    {"中华人民共和国最高人民法院第三庭", ""},
    {"《未完", ""},
    {"《》第一条", ""},
    {"第一条", ""},
    {"《甲法》第零条", "甲法"},
    {"《甲法》第9999999999条", "甲法"},
    {"", ""},
};

TEST(CitationTest, ReadsWhatAPersonReads) {
  for (const Example& example : kExamples)
    EXPECT_EQ(Read(example.text), example.read) << example.text;
}

TEST(CitationTest, FindsKnownNamesWithoutMarks) {
  EXPECT_EQ(Read("依照民法典第六百七十五条", Known), "bare:民法典 675");
  EXPECT_EQ(Read("依照民法典（2020年）的第六条、第七条", Known), "bare:民法典{2020年} 6 7");
  EXPECT_EQ(Read("依照中华人民共和国民法典之规定", Known), "bare:中华人民共和国民法典");
  EXPECT_EQ(Read("某某法第三条", Known), "");
  EXPECT_EQ(Read("民法典。第三条", Known), "");
}

TEST(CitationTest, SpansAreBytesOfTheText) {
  const std::string text = "依照《中华人民共和国民法典》第六条第二款、第七条的规定";
  const Citations read = ParseCitations(text);
  ASSERT_EQ(read.citations.size(), 1U);
  const Citation& citation = read.citations[0];
  const auto at = [&](TextSpan span) { return text.substr(span.begin, span.end - span.begin); };
  EXPECT_EQ(at(citation.span), "《中华人民共和国民法典》第六条第二款、第七条");
  EXPECT_EQ(at(citation.name_span), "《中华人民共和国民法典》");
  ASSERT_EQ(citation.places.size(), 2U);
  EXPECT_EQ(at(citation.places[0].span), "第六条第二款");
  EXPECT_EQ(at(citation.places[1].span), "第七条");
}

TEST(CitationTest, SpanOfAShortName) {
  const std::string text = "《甲规定》（以下简称“乙规定”）";
  const Citations read = ParseCitations(text);
  ASSERT_EQ(read.definitions.size(), 1U);
  EXPECT_EQ(read.definitions[0].short_name, "乙规定");
  EXPECT_EQ(text.substr(read.definitions[0].span.begin, 9), "乙规定");
}

TEST(CitationTest, AnyBytesAreRead) {
  std::string text = "《甲法》第一条";
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    for (const Citation& citation : ParseCitations(text.substr(0, cut)).citations) {
      EXPECT_LE(citation.span.end, cut);
    }
  }
  EXPECT_EQ(Read(std::string("《甲\0法》第一条", 20)), "");
  EXPECT_EQ(Read("\xE3\x80\x8A\xFF\xE7\xAC"), "");
}

TEST(CitationTest, KeepsItsLimits) {
  std::string places = "《甲法》第一条";
  for (std::size_t i = 0; i < kMaxPlaces + 10; ++i) places += "、第二条";
  EXPECT_LE(ParseCitations(places).citations.at(0).places.size(), kMaxPlaces);
  std::string many;
  for (std::size_t i = 0; i <= kMaxCitations; ++i) many += "《甲》";
  const Citations read = ParseCitations(many);
  EXPECT_TRUE(read.truncated);
  EXPECT_EQ(read.citations.size(), kMaxCitations);
  const std::string longest = "《" + std::string(kMaxNameCharacters, 'a') + "》";
  EXPECT_TRUE(ParseCitations(longest).citations.empty());
}

// Quadratic reading of these would not end within the time limit of a test.
TEST(CitationTest, HostileTextsEnd) {
  for (const std::string_view unit :
       {"《", "第", "第一、", "《〈", "〉", "《甲〉", "第一条、", "中华人民共和国", "（以下简称",
        "《甲》（以下简称乙）", "该条第一款"}) {
    std::string text;
    while (text.size() < 300'000) text += unit;
    EXPECT_LE(ParseCitations(text).citations.size(), kMaxCitations) << unit;
  }
}

}  // namespace
}  // namespace zhibi::statute
