// SPDX-License-Identifier: Apache-2.0
// Redaction of a text for publication, by level:
//   P0  the original: nothing is changed, sensitive places are counted
//   P1  法释〔2016〕19号 (8 to 11): names of protected people are masked (family matters, victims,
//       witnesses, minors), numbers, cards, plates, certificates and addresses below the county go
//   P2  practice since 2024-06: every natural person keeps the family name only, enterprises lose
//       their trade name, credit codes go, births keep the year
//   P3  samples and training: everything is replaced by made-up names and placeholders
// Case numbers, courts, judges, law firms, articles, sums and dates stay. Replacements are the same
// for the same value in the whole text and different for different ones (刘某1, 刘某2). The mapping
// that undoes it is a value of its own, to be kept apart. Thread rule: thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "entity/recogniser.h"
#include "zhibi/status.h"

namespace zhibi::redact {

enum class Level : std::uint8_t { kP0, kP1, kP2, kP3 };
// "P0" to "P3"; kInvalidArgument names what came.
Result<Level> ParseLevel(std::string_view text);

struct Replacement {
  std::size_t begin = 0;  // bytes in the redacted text
  std::string text;       // what stands there now
  std::string original;
  entity::Kind kind = entity::Kind::kPerson;

  friend bool operator==(const Replacement&, const Replacement&) = default;
};

// Undoes a redaction. `size` is that of the redacted text: another text is refused.
struct Mapping {
  Level level = Level::kP0;
  std::size_t size = 0;
  std::vector<Replacement> replacements;  // by begin, without overlap
};

struct Residue {
  std::size_t begin = 0;  // bytes in the redacted text
  std::size_t end = 0;
  entity::Kind kind = entity::Kind::kPerson;
};

struct Redacted {
  std::string text;
  Mapping mapping;
  // What the recognisers still find afterwards; must be empty for a text that is published.
  std::vector<Residue> residue;
  std::size_t sensitive = 0;       // places that the level removes (P0: that P1 would)
  std::vector<std::string> notes;  // what a person has to look at: health, technical measures, ...
};

// known: names from the elements of the case, found wherever they stand. Errors: those of
// Recogniser::Find.
Result<Redacted> Redact(const entity::Recogniser& recogniser, std::string_view text, Level level,
                        const std::vector<entity::KnownName>& known = {});

// The original bytes. kInvalidArgument: the text is not the one that the mapping was made for
// (names the first place that differs).
Result<std::string> Restore(std::string_view redacted, const Mapping& mapping);

nlohmann::json ToJson(const Mapping& mapping);
// kInvalidArgument names the field.
Result<Mapping> MappingFromJson(const nlohmann::json& json, std::string_view source);

// Every text under a key "name", "representative", "trade_name" of elements, as known names.
std::vector<entity::KnownName> NamesOfElements(const nlohmann::json& elements);

}  // namespace zhibi::redact
