// SPDX-License-Identifier: Apache-2.0
// What the tests of the PDF writer share: documents, a typesetter with its fonts, and lines read
// back from a PDF by pdftotext, a reader that is not ours. One thread at a time.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "export/layout.h"
#include "export/pdf/fonts.h"
#include "export/pdf/shape.h"
#include "export/pdf/typeset.h"
#include "legal/document.h"

namespace zhibi::exporting {

Layout LoadShipped(const std::string& id);

// Chinese characters without any mark, none twice within 40.
std::string Characters(std::size_t count);

legal::Block Text(const std::string& style, const std::string& text,
                  legal::RunSource source = legal::RunSource::kSkeleton,
                  const std::string& path = {});
legal::Document Document(std::vector<legal::Block> blocks);
// `rows` rows of two columns under one head row.
legal::Block TableOf(std::size_t rows, const std::string& cell);

// A typesetter whose objects live as long as the pages.
struct Typesetter {
  explicit Typesetter(const std::string& layout_id);
  TypesetDocument Set(const legal::Document& document);

  Layout layout;
  std::unique_ptr<Fonts> fonts;
  std::unique_ptr<Shaper> shaper;
};

std::string TextOf(const PlacedLine& line);
std::vector<std::string> LinesOf(const PlacedPage& page);

// A line of a PDF as pdftotext sees it; points from the upper left corner.
struct ReadLine {
  std::size_t page = 0;  // from 0
  double x_min = 0;
  double x_max = 0;
  double y_min = 0;
  double y_max = 0;
  std::string text;
};
bool HasCommand(const std::string& name);
// What the command wrote to standard output; `status` gets its exit status.
std::string OutputOf(const std::string& command, int* status);
std::vector<ReadLine> ReadLines(const std::string& pdf_path);

// A file in a folder of its own, removed at the end.
class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  std::string Path(const std::string& name) const { return folder_ + "/" + name; }
  std::string Write(const std::string& name, std::string_view bytes) const;

 private:
  std::string folder_;
};

}  // namespace zhibi::exporting
