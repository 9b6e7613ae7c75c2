// SPDX-License-Identifier: Apache-2.0
// Reads names of statutes with their marks, nested and badly closed ones included.
#include "statute/citation_names.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/utf8.h"

namespace zhibi::statute {
namespace {

constexpr std::size_t kMaxSuffixCharacters = 40;

bool Opens(char32_t c) { return c == U'《' || c == U'〈'; }
bool Closes(char32_t c) { return c == U'》' || c == U'〉'; }

// Is the next mark behind the cursor, before a full stop, one that closes?
bool ClosesAgain(Cursor cursor, std::size_t limit) {
  for (std::size_t i = 0; i < limit; ++i) {
    const char32_t c = cursor.Peek();
    if (Closes(c)) return true;
    if (c == 0 || Opens(c) || c == U'。' || c == U'；') return false;
    cursor.Advance();
  }
  return false;
}

// Bytes from where the issuing body of `front` begins; npos: front does not end with one.
std::size_t BodyBegin(std::string_view front) {
  static constexpr std::array<std::string_view, 14> kBodies{"最高人民法院",
                                                            "最高人民检察院",
                                                            "最高法院",
                                                            "最高院",
                                                            "最高检",
                                                            "全国人民代表大会",
                                                            "全国人大常委会",
                                                            "国务院",
                                                            "公安部",
                                                            "司法部",
                                                            "全国人民代表大会常务委员会",
                                                            "国家安全部",
                                                            "中国人民银行",
                                                            "人力资源和社会保障部"};
  std::size_t begin = std::string_view::npos;
  for (int round = 0; round < 6; ++round) {
    std::size_t found = std::string_view::npos;
    for (const std::string_view body : kBodies) {
      const std::size_t at = EndsWith(front, body);
      if (at < found) found = at;
    }
    if (found == std::string_view::npos) return begin;
    begin = found;
    front = front.substr(0, found);
    for (const std::string_view joint : {"、", "和", "及", "与"}) {
      if (const std::size_t at = EndsWith(front, joint); at != std::string_view::npos) {
        front = front.substr(0, at);
        break;
      }
    }
  }
  return begin;
}

std::string Evened(std::string_view text) {
  std::string out;
  for (Cursor cursor(text, 0); cursor.Peek() != 0; cursor.Advance()) {
    const char32_t c = cursor.Peek();
    base::AppendUtf8(c == U'《' ? U'〈' : c == U'》' ? U'〉' : c, &out);
  }
  return out;
}

int YearIn(std::string_view text) {
  int digits = 0;
  int value = 0;
  for (const char c : text) {
    if (c >= '0' && c <= '9') {
      value = digits < 4 ? value * 10 + (c - '0') : value;
      if (++digits == 4) return value >= 1949 && value <= 2100 ? value : 0;
    } else {
      digits = 0;
      value = 0;
    }
  }
  return 0;
}

bool Contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

bool IsVersion(std::string_view text) {
  if (YearIn(text) == 0) return false;
  for (const std::string_view word : {"修正", "修订", "修改", "版", "通过", "公布", "年"}) {
    if (text.ends_with(word)) return true;
  }
  return text.size() == 4;
}

bool IsDocumentNumber(std::string_view text) {
  return text.ends_with("号") && YearIn(text) != 0 &&
         (Contains(text, "〔") || Contains(text, "（"));
}

bool IsOrdinal(std::string_view text) {
  Cursor cursor(text, 0);
  return !text.empty() && TakeNumber(cursor) > 0 && cursor.Peek() == 0;
}

// Up to the ） that closes; empty: none within the limit.
bool TakeBracket(Cursor& cursor, std::string& inside) {
  const Cursor start = cursor;
  if (!cursor.Take(U'（')) return false;
  int depth = 1;
  for (std::size_t i = 0; i < kMaxSuffixCharacters; ++i) {
    const char32_t c = cursor.Peek();
    if (c == 0) break;
    if (c == U'（') ++depth;
    if (c == U'）' && --depth == 0) {
      cursor.Advance();
      return true;
    }
    base::AppendUtf8(c, &inside);
    cursor.Advance();
  }
  cursor = start;
  return false;
}

bool TakeShort(Cursor& cursor, Definition& definition) {
  if (!cursor.TakeAny(
          {U"以下简称", U"以下统称", U"以下合称", U"以下均称", U"以下称", U"下称", U"简称"})) {
    return false;
  }
  cursor.TakeAny({U"为", U"：", U":"});
  cursor.TakeAny({U"《", U"“", U"「", U"\"", U"”", U"〈"});
  definition.span.begin = cursor.At();
  definition.short_name.clear();
  for (std::size_t i = 0; i < kMaxSuffixCharacters; ++i) {
    const char32_t c = cursor.Peek();
    if (c == 0 ||
        std::u32string_view(U"》〉”」\"）。，；、（《“").find(c) != std::u32string_view::npos) {
      break;
    }
    base::AppendUtf8(c, &definition.short_name);
    cursor.Advance();
  }
  definition.span.end = std::max(cursor.End(), definition.span.begin);
  cursor.TakeAny({U"》", U"”", U"」", U"\"", U"〉", U"“"});
  return true;
}

// （以下简称…）, also （以下简称《担保法》或者…）.
bool TakeDefinition(Cursor& cursor, Definition& definition) {
  const Cursor start = cursor;
  const bool bracket = cursor.Take(U'（');
  if (!bracket) cursor.TakeAny({U"，", U","});
  Definition found;
  if (!TakeShort(cursor, found) || found.short_name.empty()) {
    cursor = start;
    return false;
  }
  definition = found;
  if (!bracket) return true;
  for (std::size_t i = 0; i < kMaxSuffixCharacters; ++i) {
    const char32_t c = cursor.Peek();
    if (c == 0 || c == U'。') break;
    cursor.Advance();
    if (c == U'）') break;
  }
  return true;
}

// 的解释, 若干问题的解释（一）: what the name goes on with behind 》.
bool TakeTail(Cursor& cursor, std::string& name) {
  const std::size_t begin = cursor.At();
  const Cursor start = cursor;
  cursor.TakeAny(
      {U"若干问题", U"有关问题", U"具体应用法律若干问题", U"具体应用法律问题", U"部分条款"});
  cursor.Take(U'的');
  cursor.TakeAny({U"若干", U"补充", U"司法"});
  if (!cursor.TakeAny(
          {U"解释", U"规定", U"意见", U"决定", U"批复", U"答复", U"通知", U"实施细则"})) {
    cursor = start;
    return false;
  }
  // 《担保法》的规定, 《担保法》规定 end no name by themselves: the caller looks in front.
  name += Evened(cursor.Text().substr(begin, cursor.End() - begin));
  const Cursor behind = cursor;
  std::string inside;
  if (TakeBracket(cursor, inside) && IsOrdinal(inside)) {
    name += "（" + inside + "）";
  } else {
    cursor = behind;
  }
  return true;
}

}  // namespace

std::size_t EndsWith(std::string_view text, std::string_view word) {
  while (!text.empty()) {
    if (text.back() == ' ' || text.back() == '\n' || text.back() == '\r' || text.back() == '\t') {
      text.remove_suffix(1);
    } else if (text.ends_with("\u3000")) {
      text.remove_suffix(3);
    } else {
      break;
    }
  }
  return text.ends_with(word) ? text.size() - word.size() : std::string_view::npos;
}

ReadName ReadMarkedName(std::string_view text, std::size_t at) {
  ReadName out;
  Cursor cursor(text, at);
  cursor.Advance();
  int depth = 1;
  for (std::size_t i = 0; i < kMaxNameCharacters; ++i) {
    const char32_t c = cursor.Peek();
    if (c == 0 || c == U'。' || c == U'；') return {};
    cursor.Advance();
    if (Opens(c)) {
      ++depth;
      base::AppendUtf8(U'〈', &out.name);
    } else if (Closes(c)) {
      const bool inner = depth > 1 && ClosesAgain(cursor, kMaxNameCharacters - i);
      if (!inner) {
        out.unclosed = depth > 1;
        if (out.unclosed && out.name.find("〈") != std::string::npos) out.name += "〉";
        out.end = cursor.End();
        return out;
      }
      --depth;
      base::AppendUtf8(U'〉', &out.name);
    } else {
      base::AppendUtf8(c, &out.name);
    }
  }
  return {};
}

void WidenName(std::string_view text, std::size_t floor, bool unclosed, Cursor& cursor,
               Citation& citation) {
  constexpr std::size_t kLookBack = 180;  // bytes
  const std::size_t begin = citation.name_span.begin;
  std::size_t from = begin - std::min(begin, kLookBack);
  from = base::BorderFrom(text, std::max(from, floor));
  std::string_view front = text.substr(from, begin - from);
  const auto widen = [&](std::size_t at) {
    citation.span.begin = from + at;
    citation.name_span.begin = from + at;
  };
  if (unclosed) {
    if (TakeTail(cursor, citation.name)) {
      citation.form = NameForm::kMisplaced;
      citation.name_span.end = cursor.End();
    }
    return;
  }
  for (const std::string_view lead : {"关于适用", "关于贯彻执行", "关于贯彻", "关于执行",
                                      "关于实施", "关于修改", "关于审理适用"}) {
    const std::size_t lead_at = EndsWith(front, lead);
    if (lead_at == std::string_view::npos) continue;
    std::string tail;
    if (!TakeTail(cursor, tail)) return;
    const std::size_t body = BodyBegin(front.substr(0, lead_at));
    const std::size_t whole = body == std::string_view::npos ? lead_at : body;
    citation.form = NameForm::kMisplaced;
    citation.name = Evened(front.substr(whole)) + "〈" + citation.name + "〉" + tail;
    widen(whole);
    citation.name_span.end = cursor.End();
    return;
  }
  if (!citation.name.starts_with("关于")) return;
  // The Supreme Court names its own: 本院《关于…》.
  if (EndsWith(front, "本院") != std::string_view::npos) {
    citation.form = NameForm::kOutside;
    return;
  }
  const std::size_t body = BodyBegin(front);
  if (body == std::string_view::npos) return;
  citation.form = NameForm::kOutside;
  citation.name = Evened(front.substr(body)) + citation.name;
  widen(body);
}

void SplitVersion(Citation& citation) {
  std::string& name = citation.name;
  if (!name.ends_with("）")) return;
  const std::size_t open = name.rfind("（");
  if (open == std::string::npos || open == 0) return;
  const std::string inside = name.substr(open + 3, name.size() - open - 6);
  if (!IsVersion(inside)) return;
  citation.version = inside;
  citation.version_year = YearIn(inside);
  name.erase(open);
}

void TakeSuffixes(Cursor& cursor, Citation& citation, Definition& definition) {
  for (int round = 0; round < 5; ++round) {
    if (TakeDefinition(cursor, definition)) continue;
    const Cursor start = cursor;
    std::string inside;
    if (!TakeBracket(cursor, inside)) return;
    if (IsDocumentNumber(inside)) {
      citation.document_number = inside;
    } else if (IsVersion(inside)) {
      citation.version = inside;
      citation.version_year = YearIn(inside);
    } else if (IsOrdinal(inside) || inside == "试行") {
      citation.name += "（" + inside + "）";
      citation.name_span.end = cursor.End();
      if (citation.form == NameForm::kMarked) citation.form = NameForm::kOutside;
    } else {
      cursor = start;
      return;
    }
  }
}

}  // namespace zhibi::statute
