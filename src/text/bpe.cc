// SPDX-License-Identifier: Apache-2.0
#include "text/bpe.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <functional>
#include <memory>
#include <queue>

#include "text/char_tokens.h"

namespace zhibi::text {
namespace {

// Direct-mapped: a word either sits in its one slot or is merged anew. Sized to stay inside a
// second-level cache.
class WordCache {
 public:
  static constexpr std::size_t kMaxBytes = 44;
  static constexpr std::size_t kMaxIds = 16;

  struct Entry {
    std::uint64_t serial;  // of the tokenizer; 0: free
    std::uint8_t num_bytes;
    std::uint8_t num_ids;
    std::array<char, kMaxBytes> bytes;
    std::array<std::int32_t, kMaxIds> ids;
  };

  static WordCache& OfThisThread() {
    thread_local const std::unique_ptr<WordCache> cache = std::make_unique<WordCache>();
    return *cache;
  }

  Entry& Slot(std::string_view word) { return entries_[HashBytes(word) >> (64 - kBits)]; }

 private:
  static constexpr unsigned kBits = 12;
  std::array<Entry, std::size_t{1} << kBits> entries_{};
};

// The symbols that merging starts from: bytes, and characters that are certain to merge whole.
// Writes at most word.size() ids, returns their number.
std::size_t FirstSymbols(const TokenizerData& data, std::string_view word, std::int32_t* ids) {
  std::size_t n = 0;
  const auto byte = [word](std::size_t i) { return static_cast<unsigned char>(word[i]); };
  for (std::size_t i = 0; i < word.size();) {
    const bool three = byte(i) >= 0xE3 && byte(i) < 0xF0 && i + 3 <= word.size() &&
                       (byte(i + 1) & 0xC0) == 0x80 && (byte(i + 2) & 0xC0) == 0x80;
    if (three) {
      const std::size_t slot = CharSlot(byte(i), byte(i + 1), byte(i + 2));
      const std::uint32_t entry =
          slot < data.char_tokens.size() ? data.char_tokens[slot] : kEmptySlot;
      const bool after_ascii = i > 0 && byte(i - 1) < 0x80;
      if (entry != kEmptySlot && (!after_ascii || (entry & kAfterAscii) != 0)) {
        ids[n++] = static_cast<std::int32_t>(entry & ~kAfterAscii);
        i += 3;
        continue;
      }
    }
    const std::int32_t id = data.byte_ids[byte(i)];
    if (id >= 0) ids[n++] = id;
    ++i;
  }
  return n;
}

void MergeAny(const TokenizerData& data, std::string_view word, std::vector<std::int32_t>* dst) {
  if (word.size() <= kMaxShortWord) {
    MergeShort(data, word, dst);
  } else {
    MergeLong(data, word, dst);
  }
}

// Symbols of a long word as a linked list.
struct Node {
  std::int32_t id;
  std::int32_t previous;  // -1 at the front
  std::int32_t next;      // -1 at the end; -2 once merged into its left neighbour
};
constexpr std::int32_t kEnd = -1;
constexpr std::int32_t kDead = -2;

}  // namespace

void MergeShort(const TokenizerData& data, std::string_view word, std::vector<std::int32_t>* dst) {
  std::array<std::int32_t, kMaxShortWord> ids;
  std::array<std::uint32_t, kMaxShortWord> rules;  // that merges the pair (i, i + 1)
  std::size_t n = FirstSymbols(data, word, ids.data());
  for (std::size_t i = 0; i + 1 < n; ++i) rules[i] = data.FindMerge(ids[i], ids[i + 1]);
  while (n > 1) {
    std::size_t at = 0;
    std::uint32_t best = rules[0];
    for (std::size_t i = 1; i + 1 < n; ++i) {
      if (rules[i] < best) {
        best = rules[i];
        at = i;
      }
    }
    if (best == kNoRule) break;
    ids[at] = data.rules[best].result;
    const std::size_t num_after = n - at - 2;
    std::memmove(&ids[at + 1], &ids[at + 2], num_after * sizeof(ids[0]));
    std::memmove(&rules[at], &rules[at + 1], num_after * sizeof(rules[0]));
    --n;
    if (at > 0) rules[at - 1] = data.FindMerge(ids[at - 1], ids[at]);
    if (at + 1 < n) rules[at] = data.FindMerge(ids[at], ids[at + 1]);
  }
  dst->insert(dst->end(), ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(n));
}

void MergeLong(const TokenizerData& data, std::string_view word, std::vector<std::int32_t>* dst) {
  std::vector<std::int32_t> symbols(word.size());
  symbols.resize(FirstSymbols(data, word, symbols.data()));
  if (symbols.empty()) return;
  std::vector<Node> nodes(symbols.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const auto index = static_cast<std::int32_t>(i);
    nodes[i] = {symbols[i], index - 1, index + 1};
  }
  nodes.back().next = kEnd;
  const auto node = [&nodes](std::int32_t i) -> Node& {
    return nodes[static_cast<std::size_t>(i)];
  };
  const auto find = [&](std::int32_t left) {
    return data.FindMerge(node(left).id, node(node(left).next).id);
  };
  // Candidates order by rule, then from the left.
  std::vector<std::uint64_t> candidates;
  const auto candidate = [](std::uint32_t rule, std::int32_t left) {
    return std::uint64_t{rule} << 32 | static_cast<std::uint32_t>(left);
  };
  for (std::int32_t i = 0; node(i).next != kEnd; ++i) {
    const std::uint32_t rule = find(i);
    if (rule != kNoRule) candidates.push_back(candidate(rule, i));
  }
  std::priority_queue<std::uint64_t, std::vector<std::uint64_t>, std::greater<>> queue(
      std::greater<>{}, std::move(candidates));
  const auto rate = [&](std::int32_t left) {
    const std::uint32_t rule = find(left);
    if (rule != kNoRule) queue.push(candidate(rule, left));
  };
  while (!queue.empty()) {
    const auto at = static_cast<std::int32_t>(queue.top() & 0xFFFFFFFF);
    const auto rule = static_cast<std::uint32_t>(queue.top() >> 32);
    queue.pop();
    Node& left = node(at);
    // A pair that has changed since it was queued has another rule now, or none.
    if (left.next < 0 || find(at) != rule) continue;
    Node& right = node(left.next);
    left.id = data.rules[rule].result;
    left.next = right.next;
    right.next = kDead;
    if (left.next != kEnd) {
      node(left.next).previous = at;
      rate(at);
    }
    if (left.previous >= 0) rate(left.previous);
  }
  for (std::int32_t i = 0; i >= 0; i = node(i).next) dst->push_back(node(i).id);
}

void EncodeWord(const TokenizerData& data, std::string_view word, std::vector<std::int32_t>* dst) {
  if (word.size() > WordCache::kMaxBytes) {
    const std::int32_t whole = data.ignore_merges ? data.FindWord(word) : -1;
    if (whole >= 0) {
      dst->push_back(whole);
    } else {
      MergeAny(data, word, dst);
    }
    return;
  }
  WordCache::Entry& entry = WordCache::OfThisThread().Slot(word);
  if (entry.serial == data.serial && entry.num_bytes == word.size() &&
      std::memcmp(entry.bytes.data(), word.data(), word.size()) == 0) {
    dst->insert(dst->end(), entry.ids.begin(), entry.ids.begin() + entry.num_ids);
    return;
  }
  const std::size_t before = dst->size();
  const std::int32_t whole = data.ignore_merges ? data.FindWord(word) : -1;
  if (whole >= 0) {
    dst->push_back(whole);
  } else {
    MergeShort(data, word, dst);
  }
  const std::size_t num_ids = dst->size() - before;
  if (num_ids > WordCache::kMaxIds) return;
  entry.serial = data.serial;
  entry.num_bytes = static_cast<std::uint8_t>(word.size());
  entry.num_ids = static_cast<std::uint8_t>(num_ids);
  std::memcpy(entry.bytes.data(), word.data(), word.size());
  std::copy(dst->end() - static_cast<std::ptrdiff_t>(num_ids), dst->end(), entry.ids.begin());
}

}  // namespace zhibi::text
