// SPDX-License-Identifier: Apache-2.0
#include "cli/doctypes_command.h"

#include <cstdio>
#include <filesystem>
#include <system_error>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/status_macros.h"
#include "cli/element_sheet.h"
#include "cli/write_text.h"
#include "extract/table.h"
#include "legal/data_dir.h"
#include "legal/doctype.h"
#include "legal/doctype_cases.h"
#include "legal/schema_fields.h"

namespace zhibi::cli {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

void Print(const std::string& line) { std::printf("%s\n", line.c_str()); }

std::string Joined(const std::vector<std::string>& parts, const char* with) {
  std::string out;
  for (const std::string& part : parts) out += (out.empty() ? "" : with) + part;
  return out;
}

Result<legal::Doctype> Open(const std::string& data_dir, const std::string& name) {
  std::error_code error;
  if (name.find('/') != std::string::npos &&
      std::filesystem::exists(std::filesystem::path(name) / "doctype.json", error)) {
    std::string folder = std::filesystem::path(name).lexically_normal().string();
    while (folder.size() > 1 && folder.back() == '/') folder.pop_back();
    return legal::Doctype::LoadFolder(data_dir, folder);
  }
  return legal::Doctype::Load(data_dir, name);
}

std::string Ratio(const std::vector<legal::BranchCount>& counts) {
  return std::to_string(legal::BothWays(counts)) + "/" + std::to_string(counts.size());
}

void PrintGaps(const char* what, const std::vector<legal::BranchCount>& counts) {
  for (const legal::BranchCount& branch : counts) {
    if (branch.count.taken > 0 && branch.count.skipped > 0) continue;
    Print("    " + std::string(what) + " " + branch.place + "：成立 " +
          std::to_string(branch.count.taken) + "，不成立 " + std::to_string(branch.count.skipped));
  }
}

}  // namespace

Status RunDoctypesList(const DoctypesOptions& options) {
  ZB_ASSIGN_OR_RETURN(const std::string data_dir, legal::FindDataDir());
  ordered_json out = ordered_json::array();
  Status broken = OkStatus();
  for (const std::string& id : legal::Doctype::List(data_dir)) {
    const Result<legal::Doctype> doctype = legal::Doctype::Load(data_dir, id);
    if (!doctype.ok()) {
      std::fprintf(stderr, "zhibi: %s\n", doctype.status().message().c_str());
      broken = FailedPreconditionError("有文书类型不能载入 (a document type can't be loaded)");
      continue;
    }
    if (options.json) {
      out.push_back({{"id", id},
                     {"title", doctype->title()},
                     {"title_en", doctype->title_en()},
                     {"version", doctype->version()},
                     {"layout", doctype->layout()},
                     {"branch", doctype->branch()},
                     {"from_case", doctype->has_from_case()}});
    } else {
      Print(id + "\t" + doctype->title() + "\t" + doctype->title_en());
    }
  }
  if (options.json) Print(out.dump(2));
  return broken;
}

Status RunDoctypesShow(const DoctypesOptions& options) {
  ZB_ASSIGN_OR_RETURN(const std::string data_dir, legal::FindDataDir());
  ZB_ASSIGN_OR_RETURN(const legal::Doctype doctype, Open(data_dir, options.id));
  const std::vector<legal::SchemaField> fields = legal::ListFields(doctype.schema());
  if (options.json) {
    ordered_json list = ordered_json::array();
    for (const legal::SchemaField& field : fields) {
      ordered_json row = {{"path", field.path},
                          {"field", field.field},
                          {"title", field.title},
                          {"required", field.required},
                          {"type", field.type},
                          {"kind", field.kind},
                          {"values", field.values},
                          {"description", field.description},
                          {"human_only", field.human_only}};
      list.push_back(std::move(row));
    }
    Print(ordered_json({{"id", doctype.id()},
                        {"title", doctype.title()},
                        {"title_en", doctype.title_en()},
                        {"version", doctype.version()},
                        {"layout", doctype.layout()},
                        {"fields", std::move(list)}})
              .dump(2));
    return OkStatus();
  }
  Print(doctype.title() + "（" + doctype.id() + "，" + doctype.title_en() + "，" +
        doctype.version() + "）");
  Print(std::string("由案件起草 / from a case: ") + (doctype.has_from_case() ? "是 yes" : "否 no"));
  Print("要素 / elements（* 必填 required，人 只能由人填写 human only）：");
  for (const legal::SchemaField& field : fields) {
    std::string line = std::string("  ") + (field.required ? "*" : " ") +
                       (field.human_only ? "人" : "  ") + " " + field.path + "\t" + field.field +
                       "\t" + extract::KindOfField(field);
    if (!field.values.empty()) line += "：" + Joined(field.values, "、");
    if (!field.description.empty()) line += "\t" + field.description;
    Print(line);
  }
  return OkStatus();
}

Status RunDoctypesTemplate(const DoctypesOptions& options) {
  std::string format = options.format;
  if (format.empty()) {
    const std::size_t dot = options.out.rfind('.');
    format = dot == std::string::npos ? "json" : options.out.substr(dot + 1);
  }
  if (format != "json" && format != "csv" && format != "xlsx") {
    return InvalidArgumentError("--format：应为 json、csv 或 xlsx，现为 " + format +
                                " (expected json, csv or xlsx)");
  }
  if (format == "xlsx" && options.out.empty()) {
    return InvalidArgumentError("--out：xlsx 须写入文件 / xlsx needs a file");
  }
  ZB_ASSIGN_OR_RETURN(const std::string data_dir, legal::FindDataDir());
  ZB_ASSIGN_OR_RETURN(const legal::Doctype doctype, Open(data_dir, options.id));
  if (format == "json") {
    return WriteText(options.out, legal::BlankElements(doctype.schema()).dump(2) + "\n");
  }
  const std::vector<extract::TemplateLine> lines =
      extract::TemplateLines(doctype.schema(), nullptr);
  if (format == "xlsx") {
    ZB_ASSIGN_OR_RETURN(const std::string bytes, ElementSheet(doctype.title(), lines));
    return WriteText(options.out, bytes);
  }
  extract::TableRows rows = {extract::TemplateHeads()};
  for (const extract::TemplateLine& line : lines) rows.push_back(extract::TemplateCells(line));
  return WriteText(options.out, extract::FormatCsv(rows));
}

Status RunDoctypesValidate(const DoctypesOptions& options) {
  ZB_ASSIGN_OR_RETURN(const std::string data_dir, legal::FindDataDir());
  std::vector<std::string> names = {options.id};
  if (options.id.empty()) names = legal::Doctype::List(data_dir);
  std::size_t broken = 0;
  Print("类型 type\t案例 cases\t失败 broken\t条件 when\t分支 if\t选填 optional\t检查 checks");
  legal::FieldCounts shared_branches;
  legal::FieldCounts shared_fields;
  for (const std::string& name : names) {
    const Result<legal::Doctype> doctype = Open(data_dir, name);
    const Result<legal::TypeReport> report = doctype.ok()
                                                 ? legal::RunCases(*doctype, data_dir)
                                                 : Result<legal::TypeReport>(doctype.status());
    if (!report.ok()) {
      ++broken;
      Print(name + "\t不能载入 (can't be loaded)：" + report.status().message());
      continue;
    }
    legal::AddCounts(report->shared_branches, shared_branches);
    legal::AddCounts(report->shared_fields, shared_fields);
    std::size_t failed = 0;
    for (const legal::CaseRun& run : report->cases) failed += run.problems.empty() ? 0U : 1U;
    if (failed > 0) ++broken;
    Print(report->id + "\t" + std::to_string(report->cases.size()) + "\t" + std::to_string(failed) +
          "\t" + Ratio(report->clauses) + "\t" + Ratio(report->branches) + "\t" +
          Ratio(report->fields) + "\t" + Ratio(report->checks));
    for (const legal::CaseRun& run : report->cases) {
      for (const std::string& problem : run.problems) Print("    " + run.file + "：" + problem);
    }
    if (!options.gaps) continue;
    PrintGaps("条件", report->clauses);
    PrintGaps("分支", report->branches);
    PrintGaps("选填", report->fields);
    PrintGaps("检查", report->checks);
  }
  const std::vector<legal::BranchCount> branches = legal::ListedCounts(shared_branches);
  const std::vector<legal::BranchCount> fields = legal::ListedCounts(shared_fields);
  Print("共用 _shared\t\t\t\t" + Ratio(branches) + "\t" + Ratio(fields) + "\t");
  if (options.gaps) {
    PrintGaps("分支", branches);
    PrintGaps("选填", fields);
  }
  if (broken == 0) return OkStatus();
  return FailedPreconditionError(std::to_string(broken) +
                                 " 个文书类型有误 (document types are broken)");
}

}  // namespace zhibi::cli
