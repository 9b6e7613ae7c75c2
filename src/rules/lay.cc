// SPDX-License-Identifier: Apache-2.0
// LAY-04: a table without a heading row that repeats. What pages look like (LAY-01 to LAY-03) is
// known to the exporter only; rules.json says so in "undecided".
#include <string>

#include "rules/context.h"

namespace zhibi::rules {

void CheckLayout(Context& context) {
  if (context.options.document == nullptr) return;
  for (const legal::Block& block : context.options.document->blocks) {
    if (!block.is_table || block.table.header_rows > 0 || block.table.rows.size() < 10) continue;
    context.Report("LAY-04", context.view.title,
                   {.message = "表格（" + std::to_string(block.table.rows.size()) +
                               "行）没有设置跨页重复的表头",
                    .evidence = block.id,
                    .suggestion = "把首行设为重复标题行"});
  }
}

}  // namespace zhibi::rules
