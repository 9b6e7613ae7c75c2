// SPDX-License-Identifier: Apache-2.0
#include "export/flow.h"

#include <cstdint>
#include <cstdio>

#include <nlohmann/json.hpp>

namespace zhibi::exporting {
namespace {

constexpr std::string_view kIdeographicSpace = "\xE3\x80\x80";
constexpr std::string_view kBookmarkPrefix = "zb_";
constexpr std::string_view kHashedPrefix = "zbh_";
constexpr std::size_t kMaxBookmark = 40;  // Word's limit

bool IsClosing(const legal::Block& block) {
  if (block.is_table) return false;
  const std::string& style = block.paragraph.style;
  return style == "signature" || style == "date" || style == "addressee";
}

std::size_t LeadingSpace(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    if (text[at] == ' ' || text[at] == '\t') {
      ++at;
    } else if (text.substr(at).starts_with(kIdeographicSpace)) {
      at += kIdeographicSpace.size();
    } else {
      break;
    }
  }
  return at;
}

std::size_t WithoutTrailingSpace(std::string_view text) {
  while (!text.empty()) {
    if (text.back() == ' ' || text.back() == '\t') {
      text.remove_suffix(1);
    } else if (text.ends_with(kIdeographicSpace)) {
      text.remove_suffix(kIdeographicSpace.size());
    } else {
      break;
    }
  }
  return text.size();
}

bool HasModelRun(const legal::Paragraph& paragraph) {
  for (const legal::Run& run : paragraph.runs) {
    if (run.source == legal::RunSource::kModel && !run.text.empty()) return true;
  }
  return false;
}

bool IsPlain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

int HexValue(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

}  // namespace

std::vector<bool> KeepWithNext(const legal::Document& document) {
  const std::vector<legal::Block>& blocks = document.blocks;
  std::vector<bool> keep(blocks.size(), false);
  for (std::size_t i = 1; i < blocks.size(); ++i) {
    if (IsClosing(blocks[i])) keep[i - 1] = true;
  }
  return keep;
}

legal::Paragraph Trimmed(const legal::Paragraph& paragraph) {
  legal::Paragraph out = paragraph;
  while (!out.runs.empty()) {
    std::string& text = out.runs.front().text;
    text.erase(0, LeadingSpace(text));
    if (!text.empty()) break;
    out.runs.erase(out.runs.begin());
  }
  while (!out.runs.empty()) {
    std::string& text = out.runs.back().text;
    text.resize(WithoutTrailingSpace(text));
    if (!text.empty()) break;
    out.runs.pop_back();
  }
  return out;
}

std::string TextOf(const legal::Paragraph& paragraph) {
  std::string text;
  for (const legal::Run& run : paragraph.runs) text += run.text;
  return text;
}

std::string FirstOfStyle(const legal::Document& document, std::string_view style) {
  for (const legal::Block& block : document.blocks) {
    if (!block.is_table && block.paragraph.style == style) return TextOf(Trimmed(block.paragraph));
  }
  return {};
}

bool HasModelText(const legal::Document& document) {
  for (const legal::Block& block : document.blocks) {
    if (!block.is_table) {
      if (HasModelRun(block.paragraph)) return true;
      continue;
    }
    for (const auto& row : block.table.rows) {
      for (const legal::TableCell& cell : row) {
        for (const legal::Paragraph& paragraph : cell.paragraphs) {
          if (HasModelRun(paragraph)) return true;
        }
      }
    }
  }
  return false;
}

std::string VisibleLabel(const legal::Document& document) {
  return HasModelText(document) ? document.ai_label : std::string();
}

std::string HiddenLabel(const legal::Document& document) {
  if (!HasModelText(document)) return {};
  const auto found = document.metadata.find("content_id");
  const nlohmann::ordered_json label = {
      {"Label", "1"},
      {"ContentProducer", "zhibi"},
      {"ProduceID",
       found != document.metadata.end() ? found->second : HashText(legal::PlainText(document))}};
  return label.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::vector<std::pair<std::string, std::string>> FileProperties(const legal::Document& document) {
  std::vector<std::pair<std::string, std::string>> out;
  if (const std::string label = HiddenLabel(document); !label.empty())
    out.emplace_back("AIGC", label);
  if (!document.doctype.empty()) out.emplace_back("zhibi.doctype", document.doctype);
  if (!document.layout.empty()) out.emplace_back("zhibi.layout", document.layout);
  for (const auto& [key, value] : document.metadata) out.emplace_back("zhibi." + key, value);
  return out;
}

std::string HashText(std::string_view text) {
  std::uint64_t hash = 14695981039346656037ULL;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 1099511628211ULL;
  }
  char out[17];
  std::snprintf(out, sizeof out, "%016llx", static_cast<unsigned long long>(hash));
  return out;
}

std::string BookmarkName(std::string_view block_id) {
  std::string name(kBookmarkPrefix);
  for (const char c : block_id) {
    if (IsPlain(c)) {
      name += c;
      continue;
    }
    char escaped[4];
    std::snprintf(escaped, sizeof escaped, "_%02x", static_cast<unsigned char>(c));
    name += escaped;
  }
  if (name.size() <= kMaxBookmark) return name;
  return std::string(kHashedPrefix) + HashText(block_id);
}

std::string BlockIdOfBookmark(std::string_view bookmark) {
  if (!bookmark.starts_with(kBookmarkPrefix)) return {};
  bookmark.remove_prefix(kBookmarkPrefix.size());
  std::string id;
  for (std::size_t i = 0; i < bookmark.size(); ++i) {
    if (bookmark[i] != '_') {
      id += bookmark[i];
      continue;
    }
    const int high = i + 2 < bookmark.size() ? HexValue(bookmark[i + 1]) : -1;
    const int low = high >= 0 ? HexValue(bookmark[i + 2]) : -1;
    if (low < 0) return {};
    id += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return id;
}

}  // namespace zhibi::exporting
