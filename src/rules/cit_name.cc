// SPDX-License-Identifier: Apache-2.0
// CIT-01 name without 《》 or not full, CIT-03 not in the table, CIT-12 short name not defined,
// CIT-13 not verified. The table never says that a statute does not exist: local regulations,
// rules of ministries and normative documents are outside of it.
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "base/utf8.h"
#include "rules/cit.h"

namespace zhibi::rules {
namespace {

using statute::NameForm;
using statute::Statute;

constexpr std::string_view kState = "中华人民共和国";

// Ends like a statute. 《借款合同》, 《收据》 do not.
bool LooksLikeStatute(std::string_view name) {
  static const Pattern kEnd = MustCompile(
      "(?:法|法典|条例|规定|办法|解释|决定|细则|规则|批复|意见|纪要|通则|公约|修正案)"
      "(?:（[^）\\n]{1,12}）)*$");
  static const Pattern kPrivate = MustCompile(
      "合同(?!法)|协议|章程|公司|厂|小区|员工|集团|(?:行政|处罚|处理|认定|复议|不予)[^法条]{0,12}"
      "决定|"
      "银行|"
      "鉴定意见|评估|审计|检验|审查意见|处理意见|辩护|方法|做法|书$|会议决定");
  const bool official = name.starts_with(kState) || name.starts_with("最高人民");
  return Has(kEnd, name) && (official || !Has(kPrivate, name));
}

bool IsNational(std::string_view name) {
  for (const std::string_view body : {"最高人民", "国务院", "全国人民代表大会", "全国人大常委会"}) {
    if (name.starts_with(body)) return true;
  }
  return name.starts_with(kState) || name.ends_with("法") || name.ends_with("法典");
}

// Statutes that the table does not take in.
bool IsOutside(std::string_view name) {
  static const Pattern kLocal = MustCompile(
      "^[\\p{Han}]{2,12}?(?:省|市|自治区|自治州|自治县|县|区|特区|兵团)|^[\\p{Han}]{1,12}(?:高级|"
      "中级)人民法院");
  return !IsNational(name) && Has(kLocal, name);
}

// Of any body: minutes, opinions and notices are taken in only here and there.
bool IsLower(std::string_view name) {
  static const Pattern kLower = MustCompile(
      "(?:通知|公告|批复|复函|答复|纪要|意见|标准|规范|规程|规范性文件)(?:（[^）\\n]*）)*$");
  return Has(kLower, name);
}

std::string Nearest(const Context& context, const std::string& name) {
  std::string out;
  std::vector<const Statute*> found = context.tables.statutes.Nearest(name, 3);
  // 中国人民共和国…, 中华人国…: the country is misspelt.
  constexpr std::size_t kLastOfCountry = 24;  // bytes
  const std::size_t country = name.rfind("国", kLastOfCountry);
  if (found.empty() && name.starts_with("中") && country != std::string::npos) {
    const std::string rest = name.substr(country + std::string_view("国").size());
    found = context.tables.statutes.Nearest(std::string(kState) + rest, 3);
  }
  for (const Statute* near : found) {
    if (!out.empty()) out += "、";
    out += Quoted(*near);
  }
  return out;
}

// Says a thing once for a name in each part of the document.
class Names {
 public:
  Names(Context& context, const Citing& citing) : context_(context), citing_(citing) {}

  void Check(const Cited& cited) {
    const statute::Citation& citation = *cited.citation;
    if (citation.form == NameForm::kRelative || citation.form == NameForm::kReference) return;
    if (cited.voice != Voice::kOwn) {
      Remember(cited);
      return;
    }
    if (cited.resolved->statute == nullptr) {
      if (citation.definition == statute::kNone) Unknown(cited);
      return;
    }
    Form(cited);
    Unverified(cited);
    Remember(cited);
  }

 private:
  void Remember(const Cited& cited) {
    if (cited.resolved->full) full_.insert(cited.resolved->statute);
  }

  bool First(std::string_view rule, const std::string& name) {
    return said_.insert(std::string(rule) + name).second;
  }

  void Form(const Cited& cited) {
    const statute::Citation& citation = *cited.citation;
    const statute::Resolved& resolved = *cited.resolved;
    const Statute& statute = *resolved.statute;
    const Span span = ToSpan(citation.name_span);
    if (citation.form == NameForm::kBare && !resolved.by_definition) {
      if (cited.basis || First("CIT-01", statute.name)) {
        context_.Report("CIT-01", span,
                        {.message = "引用的法律名称没有加书名号", .suggestion = Quoted(statute)});
      }
      return;
    }
    if (resolved.by_definition || resolved.full) {
      if (citation.form == NameForm::kMisplaced && cited.basis) {
        context_.Report("CIT-01", span,
                        {.message = "书名号没有标在名称的两端", .suggestion = Quoted(statute)});
      }
      return;
    }
    // 最高人民法院《关于…》 has the whole name, only the marks differ.
    if (citation.form == NameForm::kOutside) return;
    if (cited.basis) {
      context_.Report("CIT-01", span,
                      {.message = resolved.old_name ? "引用的名称已经更改" : "引用的名称不是全称",
                       .suggestion = Quoted(statute)});
    } else if (citing_.court && !citation.name.starts_with("关于") && !full_.contains(&statute) &&
               First("CIT-12", statute.name)) {
      context_.Report("CIT-12", span,
                      {.message = "简称“" + citation.name + "”在前文没有定义",
                       .suggestion = "首次引用写" + Quoted(statute) + "，并注明（以下简称“" +
                                     citation.name + "”）"});
    }
  }

  void Unknown(const Cited& cited) {
    const statute::Citation& citation = *cited.citation;
    const bool placed = !citation.places.empty();
    // A slip in the last word (民法点) still names a law of the state, if it has articles.
    const bool of_the_state = placed && citation.name.starts_with(kState);
    if (!LooksLikeStatute(citation.name) && !of_the_state) return;
    if (!placed && !cited.basis) return;
    const Span span = ToSpan(citation.name_span);
    if (!placed && citation.divisions.empty()) {
      context_.Report("CIT-02", span,
                      {.message = "裁判依据没有写明《" + citation.name + "》的条文序号",
                       .suggestion = "写明条、款、项"});
    }
    const std::string near = Nearest(context_, citation.name);
    const bool national = IsNational(citation.name);
    const bool lower = near.empty() && IsLower(citation.name);
    if (lower || IsOutside(citation.name) || (near.empty() && !national)) {
      if (!First("CIT-13", citation.name)) return;
      context_.Report(
          "CIT-13", span,
          {.message = "《" + citation.name + "》不在法规表的收录范围内，名称、效力和条号没有核实",
           .suggestion = "核对原文"});
      return;
    }
    if (!cited.basis && !First("CIT-03", citation.name)) return;
    context_.Report(
        "CIT-03", span,
        {.message = "《" + citation.name + "》不在法规表中，不能据此认为它不存在",
         .suggestion = near.empty() ? std::string("核对名称") : "核对名称，相近的有" + near});
  }

  void Unverified(const Cited& cited) {
    const statute::Citation& citation = *cited.citation;
    const Statute& statute = *cited.resolved->statute;
    if (citation.places.empty()) return;
    std::string why;
    const statute::Version* version = cited.resolved->version;
    if (context_.date && *context_.date > statute.as_of) {
      why = "法规表只收录到" + Said(statute.as_of) + "，此后的修改没有核实";
    } else if (context_.date && version == nullptr &&
               cited.resolved->state.force == statute::Force::kUnknown) {
      why = "文书日期施行的文本不在法规表中，条号没有核实";
    } else if (version != nullptr && version->articles == 0) {
      why = "法规表没有这一文本的条数，条号没有核实";
    } else if (version == nullptr && statute.versions.back().articles == 0) {
      why = "法规表没有条数，条号没有核实";
    }
    if (why.empty() || !First("CIT-13", statute.name)) return;
    context_.Report("CIT-13", ToSpan(citation.name_span),
                    {.message = Quoted(statute) + "：" + why,
                     .suggestion = "核对原文",
                     .basis = BasisOf(statute)});
  }

  Context& context_;
  const Citing& citing_;
  std::set<const Statute*> full_;  // whose full name the text has given
  std::set<std::string> said_;
};

}  // namespace

void CheckCitedNames(Context& context, const Citing& citing) {
  Names names(context, citing);
  for (const Cited& cited : citing.cited) names.Check(cited);
}

}  // namespace zhibi::rules
