// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/status_macros.h"
#include "export/pdf/slab.h"

namespace zhibi::exporting {
namespace {

constexpr double kPadding = 5.4;     // left and right in a cell, as in Word
constexpr double kPaddingAbove = 2;  // and below
// A row that is higher than this share of a page may be cut between lines.
constexpr double kWholeRow = 1.0 / 3;

struct Cell {
  double height = 0;
  std::vector<PlacedLine> lines;
  std::vector<double> tops;  // of the lines, from the cell's upper edge
  std::vector<double> pitches;
};

std::vector<double> ColumnEdges(const legal::Table& table, double width) {
  std::vector<double> edges = {0};
  int total = 0;
  for (const int percent : table.column_percent) total += std::max(percent, 1);
  for (const int percent : table.column_percent)
    edges.push_back(edges.back() + width * std::max(percent, 1) / total);
  if (edges.size() == 1) edges.push_back(width);
  return edges;
}

class TableComposer {
 public:
  TableComposer(const legal::Table& table, const Layout& layout, Shaper& shaper, Composed& out)
      : table_(table),
        layout_(layout),
        shaper_(shaper),
        out_(out),
        edges_(ColumnEdges(table, layout.text_width())),
        index_(out.heads.size()) {}

  Status Run(bool keep) {
    const std::size_t first = out_.slabs.size();
    const auto heads = static_cast<std::size_t>(std::max(table_.header_rows, 0));
    for (std::size_t r = 0; r < table_.rows.size(); ++r) {
      const bool last = r + 1 == table_.rows.size();
      ZB_RETURN_IF_ERROR(AddRow(table_.rows[r], r < heads, (last && keep) || (r < heads && !last)));
    }
    std::vector<Slab>& repeated = out_.heads.emplace_back();
    double height = 0;
    for (std::size_t i = first; i < out_.slabs.size() && out_.slabs[i].in_head; ++i) {
      height += out_.slabs[i].height;
      repeated.push_back(out_.slabs[i]);
    }
    // A head that leaves little room, or has no rows under it, is not repeated.
    if (height > layout_.text_height() / 2 || repeated.size() == out_.slabs.size() - first)
      repeated.clear();
    return OkStatus();
  }

 private:
  Result<Cell> MakeCell(const legal::TableCell& cell, double left, double right) {
    Cell out;
    out.height = kPaddingAbove;
    const double width = std::max(right - left - 2 * kPadding, 1.0);
    legal::TableCell empty;
    empty.paragraphs.emplace_back();
    for (const legal::Paragraph& paragraph : (cell.paragraphs.empty() ? empty : cell).paragraphs) {
      const StyleLook& look = layout_.Look(paragraph.style == "body" ? "cell" : paragraph.style);
      ZB_ASSIGN_OR_RETURN(std::vector<PlacedLine> lines,
                          ComposeLines(paragraph, look, layout_, width, false, shaper_));
      for (PlacedLine& line : lines) {
        line.x += left + kPadding;
        out.tops.push_back(out.height);
        out.pitches.push_back(look.line_pt);
        out.height += look.line_pt;
        out.lines.push_back(std::move(line));
      }
    }
    out.height += kPaddingAbove;
    return out;
  }

  Status AddRow(const std::vector<legal::TableCell>& cells, bool in_head, bool joined) {
    std::vector<Cell> row;
    std::vector<double> borders = {edges_.front()};
    const std::size_t columns = edges_.size() - 1;
    std::size_t column = 0;
    for (std::size_t c = 0; c < cells.size() && column < columns; ++c) {
      auto span = static_cast<std::size_t>(std::max(cells[c].column_span, 1));
      // The last cell takes what is left, so that every row has the table's width.
      if (c + 1 == cells.size()) span = columns;
      const std::size_t end = std::min(column + span, columns);
      ZB_ASSIGN_OR_RETURN(Cell cell, MakeCell(cells[c], edges_[column], edges_[end]));
      row.push_back(std::move(cell));
      borders.push_back(edges_[end]);
      column = end;
    }
    if (row.empty()) {
      ZB_ASSIGN_OR_RETURN(Cell cell, MakeCell({}, edges_.front(), edges_.back()));
      row.push_back(std::move(cell));
      borders.push_back(edges_.back());
    }
    const auto tallest = std::max_element(
        row.begin(), row.end(), [](const Cell& a, const Cell& b) { return a.height < b.height; });
    std::vector<double> cuts = {0, tallest->height};
    if (!in_head && tallest->height > layout_.text_height() * kWholeRow && tallest->tops.size() > 3)
      cuts.insert(cuts.begin() + 1, tallest->tops.begin() + 1, tallest->tops.end());
    AddSlices(row, cuts, borders, in_head, joined);
    return OkStatus();
  }

  // A row as stripes between `cuts`; two lines stay together at either end.
  void AddSlices(std::vector<Cell>& row, const std::vector<double>& cuts,
                 const std::vector<double>& borders, bool in_head, bool joined) {
    const std::size_t count = cuts.size() - 1;
    std::vector<std::size_t> next(row.size(), 0);
    for (std::size_t k = 0; k < count; ++k) {
      Slab slab;
      slab.height = cuts[k + 1] - cuts[k];
      slab.is_row = true;
      slab.table = index_;
      slab.in_head = in_head;
      slab.opens_row = k == 0;
      slab.closes_row = k + 1 == count;
      slab.borders = borders;
      slab.joined = slab.closes_row ? joined : (k == 0 || k + 2 == count);
      for (std::size_t c = 0; c < row.size(); ++c) {
        Cell& cell = row[c];
        // Centred in a whole row; from the top where the row may be cut.
        const double shift = count == 1 ? (slab.height - cell.height) / 2 : 0.0;
        for (std::size_t& i = next[c]; i < cell.lines.size(); ++i) {
          if (!slab.closes_row && cell.tops[i] + cell.pitches[i] / 2 >= cuts[k + 1]) break;
          PlacedLine line = std::move(cell.lines[i]);
          line.baseline += cell.tops[i] - cuts[k] + shift;
          slab.lines.push_back(std::move(line));
        }
      }
      out_.slabs.push_back(std::move(slab));
    }
  }

  const legal::Table& table_;
  const Layout& layout_;
  Shaper& shaper_;
  Composed& out_;
  std::vector<double> edges_;
  std::size_t index_;
};

}  // namespace

Status ComposeTable(const legal::Block& block, bool keep, const Layout& layout, Shaper& shaper,
                    Composed& out) {
  return TableComposer(block.table, layout, shaper, out).Run(keep);
}

}  // namespace zhibi::exporting
