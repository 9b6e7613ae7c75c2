// SPDX-License-Identifier: Apache-2.0
// The C++ half of run.sh: makes the strings, then compares ids.
//   compare generate CORPUS_JSONL STRINGS_JSONL
//   compare compare TOKENIZER_JSON STRINGS_JSONL REFERENCE_JSONL
// The JavaScript reference has a newer Unicode and approximates some patterns. Where ids differ,
// the second reference decides (reference_tokenizer.h: PCRE2 on the original pattern, ICU, plain
// merging): it must agree with zhibi, and such strings must be few.
#include <algorithm>
#include <array>
#include <fstream>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/utf8.h"
#include "text/reference_tokenizer.h"
#include "text/sample_strings.h"
#include "text/tokenizer.h"

namespace zhibi::text {
namespace {

constexpr std::size_t kGenerated = 10000;
constexpr std::size_t kCorpusSentences = 4000;
// U+FEFF, U+0085, U+017F.
constexpr std::array<std::string_view, 3> kDisputedCharacters = {"\xEF\xBB\xBF", "\xC2\x85",
                                                                 "\xC5\xBF"};

using Ids = std::vector<std::int32_t>;

int Generate(const std::string& corpus, const std::string& out) {
  std::vector<std::string> strings = SampleStrings(20260101, kGenerated, true);
  for (std::string& text : strings) text = base::RepairUtf8(text);
  for (const std::string& line : LegalLines()) strings.push_back(line);
  std::ifstream file(corpus);
  std::vector<std::string> paragraphs;
  for (std::string line; std::getline(file, line);) {
    const auto text = nlohmann::json::parse(line).at("text").get<std::string>();
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      if (end > begin)
        paragraphs.push_back(text.substr(begin, std::min<std::size_t>(end - begin, 1500)));
      begin = end + 1;
    }
  }
  const std::size_t step = std::max<std::size_t>(1, paragraphs.size() / kCorpusSentences);
  for (std::size_t i = 0; i < paragraphs.size(); i += step)
    strings.push_back(base::RepairUtf8(paragraphs[i]));
  std::ofstream output(out);
  for (const std::string& text : strings)
    output << nlohmann::json(text).dump(-1, ' ', true) << '\n';
  std::cout << strings.size() << " strings, " << paragraphs.size()
            << " corpus paragraphs to choose from\n";
  return output.flush() ? 0 : 1;
}

struct Counts {
  std::size_t strings = 0;
  std::size_t ids = 0;
  std::size_t disputed = 0;
  std::size_t wrong = 0;
};

void Show(std::string_view what, const std::string& text, const Ids& got, const Ids& expected) {
  const auto join = [](const Ids& ids) { return nlohmann::json(ids).dump(); };
  std::cout << what << ": " << nlohmann::json(text).dump(-1, ' ', true) << "\n  zhibi     "
            << join(got) << "\n  reference " << join(expected) << "\n";
}

int Compare(const std::string& tokenizer_file, const std::string& strings_file,
            const std::string& reference_file) {
  const Result<std::string> tokenizer_json = base::ReadFile(tokenizer_file, std::size_t{64} << 20);
  if (!tokenizer_json.ok()) return 1;
  const Result<Tokenizer> tokenizer = Tokenizer::FromJson(*tokenizer_json, tokenizer_file);
  if (!tokenizer.ok()) {
    std::cout << tokenizer.status().ToString() << "\n";
    return 1;
  }
  // The text of every control token, typed by a user, stays text.
  std::size_t num_control = 0;
  for (TokenId id = 0; id < tokenizer->vocab_size(); ++id) {
    if (!tokenizer->IsControl(id)) continue;
    ++num_control;
    for (const TokenId got : tokenizer->Encode("a" + std::string(tokenizer->TokenBytes(id)))) {
      if (!tokenizer->IsControl(got)) continue;
      std::cout << "control token " << got << " from plain text\n";
      return 1;
    }
  }
  std::optional<ReferenceTokenizer> second;
  std::ifstream strings(strings_file);
  std::ifstream references(reference_file);
  std::string line;
  std::string reference_line;
  Counts plain;
  Counts all;
  while (std::getline(strings, line) && std::getline(references, reference_line)) {
    const auto text = nlohmann::json::parse(line).get<std::string>();
    const nlohmann::json reference = nlohmann::json::parse(reference_line);
    const Ids plain_ids = tokenizer->Encode(text);
    const Ids all_ids = tokenizer->Encode(text, {.parse_special = true});
    const Ids plain_reference = reference.at("plain").get<Ids>();
    const Ids all_reference = reference.at("all").get<Ids>();
    ++plain.strings;
    plain.ids += plain_ids.size();
    bool agreed = plain_ids == plain_reference;
    if (!agreed) {
      ++plain.disputed;
      if (!second) second.emplace(*tokenizer_json);
      const Ids decisive = second->EncodePlain(text);
      const bool explained =
          std::any_of(kDisputedCharacters.begin(), kDisputedCharacters.end(),
                      [&text](std::string_view c) { return text.find(c) != std::string::npos; });
      if (decisive != plain_ids || !explained) {
        if (++plain.wrong <= 5) Show("plain text", text, plain_ids, decisive);
      }
    }
    // The split at added tokens is judged where the plain text is not in dispute.
    if (!agreed) continue;
    ++all.strings;
    all.ids += all_ids.size();
    if (all_ids != all_reference) {
      ++all.disputed;
      if (all.disputed <= 5) Show("with added tokens", text, all_ids, all_reference);
    }
  }
  std::cout << tokenizer_file << ": " << num_control << " control tokens, " << plain.strings
            << " strings, " << plain.ids << " ids; plain: " << plain.disputed
            << " by JavaScript's \\s and (?i:), " << plain.wrong
            << " wrong; with added tokens: " << all.strings << " compared, " << all.disputed
            << " different\n";
  return plain.strings >= kGenerated && plain.wrong == 0 && all.disputed == 0 ? 0 : 1;
}

}  // namespace
}  // namespace zhibi::text

int main(int argc, char** argv) {
  const std::vector<std::string> args(argv + 1, argv + argc);
  if (args.size() == 3 && args[0] == "generate") return zhibi::text::Generate(args[1], args[2]);
  if (args.size() == 4 && args[0] == "compare")
    return zhibi::text::Compare(args[1], args[2], args[3]);
  std::cerr
      << "usage: compare generate CORPUS STRINGS | compare compare TOKENIZER STRINGS REFERENCE\n";
  return 2;
}
