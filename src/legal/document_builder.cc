// SPDX-License-Identifier: Apache-2.0
#include "legal/document_builder.h"

#include <algorithm>
#include <array>

#include <nlohmann/json.hpp>

#include "base/status_macros.h"
#include "legal/date.h"
#include "legal/interest.h"
#include "legal/money.h"

namespace zhibi::legal {
namespace {

using nlohmann::ordered_json;

constexpr std::array<std::string_view, 14> kStyles = {
    "court",   "title",     "caseno",    "party", "body",       "heading", "claim",
    "holding", "addressee", "signature", "date",  "attachment", "note",    "cell"};
constexpr std::string_view kCellMark = "｜";
constexpr std::string_view kBreakMark = "↵";
constexpr std::string_view kIndent = "　";

// Lines, cells and paragraphs while segments are read.
class Builder {
 public:
  Builder(const BlockForm& form, const ValueIndex& values) : form_(form), values_(values) {
    StartLine();
  }

  Status Template(std::string_view text, std::string& kept) {
    std::size_t begin = 0;  // of what is not yet in a run
    std::size_t at = 0;
    const auto flush = [&](std::size_t end) {
      PutRun(text.substr(begin, end - begin), true);
      kept += text.substr(begin, end - begin);
    };
    while (at < text.size()) {
      if (at_start_ && text[at] == '@') {
        const std::size_t blank = StyleEnd(text, at);
        if (blank != std::string_view::npos) {
          const std::string name(text.substr(at + 1, blank - at - 1));
          if (!IsStyleName(name)) return Wrong("unknown style @" + name);
          style_ = name;
          at = begin = blank + 1;
          continue;
        }
      }
      if (at_start_ && text.compare(at, kIndent.size(), kIndent) == 0 && !form_.is_table) {
        // Layouts indent; the text for a terminal keeps what the template has.
        kept += kIndent;
        at += kIndent.size();
        begin = at;
        continue;
      }
      at_start_ = false;
      if (text[at] == '\n') {
        flush(at);
        kept += '\n';
        ZB_RETURN_IF_ERROR(EndLine());
        at_start_ = true;
        begin = ++at;
      } else if (form_.is_table && text.compare(at, kCellMark.size(), kCellMark) == 0) {
        flush(at);
        kept += kCellMark;
        EndCell();
        begin = at += kCellMark.size();
      } else if (form_.is_table && text.compare(at, kBreakMark.size(), kBreakMark) == 0) {
        flush(at);
        kept += kBreakMark;
        EndParagraph();
        begin = at += kBreakMark.size();
      } else {
        ++at;
      }
    }
    flush(at);
    return OkStatus();
  }

  void Value(std::string_view text) {
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      std::string_view line = text.substr(0, end);
      if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
      PutRun(line, false);
      at_start_ = false;
      if (end == text.size()) return;
      if (form_.is_table) {
        EndParagraph();
      } else {
        const std::string style = style_;
        EndParagraphBlock();
        style_ = style;
      }
      text.remove_prefix(end + 1);
    }
  }

  Result<std::vector<Block>> Take() {
    ZB_RETURN_IF_ERROR(EndLine());
    if (form_.is_table && !table_.rows.empty()) {
      Block block;
      block.clause = form_.clause;
      block.id = form_.clause + "-" + std::to_string(blocks_.size() + 1);
      block.is_table = true;
      table_.column_percent = form_.column_percent;
      table_.header_rows = form_.header_rows;
      NameCells(block.id);
      block.table = std::move(table_);
      blocks_.push_back(std::move(block));
    }
    return std::move(blocks_);
  }

 private:
  static std::size_t StyleEnd(std::string_view text, std::size_t at) {
    std::size_t end = at + 1;
    while (end < text.size() && text[end] >= 'a' && text[end] <= 'z') ++end;
    return end > at + 1 && end < text.size() && text[end] == ' ' ? end : std::string_view::npos;
  }

  Status Wrong(const std::string& what) const {
    return InvalidArgumentError("clause " + form_.clause + ", line " + std::to_string(line_) +
                                ": " + what);
  }

  void StartLine() {
    style_ = form_.is_table ? "cell" : form_.style;
    paragraph_ = Paragraph();
    cell_ = TableCell();
    row_.clear();
  }

  void PutRun(std::string_view text, bool is_template) {
    if (text.empty()) return;
    Run run;
    run.text = std::string(text);
    if (!is_template) std::tie(run.source, run.path) = values_.Find(run.text);
    std::vector<Run>& runs = paragraph_.runs;
    if (is_template && !runs.empty() && runs.back().source == RunSource::kSkeleton) {
      runs.back().text += run.text;
    } else {
      runs.push_back(std::move(run));
    }
  }

  void EndParagraph() {
    paragraph_.style = style_;
    cell_.paragraphs.push_back(std::move(paragraph_));
    paragraph_ = Paragraph();
  }

  void EndCell() {
    EndParagraph();
    row_.push_back(std::move(cell_));
    cell_ = TableCell();
  }

  void EndParagraphBlock() {
    const bool empty = std::all_of(paragraph_.runs.begin(), paragraph_.runs.end(),
                                   [](const Run& run) { return run.text.empty(); });
    if (!empty) {
      Block block;
      block.clause = form_.clause;
      block.id = form_.clause + "-" + std::to_string(blocks_.size() + 1);
      block.paragraph = std::move(paragraph_);
      block.paragraph.id = block.id;
      block.paragraph.style = style_;
      blocks_.push_back(std::move(block));
    }
    StartLine();
  }

  Status EndLine() {
    if (!form_.is_table) {
      EndParagraphBlock();
      ++line_;
      return OkStatus();
    }
    const bool empty = row_.empty() && cell_.paragraphs.empty() && paragraph_.runs.empty();
    if (!empty) {
      EndCell();
      const std::size_t columns = form_.column_percent.size();
      if (row_.size() > columns) {
        return Wrong("a row of " + std::to_string(row_.size()) + " cells, the table has " +
                     std::to_string(columns) + " columns");
      }
      // The last cell of a short row reaches to the edge.
      row_.back().column_span = static_cast<int>(columns - row_.size()) + 1;
      table_.rows.push_back(std::move(row_));
    }
    StartLine();
    ++line_;
    return OkStatus();
  }

  void NameCells(const std::string& id) {
    for (std::size_t r = 0; r < table_.rows.size(); ++r) {
      for (std::size_t c = 0; c < table_.rows[r].size(); ++c) {
        std::vector<Paragraph>& paragraphs = table_.rows[r][c].paragraphs;
        for (std::size_t p = 0; p < paragraphs.size(); ++p) {
          paragraphs[p].id = id + "-r" + std::to_string(r + 1) + "c" + std::to_string(c + 1) +
                             (p == 0 ? "" : "p" + std::to_string(p + 1));
        }
      }
    }
  }

  const BlockForm& form_;
  const ValueIndex& values_;
  std::vector<Block> blocks_;
  Table table_;
  std::vector<TableCell> row_;
  TableCell cell_;
  Paragraph paragraph_;
  std::string style_;
  // Has the line begun with nothing but what the template put before it?
  bool at_start_ = true;
  int line_ = 1;
};

}  // namespace

bool IsStyleName(std::string_view name) {
  return std::find(kStyles.begin(), kStyles.end(), name) != kStyles.end();
}

void ValueIndex::Put(const std::string& text, const std::string& path, RunSource source) {
  if (text.empty()) return;
  const auto [place, fresh] = entries_.try_emplace(text, Entry{source, path});
  Entry& known = place->second;
  if (fresh || (known.path == path && known.source == source)) return;
  // Elements come first: a derived value that repeats one of them is the element.
  if (known.source == RunSource::kElement && source == RunSource::kComputed) return;
  if (known.source == RunSource::kComputed && source == RunSource::kElement) {
    known = {source, path};
    return;
  }
  known.path.clear();
}

void ValueIndex::Add(const ordered_json& value, const std::string& path, RunSource source) {
  if (value.is_object()) {
    for (const auto& [key, child] : value.items())
      Add(child, path.empty() ? key : path + "." + key, source);
  } else if (value.is_array()) {
    for (std::size_t i = 0; i < value.size(); ++i)
      Add(value[i], path + "[" + std::to_string(i) + "]", source);
  } else if (value.is_string()) {
    const auto text = value.get<std::string>();
    Put(text, path, source);
    for (std::size_t at = 0; text.find('\n') != std::string::npos && at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      Put(text.substr(at, end - at), path, source);
      at = end + 1;
    }
    const Result<Date> date = ParseDate(text);
    if (date.ok() && text == FormatIso(*date)) {
      Put(FormatBody(*date), path, source);
      Put(FormatFormal(*date), path, source);
    }
  } else if (value.is_number_integer() && path.ends_with("_fen")) {
    const auto fen = value.get<std::int64_t>();
    Put(FormatYuan(fen), path, source);
    Put(FormatGrouped(fen), path, source);
    if (fen >= 0 && fen <= kMaxFen) Put(FormatCapital(fen), path, source);
  } else if (value.is_number()) {
    Put(value.dump(), path, source);
    const Result<Rate> rate = RateFromPercent(value.get<double>());
    if (rate.ok()) Put(FormatRate(*rate), path, source);
  }
}

std::pair<RunSource, std::string> ValueIndex::Find(const std::string& text) const {
  const auto found = entries_.find(text);
  if (found != entries_.end()) return {found->second.source, found->second.path};
  // A text of several values, or a spelling that no filter of this table writes.
  for (const auto& [known, entry] : entries_) {
    if (known.size() >= 6 && entry.source == RunSource::kElement &&
        text.find(known) != std::string::npos) {
      return {RunSource::kElement, ""};
    }
    if (known.size() > text.size() && entry.source == RunSource::kElement && text.size() >= 6 &&
        known.find(text) != std::string::npos) {
      return {RunSource::kElement, entry.path};
    }
  }
  return {RunSource::kComputed, ""};
}

Result<BuiltBlocks> BuildBlocks(const std::vector<text::RenderedSegment>& segments,
                                const BlockForm& form, const ValueIndex& values) {
  BuiltBlocks built;
  Builder builder(form, values);
  for (const text::RenderedSegment& segment : segments) {
    if (!segment.is_template) {
      builder.Value(segment.text);
      built.text.push_back(segment);
      continue;
    }
    std::string kept;
    ZB_RETURN_IF_ERROR(builder.Template(segment.text, kept));
    if (!kept.empty()) built.text.push_back({std::move(kept), true});
  }
  ZB_ASSIGN_OR_RETURN(built.blocks, builder.Take());
  return built;
}

std::vector<Block> TextBlocks(std::string_view text, const BlockForm& form, RunSource source,
                              std::size_t blocks_before) {
  std::vector<Block> blocks;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    while (line.compare(0, kIndent.size(), kIndent) == 0) line.remove_prefix(kIndent.size());
    if (!line.empty()) {
      Block block;
      block.clause = form.clause;
      block.id = form.clause + "-" + std::to_string(blocks_before + blocks.size() + 1);
      block.paragraph.id = block.id;
      block.paragraph.style = form.style;
      block.paragraph.runs.push_back({std::string(line), source, "", false});
      blocks.push_back(std::move(block));
    }
    if (end == text.size()) break;
    text.remove_prefix(end + 1);
  }
  return blocks;
}

}  // namespace zhibi::legal
