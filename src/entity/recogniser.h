// SPDX-License-Identifier: Apache-2.0
// Recogniser: finds the entities of a legal text by patterns, check digits and the words around
// them; names by the roles that introduce them, then every later mention. No model, nothing leaves
// the machine. Data: data/entity (surnames, areas, roles, courts, causes). Sources: GB 11643, GB
// 32100, ISO/IEC 7812 (Luhn), GB 16735 (VIN), 法〔2015〕137号 and 法〔2018〕335号 (case numbers).
// Thread rule: Find is const and thread-safe.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "entity/case_number.h"
#include "entity/causes.h"
#include "entity/courts.h"
#include "entity/entity.h"
#include "zhibi/status.h"

namespace zhibi::entity {

// A name that is known before reading (from the elements of the case): found wherever it stands.
struct KnownName {
  std::string name;
  Kind kind = Kind::kPerson;  // kPerson or kOrganisation
  std::string role;
};

class Recogniser {
 public:
  // data_dir: the folder data/ (legal::FindDataDir). kNotFound, kInvalidArgument name the file.
  static Result<Recogniser> Load(const std::string& data_dir);

  Recogniser(Recogniser&& other) noexcept;
  Recogniser& operator=(Recogniser&& other) noexcept;
  Recogniser(const Recogniser&) = delete;
  Recogniser& operator=(const Recogniser&) = delete;
  ~Recogniser();

  // Entities by begin, then by longer first. Numbers (ids, phones, cards, ...) do not overlap each
  // other, case numbers, sums or dates; of names the longest at a place wins. kInvalidArgument: not
  // UTF-8 (names the byte); kResourceExhausted: more than kMaxBytes.
  static constexpr std::size_t kMaxBytes = std::size_t{64} << 20;
  Result<std::vector<Entity>> Find(std::string_view text,
                                   const std::vector<KnownName>& known = {}) const;

  const Courts& courts() const;
  const Causes& causes() const;
  const CaseNumbers& case_numbers() const;
  // Does the text begin with a family name of the table? Its length in bytes, 0 if not.
  std::size_t SurnameLength(std::string_view text) const;
  // Is it written like a natural person's name: family name and one or two (masked: 某, ×, digits)
  // further characters, or parts joined by ·?
  bool LooksLikePerson(std::string_view name) const;

 private:
  struct Parts;
  explicit Recogniser(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace zhibi::entity
