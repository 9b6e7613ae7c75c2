// SPDX-License-Identifier: Apache-2.0
#include "entity/pattern.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <cstdint>
#include <utility>

#include <pcre2.h>

namespace zhibi::entity {
namespace {

// Enough for every pattern over a paragraph of a million characters; a runaway stops in well under
// a second.
constexpr std::uint32_t kMatchLimit = 2'000'000;
constexpr std::uint32_t kDepthLimit = 10'000;

std::string ErrorText(int code) {
  std::array<PCRE2_UCHAR, 160> buffer{};
  const int length = pcre2_get_error_message(code, buffer.data(), buffer.size());
  if (length < 0) return "error " + std::to_string(code);
  return {reinterpret_cast<const char*>(buffer.data()), static_cast<std::size_t>(length)};
}

std::string WithScriptHan(std::string_view source) {
  constexpr std::string_view kHan = R"(\p{Han})";
  std::string made;
  for (std::size_t at = 0; at < source.size();) {
    if (source.substr(at).starts_with(kHan)) {
      made += R"(\p{sc:Han})";
      at += kHan.size();
    } else {
      made += source[at++];
    }
  }
  return made;
}

struct FreeMatchData {
  void operator()(pcre2_match_data* data) const { pcre2_match_data_free(data); }
};
using MatchData = std::unique_ptr<pcre2_match_data, FreeMatchData>;

// One block a thread: creating it for every search would cost more than a short search.
pcre2_match_data* ThreadMatchData() {
  thread_local const MatchData data(pcre2_match_data_create(Match::kMaxGroups, nullptr));
  return data.get();
}

}  // namespace

std::string_view Match::Text(std::string_view subject, std::size_t group) const {
  const Group& found = groups.at(group);
  if (!found.found()) return {};
  return subject.substr(found.begin, found.end - found.begin);
}

struct Pattern::Code {
  pcre2_code* code = nullptr;
  pcre2_match_context* context = nullptr;
  std::uint32_t groups = 0;

  Code() = default;
  Code(const Code&) = delete;
  Code& operator=(const Code&) = delete;
  ~Code() {
    pcre2_code_free(code);
    pcre2_match_context_free(context);
  }
};

Pattern::Pattern(std::unique_ptr<Code> code) : code_(std::move(code)) {}
Pattern::Pattern(Pattern&& other) noexcept = default;
Pattern& Pattern::operator=(Pattern&& other) noexcept = default;
Pattern::~Pattern() = default;

Result<Pattern> Pattern::Compile(std::string_view source, bool multiline) {
  auto code = std::make_unique<Code>();
  int error = 0;
  PCRE2_SIZE offset = 0;
  const std::uint32_t options =
      PCRE2_UTF | PCRE2_NEVER_BACKSLASH_C | (multiline ? PCRE2_MULTILINE : 0U);
  const std::string text = WithScriptHan(source);
  code->code = pcre2_compile(reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(), options,
                             &error, &offset, nullptr);
  if (code->code == nullptr) {
    return InvalidArgumentError("pattern \"" + std::string(source) + "\", byte " +
                                std::to_string(offset) + ": " + ErrorText(error));
  }
  pcre2_pattern_info(code->code, PCRE2_INFO_CAPTURECOUNT, &code->groups);
  if (code->groups >= Match::kMaxGroups) {
    return InvalidArgumentError("pattern \"" + std::string(source) + "\": has " +
                                std::to_string(code->groups) + " groups, at most 15 are read");
  }
  code->context = pcre2_match_context_create(nullptr);
  if (code->context == nullptr) return ResourceExhaustedError("no memory for a pattern");
  pcre2_set_match_limit(code->context, kMatchLimit);
  pcre2_set_depth_limit(code->context, kDepthLimit);
  // Without JIT (a platform that lacks it, no executable memory) the interpreter does the same.
  (void)pcre2_jit_compile(code->code, PCRE2_JIT_COMPLETE);
  return Pattern(std::move(code));
}

bool Pattern::Run(std::string_view subject, std::size_t from, std::uint32_t options,
                  Match* match) const {
  pcre2_match_data* data = ThreadMatchData();
  if (data == nullptr || from > subject.size()) return false;
  const int found =
      pcre2_match(code_->code, reinterpret_cast<PCRE2_SPTR>(subject.data()), subject.size(), from,
                  options | PCRE2_NO_UTF_CHECK, data, code_->context);
  if (found <= 0) return false;
  const PCRE2_SIZE* offsets = pcre2_get_ovector_pointer(data);
  for (std::size_t i = 0; i < Match::kMaxGroups; ++i) {
    Match::Group& group = match->groups[i];
    const bool set = i < static_cast<std::size_t>(found) && offsets[2 * i] != PCRE2_UNSET;
    group.begin = set ? offsets[2 * i] : std::string_view::npos;
    group.end = set ? offsets[2 * i + 1] : std::string_view::npos;
  }
  // \K inside a lookahead can put the end before the beginning; such a match is of no use.
  return match->begin() <= match->end();
}

bool Pattern::Search(std::string_view subject, std::size_t from, Match* match) const {
  return Run(subject, from, 0, match);
}

bool Pattern::MatchAt(std::string_view subject, std::size_t at, Match* match) const {
  return Run(subject, at, PCRE2_ANCHORED, match);
}

int Pattern::GroupNumber(const std::string& name) const {
  const int number =
      pcre2_substring_number_from_name(code_->code, reinterpret_cast<PCRE2_SPTR>(name.c_str()));
  return number > 0 ? number : -1;
}

}  // namespace zhibi::entity
