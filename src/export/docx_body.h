// SPDX-License-Identifier: Apache-2.0
// The body of a foreign DOCX as paragraphs and tables: what stands in which bookmark, which runs
// are bold or in the style of model text, tracked changes taken or refused and listed, and what a
// document has no place for (footnotes, comments, text boxes, pictures). Limits: office_xml.h.
// Source: ECMA-376 part 1, chapter 17. Thread-safe.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "zhibi/status.h"

namespace zhibi::exporting {

struct TrackedChange {
  std::string kind;  // "insertion", "deletion", "format"
  std::string author;
  std::string date;  // as the file says
  std::string text;
};

struct LeftOut {
  std::string kind;  // "footnote", "endnote", "comment", "textbox", "picture"
  std::string author;
  std::string text;
};

struct BodyRun {
  std::string text;  // UTF-8, no line feed
  bool bold = false;
  bool model = false;  // in the style of what a model wrote
};

struct BodyParagraph {
  std::string style;   // of the document model; empty: a style of the file's own
  bool label = false;  // the visible AI label, not part of the document
  std::vector<BodyRun> runs;
  // Bookmarks (names) with the bytes of this paragraph that stand in them and in none opened later;
  // 0: it only begins here.
  std::vector<std::pair<std::string, std::size_t>> bookmarks;
};

struct BodyCell {
  std::vector<BodyParagraph> paragraphs;
  int column_span = 1;
};

struct BodyItem {
  bool is_table = false;
  BodyParagraph paragraph;
  std::vector<std::vector<BodyCell>> rows;
  std::vector<int> column_widths;  // twips
  int header_rows = 0;
};

struct DocxBody {
  std::vector<BodyItem> items;
  std::vector<TrackedChange> tracked;
  std::vector<LeftOut> left_out;
  std::map<std::string, std::string> properties;  // docProps/custom.xml
};

std::string TextOf(const BodyParagraph& paragraph);

// `accept`: tracked insertions are text and deletions are not; else the other way round.
Result<DocxBody> ReadDocxBody(std::string_view bytes, std::string_view source, bool accept);

}  // namespace zhibi::exporting
