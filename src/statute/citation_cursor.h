// SPDX-License-Identifier: Apache-2.0
// A walk over a text character by character for the parser of citations: width evened, blanks and
// line breaks passed over, since citations are broken across lines. Private to the parser.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "statute/citation.h"

namespace zhibi::statute {

// Full-width digits to ASCII, brackets to （）, 〈〉 and 〔〕.
char32_t EvenCharacter(char32_t c);

class Cursor {
 public:
  Cursor(std::string_view text, std::size_t at) : text_(text), at_(at), end_(at) { Skip(); }

  // The next character that is no blank, evened; 0 at the end of the text.
  char32_t Peek() const { return current_; }
  void Advance();
  bool Take(char32_t c);
  // All of `word` (evened, without blanks), or nothing.
  bool TakeWord(std::u32string_view word);
  bool TakeAny(std::initializer_list<std::u32string_view> words);
  // Byte of the next character, and the byte behind the last one taken.
  std::size_t At() const { return at_; }
  std::size_t End() const { return end_; }
  // Blanks or a line break stood before the next character.
  bool AfterBlank() const { return blank_; }
  bool AfterLine() const { return line_; }
  std::string_view Text() const { return text_; }

 private:
  void Skip();

  std::string_view text_;
  std::size_t at_;
  std::size_t end_;
  std::size_t length_ = 0;
  char32_t current_ = 0;
  bool blank_ = false;
  bool line_ = false;
};

// 十二, 120, （三）, ㈠: from 1 to 99999; 0: no number, and nothing is taken.
int TakeNumber(Cursor& cursor);

// Places behind a name: 第六条、第七条第二款第（三）项至… `start`: the place to inherit articles
// and paragraphs from, if any. Leaves the cursor behind the last place.
void TakePlaces(Cursor& cursor, const Place* start, std::vector<Place>& places,
                std::vector<Division>& divisions);

}  // namespace zhibi::statute
