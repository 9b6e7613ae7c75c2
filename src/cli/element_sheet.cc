// SPDX-License-Identifier: Apache-2.0
#include "cli/element_sheet.h"

#include <utility>

#include "export/xlsx_writer.h"

namespace zhibi::cli {
namespace {

using exporting::CellLook;

constexpr std::size_t kValueColumn = 2;

exporting::Sheet Help(const std::string& title) {
  exporting::Sheet sheet;
  sheet.name = "填写说明";
  sheet.widths = {90};
  for (const char* line :
       {"在“要素”表的“值”一列填写；标“必填”的（黄色）不能缺，其余没有就空着，不要写“无”。",
        "“字段”一列是程序认的名称，不要改；行的顺序可以变，行可以删。",
        "多个当事人或多项内容：复制该项的各行，把字段里的 [0] 改成 [1]、[2]，依次类推。",
        "有下拉列表的从列表里选；日期如 2024-03-05 或 2024年3月5日；金额如 50000、5万元。",
        "身份证号、账号等长号码的单元格须是文本格式（本表已设好），否则表格软件会改掉末几位。",
        "填好后：zhibi extract 本文件 --doctype 文书类型 --out 要素.json"})
    sheet.rows.push_back({{line, CellLook::kPlain, {}, ""}});
  sheet.rows.insert(sheet.rows.begin(), {{title + "要素表", CellLook::kHead, {}, ""}});
  return sheet;
}

std::vector<exporting::SheetCell> RowOf(const extract::TemplateLine& line) {
  std::vector<exporting::SheetCell> row;
  for (std::string& text : extract::TemplateCells(line))
    row.push_back({std::move(text), CellLook::kFixed, {}, ""});
  exporting::SheetCell& value = row[kValueColumn];
  value.look = line.field.required ? CellLook::kRequired : CellLook::kInput;
  value.choices = extract::ChoiceLabels(line.field);
  if (line.field.type == "boolean") value.choices = {"是", "否"};
  value.prompt = extract::KindOfField(line.field);
  if (line.field.required) value.prompt += "，必填";
  if (line.field.human_only) value.prompt += "，只能由人填写";
  if (!line.field.description.empty()) value.prompt += "。" + line.field.description;
  return row;
}

}  // namespace

Result<std::string> ElementSheet(const std::string& title,
                                 const std::vector<extract::TemplateLine>& lines) {
  exporting::Sheet sheet;
  sheet.name = "要素";
  sheet.widths = {34, 36, 40, 8, 18, 30, 60};
  sheet.frozen_rows = 1;
  sheet.rows.emplace_back();
  for (const std::string& head : extract::TemplateHeads())
    sheet.rows.back().push_back({head, CellLook::kHead, {}, ""});
  for (const extract::TemplateLine& line : lines) sheet.rows.push_back(RowOf(line));
  return exporting::WriteXlsx({std::move(sheet), Help(title)});
}

}  // namespace zhibi::cli
