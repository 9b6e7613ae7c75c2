// SPDX-License-Identifier: Apache-2.0
#include "export/docx_import.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/status_macros.h"
#include "base/utf8.h"
#include "export/flow.h"
#include "export/text_match.h"

namespace zhibi::exporting {
namespace {

using legal::Block;
using legal::Paragraph;
using legal::Run;
using legal::RunSource;

constexpr double kSameText = 0.6;  // Similarity from which a block is the one that it resembles
constexpr std::size_t kMaxPairs = 1'000'000;

std::string Joined(const std::vector<BodyParagraph>& paragraphs) {
  std::string text;
  for (const BodyParagraph& paragraph : paragraphs)
    text += (text.empty() ? "" : "\n") + TextOf(paragraph);
  return text;
}

std::string WordsOf(const BodyItem& item) {
  if (!item.is_table) return TextOf(item.paragraph);
  std::string text;
  for (const auto& row : item.rows) {
    for (const BodyCell& cell : row) text += Joined(cell.paragraphs) + "\n";
  }
  return text;
}

std::string WordsOf(const Block& block) {
  if (!block.is_table) return TextOf(Trimmed(block.paragraph));
  std::string text;
  for (const auto& row : block.table.rows) {
    for (const legal::TableCell& cell : row) {
      std::string inside;
      for (const Paragraph& paragraph : cell.paragraphs)
        inside += (inside.empty() ? "" : "\n") + TextOf(Trimmed(paragraph));
      text += inside + "\n";
    }
  }
  return text;
}

// Runs with the sources that the characters of `before` had.
std::vector<Run> WithSources(const Paragraph& before, const std::vector<BodyRun>& now) {
  std::vector<std::string_view> old_characters;
  std::vector<const Run*> origin;
  for (const Run& run : before.runs) {
    for (const std::string_view c : base::Characters(run.text)) {
      old_characters.push_back(c);
      origin.push_back(&run);
    }
  }
  std::vector<std::string_view> characters;
  std::vector<const BodyRun*> looks;
  for (const BodyRun& run : now) {
    for (const std::string_view c : base::Characters(run.text)) {
      characters.push_back(c);
      looks.push_back(&run);
    }
  }
  const std::vector<std::size_t> kept = KeptCharacters(old_characters, characters);
  std::vector<Run> runs;
  for (std::size_t i = 0; i < characters.size(); ++i) {
    Run run;
    run.bold = looks[i]->bold;
    run.source = looks[i]->model ? RunSource::kModel : RunSource::kPerson;
    if (kept[i] != kNoMatch) {
      run.source = origin[kept[i]]->source;
      run.path = origin[kept[i]]->path;
    }
    if (!runs.empty() && runs.back().bold == run.bold && runs.back().source == run.source &&
        runs.back().path == run.path) {
      runs.back().text += characters[i];
    } else {
      run.text = characters[i];
      runs.push_back(std::move(run));
    }
  }
  return runs;
}

bool SameBold(const Paragraph& before, const std::vector<BodyRun>& now) {
  std::vector<bool> a;
  std::vector<bool> b;
  for (const Run& run : before.runs) a.insert(a.end(), base::CountCodePoints(run.text), run.bold);
  for (const BodyRun& run : now) b.insert(b.end(), base::CountCodePoints(run.text), run.bold);
  return a == b;
}

// Which ids stand in an item, the ones with text first in their order.
struct Identity {
  std::vector<std::string> ids;
  bool by_text = false;
};

class Importer {
 public:
  Importer(DocxBody body, const legal::Document* known) : body_(std::move(body)), known_(known) {}

  ImportedDocument Import() {
    DropSeparators();
    identities_.resize(body_.items.size());
    if (known_ != nullptr) {
      for (std::size_t i = 0; i < known_->blocks.size(); ++i) {
        const std::string& id = IdOf(known_->blocks[i]);
        known_at_.emplace(id, i);
        names_.emplace(BookmarkName(id), id);
      }
      out_.document.doctype = known_->doctype;
      out_.document.title = known_->title;
      out_.document.layout = known_->layout;
      out_.document.ai_label = known_->ai_label;
      out_.document.metadata = known_->metadata;
    } else {
      TakeProperties();
    }
    for (std::size_t i = 0; i < body_.items.size(); ++i) ReadIdentity(i);
    DropWeakIds();
    if (known_ != nullptr) {
      DropEmptied();
      FindByText();
    }
    MakeBlocks();
    if (known_ != nullptr) {
      MarkMoved();
      ListDeleted();
    }
    out_.tracked = std::move(body_.tracked);
    out_.left_out = std::move(body_.left_out);
    return std::move(out_);
  }

 private:
  static const std::string& IdOf(const Block& block) {
    return block.id.empty() ? block.paragraph.id : block.id;
  }

  // Empty paragraphs without a bookmark (the writer's own behind tables) and the AI label.
  void DropSeparators() {
    std::erase_if(body_.items, [](const BodyItem& item) {
      if (item.is_table) return item.rows.empty();
      return item.paragraph.label ||
             (item.paragraph.bookmarks.empty() && TextOf(item.paragraph).empty());
    });
  }

  void TakeProperties() {
    for (const auto& [name, value] : body_.properties) {
      if (name == "zhibi.doctype") {
        out_.document.doctype = value;
      } else if (name == "zhibi.layout") {
        out_.document.layout = value;
      } else if (name.starts_with("zhibi.")) {
        out_.document.metadata[name.substr(6)] = value;
      }
    }
  }

  void ReadIdentity(std::size_t index) {
    const BodyItem& item = body_.items[index];
    if (!item.is_table) {
      for (const auto& [name, bytes] : item.paragraph.bookmarks) Note(index, name, bytes);
      return;
    }
    for (const auto& row : item.rows) {
      for (const BodyCell& cell : row) {
        // Bytes do not tell tables apart: their bookmark stands in one cell of theirs.
        for (const BodyParagraph& paragraph : cell.paragraphs) {
          for (const auto& [name, bytes] : paragraph.bookmarks) Note(index, name, bytes + 1);
        }
      }
    }
  }

  void Note(std::size_t index, const std::string& bookmark, std::size_t bytes) {
    const auto found = names_.find(bookmark);
    const std::string id = found != names_.end() ? found->second : BlockIdOfBookmark(bookmark);
    if (id.empty()) return;
    if (known_ != nullptr && !known_at_.contains(id)) return;  // another document's
    places_[id].push_back({index, bytes});
  }

  // A bookmark that only begins in a paragraph of others names nothing there: its own text is gone.
  void DropWeakIds() {
    std::vector<bool> has_text(body_.items.size(), false);  // of some bookmark
    for (const auto& [id, places] : places_) {
      for (const Place& place : places)
        has_text[place.item] = has_text[place.item] || place.bytes > 0;
    }
    for (const auto& [id, places] : places_) {
      bool strong = false;
      for (const Place& place : places) strong = strong || place.bytes > 0;
      for (const Place& place : places) {
        if (strong && place.bytes > 0) identities_[place.item].ids.push_back(id);
        if (!strong && !has_text[place.item]) identities_[place.item].ids.push_back(id);
      }
    }
    for (std::size_t i = 0; i < identities_.size(); ++i) SortAsInText(i);
  }

  // All text deleted, the paragraph left (.doc knows no tracked paragraph marks): deleted.
  void DropEmptied() {
    for (std::size_t i = body_.items.size(); i-- > 0;) {
      const std::vector<std::string>& ids = identities_[i].ids;
      if (ids.size() != 1 || !WordsOf(body_.items[i]).empty()) continue;
      const Block* before = Known(ids.front());
      if (before == nullptr || WordsOf(*before).empty()) continue;
      body_.items.erase(body_.items.begin() + static_cast<std::ptrdiff_t>(i));
      identities_.erase(identities_.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }

  void SortAsInText(std::size_t index) {
    const std::vector<std::pair<std::string, std::size_t>>& order =
        body_.items[index].paragraph.bookmarks;
    const auto position = [&](const std::string& id) {
      const std::string name = BookmarkName(id);
      const auto found = std::find_if(order.begin(), order.end(),
                                      [&](const auto& entry) { return entry.first == name; });
      return found - order.begin();
    };
    std::stable_sort(
        identities_[index].ids.begin(), identities_[index].ids.end(),
        [&](const std::string& a, const std::string& b) { return position(a) < position(b); });
  }

  // Blocks whose bookmark was lost, by what they say: the best pair first.
  void FindByText() {
    std::set<std::string> used;
    for (const Identity& identity : identities_)
      used.insert(identity.ids.begin(), identity.ids.end());
    struct Pair {
      double similarity;
      std::size_t item;
      const Block* block;
    };
    std::vector<Pair> pairs;
    std::size_t tried = 0;
    for (std::size_t i = 0; i < identities_.size(); ++i) {
      if (!identities_[i].ids.empty()) continue;
      const std::string text = WordsOf(body_.items[i]);
      for (const Block& block : known_->blocks) {
        if (used.contains(IdOf(block)) || block.is_table != body_.items[i].is_table) continue;
        if (++tried > kMaxPairs) break;
        const double similarity = Similarity(WordsOf(block), text);
        if (similarity >= kSameText) pairs.push_back({similarity, i, &block});
      }
    }
    std::stable_sort(pairs.begin(), pairs.end(),
                     [](const Pair& a, const Pair& b) { return a.similarity > b.similarity; });
    for (const Pair& pair : pairs) {
      Identity& identity = identities_[pair.item];
      if (!identity.ids.empty() || !used.insert(IdOf(*pair.block)).second) continue;
      identity.ids.push_back(IdOf(*pair.block));
      identity.by_text = true;
    }
  }

  const Block* Known(const std::string& id) const {
    if (known_ == nullptr) return nullptr;
    const auto found = known_at_.find(id);
    return found == known_at_.end() ? nullptr : &known_->blocks[found->second];
  }

  std::string Fresh(const std::string& stem) {
    std::size_t& number = numbers_[stem];
    std::string id;
    do {
      id = stem + std::to_string(++number + (stem == "new-" ? 0U : 1U));
    } while (known_at_.contains(id) || given_.contains(id));
    return id;
  }

  void MakeBlocks() {
    for (std::size_t i = 0; i < body_.items.size(); ++i) {
      const BodyItem& item = body_.items[i];
      const std::vector<std::string>& ids = identities_[i].ids;
      BlockChange change;
      change.found_by_text = identities_[i].by_text;
      const Block* before = nullptr;
      std::string clause = out_.document.blocks.empty() ? "" : out_.document.blocks.back().clause;
      if (ids.empty()) {
        change.id = Fresh("new-");
        change.fate = Fate::kNew;
        change.text_changed = true;
      } else if (given_.contains(ids.front())) {
        // A later part of a block that was cut in two.
        change.id = Fresh(ids.front() + "+");
        change.fate = Fate::kSplit;
        change.related = {ids.front()};
        change.text_changed = true;
        before = Known(ids.front());
        BlockChange& first = out_.changes[change_at_.at(ids.front())];
        first.fate = Fate::kSplit;
        first.related.push_back(change.id);
      } else {
        change.id = ids.front();
        before = Known(change.id);
        for (std::size_t k = 1; k < ids.size(); ++k) {
          if (given_.insert(ids[k]).second) change.related.push_back(ids[k]);
        }
        if (!change.related.empty()) change.fate = Fate::kMerged;
      }
      given_.insert(change.id);
      Block block = item.is_table ? TableBlock(item, before, &change)
                                  : ParagraphBlock(item.paragraph, before, &change);
      block.id = change.id;
      block.clause = before != nullptr ? before->clause : clause;
      if (!item.is_table) block.paragraph.id = change.id;
      change_at_.emplace(change.id, out_.changes.size());
      out_.changes.push_back(std::move(change));
      out_.document.blocks.push_back(std::move(block));
    }
    if (out_.document.title.empty()) out_.document.title = FirstOfStyle(out_.document, "title");
  }

  // The paragraph as it was, with the blocks that were merged into it behind it.
  Paragraph Before(const Block* before, const BlockChange& change) const {
    Paragraph all;
    if (before == nullptr || before->is_table) return all;
    all = Trimmed(before->paragraph);
    if (change.fate != Fate::kMerged) return all;
    for (const std::string& id : change.related) {
      const Block* other = Known(id);
      if (other == nullptr || other->is_table) continue;
      const Paragraph more = Trimmed(other->paragraph);
      all.runs.insert(all.runs.end(), more.runs.begin(), more.runs.end());
    }
    return all;
  }

  Block ParagraphBlock(const BodyParagraph& now, const Block* before, BlockChange* change) const {
    const Paragraph old = Before(before, *change);
    Block block;
    block.paragraph.style = !now.style.empty() ? now.style : old.style;
    block.paragraph.runs = WithSources(old, now.runs);
    if (before == nullptr) return block;
    const bool same_text = TextOf(old) == TextOf(now);
    change->text_changed = change->text_changed || !same_text;
    change->format_changed = block.paragraph.style != old.style ||
                             (same_text && !SameBold(old, now.runs)) ||
                             (!same_text && BoldGrew(old, block.paragraph));
    // Untouched: also the typed indentation that export leaves to the layout.
    if (same_text && !change->format_changed && change->fate == Fate::kKept) return *before;
    return block;
  }

  // With other text: bold that was not there, or that is gone altogether.
  static bool BoldGrew(const Paragraph& old, const Paragraph& now) {
    const auto bold = [](const Run& run) { return run.bold; };
    return std::any_of(old.runs.begin(), old.runs.end(), bold) !=
           std::any_of(now.runs.begin(), now.runs.end(), bold);
  }

  static Paragraph OldCell(const Block* before, std::size_t r, std::size_t c, std::size_t p) {
    Paragraph none;
    none.style = "cell";
    if (before == nullptr || !before->is_table || r >= before->table.rows.size()) return none;
    const auto& row = before->table.rows[r];
    if (c >= row.size() || p >= row[c].paragraphs.size()) return none;
    return row[c].paragraphs[p];
  }

  Block TableBlock(const BodyItem& item, const Block* before, BlockChange* change) const {
    Block block;
    block.is_table = true;
    legal::Table& table = block.table;
    table.header_rows = item.header_rows;
    table.column_percent = Percent(item.column_widths);
    const bool same_columns = before != nullptr && before->is_table &&
                              before->table.column_percent.size() == table.column_percent.size();
    if (same_columns) table.column_percent = before->table.column_percent;
    bool bold = false;
    for (std::size_t r = 0; r < item.rows.size(); ++r) {
      std::vector<legal::TableCell> cells;
      for (std::size_t c = 0; c < item.rows[r].size(); ++c) {
        legal::TableCell cell;
        cell.column_span = item.rows[r][c].column_span;
        const std::vector<BodyParagraph>& paragraphs = item.rows[r][c].paragraphs;
        for (std::size_t p = 0; p < paragraphs.size(); ++p) {
          const Paragraph old = OldCell(before, r, c, p);
          Paragraph paragraph = old;
          paragraph.runs = WithSources(Trimmed(old), paragraphs[p].runs);
          bold = bold || !SameBold(Trimmed(old), paragraphs[p].runs);
          if (!paragraphs[p].style.empty() && old.style != "body")
            paragraph.style = paragraphs[p].style;
          cell.paragraphs.push_back(std::move(paragraph));
        }
        cells.push_back(std::move(cell));
      }
      table.rows.push_back(std::move(cells));
    }
    if (before == nullptr) return block;
    const bool same_text = WordsOf(*before) == WordsOf(item);
    change->text_changed = !same_text;
    change->format_changed = same_text && bold;
    return same_text && !bold && change->fate == Fate::kKept ? *before : block;
  }

  // At least 1 a column, 100 in all, whatever the file says of its grid.
  static std::vector<int> Percent(const std::vector<int>& widths) {
    std::int64_t total = 0;
    for (const int width : widths) total += width;
    std::vector<int> percent;
    percent.reserve(widths.size());
    int rest = 100;
    for (const int width : widths) {
      const std::int64_t share = total == 0 ? 100 / static_cast<std::int64_t>(widths.size())
                                            : (std::int64_t{100} * width + total / 2) / total;
      percent.push_back(static_cast<int>(std::max<std::int64_t>(share, 1)));
      rest -= percent.back();
    }
    if (percent.empty()) return percent;
    percent.back() += rest;
    while (percent.back() < 1) {
      ++percent.back();
      --*std::max_element(percent.begin(), percent.end());
    }
    return percent;
  }

  // Of the blocks that were there before, all but a longest run in the old order have moved.
  void MarkMoved() {
    std::vector<std::pair<std::size_t, std::size_t>> order;  // old place, index of the change
    for (std::size_t i = 0; i < out_.changes.size(); ++i) {
      const auto found = known_at_.find(out_.changes[i].id);
      if (found != known_at_.end()) order.emplace_back(found->second, i);
    }
    // Longest increasing subsequence: tails[k] ends one of length k + 1.
    std::vector<std::size_t> tails;
    std::vector<std::size_t> previous(order.size(), kNoMatch);
    for (std::size_t i = 0; i < order.size(); ++i) {
      const auto at = std::lower_bound(
          tails.begin(), tails.end(), order[i].first,
          [&](std::size_t tail, std::size_t place) { return order[tail].first < place; });
      if (at != tails.begin()) previous[i] = *std::prev(at);
      if (at == tails.end()) {
        tails.push_back(i);
      } else {
        *at = i;
      }
    }
    std::vector<bool> stays(order.size(), false);
    for (std::size_t i = tails.empty() ? kNoMatch : tails.back(); i != kNoMatch; i = previous[i])
      stays[i] = true;
    for (std::size_t i = 0; i < order.size(); ++i) {
      BlockChange& change = out_.changes[order[i].second];
      if (!stays[i] && change.fate == Fate::kKept) change.fate = Fate::kMoved;
    }
  }

  void ListDeleted() {
    for (const Block& block : known_->blocks) {
      if (given_.contains(IdOf(block))) continue;
      BlockChange change;
      change.id = IdOf(block);
      change.fate = Fate::kDeleted;
      change.text_changed = true;
      out_.changes.push_back(std::move(change));
    }
  }

  struct Place {
    std::size_t item;
    std::size_t bytes;
  };

  DocxBody body_;
  const legal::Document* known_;
  std::map<std::string, std::size_t> known_at_;  // id: place in the known document
  std::map<std::string, std::string> names_;     // bookmark: id
  std::map<std::string, std::vector<Place>> places_;
  std::vector<Identity> identities_;
  std::set<std::string> given_;  // ids that are in the new document or in one of its blocks
  std::map<std::string, std::size_t> change_at_;
  std::map<std::string, std::size_t> numbers_;
  ImportedDocument out_;
};

}  // namespace

std::string_view FateName(Fate fate) {
  switch (fate) {
    case Fate::kKept:
      return "kept";
    case Fate::kMoved:
      return "moved";
    case Fate::kSplit:
      return "split";
    case Fate::kMerged:
      return "merged";
    case Fate::kDeleted:
      return "deleted";
    case Fate::kNew:
      return "new";
  }
  return "new";
}

Result<ImportedDocument> ImportDocx(std::string_view bytes, std::string_view source,
                                    const legal::Document* known, bool accept_tracked) {
  ZB_ASSIGN_OR_RETURN(DocxBody body, ReadDocxBody(bytes, source, accept_tracked));
  return Importer(std::move(body), known).Import();
}

nlohmann::json ChangesToJson(const ImportedDocument& imported) {
  nlohmann::json blocks = nlohmann::json::array();
  for (const BlockChange& change : imported.changes) {
    blocks.push_back({{"id", change.id},
                      {"fate", FateName(change.fate)},
                      {"text_changed", change.text_changed},
                      {"format_changed", change.format_changed},
                      {"by", change.found_by_text ? "text" : "bookmark"},
                      {"related", change.related}});
  }
  nlohmann::json tracked = nlohmann::json::array();
  for (const TrackedChange& change : imported.tracked)
    tracked.push_back({{"kind", change.kind},
                       {"author", change.author},
                       {"date", change.date},
                       {"text", change.text}});
  nlohmann::json left_out = nlohmann::json::array();
  for (const LeftOut& left : imported.left_out)
    left_out.push_back({{"kind", left.kind}, {"author", left.author}, {"text", left.text}});
  return {{"blocks", std::move(blocks)},
          {"tracked", std::move(tracked)},
          {"left_out", std::move(left_out)}};
}

}  // namespace zhibi::exporting
