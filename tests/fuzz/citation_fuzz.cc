// SPDX-License-Identifier: Apache-2.0
// Foreign text through the parser of citations, with and without names that it knows. Spans lie in
// the text, places in their citation, references point backwards, limits hold.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "statute/citation.h"

namespace {

using zhibi::statute::Citation;
using zhibi::statute::Citations;
using zhibi::statute::Definition;
using zhibi::statute::kNone;
using zhibi::statute::Place;

void Require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

std::size_t Known(std::string_view before) {
  for (const std::string_view name : {"中华人民共和国民法典", "民法典", "刑法"}) {
    if (before.ends_with(name)) return name.size();
  }
  return 0;
}

void CheckOne(const Citation& citation, std::size_t index, std::string_view text,
              const Citations& all) {
  Require(citation.span.begin <= citation.span.end && citation.span.end <= text.size(),
          "a citation outside of the text");
  Require(citation.name_span.begin >= citation.span.begin &&
              citation.name_span.end <= citation.span.end,
          "a name outside of its citation");
  Require(citation.refers_to == kNone || citation.refers_to < index, "a reference forwards");
  Require(citation.definition == kNone || citation.definition < all.definitions.size(),
          "a short name that is not defined");
  Require(citation.places.size() <= zhibi::statute::kMaxPlaces + 64, "too many places");
  for (const Place& place : citation.places) {
    Require(place.span.begin < place.span.end && place.span.end <= citation.span.end,
            "a place outside of its citation");
    Require(place.article.number > 0, "a place without an article");
  }
}

void CheckAll(std::string_view text, const Citations& read) {
  std::size_t end = 0;
  for (std::size_t i = 0; i < read.citations.size(); ++i) {
    CheckOne(read.citations[i], i, text, read);
    Require(read.citations[i].span.begin >= end, "citations overlap");
    end = read.citations[i].span.end;
  }
  for (const Definition& definition : read.definitions) {
    Require(definition.span.begin <= definition.span.end && definition.span.end <= text.size(),
            "a definition outside of the text");
    Require(definition.citation < read.citations.size(), "a definition of nothing");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  CheckAll(text, zhibi::statute::ParseCitations(text));
  CheckAll(text, zhibi::statute::ParseCitations(text, Known));
  return 0;
}
