// SPDX-License-Identifier: Apache-2.0
// Properties of a PDF that Cairo 1.16 can't write: language, XMP, the hidden label of AI-written
// text (标识办法 5; GB 45438-2025 for its names), our own properties. The objects stay as they are,
// catalogue and properties are written anew, without any time or person. Source: ISO 32000-1 7.5,
// 7.7, 14.3. Thread-safe.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "zhibi/status.h"

namespace zhibi::exporting {

struct PdfFacts {
  std::string title;
  std::string subject;  // the visible label; may be empty
  std::string aigc;     // the hidden label, JSON; may be empty
  std::vector<std::pair<std::string, std::string>> properties;
};

// `pdf`: as Cairo writes it, with one classic table of objects. kInternal says what is not as
// expected. Equal input, equal bytes.
Result<std::string> WithMetadata(std::string_view pdf, const PdfFacts& facts);

}  // namespace zhibi::exporting
