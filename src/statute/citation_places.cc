// SPDX-License-Identifier: Apache-2.0
// Numbers and places of citations: 第一百二十条之一第二款第（三）项, 第六、七条, 第一、五款,
// 第十条- 第十二条. Recursive descent with one place of look-back for what a list leaves out.
#include <array>
#include <string>

#include "base/utf8.h"
#include "legal/chinese_number.h"
#include "statute/citation_cursor.h"

namespace zhibi::statute {
namespace {

constexpr std::size_t kMaxNumberCharacters = 12;

bool IsBlank(char32_t c) {
  return c == U' ' || c == U'\t' || c == U'\r' || c == U'\n' || c == 0x3000 || c == 0xA0;
}

bool IsChineseDigit(char32_t c) {
  return std::u32string_view(U"零〇○一二三四五六七八九十百千两").find(c) !=
         std::u32string_view::npos;
}

// ㈠ to ㈩, ① to ⑳, ⑴ to ⒇.
int CircledNumber(char32_t c) {
  if (c >= 0x3220 && c <= 0x3229) return static_cast<int>(c - 0x3220) + 1;
  if (c >= 0x2460 && c <= 0x2473) return static_cast<int>(c - 0x2460) + 1;
  if (c >= 0x2474 && c <= 0x2487) return static_cast<int>(c - 0x2474) + 1;
  return 0;
}

int TakePlainNumber(Cursor& cursor) {
  if (const int circled = CircledNumber(cursor.Peek()); circled > 0) {
    cursor.Advance();
    return circled;
  }
  const Cursor start = cursor;
  std::string digits;
  const bool arabic = cursor.Peek() >= U'0' && cursor.Peek() <= U'9';
  std::size_t count = 0;
  while (count < kMaxNumberCharacters && (arabic ? cursor.Peek() >= U'0' && cursor.Peek() <= U'9'
                                                 : IsChineseDigit(cursor.Peek()))) {
    base::AppendUtf8(cursor.Peek(), &digits);
    cursor.Advance();
    ++count;
  }
  int value = 0;
  if (arabic && count <= 5) {
    for (const char c : digits) value = value * 10 + (c - '0');
  } else if (!arabic && count > 0) {
    const Result<std::int64_t> read = legal::ParseChineseNumber(digits);
    if (read.ok() && *read <= 99'999) value = static_cast<int>(*read);
  }
  if (value == 0) cursor = start;
  return value;
}

enum class Unit : std::uint8_t { kNone, kArticle, kParagraph, kItem, kSubitem, kDivision };

struct UnitWord {
  std::u32string_view word;
  Unit unit;
};
constexpr std::array<UnitWord, 8> kUnits{{{U"条", Unit::kArticle},
                                          {U"款", Unit::kParagraph},
                                          {U"项", Unit::kItem},
                                          {U"目", Unit::kSubitem},
                                          {U"编", Unit::kDivision},
                                          {U"分编", Unit::kDivision},
                                          {U"章", Unit::kDivision},
                                          {U"节", Unit::kDivision}}};

// A group of numbers with one unit: 第一、五款; 第（一）（二）项.
struct Group {
  std::vector<int> numbers;
  std::vector<TextSpan> spans;
  Unit unit = Unit::kNone;
  std::u32string_view word;
  bool marked = false;     // begins with 第
  bool bracketed = false;  // （一）
};

bool TakeSeparator(Cursor& cursor) {
  return cursor.TakeAny({U"、", U"，", U",", U"以及", U"及", U"和", U"与", U"或者", U"或"});
}

bool TakeUnit(Cursor& cursor, Group& group) {
  for (const UnitWord& unit : kUnits) {
    if (cursor.TakeWord(unit.word)) {
      group.unit = unit.unit;
      group.word = unit.word;
      return true;
    }
  }
  return false;
}

// Nothing is taken where no group stands. `bare`: 第 may be left out (四十七条一款).
bool TakeGroup(Cursor& cursor, bool bare, Group& group) {
  const Cursor start = cursor;
  const std::size_t begin = cursor.At();
  group = Group{};
  group.marked = cursor.Take(U'第');
  if (!group.marked && !bare) return false;
  group.bracketed = cursor.Peek() == U'（';
  std::size_t from = begin;
  while (group.numbers.size() < 64) {
    const int number = TakeNumber(cursor);
    if (number == 0) break;
    group.numbers.push_back(number);
    group.spans.push_back({from, cursor.End()});
    const Cursor before = cursor;
    if (TakeUnit(cursor, group)) {
      group.spans.back().end = cursor.End();
      return true;
    }
    // 第六、七条; （一）（二）项 without a separator. A new 第 begins a group of its own.
    TakeSeparator(cursor);
    from = cursor.At();
    if (cursor.Peek() == U'第') {
      cursor = before;
      break;
    }
  }
  cursor = start;
  return false;
}

class Reader {
 public:
  Reader(Cursor& cursor, const Place* start, std::vector<Place>& places,
         std::vector<Division>& divisions)
      : cursor_(cursor), places_(places), divisions_(divisions) {
    if (start != nullptr) {
      last_ = *start;
      known_ = true;
    }
  }

  void Read() {
    bool first = true;
    while (places_.size() < kMaxPlaces && divisions_.size() < kMaxPlaces) {
      const Cursor before = cursor_;
      const bool range = !first && TakeRange();
      const bool separated = !range && !first && TakeSeparator(cursor_);
      if (!One(range, separated, first)) {
        cursor_ = before;
        return;
      }
      first = false;
    }
  }

 private:
  bool TakeRange() { return cursor_.TakeAny({U"至", U"到", U"-", U"—", U"－", U"～", U"~", U"–"}); }

  // A line break and then 第一条 with a blank behind it is a heading, no citation.
  bool IsHeading(bool after_line) const {
    if (!after_line) return false;
    return cursor_.AfterBlank() || cursor_.AfterLine();
  }

  bool One(bool range, bool separated, bool first) {
    Group group;
    const bool after_line = cursor_.AfterLine();
    // Without 第: behind a number of the same list (第一百条至一百零三条, 四十七条一款), and right
    // behind a name, where 第 was forgotten.
    const bool bare = range || separated || first || !divided_;
    if (!TakeGroup(cursor_, bare, group)) return false;
    // 第十条、三项请求 is no list of items, 《…》三章 no division.
    if (!group.marked && (separated || first) && group.unit != Unit::kArticle && !group.bracketed) {
      return false;
    }
    switch (group.unit) {
      case Unit::kArticle:
        return Articles(group, range, after_line && first);
      case Unit::kParagraph:
      case Unit::kItem:
      case Unit::kSubitem:
        return Parts(group, range, separated);
      case Unit::kDivision:
        if (!group.marked) return false;
        Divisions(group);
        return true;
      case Unit::kNone:
        break;
    }
    return false;
  }

  bool Articles(const Group& group, bool range, bool after_line) {
    int inserted = 0;
    const Cursor before = cursor_;
    if (cursor_.Take(U'之')) {
      inserted = TakeNumber(cursor_);
      if (inserted == 0) cursor_ = before;
    }
    if (IsHeading(after_line)) return false;
    divided_ = false;
    if (range && !places_.empty()) {
      Place& open = places_.back();
      open.last = ArticleNumber{group.numbers.back(), inserted};
      open.span.end = cursor_.End();
      last_ = Place{};
      last_.article = *open.last;
      known_ = true;
      return true;
    }
    for (std::size_t i = 0; i < group.numbers.size(); ++i) {
      Place place;
      place.span = group.spans[i];
      place.article.number = group.numbers[i];
      if (i + 1 == group.numbers.size()) {
        place.article.inserted = inserted;
        place.span.end = cursor_.End();
      }
      places_.push_back(place);
      last_ = place;
    }
    known_ = true;
    TakePart();
    return true;
  }

  static bool Finer(Unit unit, const Place& place) {
    if (unit == Unit::kParagraph) return place.paragraph == 0 && place.item == 0;
    if (unit == Unit::kItem) return place.item == 0;
    return place.subitem == 0 && place.item > 0;
  }

  static void Set(Unit unit, int number, Place& place) {
    if (unit == Unit::kParagraph) {
      place.paragraph = number;
      place.item = 0;
      place.subitem = 0;
    } else if (unit == Unit::kItem) {
      place.item = number;
      place.subitem = 0;
    } else {
      place.subitem = number;
    }
  }

  // 第二款 right behind 第七条 narrows it; behind a separator it is a place of its own.
  bool Parts(const Group& group, bool range, bool separated) {
    if (!known_) return false;
    if (range) {
      // 第一款至第三款: the ends are checked, the middle lies between them.
      Place place = last_;
      Set(group.unit, group.numbers.back(), place);
      place.span = {group.spans.front().begin, cursor_.End()};
      place.inherited = true;
      Push(place);
      return true;
    }
    for (std::size_t i = 0; i < group.numbers.size(); ++i) {
      if (i == 0 && !separated && !places_.empty() && Finer(group.unit, places_.back()) &&
          !places_.back().last) {
        Set(group.unit, group.numbers[i], places_.back());
        places_.back().span.end = group.spans[i].end;
        last_ = places_.back();
        continue;
      }
      Place place = last_;
      place.last.reset();
      Set(group.unit, group.numbers[i], place);
      place.span = group.spans[i];
      place.inherited = true;
      Push(place);
    }
    TakePart();
    return true;
  }

  void Push(const Place& place) {
    places_.push_back(place);
    last_ = place;
  }

  void TakePart() {
    if (places_.empty()) return;
    if (cursor_.TakeAny({U"前半段", U"后半段", U"前半句", U"后半句", U"前半部分", U"后半部分",
                         U"前段", U"后段", U"中段", U"但书", U"第一句", U"第二句", U"第三句"})) {
      places_.back().part = true;
      places_.back().span.end = cursor_.End();
    }
  }

  void Divisions(const Group& group) {
    divided_ = true;
    for (std::size_t i = 0; i < group.numbers.size(); ++i) {
      Division division;
      division.span = group.spans[i];
      division.number = group.numbers[i];
      for (const char32_t c : group.word) base::AppendUtf8(c, &division.unit);
      divisions_.push_back(std::move(division));
    }
  }

  Cursor& cursor_;
  std::vector<Place>& places_;
  std::vector<Division>& divisions_;
  Place last_;
  bool known_ = false;
  bool divided_ = false;
};

}  // namespace

char32_t EvenCharacter(char32_t c) {
  if (c >= 0xFF10 && c <= 0xFF19) return c - 0xFEE0;
  switch (c) {
    case U'(':
    case U'﹙':
      return U'（';
    case U')':
    case U'﹚':
      return U'）';
    case U'<':
    case U'＜':
    case U'﹤':
    case U'‹':
      return U'〈';
    case U'>':
    case U'＞':
    case U'﹥':
    case U'›':
      return U'〉';
    case U'[':
    case U'［':
    case U'【':
    case U'﹝':
      return U'〔';
    case U']':
    case U'］':
    case U'】':
    case U'﹞':
      return U'〕';
    default:
      return c;
  }
}

void Cursor::Skip() {
  blank_ = false;
  line_ = false;
  while (at_ < text_.size()) {
    const base::Utf8Char c = base::DecodeUtf8(text_.substr(at_));
    if (!IsBlank(c.code_point)) {
      current_ = EvenCharacter(c.code_point);
      length_ = c.length;
      return;
    }
    blank_ = true;
    line_ = line_ || c.code_point == U'\n';
    at_ += c.length;
  }
  current_ = 0;
  length_ = 0;
}

void Cursor::Advance() {
  at_ += length_;
  end_ = at_;
  Skip();
}

bool Cursor::Take(char32_t c) {
  if (c == 0 || current_ != c) return false;
  Advance();
  return true;
}

bool Cursor::TakeWord(std::u32string_view word) {
  const Cursor start = *this;
  for (const char32_t c : word) {
    if (!Take(c)) {
      *this = start;
      return false;
    }
  }
  return true;
}

bool Cursor::TakeAny(std::initializer_list<std::u32string_view> words) {
  for (const std::u32string_view word : words) {
    if (TakeWord(word)) return true;
  }
  return false;
}

int TakeNumber(Cursor& cursor) {
  const Cursor start = cursor;
  if (!cursor.Take(U'（')) return TakePlainNumber(cursor);
  const int number = TakePlainNumber(cursor);
  if (number > 0 && cursor.Take(U'）')) return number;
  cursor = start;
  return 0;
}

void TakePlaces(Cursor& cursor, const Place* start, std::vector<Place>& places,
                std::vector<Division>& divisions) {
  Reader(cursor, start, places, divisions).Read();
}

}  // namespace zhibi::statute
