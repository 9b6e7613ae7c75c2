// SPDX-License-Identifier: Apache-2.0
// CIT-11: a paragraph cited or quoted in part (法释〔2009〕14号 article 1: the whole article,
// paragraph or item); 前段, an ellipsis within the quotation, or less than the paragraph of the
// installed text. CIT-14: a quotation that differs from the installed text of the day, word for
// word. Without texts only the former can be said.
#include <algorithm>
#include <optional>
#include <string>

#include "base/utf8.h"
#include "rules/cit.h"
#include "statute/store.h"

namespace zhibi::rules {
namespace {

// The quotation that follows a citation: 第六条规定：“…”. Empty span: none.
Span QuoteBehind(const View& view, std::size_t at) {
  static const Pattern kOpens =
      MustCompile("^[ ]*(?:之)?(?:的)?(?:所|中)?(?:明确)?(?:规定)?(?:的|了)?[：:，,]?[ \\n]*“");
  constexpr std::size_t kMaxQuote = 6000;
  const std::string_view behind =
      std::string_view(view.text).substr(at, base::BorderUpTo(view.text, at + 60) - at);
  Match match;
  if (!kOpens.Search(behind, 0, &match)) return {};
  const std::size_t begin = at + match.end();
  const std::size_t end = view.text.find("”", begin);
  if (end == std::string::npos || end - begin > kMaxQuote) return {};
  return {begin, end};
}

void CheckPart(Context& context, const Cited& cited) {
  for (const statute::Place& place : cited.citation->places) {
    if (!place.part) continue;
    context.Report(
        "CIT-11", ToSpan(place.span),
        {.message = "引用法律条文应当引用整条、整款或者整项", .suggestion = "引到款或者项"});
  }
}

void CheckEllipsis(Context& context, const Cited& cited) {
  if (cited.citation->places.empty()) return;
  const Span quote = QuoteBehind(context.view, cited.citation->span.end);
  if (quote.end <= quote.begin || !Has(context.view.At(quote), "……")) return;
  context.Report(
      "CIT-11", quote,
      {.message = "引用的条文有省略，应当引用整条、整款或者整项", .suggestion = "引用完整的条文"});
}

std::size_t Characters(std::string_view text) { return base::CountCodePoints(text); }

// One paragraph of the article holds the quotation and more; no paragraph is as long as it.
bool IsPartial(std::string_view quote, std::string_view article) {
  constexpr std::size_t kMarks = 3;  // punctuation and quotation marks that may differ
  const std::size_t length = Characters(quote);
  bool held = false;
  for (std::size_t at = 0; at <= article.size();) {
    const std::size_t end = std::min(article.find('\n', at), article.size());
    const std::string_view paragraph = article.substr(at, end - at);
    if (statute::CompareQuote(quote, paragraph).result == statute::QuoteResult::kEqual) {
      if (Characters(paragraph) <= length + kMarks) return false;
      held = true;
    }
    at = end + 1;
  }
  return held;
}

void CheckWords(Context& context, const Cited& cited, bool whole) {
  const statute::Citation& citation = *cited.citation;
  if (context.tables.texts.size() == 0 || citation.places.empty()) return;
  const statute::Place& place = citation.places.back();
  if (place.last) return;
  const Span quote = QuoteBehind(context.view, citation.span.end);
  if (quote.end <= quote.begin) return;
  const Result<std::optional<statute::ArticleText>> found =
      context.tables.texts.Article(*cited.resolved->statute, place.article, context.date);
  // A damaged store is the business of `zhibi statutes`, not of the document.
  if (!found.ok() || !found->has_value()) return;
  const std::string& article = (*found)->text;
  const std::string_view words = context.view.At(quote);
  const statute::QuoteComparison compared = statute::CompareQuote(words, article);
  const std::string name = Quoted(*cited.resolved->statute) + FormatArticle(place.article);
  const Basis basis = BasisOf(*cited.resolved->statute, FormatArticle(place.article));
  if (compared.result == statute::QuoteResult::kEqual) {
    if (!whole || Has(words, "……") || !IsPartial(words, article)) return;
    context.Report("CIT-11", quote,
                   {.message = "只引用了" + name + "的一部分，应当引用整条、整款或者整项",
                    .suggestion = "引用完整的条文",
                    .basis = basis});
    return;
  }
  const bool differs = compared.result == statute::QuoteResult::kDiffers;
  const std::size_t from = quote.begin + (differs ? compared.at : 0);
  context.Report("CIT-14", {std::min(from, quote.end), quote.end},
                 {.message = "引文与已安装的" + name + "的文本不一致",
                  .suggestion = differs ? "原文是“" + compared.stands + "”" : "核对原文",
                  .basis = basis});
}

}  // namespace

void CheckCitedQuotes(Context& context, const Citing& citing) {
  for (const Cited& cited : citing.cited) {
    if (cited.voice == Voice::kSilent || cited.resolved->statute == nullptr) continue;
    const bool own = citing.court && cited.voice == Voice::kOwn;
    CheckWords(context, cited, own);
    if (!own) continue;
    if (cited.basis) CheckPart(context, cited);
    CheckEllipsis(context, cited);
  }
}

}  // namespace zhibi::rules
