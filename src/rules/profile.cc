// SPDX-License-Identifier: Apache-2.0
// Which kind of document a text is: by its title line, its case number and the roles of its
// parties. A text without a title stays unknown.
#include <array>
#include <utility>

#include "rules/matcher.h"
#include "rules/view.h"

namespace zhibi::rules {
namespace {

struct TitleWord {
  std::string_view word;
  Form form;
};

constexpr std::array<TitleWord, 34> kTitles = {{
    {"判决书", Form::kJudgment},
    {"裁定书", Form::kRuling},
    {"决定书", Form::kDecision},
    {"调解书", Form::kMediation},
    {"起诉书", Form::kIndictment},
    {"起诉状", Form::kComplaint},
    {"反诉状", Form::kComplaint},
    {"答辩状", Form::kAnswer},
    {"上诉状", Form::kAppeal},
    {"仲裁申请书", Form::kArbitrationApplication},
    {"授权委托书", Form::kPowerOfAttorney},
    {"委托授权书", Form::kPowerOfAttorney},
    {"律师函", Form::kLawyersLetter},
    {"支付令申请书", Form::kPaymentOrder},
    {"申请支付令", Form::kPaymentOrder},
    {"保全申请书", Form::kPreservation},
    {"强制执行申请书", Form::kEnforcement},
    {"执行申请书", Form::kEnforcement},
    {"离婚协议书", Form::kDivorceAgreement},
    {"离婚协议", Form::kDivorceAgreement},
    {"借款合同", Form::kContract},
    {"借款协议", Form::kContract},
    {"借条", Form::kContract},
    {"借据", Form::kContract},
    {"欠条", Form::kContract},
    {"合同书", Form::kContract},
    {"合同", Form::kContract},
    {"协议书", Form::kContract},
    {"答辩书", Form::kAnswer},
    {"申请执行书", Form::kEnforcement},
    {"财产保全申请", Form::kPreservation},
    {"判决", Form::kUnknown},
    {"裁定", Form::kUnknown},
    {"", Form::kUnknown},
}};

std::string Joined(std::string_view line) {
  std::string joined;
  for (const char c : line) {
    if (c != ' ') joined += c;
  }
  // A variant in brackets: 民事起诉状（公民提起诉讼用）.
  const std::size_t bracket = joined.find("（");
  if (bracket != std::string::npos && bracket > 0) joined.erase(bracket);
  return joined;
}

bool FindTitle(View& view) {
  const std::size_t limit = std::min<std::size_t>(view.lines.size(), 8);
  for (std::size_t i = 0; i < limit; ++i) {
    const std::string line = Joined(view.Line(i));
    if (line.size() > 120 || Has(line, "，") || Has(line, "。") || Has(line, "：")) continue;
    for (const TitleWord& title : kTitles) {
      if (title.form == Form::kUnknown || !line.ends_with(title.word)) continue;
      // A heading of a publisher before the real title: 张某盗窃一审刑事判决书.
      if (line.size() > title.word.size() + 24 && i + 2 < view.lines.size()) {
        const std::string next = Joined(view.Line(i + 1)) + Joined(view.Line(i + 2));
        if (next.ends_with(title.word) || Has(next, "人民法院")) continue;
      }
      view.title = view.lines[i];
      view.form = title.form;
      if (Has(line, "刑事")) view.branch = Branch::kCriminal;
      if (Has(line, "民事")) {
        if (view.branch == Branch::kCriminal) view.incidental_civil = true;
        if (view.branch == Branch::kUnknown) view.branch = Branch::kCivil;
      }
      if (Has(line, "行政")) view.branch = Branch::kAdministrative;
      if (Has(line, "执行") || Has(line, "赔偿")) view.branch = Branch::kOther;
      for (std::size_t j = 0; j < i; ++j) {
        const std::string_view before = view.Line(j);
        if (before.ends_with("法院") || before.ends_with("检察院") || before.ends_with("委员会")) {
          view.court_line = view.lines[j];
        }
      }
      return true;
    }
  }
  return false;
}

Instance InstanceOfType(std::string_view type) {
  if (Has(type, "核")) return Instance::kReview;
  if (Has(type, "申") || Has(type, "监") || Has(type, "再") || Has(type, "抗") || Has(type, "提")) {
    return Instance::kRetrial;
  }
  if (Has(type, "终") || Has(type, "复")) return Instance::kSecond;
  if (Has(type, "初")) return Instance::kFirst;
  return Instance::kUnknown;
}

// A document's own number is a line of its own or stands behind the title; others stand in
// sentences.
bool StandsAlone(const View& view, Span number) {
  for (const Span line : view.lines) {
    if (!line.Contains(number.begin)) continue;
    return line.begin == view.title.begin ||
           line.end - line.begin <= number.end - number.begin + 30;
  }
  return false;
}

// A document without number and roles still says whether it can be appealed.
void InstanceOfTail(View& view) {
  static const Pattern kFinal = MustCompile("^[ 　]*本(?:判决|裁定)(?:为|是)终审(?:判决|裁定)");
  static const Pattern kAppeal =
      MustCompile("^[ 　]*(?:如|若)?不服本(?:判决|裁定)[^\\n]{0,80}上诉");
  if (Has(kFinal, view.text)) {
    view.instance = Instance::kSecond;
  } else if (Has(kAppeal, view.text)) {
    view.instance = Instance::kFirst;
  }
}

void FindInstance(View& view) {
  for (const CaseNumber& number : view.case_numbers) {
    if (view.title.end == 0 || number.span.begin > view.title.end + 200) break;
    if (number.span.begin < view.title.begin || !StandsAlone(view, number.span)) continue;
    view.own_number = number;
    const std::string_view type = number.old_form ? number.court : number.type;
    view.instance = InstanceOfType(type);
    if (view.branch == Branch::kUnknown) {
      if (Has(type, "刑")) view.branch = Branch::kCriminal;
      if (Has(type, "民") || Has(type, "商") || Has(type, "知")) view.branch = Branch::kCivil;
      if (Has(type, "行")) view.branch = Branch::kAdministrative;
    }
    if (Has(type, "执")) view.branch = Branch::kOther;
    break;
  }
  const std::string_view head =
      std::string_view(view.text).substr(0, std::min<std::size_t>(view.text.size(), 3000));
  if (view.instance == Instance::kUnknown) {
    if (Has(head, "再审申请人") || Has(head, "申诉人")) {
      view.instance = Instance::kRetrial;
    } else if (Has(head, "核准") && Has(head, "死刑")) {
      view.instance = Instance::kReview;
    } else if (Has(head, "\n上诉人") || Has(head, "\n原公诉机关")) {
      view.instance = Instance::kSecond;
    } else if (Has(head, "\n公诉机关") || Has(head, "\n原告")) {
      view.instance = Instance::kFirst;
    } else {
      InstanceOfTail(view);
    }
  }
  if (view.branch == Branch::kUnknown) {
    if (Has(head, "公诉机关") || view.form == Form::kIndictment) {
      view.branch = Branch::kCriminal;
    } else if (view.form != Form::kUnknown) {
      view.branch = Branch::kCivil;
    }
  }
}

std::string_view FormName(Form form) {
  switch (form) {
    case Form::kJudgment:
      return "judgment";
    case Form::kRuling:
      return "ruling";
    case Form::kDecision:
      return "decision";
    case Form::kMediation:
      return "mediation";
    default:
      return "";
  }
}

std::string DoctypeOf(const View& view) {
  const std::string_view title = view.At(view.title);
  switch (view.form) {
    case Form::kIndictment:
      return "indictment";
    case Form::kComplaint:
      return view.branch == Branch::kAdministrative ? "administrative-complaint"
                                                    : "civil-complaint";
    case Form::kAnswer:
      return "civil-answer";
    case Form::kAppeal:
      return view.branch == Branch::kCriminal ? "criminal-appeal" : "civil-appeal";
    case Form::kArbitrationApplication:
      return "labor-arbitration-application";
    case Form::kPowerOfAttorney:
      return "power-of-attorney";
    case Form::kLawyersLetter:
      return "lawyers-letter";
    case Form::kPaymentOrder:
      return "payment-order-application";
    case Form::kPreservation:
      return "preservation-application";
    case Form::kEnforcement:
      return "enforcement-application";
    case Form::kDivorceAgreement:
      return "divorce-agreement";
    case Form::kContract:
      return Has(title, "借") ? "loan-contract" : "contract";
    case Form::kUnknown:
      return "unknown";
    default:
      return std::string(BranchName(view.branch)) + "-" + std::string(FormName(view.form));
  }
}

// （买卖合同纠纷） under the title of a form whose rows are cells.
void FindFormCause(View& view) {
  if (view.form != Form::kComplaint && view.form != Form::kAnswer) return;
  if (!Has(view.text, "填表说明") && !Has(view.text, "当事人信息｜")) return;
  static const Pattern kCause = MustCompile("^（([\\p{Han}、]{4,30})）$");
  for (const Span line : view.lines) {
    if (line.begin <= view.title.begin) continue;
    Match match;
    if (kCause.MatchAt(view.text, line.begin, &match)) view.form_cause = match.Text(view.text, 1);
    return;
  }
}

// A civil party in the head: 附带民事诉讼原告人张三, 上诉人（原审附带民事诉讼被告）李四. An excerpt
// has no head, there any mention counts.
bool NamesCivilParty(const View& view) {
  static const Pattern kRole =
      MustCompile("^[ 　]*[^，。：；\\n]{0,24}附带民事(?:公益)?诉讼(?:原告|被告|上诉)");
  static const Pattern kTried = MustCompile("附带民事(?!判决|裁定|调解)");
  if (view.title.end == 0) return Has(view.text, "附带民事诉讼原告");
  for (const Span line : view.lines) {
    if (line.begin < view.title.end) continue;
    const std::string_view words = view.At(line);
    const std::size_t came = words.find("一案");
    if (came != std::string_view::npos) return Has(kTried, words.substr(0, came));
    if (Has(kRole, words)) return true;
  }
  return false;
}

}  // namespace

void FindProfile(View& view) {
  const bool titled = FindTitle(view);
  FindInstance(view);
  view.doctype = titled ? DoctypeOf(view) : "unknown";
  FindFormCause(view);
  view.small_claims = Has(view.text, "小额诉讼程序") || Has(view.text, "小额程序");
  view.simple_procedure = Has(view.text, "适用简易程序") || view.small_claims;
  if (NamesCivilParty(view)) view.incidental_civil = true;
}

}  // namespace zhibi::rules
