// SPDX-License-Identifier: Apache-2.0
// A DOCX that we wrote and somebody edited, as a document again: each block with its identity, and
// what became of it. The bookmark of a block carries its id through Word, LibreOffice and .doc; a
// block whose bookmark was lost is found by its text (docs/adr/0102-identity-through-word.md).
// Characters that were kept keep the source that they had; what is new was typed by a person, or is
// model text where it still has that style. Thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "export/docx_body.h"
#include "legal/document.h"
#include "zhibi/status.h"

namespace zhibi::exporting {

enum class Fate : std::uint8_t { kKept, kMoved, kSplit, kMerged, kDeleted, kNew };
std::string_view FateName(Fate fate);  // "kept", "moved", "split", "merged", "deleted", "new"

struct BlockChange {
  std::string id;
  Fate fate = Fate::kKept;
  bool text_changed = false;
  bool format_changed = false;       // bold, or the style of the paragraph
  bool found_by_text = false;        // the bookmark was lost
  std::vector<std::string> related;  // split: the other parts; merged: the blocks taken in
};

struct ImportedDocument {
  legal::Document document;
  std::vector<BlockChange> changes;  // in the order of the document, deleted blocks last
  std::vector<TrackedChange> tracked;
  std::vector<LeftOut> left_out;
};

// `known`: the draft that was exported; null: ids from bookmarks alone, nothing is "moved" or
// "deleted" then. Errors as ReadDocxBody.
Result<ImportedDocument> ImportDocx(std::string_view bytes, std::string_view source,
                                    const legal::Document* known, bool accept_tracked = true);

// {"blocks": [...], "tracked": [...], "left_out": [...]}
nlohmann::json ChangesToJson(const ImportedDocument& imported);

}  // namespace zhibi::exporting
