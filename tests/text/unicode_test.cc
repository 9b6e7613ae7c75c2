// SPDX-License-Identifier: Apache-2.0
// The generated table against ICU, code point by code point. ICU 72 knows Unicode 15.0, the
// table 16.0: characters that ICU has not assigned yet are skipped, and the few whose category has
// changed since are listed.
#include "text/unicode.h"

#include <array>
#include <set>
#include <vector>

#include <gtest/gtest.h>
#include <unicode/uchar.h>
#include <unicode/unorm2.h>

namespace zhibi::text {
namespace {

// UCharCategory numbers, by the order of enum class Category.
constexpr std::array<int, 30> kIcuCategories = {U_UNASSIGNED,
                                                U_UPPERCASE_LETTER,
                                                U_LOWERCASE_LETTER,
                                                U_TITLECASE_LETTER,
                                                U_MODIFIER_LETTER,
                                                U_OTHER_LETTER,
                                                U_NON_SPACING_MARK,
                                                U_COMBINING_SPACING_MARK,
                                                U_ENCLOSING_MARK,
                                                U_DECIMAL_DIGIT_NUMBER,
                                                U_LETTER_NUMBER,
                                                U_OTHER_NUMBER,
                                                U_CONNECTOR_PUNCTUATION,
                                                U_DASH_PUNCTUATION,
                                                U_START_PUNCTUATION,
                                                U_END_PUNCTUATION,
                                                U_INITIAL_PUNCTUATION,
                                                U_FINAL_PUNCTUATION,
                                                U_OTHER_PUNCTUATION,
                                                U_MATH_SYMBOL,
                                                U_CURRENCY_SYMBOL,
                                                U_MODIFIER_SYMBOL,
                                                U_OTHER_SYMBOL,
                                                U_SPACE_SEPARATOR,
                                                U_LINE_SEPARATOR,
                                                U_PARAGRAPH_SEPARATOR,
                                                U_CONTROL_CHAR,
                                                U_FORMAT_CHAR,
                                                U_SURROGATE,
                                                U_PRIVATE_USE_CHAR};

TEST(UnicodeTest, StatesItsVersions) {
  EXPECT_EQ(UnicodeTable::category_version(), "16.0.0");
  EXPECT_EQ(UnicodeTable::nfc_version(), "15.0.0");
}

TEST(UnicodeTest, CategoriesAndWhiteSpaceAreIcus) {
  const UnicodeTable& table = UnicodeTable::Get();
  std::set<char32_t> changed;
  int num_checked = 0;
  for (char32_t c = 0; c < 0x110000; ++c) {
    const auto icu = static_cast<UChar32>(c);
    if (u_charType(icu) == U_UNASSIGNED) continue;
    ++num_checked;
    if (u_charType(icu) != kIcuCategories[static_cast<std::size_t>(UnicodeTable::CategoryOf(c))])
      changed.insert(c);
    const unsigned mask = U_GET_GC_MASK(icu);
    const auto classes = table.Classes(c);
    if (changed.count(c) == 0) {
      ASSERT_EQ((classes & kLetter) != 0, (mask & U_GC_L_MASK) != 0) << static_cast<unsigned>(c);
      ASSERT_EQ((classes & kMark) != 0, (mask & U_GC_M_MASK) != 0) << static_cast<unsigned>(c);
      ASSERT_EQ((classes & kNumber) != 0, (mask & U_GC_N_MASK) != 0) << static_cast<unsigned>(c);
      ASSERT_EQ((classes & kPunctuation) != 0, (mask & U_GC_P_MASK) != 0)
          << static_cast<unsigned>(c);
      ASSERT_EQ((classes & kSymbol) != 0, (mask & U_GC_S_MASK) != 0) << static_cast<unsigned>(c);
      ASSERT_EQ((classes & kUpper) != 0, (mask & (U_GC_LU_MASK | U_GC_LT_MASK)) != 0)
          << static_cast<unsigned>(c);
    }
    ASSERT_EQ((classes & kWhite) != 0, u_isUWhiteSpace(icu) != 0) << static_cast<unsigned>(c);
  }
  EXPECT_GT(num_checked, 280000);
  EXPECT_LE(changed.size(), 16U) << "first " << static_cast<unsigned>(*changed.begin());
  for (const char32_t c : changed) RecordProperty("changed", static_cast<int>(c));
}

// The extensions that the corpus may hold, up to the newest blocks.
TEST(UnicodeTest, HanExtensionsAreLetters) {
  const std::vector<std::pair<char32_t, char32_t>> blocks = {
      {0x3400, 0x4DBF},   {0x4E00, 0x9FFF},   {0x20000, 0x2A6DF}, {0x2A700, 0x2B739},
      {0x2B740, 0x2B81D}, {0x2B820, 0x2CEA1}, {0x2CEB0, 0x2EBE0}, {0x2EBF0, 0x2EE5D},
      {0x30000, 0x3134A}, {0x31350, 0x323AF}};
  for (const auto& [first, last] : blocks) {
    for (char32_t c = first; c <= last; ++c) {
      ASSERT_EQ(UnicodeTable::Get().Classes(c), kLetter) << static_cast<unsigned>(c);
    }
  }
}

TEST(UnicodeTest, CombiningClassesAreIcus) {
  for (char32_t c = 0; c < 0x110000; ++c) {
    ASSERT_EQ(CombiningClass(c), u_getCombiningClass(static_cast<UChar32>(c)))
        << static_cast<unsigned>(c);
  }
}

TEST(UnicodeTest, PairsComposeAsInIcu) {
  UErrorCode error = U_ZERO_ERROR;
  const UNormalizer2* nfc = unorm2_getNFCInstance(&error);
  ASSERT_TRUE(U_SUCCESS(error));
  int num_composed = 0;
  for (char32_t c = 0; c < 0x110000; ++c) {
    char32_t first = 0;
    char32_t second = 0;
    if (!Decompose(c, &first, &second) || second == 0) continue;
    const UChar32 composed =
        unorm2_composePair(nfc, static_cast<UChar32>(first), static_cast<UChar32>(second));
    ASSERT_EQ(Compose(first, second), composed < 0 ? 0 : static_cast<char32_t>(composed))
        << static_cast<unsigned>(c);
    num_composed += composed < 0 ? 0 : 1;
  }
  EXPECT_EQ(num_composed, 941 + 11172);
}

}  // namespace
}  // namespace zhibi::text
