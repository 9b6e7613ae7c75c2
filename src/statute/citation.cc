// SPDX-License-Identifier: Apache-2.0
// One walk over the text. At 《 a marked name is read with what follows it; at 第…条 without one
// the words in front are looked up: a known name, a short name defined before, or 该法.
#include "statute/citation.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/utf8.h"
#include "statute/citation_cursor.h"
#include "statute/citation_names.h"

namespace zhibi::statute {
namespace {

constexpr std::size_t kLookBack = 240;  // bytes in front of 第 that may hold a name
constexpr std::size_t kMaxDefinitions = 256;

class Parser {
 public:
  Parser(std::string_view text, const EndingName& known) : text_(text), known_(known) {}

  Citations Parse() {
    // Only these first bytes can begin something; a byte in the middle of a character never equals
    // a whole character.
    std::size_t at = 0;
    while (at < text_.size()) {
      if (result_.citations.size() >= kMaxCitations) {
        result_.truncated = true;
        break;
      }
      at = Step(at);
    }
    return std::move(result_);
  }

 private:
  bool Stands(std::size_t at, std::string_view word) const {
    return text_.substr(at, word.size()) == word;
  }

  // 〈民法典〉第五条 with single marks outside of a name: only in front of an article, since the
  // marks also stand around other things.
  bool StandsSingly(std::size_t at) const {
    if (!Stands(at, "〈")) return false;
    const std::size_t end = ReadMarkedName(text_, at).end;
    return end != 0 && Stands(end, "第");
  }

  std::size_t Step(std::size_t at) {
    const std::size_t next = at + 1;
    if (static_cast<unsigned char>(text_[at]) < 0xE2) return next;
    if (Stands(at, "《") || StandsSingly(at)) return Marked(at);
    if (Stands(at, "第")) return Unnamed(at);
    if (Stands(at, "中华人民共和国")) return Titled(at);
    for (const std::string_view word :
         {"前款", "前条", "前项", "上述规定", "前述规定", "上述条款", "前述条款"}) {
      if (Stands(at, word)) return Relative(at, word.size());
    }
    return next;
  }

  std::size_t Marked(std::size_t at) {
    ReadName read = ReadMarkedName(text_, at);
    if (read.end == 0 || read.name.empty()) return at + 3;
    Citation citation;
    citation.span = {at, read.end};
    citation.name_span = citation.span;
    citation.name = std::move(read.name);
    SplitVersion(citation);
    Cursor cursor(text_, read.end);
    WidenName(text_, floor_, read.unclosed, cursor, citation);
    return Finish(std::move(citation), cursor);
  }

  // Suffixes, places, and the definition of a short name.
  std::size_t Finish(Citation citation, Cursor cursor) {
    Definition definition;
    TakeSuffixes(cursor, citation, definition);
    citation.span.end = std::max(citation.span.end, cursor.End());
    const Cursor behind = cursor;
    cursor.TakeAny({U"中的", U"的", U"中", U"之"});
    TakePlaces(cursor, nullptr, citation.places, citation.divisions);
    if (citation.places.empty() && citation.divisions.empty()) {
      cursor = behind;
    } else {
      citation.span.end = cursor.End();
    }
    for (std::size_t i = result_.definitions.size(); i-- > 0;) {
      if (result_.definitions[i].short_name == citation.name) {
        citation.definition = i;
        break;
      }
    }
    const std::size_t index = result_.citations.size();
    if (!definition.short_name.empty() && result_.definitions.size() < kMaxDefinitions) {
      definition.citation = index;
      result_.definitions.push_back(std::move(definition));
    }
    last_named_ = index;
    return Push(std::move(citation));
  }

  std::size_t Push(Citation citation) {
    if (!citation.places.empty()) {
      last_place_ = citation.places.back();
      const bool named = citation.refers_to == kNone;
      place_owner_ = named ? result_.citations.size() : citation.refers_to;
    }
    floor_ = citation.span.end;
    const std::size_t end = citation.span.end;
    result_.citations.push_back(std::move(citation));
    return end;
  }

  std::string_view Before(std::size_t at) const {
    std::size_t from = at - std::min(at, kLookBack);
    from = base::BorderFrom(text_, std::max(from, floor_));
    return text_.substr(from, at - from);
  }

  // 第…条 or 第…款 that no marked name took.
  std::size_t Unnamed(std::size_t at) {
    Cursor cursor(text_, at);
    const std::string_view before = Before(at);
    static constexpr std::array<std::string_view, 5> kSameArticle{"该条", "同条", "本条", "该条的",
                                                                  "上述条款"};
    for (const std::string_view word : kSameArticle) {
      const std::size_t found = EndsWith(before, word);
      if (found != std::string_view::npos && last_place_.article.number > 0) {
        return Reference(at, at - (before.size() - found), cursor, &last_place_);
      }
    }
    std::vector<Place> places;
    std::vector<Division> divisions;
    TakePlaces(cursor, nullptr, places, divisions);
    if (places.empty() && divisions.empty()) return at + 3;
    const std::size_t end = cursor.End();
    std::string_view front = before;
    if (const std::size_t cut = EndsWith(front, "的"); cut != std::string_view::npos) {
      front = front.substr(0, cut);
    }
    Citation citation;
    SkipVersion(front, citation);
    const std::size_t from = at - before.size();
    const std::size_t length = KnownAtEnd(front, citation);
    if (length > 0) {
      citation.form = NameForm::kBare;
      citation.name_span = {from + front.size() - length, from + front.size()};
      citation.name = EvenName(text_.substr(citation.name_span.begin, length));
      citation.span = {citation.name_span.begin, end};
      citation.places = std::move(places);
      citation.divisions = std::move(divisions);
      last_named_ = result_.citations.size();
      return Push(std::move(citation));
    }
    static constexpr std::array<std::string_view, 12> kSame{
        "该法",   "同法",   "本法",     "该解释",   "该规定",     "该条例",
        "该办法", "该法律", "上述法律", "前述法律", "该司法解释", "本解释"};
    for (const std::string_view word : kSame) {
      const std::size_t found = EndsWith(front, word);
      if (found != std::string_view::npos) {
        return Reference(at, from + found, Cursor(text_, at), nullptr);
      }
    }
    return end;
  }

  std::size_t Reference(std::size_t at, std::size_t begin, Cursor cursor, const Place* start) {
    Citation citation;
    citation.form = NameForm::kReference;
    citation.name_span = {begin, at};
    citation.name = EvenName(text_.substr(begin, at - begin));
    citation.refers_to = start == nullptr ? last_named_ : place_owner_;
    TakePlaces(cursor, start, citation.places, citation.divisions);
    if (citation.places.empty() && citation.divisions.empty()) return at + 3;
    citation.span = {begin, cursor.End()};
    return Push(std::move(citation));
  }

  std::size_t Relative(std::size_t at, std::size_t length) {
    Citation citation;
    citation.form = NameForm::kRelative;
    citation.name_span = {at, at + length};
    citation.span = citation.name_span;
    citation.refers_to = last_named_;
    if (last_named_ == kNone) return at + length;
    const Place place = last_place_;
    const std::size_t end = Push(std::move(citation));
    last_place_ = place;
    return end;
  }

  // 公司法（2018修正）第三条: the name ends before the bracket.
  static void SkipVersion(std::string_view& front, Citation& citation) {
    const std::size_t close = EndsWith(front, "）");
    if (close == std::string_view::npos) return;
    const std::size_t open = front.rfind("（");
    if (open == std::string_view::npos || close - open > 90) return;
    Citation probe;
    probe.name = "法" + EvenName(front.substr(open, close + 3 - open));
    SplitVersion(probe);
    if (probe.version_year == 0) return;
    citation.version = probe.version;
    citation.version_year = probe.version_year;
    front = front.substr(0, open);
  }

  std::size_t KnownAtEnd(std::string_view front, Citation& citation) const {
    std::size_t length = known_ ? known_(front) : 0;
    for (std::size_t i = 0; i < result_.definitions.size(); ++i) {
      const std::string& name = result_.definitions[i].short_name;
      const std::size_t found = EndsWith(front, name);
      if (name.size() >= 6 && found != std::string_view::npos && front.size() - found > length) {
        length = front.size() - found;
        citation.definition = i;
      }
    }
    return length;
  }

  static std::string EvenName(std::string_view text) {
    std::string out;
    for (Cursor cursor(text, 0); cursor.Peek() != 0; cursor.Advance()) {
      base::AppendUtf8(cursor.Peek(), &out);
    }
    return out;
  }

  // 中华人民共和国…法 without 《》.
  std::size_t Titled(std::size_t at) {
    constexpr std::size_t kMaxCharacters = 40;
    Cursor cursor(text_, at);
    cursor.TakeWord(U"中华人民共和国");
    const std::size_t behind = cursor.End();
    // The longest one: 中华人民共和国劳动合同法实施条例.
    std::optional<Cursor> best;
    for (std::size_t i = 0; i < kMaxCharacters; ++i) {
      const char32_t c = cursor.Peek();
      if (c < 0x3400 || c == U'第' || c >= 0xF900) break;
      cursor.Advance();
      if (i == 0 || (c != U'法' && c != U'典' && c != U'例')) continue;
      Cursor probe = cursor;
      probe.Take(U'》');
      std::vector<Place> places;
      std::vector<Division> divisions;
      TakePlaces(probe, nullptr, places, divisions);
      const std::string_view name = text_.substr(at, cursor.End() - at);
      if (!places.empty() || (known_ && known_(name) == name.size())) best = cursor;
    }
    // Inside of a name whose marks are broken: 关于适用﹤中华人民共和国…法﹥的解释》.
    if (!best || best->Peek() == U'〉') return behind;
    if (best->Peek() == U'》') best->Advance();
    Citation citation;
    citation.form = NameForm::kBare;
    citation.name_span = {at, best->End()};
    citation.span = citation.name_span;
    citation.name = EvenName(text_.substr(at, best->End() - at));
    while (citation.name.ends_with("》")) citation.name.resize(citation.name.size() - 3);
    return Finish(std::move(citation), *best);
  }

  std::string_view text_;
  const EndingName& known_;
  Citations result_;
  std::size_t floor_ = 0;  // where the citation before ends
  std::size_t last_named_ = kNone;
  std::size_t place_owner_ = kNone;  // the named citation of last_place_
  Place last_place_;
};

}  // namespace

Citations ParseCitations(std::string_view text, const EndingName& known) {
  return Parser(text, known).Parse();
}

}  // namespace zhibi::statute
