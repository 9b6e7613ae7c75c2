// SPDX-License-Identifier: Apache-2.0
// Parts of a document and who speaks in them. Sentences are walked in order; the words that open a
// part (诉称, 辩称, 查明, 本院认为, 判决如下) switch to it, and what a judgment recites of an
// earlier instance is kept apart (Part::kPrior).
#include <algorithm>

#include "rules/matcher.h"
#include "rules/view.h"

namespace zhibi::rules {
namespace {

bool IsCourtForm(const View& view) {
  return view.form == Form::kJudgment || view.form == Form::kRuling ||
         view.form == Form::kDecision || view.form == Form::kMediation;
}

// The line of the first judge's name at the end, npos if none.
std::size_t FindSignature(const View& view) {
  static const Pattern kJudge = MustCompile(
      "^(?:代理|助理)?(?:审\\s*判\\s*长|审\\s*判\\s*员|院\\s*长|执\\s*行\\s*员|独任审判员)[ "
      "　：:]*\\p{Han}");
  const std::size_t half = view.lines.size() / 2;
  for (std::size_t i = half; i < view.lines.size(); ++i) {
    const Span line = view.lines[i];
    if (line.end - line.begin > 90) continue;
    Match match;
    if (kJudge.MatchAt(view.text, line.begin, &match)) return line.begin;
  }
  return std::string_view::npos;
}

// The last 判决如下 before the signature is this document's own.
void FindHolding(View& view, std::size_t signature) {
  static const Pattern kAsFollows =
      MustCompile("(?:判决|裁定|决定|裁决|协议)(?:如下)[：:。，]?|(?:判处如下)[：:]?");
  static const Pattern kBasis = MustCompile("(?:依照|依据|根据|按照|遵照|适用)(?:了)?");
  const std::size_t limit = std::min(signature, view.text.size());
  Match last;
  bool found = false;
  ForEach(kAsFollows, view.text, {0, limit}, [&](const Match& m) {
    last = m;
    found = true;
  });
  if (!found) return;
  // A recited holding: 一审法院判决如下.
  const Span sentence = view.SentenceAt(last.begin());
  const std::string_view before =
      std::string_view(view.text).substr(sentence.begin, last.begin() - sentence.begin);
  static const Pattern kRecited = MustCompile(
      "(?:一审|原审|二审|该院|仲裁委|[^本]院|委员会)[^，。\\n]{0,30}(?:作出|于[^，。\\n]{4,14}日)?["
      "^，。\\n]"
      "{0,20}$");
  if (!Has(before, "本院") && !Has(before, "依照") && !Has(before, "根据") &&
      !Has(before, "依据") && !before.empty() && Has(kRecited, before)) {
    return;
  }
  static const Pattern kTail = MustCompile(
      "负有[^，。\\n]{0,12}义务的(?:当事人)?|(?:如果|如|若)?未(?:能)?按(?:照)?(?:本)?(?:判决|裁定|"
      "调解)|案件受理费|本案受理费|受理费|"
      "诉讼费|申请费|"
      "如不服本|不服本(?:判决|裁定)|本(?:判决|裁定|决定|调解书|通知)(?:为终审|自|送达|经|一经|立即)"
      "|上述协议|以上协议");
  Match tail;
  std::size_t end = limit;
  if (kTail.Search(std::string_view(view.text).substr(0, limit), last.end(), &tail)) {
    end = tail.begin();
  }
  view.holding = Span{last.end(), end};
  // 依照 of the decision: the first one after the last full stop before 如下.
  std::size_t stop = view.text.rfind("。", last.begin());
  const std::size_t line = view.text.rfind('\n', last.begin());
  if (stop == std::string::npos) stop = 0;
  if (line != std::string::npos && line > stop) stop = line;
  Match basis;
  bool has_basis = kBasis.Search(std::string_view(view.text).substr(0, last.begin()), stop, &basis);
  if (!has_basis && line != std::string::npos && stop == line) {
    const std::size_t earlier = view.text.rfind("。", line);
    has_basis = earlier != std::string::npos &&
                kBasis.Search(std::string_view(view.text).substr(0, last.begin()), earlier, &basis);
  }
  // A name without its marks is a basis too (CIT-01 says so): 依照中华人民共和国刑法第…条.
  static const Pattern kNamed =
      MustCompile("《|(?:法|法典|条例|规定|解释|办法)第[一二三四五六七八九十百千\\d]{1,9}条");
  Match name;
  if (has_basis &&
      kNamed.Search(std::string_view(view.text).substr(0, last.begin()), basis.begin(), &name)) {
    // 根据案情…，依照《…》: the last opener before the first name.
    const std::size_t book = name.begin();
    Match next = basis;
    while (kBasis.Search(std::string_view(view.text).substr(0, book), basis.end(), &next)) {
      basis = next;
    }
    view.basis = Span{basis.begin(), last.begin()};
  }
}

// The part that a sentence opens; kBody: none, it goes on.
Part Opens(std::string_view sentence, bool has_prior) {
  static const Pattern kReasoning = MustCompile(
      "^(?:[一二三四五六七八九十]、|综上|，|因此)*本院(?:经审查|经审理|经复核|经研究|审查|再审|"
      "二审)?(?:后)?认为|^本院评判|^本院评析");
  static const Pattern kPrior = MustCompile(
      "^[^，。：\\n]{0,30}(?:一审|原审|二审|原判|原一审|再审|仲裁委)[^，。：\\n]{0,16}(?:认为|查明|"
      "认定|"
      "判决|判处|裁定|裁决|确认)|"
      "^(?:[^，。：\\n]{2,30}法院)(?:经审理|经审查)?(?:查明|认为|认定)");
  static const Pattern kDefence = MustCompile(
      "^[^。：\\n]{0,60}?(?:辩称|答辩称|答辩认为|答辩意见|未作答辩|未答辩|述称|陈述称|辩护意见|"
      "辩解|"
      "提交意见|提出书面意见|未提交(?:书面)?(?:答辩|意见)|未到庭参加诉讼，亦|"
      "的辩护人(?:认为|提出|辩称))");
  static const Pattern kClaim = MustCompile(
      "^[^。：\\n]{0,100}?(?:诉称|诉讼请求|起诉请求|向本院起诉|起诉称|指控|上诉称|上诉提出|"
      "上诉请求|"
      "上诉理由|申请再审称|再审请求|公诉机关认为|申诉称|申请称|请求本院|请求(?:法院|人民法院|贵院)?"
      "(?:依法)?判[令决]|事实(?:和|与)"
      "理由)");
  static const Pattern kFinding = MustCompile(
      "^[^。：\\n]{0,20}?(?:经(?:公开)?(?:开庭)?(?:审理|审查|庭审|复核|二审审理|再审审理)(?:确认|"
      "认定|"
      "查明)|本院(?:经审理|审理|再审|二审|依法|经)?(?:查明|认定|确认)|(?:另|又|再|还|同时)(?:经)?"
      "查明|经查|"
      "根据当事人(?:的)?陈述|当事人围绕|审理查明|(?:上述|以上|前述)事实)");
  if (Has(kReasoning, sentence)) return Part::kReasoning;
  if (has_prior && Has(kPrior, sentence)) return Part::kPrior;
  if (Has(kFinding, sentence)) return Part::kFinding;
  // The court weighs what was said: 对被告的辩称意见不予采信.
  static const Pattern kWeighs = MustCompile(
      "(?<!应|应当|请求|恳请)(?:不予|予以)采[信纳]|[本法]院[^，。；\\n]{0,6}(?:不予|予以)(?:采["
      "信纳]|支持)");
  if (Has(kWeighs, sentence)) return Part::kBody;
  if (Has(kDefence, sentence)) return Part::kDefence;
  if (Has(kClaim, sentence)) return Part::kClaim;
  return Part::kBody;
}

// In its opinion the court weighs what others said (公诉机关的指控成立，本院予以支持;
// 辩护人的意见不能 成立): only a new paragraph that says nothing of the court itself begins another
// part.
bool InOpinion(const View& view, Part part, Span sentence, Span line) {
  if (part != Part::kReasoning) return false;
  return sentence.begin > line.begin || Has(view.At(sentence), "本院");
}

void Add(View& view, Span span, Part part) {
  if (span.end <= span.begin) return;
  if (!view.segments.empty() && view.segments.back().part == part) {
    view.segments.back().span.end = span.end;
    return;
  }
  view.segments.push_back({span, part});
}

// The procedure starts where the first paragraph is no party any more.
bool IsPartyLine(std::string_view line) {
  static const Pattern kParty = MustCompile(
      "^(?:（?(?:原审|一审|二审|再审|反诉|附带民事诉讼|刑事附带民事诉讼|原)?（?(?:原告|被告|第三人|"
      "上诉人|被上诉人|申请人|被申请人|再审申请人|申诉人|被申诉人|公诉机关|抗诉机关|自诉人|"
      "被告人|被告单位|罪犯|申请执行人|被执行人|辩护人|指定辩护人|委托(?:诉讼)?代理人|诉讼代理人|"
      "共同委托|法定代理人|法定代表人|诉讼代表人|负责人|主要负责人|执行事务合伙人|投资人|经营者|"
      "赔偿请求人|复议申请人|异议人|案外人|原审被告人|翻译|委托代表人|指定代表|上列|上述|以上|"
      "二被告|"
      "两被告|住所地|住所|住址|代表人|答辩人|被答辩人|附带民事))");
  // 再审申请人张三因与被申请人李四借款合同纠纷一案 begins like a party and is the procedure.
  static const Pattern kProcedure = MustCompile(
      "^[^。：\\n]{0,200}?(?:因与|为与|与被|与再审|与上诉|诉被告)[^。\\n]{0,400}?一案|^[^。，：\\n]"
      "{2,60}"
      "不服[^。\\n]{0,"
      "60}(?:判决|裁定|决定)");
  return Has(kParty, line.substr(0, std::min<std::size_t>(line.size(), 150))) &&
         !Has(kProcedure, line);
}

// A line that introduces a party for sure: 被申请人（一审原告）：张三 or 被告人张三，男，.
bool Introduces(std::string_view line) {
  static const Pattern kIntroduces = MustCompile(
      "^(?:再审申请人|被申请人|申请人|被上诉人|上诉人|原告|被告人|被告|第三人|"
      "[一二原]审(?:原告|被告|第三人))"
      "[一二三四五六七八九十\\d]{0,3}(?:（[^）\\n]{2,60}）)?(?:[：:]|[^，。：:\\n]{2,16}，(?:男|女)"
      "，)");
  return Has(kIntroduces, line);
}

// A broken line (half an address) or an unknown one between parties does not end the head.
bool HeadGoesOn(const View& view, std::size_t from) {
  constexpr std::size_t kAhead = 4;
  for (std::size_t i = from; i < view.lines.size() && i <= from + kAhead; ++i) {
    const std::string_view line = view.Line(i);
    if (Has(line, "一案") || Has(line, "提起公诉")) return false;
    if (i > from && Introduces(line)) return true;
  }
  return false;
}

void SplitCourt(View& view, std::size_t signature) {
  const bool has_prior = view.instance == Instance::kSecond ||
                         view.instance == Instance::kRetrial || view.instance == Instance::kReview;
  bool in_head = view.form != Form::kUnknown;
  Part part = in_head ? Part::kHeading : Part::kBody;
  const std::size_t head_from = view.own_number ? view.own_number->span.begin : view.title.begin;
  const std::size_t stop =
      view.holding ? view.holding->begin : std::min(signature, view.text.size());
  for (std::size_t i = 0; i < view.lines.size(); ++i) {
    const Span line = view.lines[i];
    if (line.begin >= stop) break;
    if (in_head) {
      const bool head_line = line.begin <= std::max(view.title.begin, head_from) ||
                             line == view.title || IsPartyLine(view.At(line)) ||
                             line.end - line.begin < 40 || HeadGoesOn(view, i);
      if (head_line) {
        Add(view, line, Part::kHeading);
        continue;
      }
      in_head = false;
      part = Part::kProcedure;
    }
    std::size_t at = line.begin;
    while (at < line.end) {
      const std::size_t found = view.text.find("。", at);
      const std::size_t end =
          found == std::string::npos || found >= line.end ? line.end : found + 3;
      Span sentence{at, std::min(end, stop)};
      const Part opened = Opens(view.At(sentence), has_prior);
      if (opened != Part::kBody && !InOpinion(view, part, sentence, line)) part = opened;
      if (view.basis && view.basis->begin >= sentence.begin && view.basis->begin < sentence.end) {
        Add(view, {sentence.begin, view.basis->begin}, part);
        Add(view, *view.basis, Part::kBasis);
        break;
      }
      if (at < stop) Add(view, sentence, part);
      at = end;
    }
    if (view.basis && line.begin <= view.basis->begin && view.basis->begin < line.end) {
      break;
    }
  }
  if (view.holding) {
    if (view.basis && view.basis->end < view.holding->begin) {
      Add(view, {view.basis->end, view.holding->begin}, Part::kBasis);
    }
    Add(view, *view.holding, Part::kHolding);
    const std::size_t tail_end = std::min(signature, view.text.size());
    Add(view, {view.holding->end, tail_end}, Part::kTail);
  }
}

void SplitSignature(View& view, std::size_t signature) {
  if (signature == std::string_view::npos) return;
  static const Pattern kAppendix = MustCompile(
      "^(?:附[：:件录页相法本]|附$|本案(?:引用|适用|所涉|相关)|相关法律|《中华人民共和国|法律条文|"
      "本判决(?:书)?引用)");
  Part part = Part::kSignature;
  for (const Span line : view.lines) {
    if (line.begin < signature) continue;
    if (part == Part::kSignature &&
        (Has(kAppendix, view.At(line)) || line.end - line.begin > 120)) {
      part = Part::kAppendix;
    }
    Add(view, line, part);
  }
}

void FindSignatureDay(View& view, std::size_t signature) {
  // Court documents: the first day after the judges; others: the last day on a line of its own.
  if (signature != std::string_view::npos) {
    for (const Day& day : view.days) {
      if (day.span.begin < signature) continue;
      if (view.PartAt(day.span.begin) == Part::kSignature) view.signature_day = day;
      break;
    }
    return;
  }
  for (auto day = view.days.rbegin(); day != view.days.rend(); ++day) {
    for (const Span line : view.lines) {
      if (line.Contains(day->span.begin) &&
          line.end - line.begin <= day->span.end - day->span.begin + 24) {
        view.signature_day = *day;
        return;
      }
    }
  }
}

void SplitPleading(View& view) {
  static const Pattern kClaims =
      MustCompile("^(?:诉讼请求|上诉请求|仲裁请求|请求事项|申请事项|反诉请求|请求)[：: ]?");
  static const Pattern kFacts = MustCompile(
      "^(?:事实(?:与|和|及)理由|事实、理由|上诉理由|事实和证据|答辩意见|答辩理由)[：:]?|^(?:答辩人)"
      "?(?:认为|答辩如下)");
  static const Pattern kEnd =
      MustCompile("^(?:此致|具状人|起诉人|申请人[：: ]*（?(?:签|盖)|上诉人[：: ]*（?签)");
  Part part = Part::kHeading;
  const bool plain = view.form == Form::kContract || view.form == Form::kDivorceAgreement ||
                     view.form == Form::kPowerOfAttorney || view.form == Form::kLawyersLetter ||
                     view.form == Form::kIndictment;
  for (const Span line : view.lines) {
    const std::string_view words = view.At(line);
    if (Has(kEnd, words)) {
      part = Part::kSignature;
    } else if (Has(kClaims, words)) {
      part = Part::kClaim;
    } else if (Has(kFacts, words)) {
      part = view.form == Form::kAnswer ? Part::kDefence : Part::kClaim;
    } else if (plain && part == Part::kHeading && line.begin > view.title.end &&
               !IsPartyLine(words)) {
      part = Part::kBody;
    }
    if (view.signature_day && line.begin >= view.signature_day->span.begin) part = Part::kSignature;
    Add(view, line, part);
  }
}

}  // namespace

void FindSegments(View& view) {
  const bool court = IsCourtForm(view) || view.form == Form::kUnknown;
  const std::size_t signature = court ? FindSignature(view) : std::string_view::npos;
  if (court) {
    FindHolding(view, signature);
    SplitCourt(view, signature);
    SplitSignature(view, signature);
    if (view.form != Form::kUnknown) FindSignatureDay(view, signature);
    if (view.form == Form::kUnknown && signature != std::string_view::npos) {
      FindSignatureDay(view, signature);
    }
    view.complete = view.title.end > 0 && signature != std::string_view::npos;
    return;
  }
  FindSignatureDay(view, std::string_view::npos);
  SplitPleading(view);
  view.complete = view.title.end > 0;
}

}  // namespace zhibi::rules
