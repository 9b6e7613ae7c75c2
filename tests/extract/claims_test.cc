// SPDX-License-Identifier: Apache-2.0
// Claims: listed with numbers or without, told in a sentence, of several speakers; never what the
// defence says of them.
#include "extract/claims.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace zhibi::extract {
namespace {

using Texts = std::vector<std::string>;

Extraction Read(std::string_view text) {
  Extraction result;
  ClaimFinder::Create().value().Find(text, result);
  return result;
}

Texts Claims(std::string_view text) {
  Texts texts;
  for (const Value& claim : Read(text).claims) texts.push_back(claim.value.get<std::string>());
  return texts;
}

TEST(Claims, NumberedListEndsAtTheFacts) {
  EXPECT_EQ(
      Claims("诉讼请求：\n1．判令被告偿还5万元；\n2．诉讼费由被告承担。\n事实与理由：借款未还。"),
      (Texts{"判令被告偿还5万元", "诉讼费由被告承担"}));
}

TEST(Claims, WithoutNumbersApartBySemicolons) {
  EXPECT_EQ(Claims("原告提出诉讼请求：请求判令被告偿还5万元；诉讼费由被告承担。\n事实和理由：略。"),
            (Texts{"请求判令被告偿还5万元", "诉讼费由被告承担"}));
}

TEST(Claims, ToldInASentenceIsDoubtful) {
  const Extraction result =
      Read("原告诉称，被告欠款。故诉至法院，请求判令被告还款。\n被告辩称，请求驳回。");
  ASSERT_EQ(result.claims.size(), 1U);
  EXPECT_EQ(result.claims[0].value, "请求判令被告还款");
  EXPECT_EQ(result.claims[0].state, State::kDoubtful);
}

TEST(Claims, EverySpeakersList) {
  EXPECT_EQ(
      Claims("原告甲某诉称，受伤。请求：一、判决被告赔偿60万元。二、判决被告道歉。原告乙某诉称，"
             "受伤。请求：一、判决被告赔偿6万元。\n被告辩称，请求：一、驳回全部请求。"),
      (Texts{"判决被告赔偿60万元", "判决被告道歉", "判决被告赔偿6万元"}));
}

TEST(Claims, WhatTheDefenceSaysOfThemIsNone) {
  EXPECT_EQ(Claims("原告诉至法院，请求判令被告赔偿。\n被告辩称，关于原告的诉讼请求：医疗费过高；误"
                   "工费无据。"),
            (Texts{"请求判令被告赔偿"}));
  EXPECT_TRUE(Claims("二、驳回甲公司的反诉请求。\n乙公司以认定事实不清为由提出上诉。").empty());
}

TEST(Claims, CounterclaimsBehindADefence) {
  EXPECT_EQ(Claims("甲公司提出诉讼请求：1."
                   "支付工程款。\n事实和理由：略。乙公司辩称，不付。\n乙公司提出反诉请求："
                   "1.支付违约金。\n事实和理由：逾期。"),
            (Texts{"支付工程款", "支付违约金"}));
}

TEST(Claims, AnotherCasesClaimsAreNone) {
  EXPECT_EQ(Claims("本案请求判令交付商铺。另案源于被告起诉，请求判令解除协议。"),
            (Texts{"请求判令交付商铺"}));
}

TEST(Claims, OfAnAppealEndAtItsReasons) {
  EXPECT_EQ(Claims("上诉请求：\n一、撤销原判；\n二、上诉费由被上诉人负担。\n上诉理由：\n一、认定事"
                   "实错误。\n"),
            (Texts{"撤销原判", "上诉费由被上诉人负担"}));
}

TEST(Claims, SpansHoldTheirTexts) {
  constexpr std::string_view kText =
      "上诉请求：\n一、撤销原判；\n二、驳回诉讼请求。\n上诉理由：略。";
  for (const Value& claim : Read(kText).claims) {
    EXPECT_EQ(kText.substr(claim.begin, claim.end - claim.begin), claim.value.get<std::string>());
  }
}

}  // namespace
}  // namespace zhibi::extract
