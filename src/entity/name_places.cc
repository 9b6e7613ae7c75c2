// SPDX-License-Identifier: Apache-2.0
// The places of learned names, courts and causes of action (the second half of Names).
#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

#include "base/utf8.h"
#include "entity/names.h"

namespace zhibi::entity {
namespace {

bool IsMasked(std::string_view name) {
  for (const std::string_view mark : {"某", "×", "＊", "*", "X", "xx"}) {
    if (name.find(mark) != std::string_view::npos) return true;
  }
  return false;
}

std::size_t Before(std::string_view text, std::size_t at) { return base::BorderUpTo(text, at - 1); }

}  // namespace

void Names::Find(std::string_view text, const LearnedNames& learned, const Causes& causes,
                 Spans& spans) const {
  FindCourts(text, spans);
  FindCauses(text, causes, spans);
  // By the first four bytes, longest first: one look at each place of the text.
  std::unordered_map<std::string_view, std::vector<const LearnedNames::value_type*>> index;
  for (const auto& entry : learned) {
    const std::string_view name = entry.first;
    if (!name.empty()) index[name.substr(0, base::DecodeUtf8(name).length)].push_back(&entry);
  }
  for (auto& [first, entries] : index) {
    std::sort(entries.begin(), entries.end(),
              [](const auto* a, const auto* b) { return a->first.size() > b->first.size(); });
  }
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = base::DecodeUtf8(text.substr(at)).length;
    const auto found = index.find(text.substr(at, length));
    std::size_t step = length;
    if (found != index.end()) {
      for (const auto* entry : found->second) {
        const std::string& name = entry->first;
        if (text.substr(at, name.size()) != name) continue;
        Entity entity;
        entity.kind = entry->second.kind;
        entity.begin = at;
        entity.end = at + name.size();
        entity.value = entry->second.full;
        entity.role = entry->second.role;
        if (entry->second.declared_at == at) entity.flags |= kDeclared;
        if (IsMasked(name)) entity.flags |= kMasked;
        // A person's name that lies in an organisation's or in a court's is no mention of them;
        // a longer name that runs into something else leaves the place to a shorter one.
        if (!spans.AddExclusive(std::move(entity))) continue;
        step = name.size();
        break;
      }
    }
    at += step;
  }
}

void Names::FindCourts(std::string_view text, Spans& spans) const {
  Match match;
  for (std::size_t from = 0; patterns_[kCourtSuffix].Search(text, from, &match);
       from = match.end()) {
    std::size_t begin = match.begin();
    for (int i = 0; i < 24 && begin > from; ++i) {
      const std::size_t at = Before(text, begin);
      const char32_t c = base::DecodeUtf8(text.substr(at)).code_point;
      const bool part = (c >= 0x4E00 && c <= 0x9FFF) || c == U'×' || c == '*';
      if (!part) break;
      begin = at;
    }
    std::string_view name = text.substr(begin, match.end() - begin);
    std::size_t cut = 0;
    bool province = false;
    for (const std::string& area : tables_.provinces) {
      const std::size_t at = name.find(area);
      if (at == std::string_view::npos || province) continue;
      cut = at;
      province = true;
    }
    const std::size_t national = name.find("中华人民共和国最高");
    if (national != std::string_view::npos) {
      cut = national;
    } else if (!province) {
      const std::size_t head = match.begin() - begin;
      for (const std::string& word : tables_.court_boundaries) {
        for (std::size_t at = name.find(word); at != std::string_view::npos && at < head;
             at = name.find(word, at + word.size())) {
          if (at + word.size() <= head) cut = std::max(cut, at + word.size());
        }
      }
    }
    name = name.substr(cut);
    const bool supreme = name.starts_with("最高人民法院") || national != std::string_view::npos;
    // 人民法院 alone is the institution, not a court.
    if (!supreme && name.size() <= std::string_view("区人民法院").size()) continue;
    Entity entity;
    entity.kind = Kind::kCourt;
    entity.begin = begin + cut;
    entity.end = match.end();
    entity.value = std::string(supreme ? std::string_view("最高人民法院") : name);
    if (IsMasked(name)) entity.flags |= kMasked;
    spans.AddExclusive(std::move(entity));
  }
}

void Names::FindCauses(std::string_view text, const Causes& causes, Spans& spans) const {
  // Every cause ends in one of two words.
  constexpr std::array<std::string_view, 2> kEnds = {"纠纷", "案件"};
  for (const std::string_view word : kEnds) {
    for (std::size_t at = text.find(word); at != std::string_view::npos;
         at = text.find(word, at + word.size())) {
      const std::size_t end = at + word.size();
      const Cause* cause = causes.EndingAt(text, end);
      if (cause == nullptr) continue;
      Entity entity;
      entity.kind = Kind::kCause;
      entity.begin = end - cause->name.size();
      entity.end = end;
      entity.value = cause->name;
      entity.number = cause->level;
      spans.AddExclusive(std::move(entity));
    }
  }
}

}  // namespace zhibi::entity
