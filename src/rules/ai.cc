// SPDX-License-Identifier: Apache-2.0
// AI-01 to AI-03: text that a model wrote must be confirmed by a person before it is an original,
// and must carry its label until then (标识办法 4, 5, 9). Where the document model is at hand, runs
// tell; in a plain text only the marks that drafting leaves.
#include <string>

#include "rules/context.h"

namespace zhibi::rules {
namespace {

constexpr std::string_view kLabel =
    "人工智能(?:辅助)?(?:生成|起草|撰写)|AI(?:辅助)?(?:生成|起草)|由AI|生成式人工智能";

void CheckRuns(Context& context) {
  const View& view = context.view;
  const legal::Document& document = *context.options.document;
  std::size_t at = 0;
  bool any = false;
  for (const legal::Block& block : document.blocks) {
    if (block.is_table) continue;
    for (const legal::Run& run : block.paragraph.runs) {
      if (run.source != legal::RunSource::kModel || run.text.size() < 6) continue;
      any = true;
      if (context.options.publish != Publish::kP0) continue;
      const std::size_t found = view.text.find(run.text, at);
      const Span span =
          found == std::string::npos ? view.title : Span{found, found + run.text.size()};
      if (found != std::string::npos) at = found;
      context.Report("AI-01", span,
                     {.message = "正本中有人工智能生成、没有经人确认的段落",
                      .suggestion = "核对并确认这一段"});
    }
  }
  static const Pattern kFound = MustCompile(kLabel);
  // The document's own label is printed by every export of it.
  if (any && document.ai_label.empty() && !Has(kFound, view.text)) {
    context.Report("AI-02", view.title,
                   {.message = "文中有人工智能生成的内容，没有显式标识",
                    .suggestion = "（本文部分内容由人工智能辅助生成）"});
  }
  const auto origin = document.metadata.find("ai");
  if (!any && origin != document.metadata.end() && origin->second == "true" &&
      !Has(kFound, view.text)) {
    context.Report("AI-03", view.title,
                   {.message = "元数据表明含人工智能生成的内容，正文中的标识已被删去",
                    .suggestion = "恢复标识，或者留存删除的理由和日志"});
  }
}

}  // namespace

void CheckAiLabels(Context& context) {
  const View& view = context.view;
  if (context.options.document != nullptr) {
    CheckRuns(context);
    return;
  }
  static const Pattern kMark =
      MustCompile("【AI[^】\\n]{0,20}】|〔AI[^〕\\n]{0,20}〕|【人工智能生成[^】\\n]{0,12}】");
  static const Pattern kFound = MustCompile(kLabel);
  bool marked = false;
  ForEach(kMark, view.text, {0, view.text.size()}, [&](const Match& m) {
    marked = true;
    if (context.options.publish != Publish::kP0) return;
    context.Report(
        "AI-01", SpanOf(m),
        {.message = "正本中有人工智能生成、没有经人确认的段落", .suggestion = "核对并确认这一段"});
  });
  if (context.options.publish == Publish::kP0 && !marked) {
    Match match;
    if (kFound.Search(view.text, 0, &match) && view.form != Form::kUnknown &&
        Has(view.At(view.SentenceAt(match.begin())), "核对")) {
      context.Report("AI-01", SpanOf(match),
                     {.message = "正本仍带有“须经人工核对”的人工智能标识",
                      .suggestion = "核对并确认后再作正本"});
    }
  }
}

}  // namespace zhibi::rules
