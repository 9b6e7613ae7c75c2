// SPDX-License-Identifier: Apache-2.0
// What every format asks of a document before it is set: which blocks must stay together, text
// without typed indentation, whether a model wrote any of it and what the file says about that.
// Sources: 标识办法 (国信办通字〔2025〕2号) 4 and 5; GB 45438-2025 for the names of the hidden
// label. Thread-safe.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "legal/document.h"

namespace zhibi::exporting {

// One flag a block: it must not be on another page than the block after it. Signature, date and the
// addressee stand together, and with the end of the text before them.
std::vector<bool> KeepWithNext(const legal::Document& document);

// The paragraph without typed white space at its ends: indentation is the layout's.
legal::Paragraph Trimmed(const legal::Paragraph& paragraph);
std::string TextOf(const legal::Paragraph& paragraph);
// The first paragraph of a style; empty where there is none.
std::string FirstOfStyle(const legal::Document& document, std::string_view style);

bool HasModelText(const legal::Document& document);
// The label that readers see; empty when no model wrote anything or the label is switched off.
std::string VisibleLabel(const legal::Document& document);
// "AIGC": JSON with Label, ContentProducer, ProduceID; empty when no model wrote anything.
std::string HiddenLabel(const legal::Document& document);
// Name and value of what a file's properties carry: doctype, layout, the document's metadata.
std::vector<std::pair<std::string, std::string>> FileProperties(const legal::Document& document);

// 16 hexadecimal digits of the 64-bit FNV-1a hash.
std::string HashText(std::string_view text);

// The bookmark that carries a block's id through Word: at most 40 characters of letters, digits and
// "_", starting with a letter. Ids that are too long are hashed.
std::string BookmarkName(std::string_view block_id);
// The id, or empty when the name is not ours or a hash (compare BookmarkName of the known ids
// then).
std::string BlockIdOfBookmark(std::string_view bookmark);

}  // namespace zhibi::exporting
