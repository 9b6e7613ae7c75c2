// SPDX-License-Identifier: Apache-2.0
#include "cli/check_command.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json.h"
#include "base/status_macros.h"
#include "base/utf8.h"
#include "cli/read_text.h"
#include "cli/write_text.h"
#include "legal/data_dir.h"
#include "legal/date.h"
#include "legal/doctype.h"
#include "rules/checker.h"
#include "statute/local.h"

namespace zhibi::cli {
namespace {

constexpr std::size_t kMaxJsonBytes = std::size_t{64} << 20;

std::string_view LevelInChinese(rules::Level level) {
  switch (level) {
    case rules::Level::kError:
      return "错误";
    case rules::Level::kWarning:
      return "提示";
    case rules::Level::kInfo:
      break;
  }
  return "说明";
}

// The line of the span, cut to some 20 characters on each side, the span marked.
std::string Excerpt(std::string_view text, rules::Span span) {
  constexpr std::size_t kAround = 60;  // bytes: 20 Chinese characters
  const std::size_t newline =
      span.begin == 0 ? std::string_view::npos : text.rfind('\n', span.begin - 1);
  const std::size_t line_begin = newline == std::string_view::npos ? 0 : newline + 1;
  const std::size_t line_end = std::min(text.find('\n', span.begin), text.size());
  const std::size_t end = std::max(std::min(span.end, line_end), span.begin);
  const std::size_t from =
      base::BorderUpTo(text, std::max(line_begin, span.begin > kAround ? span.begin - kAround : 0));
  const std::size_t to = base::BorderUpTo(text, std::min(line_end, end + kAround));
  std::string out;
  if (from > line_begin) out += "…";
  out += text.substr(from, span.begin - from);
  out += "【";
  out += text.substr(span.begin, end - span.begin);
  if (end < span.end) out += "…";
  out += "】";
  if (to > end) out += text.substr(end, to - end);
  if (to < line_end) out += "…";
  return out;
}

Result<rules::Publish> PublishOf(const std::string& name) {
  if (name.empty()) return rules::Publish::kNone;
  if (name == "P0") return rules::Publish::kP0;
  if (name == "P1") return rules::Publish::kP1;
  if (name == "P2") return rules::Publish::kP2;
  if (name == "P3") return rules::Publish::kP3;
  return InvalidArgumentError("--publish: expected P0, P1, P2 or P3, got \"" + name + "\"");
}

Result<rules::CheckOptions> OptionsOf(const CheckCommandOptions& options,
                                      const std::string& data_dir) {
  rules::CheckOptions out;
  if (!options.doctype.empty()) {
    const std::vector<std::string> known = legal::Doctype::List(data_dir);
    if (std::find(known.begin(), known.end(), options.doctype) == known.end()) {
      return NotFoundError("--doctype: there is no document type \"" + options.doctype +
                           "\"; `zhibi doctypes list` lists them");
    }
    out.doctype = options.doctype;
  }
  if (!options.date.empty()) {
    Result<legal::Date> date = legal::ParseDate(options.date);
    if (!date.ok()) return std::move(date).status().WithContext("--date");
    out.date = *date;
  }
  ZB_ASSIGN_OR_RETURN(out.publish, PublishOf(options.publish));
  out.today = legal::TodayInChina();
  if (!options.elements.empty()) {
    ZB_ASSIGN_OR_RETURN(out.elements, base::ReadJsonFile(options.elements, kMaxJsonBytes));
  }
  return out;
}

}  // namespace

std::string FormatReport(std::string_view text, const rules::Report& report) {
  std::string out;
  std::size_t counts[3] = {0, 0, 0};
  std::size_t line = 1;
  std::size_t at = 0;
  for (const rules::Finding& finding : report.findings) {
    ++counts[static_cast<std::size_t>(finding.level)];
    // Findings come by place.
    for (; at < std::min(finding.span.begin, text.size()); ++at) line += text[at] == '\n' ? 1 : 0;
    out += fmt::format("{} {} 第{}行：{}\n", LevelInChinese(finding.level), finding.id, line,
                       finding.message);
    out += fmt::format("    {}\n", Excerpt(text, finding.span));
    if (!finding.suggestion.empty()) out += fmt::format("    建议：{}\n", finding.suggestion);
    if (!finding.basis.law.empty()) {
      out += fmt::format("    依据：《{}》{}\n", finding.basis.law, finding.basis.article);
    }
  }
  for (const std::string& note : report.notes) out += fmt::format("说明：{}\n", note);
  const std::string table =
      report.statutes_as_of.empty() ? "" : "，法规表收录至 " + report.statutes_as_of;
  out += fmt::format("{}{}，按 {} 检查：错误 {} 处，提示 {} 处，说明 {} 处（规则 {}{}）\n",
                     report.findings.empty() ? "" : "\n",
                     report.doctype == "unknown" ? "文书类型不明" : report.doctype,
                     report.date.empty() ? "不明日期" : report.date, counts[2], counts[1],
                     counts[0], report.rules_version, table);
  return out;
}

namespace {

std::string Written(const std::string& file, std::string_view text, const rules::Report& report,
                    bool several, bool json) {
  if (!json) return (several ? file + "\n" : "") + FormatReport(text, report);
  nlohmann::json out = ToJson(report);
  if (!several) return out.dump(1) + "\n";
  out["file"] = file;
  return out.dump() + "\n";
}

}  // namespace

Status RunCheck(const CheckCommandOptions& options, bool* has_error) {
  ZB_ASSIGN_OR_RETURN(const std::string data_dir, legal::FindDataDir());
  ZB_ASSIGN_OR_RETURN(const rules::CheckOptions rule_options, OptionsOf(options, data_dir));
  ZB_ASSIGN_OR_RETURN(const rules::Checker checker,
                      rules::Checker::Load(data_dir, statute::LocalDir()));
  const bool several = options.files.size() > 1;
  for (const std::string& file : options.files) {
    ZB_ASSIGN_OR_RETURN(const std::string text, ReadTextFile(file));
    Result<rules::Report> report = checker.Check(text, rule_options);
    if (!report.ok()) return std::move(report).status().WithContext(file);
    *has_error = *has_error || report->HasError();
    ZB_RETURN_IF_ERROR(WriteText("", Written(file, text, *report, several, options.json)));
  }
  return OkStatus();
}

}  // namespace zhibi::cli
