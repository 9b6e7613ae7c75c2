// SPDX-License-Identifier: Apache-2.0
#include "statute/name.h"

#include <gtest/gtest.h>

#include "statute/table.h"

namespace zhibi::statute {
namespace {

TEST(Name, EvensWidthBracketsAndMarks) {
  EXPECT_EQ(EvenName("《中华人民共和国 刑法修正案(八)》"), "中华人民共和国刑法修正案（八）");
  EXPECT_EQ(EvenName("关于适用〈民法典〉的解释"), EvenName("关于适用《民法典》的解释"));
  EXPECT_EQ(EvenName("ＡＢＣ１２"), "abc12");
  EXPECT_EQ(EvenName("法释[2020]17号"), EvenName("法释〔2020〕17号"));
  EXPECT_EQ(EvenName(""), "");
  // A byte that is no UTF-8 stands for itself and ends nothing.
  EXPECT_EQ(EvenName("\xff甲法"), "\xEF\xBF\xBD甲法");
}

TEST(Name, SpellsIssuingBodiesOut) {
  EXPECT_EQ(NormaliseName("最高院关于甲的规定"), "最高人民法院关于甲的规定");
  EXPECT_EQ(NormaliseName("最高法院、最高检察院关于甲的解释"),
            "最高人民法院、最高人民检察院关于甲的解释");
  EXPECT_EQ(NormaliseName("最高人民法院关于甲的规定"), "最高人民法院关于甲的规定");
  // Only the words are evened, not the meaning.
  EXPECT_NE(EvenName("最高院关于甲的规定"), EvenName("最高人民法院关于甲的规定"));
}

}  // namespace
}  // namespace zhibi::statute
