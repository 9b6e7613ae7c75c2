// SPDX-License-Identifier: Apache-2.0
#include "extract/claims.h"

#include <algorithm>
#include <array>

#include "base/status_macros.h"
#include "base/utf8.h"
#include "extract/extract_parts.h"

namespace zhibi::extract {
namespace {

using entity::Match;
using entity::Pattern;

enum Slot { kHead, kEnd, kItem, kTold, kDefence, kSpeaker, kHoldingsHead, kHoldingsEnd, kSlots };

constexpr std::array<const char*, kSlots> kSources = {
    // Where a list of claims begins. Group 1: of the appellant or counterclaimant, who may speak
    // behind a defence; group 2: 请求：, which begins a list or a sentence.
    R"((?:诉讼请求|(上诉请求|反诉请求|再审请求)|仲裁请求|申请事项|请求事项|(?:请求|诉请|要求)(?:人民法院|法院|本院|贵院)?(?:依法)?(?:判令|判决|裁决))\s*(?:如下|为|是|事项)?\s*(?:[：:]\s*|\n\s*)|(?:(?<=[\n。；，])|\A)\s?(请求)[：:]\s*)",
    R"(事实[与和及]\s*理由|事实、理由|\n\s*(?:(?:上诉|申请|申诉|再审|仲裁)理由|理由[：:]|被告|上诉人|裁判结果|证据|此致|具状人|经审理|本院)|(?<=[。；])\s*(?:被告[^，。]{0,16}(?:辩称|未|答辩|经)|本院|经审理|诉讼过程中|诉讼中|庭审[后中]|审理中))",
    R"((?:(?<=[\n。；;：:，,、])|\A)\s*(?:[（(][一二三四五六七八九十\d]{1,2}[)）]、?|[一二三四五六七八九十]{1,3}[、.．]|\d{1,2}(?:[、．)）]|\.(?!\d))|[①②③④⑤⑥⑦⑧⑨⑩])\s*)",
    R"((?:请求|要求|诉请|请|申请)(?:二审法院|上级法院|人民法院|法院|本院|贵院|二审)?(?:依法)?(?:判令|判决|裁决|撤销|追究)|(?:请求|要求)(?:人民法院|法院|本院|贵院)(?:依法)?(?:变更|确认|解除|准予|判)|(?:请求|要求)\s?(?:各|两|二|三|四|五|六|上述|所有)?(?:附带民事诉讼)?(?:被告|章|法院判)[^，。]{0,16}?(?:赔偿|偿还|支付|给付|归还|承担|返还|连带)|诉至(?:本院|法院|贵院)[，。]\s?\K(?:坚决)?(?:要求|请求|与被告离婚|退还)|诉至(?:本院|法院|贵院)，\K坚决|诉请(?!求)(?=\p{Han})|请求再审|申请再审，请求|(?:余款|超出部分|其余部分)应当?由|不足部分应?当?由)",
    R"(辩称|答辩称|答辩意见|辩解|未作答辩|没有答辩|未答辩|(?<=[\n。])\s*(?:经(?:本院)?审理查明|审理查明|本院认为|本院经审理))",
    R"(诉称|辩称|述称)",
    R"((?:判决|裁定|调解|决定)如下[：:]?\s*)",
    R"(如不服本|本(?:判决|裁定|调解书)(?:为终审|自|一经|送达)|案件受理费|\n\s*审\s?判\s?[长员]|如果?未按本)",
};

std::string_view Trimmed(std::string_view text, std::size_t* begin) {
  for (;;) {
    bool cut = false;
    for (const std::string_view mark : {"；", "。", "，", ";", "\n", " ", "\r", "\t", "　"}) {
      if (text.ends_with(mark)) {
        text.remove_suffix(mark.size());
        cut = true;
      }
      if (text.starts_with(mark)) {
        text.remove_prefix(mark.size());
        *begin += mark.size();
        cut = true;
      }
    }
    if (!cut) return text;
  }
}

// 关于死者亲属的诉讼请求：… is what the other side says of the claims.
bool IsSpokenOf(std::string_view text, std::size_t head) {
  const std::size_t begin = SentenceBegin(text, head);
  const std::string_view before = text.substr(begin, head - begin);
  return before.find("关于") != before.npos || before.find("针对") != before.npos ||
         before.find("围绕") != before.npos;
}

}  // namespace

Result<ClaimFinder> ClaimFinder::Create() {
  std::vector<Pattern> patterns;
  for (const char* source : kSources) {
    ZB_ASSIGN_OR_RETURN(Pattern pattern, Pattern::Compile(source));
    patterns.push_back(std::move(pattern));
  }
  return ClaimFinder(std::move(patterns));
}

void ClaimFinder::Find(std::string_view text, Extraction& result) const {
  FindClaims(text, result);
  FindHoldings(text, result);
}

// `like`: path is the list's name, state and note are those of its values.
void ClaimFinder::AddItems(std::string_view text, std::size_t begin, std::size_t end,
                           const Value& like, std::vector<Value>& values) const {
  std::vector<std::pair<std::size_t, std::size_t>> marks;  // of the numbers
  // 一、二审: a number that a number follows is none of the list.
  entity::ForEach(patterns_[kItem], text, begin, end,
                  [&](const Match& match) { marks.emplace_back(match.begin(), match.end()); });
  std::vector<std::pair<std::size_t, std::size_t>> items;
  if (marks.empty()) {
    // 判令被告还款；诉讼费由被告承担: claims apart without numbers.
    for (std::size_t at = begin; at < end;) {
      const std::size_t mark = std::min({text.find("；", at), text.find("。", at), end});
      items.emplace_back(at, mark);
      at = mark + std::string_view("；").size();
    }
  } else {
    if (marks.front().first > begin + 12) items.emplace_back(begin, marks.front().first);
    for (std::size_t i = 0; i < marks.size(); ++i)
      items.emplace_back(marks[i].second, i + 1 < marks.size() ? marks[i + 1].first : end);
  }
  for (const auto& [from, to] : items) {
    std::size_t start = from;
    const std::string_view item = Trimmed(text.substr(from, to - from), &start);
    if (base::CountCodePoints(item) < 4) continue;
    values.push_back(
        {like.path, std::string(item), like.state, start, start + item.size(), like.note});
  }
}

std::size_t ClaimFinder::ReadList(std::string_view text, std::size_t begin, bool told,
                                  std::vector<Value>& values) const {
  Match stop;
  std::size_t end = text.size();
  if (patterns_[kEnd].Search(text, begin, &stop)) end = stop.begin();
  // A list of items ends with its last sentence; without numbers it is one sentence or line.
  Match item;
  const bool numbered = patterns_[kItem].MatchAt(text, begin, &item) && item.begin() == begin;
  // A list that begins in the line of its head goes on in lines that begin with a number.
  if (numbered && begin > 0 && text[begin - 1] != '\n') {
    std::size_t line = text.find('\n', begin);
    while (line < end && patterns_[kItem].MatchAt(text, line + 1, &item))
      line = text.find('\n', line + 1);
    end = std::min(end, line);
  }
  if (!numbered) end = std::min(end, told ? text.find('\n', begin) : SentenceEnd(text, begin));
  // 请求：一、…。二、…。原告乙诉称，…: the next one begins to speak.
  if (numbered && told && patterns_[kSpeaker].Search(text.substr(0, end), begin, &stop))
    end = std::max(begin, SentenceBegin(text, stop.begin()));
  Value like{"claims", nullptr, State::kRead, 0, 0, ""};
  AddItems(text, begin, std::min(end, text.size()), like, values);
  return std::min(end, text.size());
}

void ClaimFinder::FindClaims(std::string_view text, Extraction& result) const {
  Match defence;
  std::size_t limit = text.size();
  if (patterns_[kDefence].Search(text, 0, &defence)) limit = defence.begin();
  bool listed = false;
  Match head;
  for (std::size_t at = 0; at < text.size() && patterns_[kHead].Search(text, at, &head);) {
    at = std::max(head.end(), head.begin() + 1);
    const bool told = head.has(2);
    if (IsSpokenOf(text, head.begin()) || (head.begin() > limit && !head.has(1))) continue;
    // Of the lists of one kind only the first counts: later ones are recited.
    if (listed && !told && !head.has(1)) continue;
    if (told && listed) continue;
    const std::size_t before = result.claims.size();
    at = std::max(at, ReadList(text, head.end(), told, result.claims));
    if (head.has(1) && head.Text(text, 1) == "反诉请求") {
      for (std::size_t i = before; i < result.claims.size(); ++i)
        result.claims[i].note = kCounterclaim;
    }
    listed = listed || (!told && result.claims.size() > before);
  }
  if (!listed) FindTold(text.substr(0, limit), limit, result.claims);
  std::stable_sort(result.claims.begin(), result.claims.end(),
                   [](const Value& a, const Value& b) { return a.begin < b.begin; });
  for (std::size_t i = 0; i < result.claims.size(); ++i)
    result.claims[i].path = "claims[" + std::to_string(i) + "]";
}

// Told in a sentence: 请求判令被告...; only before the defence begins.
void ClaimFinder::FindTold(std::string_view text, std::size_t end,
                           std::vector<Value>& values) const {
  const std::string_view part = text.substr(0, end);
  const std::vector<Value> lists = values;
  Match match;
  for (std::size_t at = 0; at < part.size() && patterns_[kTold].Search(part, at, &match);) {
    const std::size_t stop = SentenceEnd(part, match.end());
    at = std::max(stop, match.end());
    const bool known = std::any_of(lists.begin(), lists.end(), [&](const Value& value) {
      return match.begin() < value.end && stop > value.begin;
    });
    const std::size_t sentence = SentenceBegin(part, match.begin());
    // 另案中，…: the claims of another case.
    if (known || part.substr(sentence, match.begin() - sentence).find("另案") != part.npos)
      continue;
    std::size_t start = match.begin();
    const std::string_view claim =
        Trimmed(part.substr(match.begin(), stop - match.begin()), &start);
    values.push_back({"claims", std::string(claim), State::kDoubtful, start, start + claim.size(),
                      "told in a sentence, not listed"});
  }
}

void ClaimFinder::FindHoldings(std::string_view text, Extraction& result) const {
  Match head;
  Match match;
  bool found = false;
  // The last one is the court's own; earlier ones are recited.
  for (std::size_t at = 0; patterns_[kHoldingsHead].Search(text, at, &match); at = match.end()) {
    head = match;
    found = true;
  }
  if (!found) return;
  Match stop;
  std::size_t end = text.size();
  if (patterns_[kHoldingsEnd].Search(text, head.end(), &stop)) end = stop.begin();
  const Value like{"holdings", nullptr, State::kRead, 0, 0, ""};
  AddItems(text, head.end(), end, like, result.holdings);
  for (std::size_t i = 0; i < result.holdings.size(); ++i)
    result.holdings[i].path = "holdings[" + std::to_string(i) + "]";
}

}  // namespace zhibi::extract
