// SPDX-License-Identifier: Apache-2.0
#include "text/tokenizer_blob.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/status_macros.h"
#include "text/char_tokens.h"

namespace zhibi::text {
namespace {

constexpr std::uint32_t kMagic = 0x4B54425A;  // "ZBTK"
constexpr std::uint32_t kFlagNfc = 1;
constexpr std::uint32_t kFlagIgnoreMerges = 2;
constexpr std::uint32_t kFlagPrefixSpace = 4;
constexpr std::uint32_t kFlagCharTokens = 8;  // the section is there
constexpr std::uint32_t kFlagMask = 15;
constexpr std::size_t kAlignment = 8;
// Bounds that keep every size computation far from overflow; the JSON reader's own limits are
// lower.
constexpr std::uint32_t kMaxCount = 1U << 26;

struct Header {
  std::uint32_t magic;
  std::uint32_t version;
  std::uint32_t flags;
  std::uint32_t num_tokens;
  std::uint32_t num_rules;
  std::uint32_t num_merge_slots;
  std::uint32_t num_vocabulary_slots;
  std::uint32_t num_raw_added;
  std::uint32_t num_added;
  std::uint32_t num_prefix;
  std::uint32_t num_suffix;
  std::uint32_t num_splits;
  std::uint32_t num_added_bytes;
  std::uint32_t num_token_bytes;
  std::uint64_t total_bytes;
};
static_assert(sizeof(Header) == 64 && std::is_trivially_copyable_v<Header>);

std::size_t Aligned(std::size_t size) { return (size + kAlignment - 1) / kAlignment * kAlignment; }

template <typename T>
void AppendSection(std::span<const T> items, std::string* dst) {
  dst->append(reinterpret_cast<const char*>(items.data()), items.size_bytes());
  dst->resize(Aligned(dst->size()));
}

// Slots for `count` entries at 60 % load; never full, so that every search ends.
std::size_t SlotsFor(std::size_t count) { return count + count * 2 / 3 + 8; }

std::vector<std::uint32_t> MergeSlots(std::span<const MergeRule> rules) {
  std::vector<std::uint32_t> slots(SlotsFor(rules.size()), kEmptySlot);
  for (std::size_t i = 0; i < rules.size(); ++i) {
    const std::uint64_t hash = HashPair(rules[i].left, rules[i].right);
    const std::uint32_t entry = Fingerprint(hash) << kRuleBits | static_cast<std::uint32_t>(i);
    std::size_t slot = SlotOf(hash, slots.size());
    const auto same_pair = [&](std::uint32_t other) {
      const MergeRule& rule = rules[other & kRuleMask];
      return rule.left == rules[i].left && rule.right == rules[i].right;
    };
    while (slots[slot] != kEmptySlot && !same_pair(slots[slot])) {
      if (++slot == slots.size()) slot = 0;
    }
    slots[slot] = entry;  // of a repeated rule the last one counts, as in the library
  }
  return slots;
}

std::vector<std::uint32_t> VocabularyTable(const TokenizerSpec& spec) {
  const auto mergeable = [](std::uint8_t flags) { return (flags & kTokenMergeable) != 0; };
  const auto count = static_cast<std::size_t>(
      std::count_if(spec.token_flags.begin(), spec.token_flags.end(), mergeable));
  std::vector<std::uint32_t> slots(SlotsFor(count), kEmptySlot);
  for (std::size_t id = 0; id < spec.tokens.size(); ++id) {
    if (!mergeable(spec.token_flags[id])) continue;
    std::size_t slot = SlotOf(HashBytes(spec.tokens[id]), slots.size());
    while (slots[slot] != kEmptySlot) {
      if (++slot == slots.size()) slot = 0;
    }
    slots[slot] = static_cast<std::uint32_t>(id);
  }
  return slots;
}

// Cuts a blob into sections; the first that does not fit is remembered.
class SectionReader {
 public:
  SectionReader(std::span<const std::byte> blob, std::size_t offset)
      : blob_(blob), offset_(offset) {}

  template <typename T>
  std::span<const T> Take(std::size_t count, std::string_view name) {
    const std::size_t size = count * sizeof(T);  // at most 2^32 * 12
    if (offset_ > blob_.size() || size > blob_.size() - offset_) {
      if (status_.ok()) {
        status_ =
            DataLossError("tokenizer blob: section " + std::string(name) + " needs " +
                          std::to_string(size) + " bytes at offset " + std::to_string(offset_) +
                          ", the blob has " + std::to_string(blob_.size()));
      }
      return {};
    }
    const auto* data = reinterpret_cast<const T*>(blob_.data() + offset_);
    offset_ = Aligned(offset_ + size);
    return {data, count};
  }
  std::string_view TakeBytes(std::size_t count, std::string_view name) {
    const std::span<const char> bytes = Take<char>(count, name);
    return {bytes.data(), bytes.size()};
  }
  std::size_t offset() const { return offset_; }
  Status status() && { return std::move(status_); }

 private:
  std::span<const std::byte> blob_;
  std::size_t offset_;
  Status status_;
};

Status FieldError(std::string_view field, std::string_view expected) {
  return DataLossError("tokenizer blob: " + std::string(field) + ": expected " +
                       std::string(expected));
}

Status CheckHeader(const Header& header, std::size_t size) {
  if (header.magic != kMagic) return FieldError("magic", "ZBTK");
  if (header.version != kBlobVersion) {
    return UnimplementedError("tokenizer blob: version " + std::to_string(header.version) +
                              ", this program reads version " + std::to_string(kBlobVersion));
  }
  if ((header.flags & ~kFlagMask) != 0) return FieldError("flags", "only known bits");
  if (header.total_bytes != size) {
    return DataLossError("tokenizer blob: truncated or extended: header says " +
                         std::to_string(header.total_bytes) + " bytes, the blob has " +
                         std::to_string(size));
  }
  for (const std::uint32_t count :
       {header.num_tokens, header.num_rules, header.num_merge_slots, header.num_vocabulary_slots,
        header.num_added, header.num_prefix, header.num_suffix, header.num_splits}) {
    if (count > kMaxCount) return FieldError("counts", "at most 2^26");
  }
  if (header.num_tokens == 0) return FieldError("token count", "at least 1");
  if (header.num_raw_added > header.num_added) return FieldError("raw added tokens", "at most all");
  return OkStatus();
}

Status CheckTokens(const TokenizerData& data) {
  std::uint32_t last = 0;
  for (const std::uint32_t offset : data.token_offsets) {
    if (offset < last) return FieldError("token offsets", "ascending values");
    last = offset;
  }
  if (data.token_offsets.front() != 0 || last != data.token_bytes.size()) {
    return FieldError("token offsets", "0 first and the size of the token bytes last");
  }
  const auto num_tokens = static_cast<std::int64_t>(data.num_tokens());
  const auto in_range = [num_tokens](std::int32_t id) { return id >= 0 && id < num_tokens; };
  for (const std::int32_t id : data.byte_ids) {
    if (id != -1 && !in_range(id)) return FieldError("byte ids", "ids of the vocabulary or -1");
  }
  if (!std::all_of(data.prefix.begin(), data.prefix.end(), in_range) ||
      !std::all_of(data.suffix.begin(), data.suffix.end(), in_range)) {
    return FieldError("prefix and suffix", "ids of the vocabulary");
  }
  return OkStatus();
}

// Ids in range, and a free slot, without which a search would not end.
Status CheckTables(const TokenizerData& data) {
  const auto num_tokens = static_cast<std::uint32_t>(data.num_tokens());
  const auto in_range = [num_tokens](std::int32_t id) {
    return static_cast<std::uint32_t>(id) < num_tokens;
  };
  bool good = true;
  for (const MergeRule& rule : data.rules) {
    good = good && in_range(rule.left) && in_range(rule.right) && in_range(rule.result);
  }
  if (!good || data.rules.size() >= kNoRule)
    return FieldError("merge rules", "ids of the vocabulary");
  std::size_t num_free = 0;
  for (const std::uint32_t slot : data.merge_slots) {
    num_free += slot == kEmptySlot ? 1 : 0;
    good = good && (slot == kEmptySlot || (slot & kRuleMask) < data.rules.size());
  }
  if (!good || num_free == 0) return FieldError("merge slots", "indices of rules, a free slot");
  for (const std::uint32_t entry : data.char_tokens) {
    good = good && (entry == kEmptySlot || (entry & ~kAfterAscii) < num_tokens);
  }
  if (!good) return FieldError("char tokens", "ids of the vocabulary");
  num_free = 0;
  for (const std::uint32_t id : data.vocabulary) {
    num_free += id == kEmptySlot ? 1 : 0;
    good = good && (id == kEmptySlot || id < num_tokens);
  }
  if (!good || num_free == 0)
    return FieldError("vocabulary slots", "ids of the vocabulary, a free slot");
  return OkStatus();
}

Status CheckAdded(TokenizerData* data) {
  for (std::size_t i = 0; i < data->added.size(); ++i) {
    const AddedRecord& record = data->added[i];
    if (record.id >= data->num_tokens())
      return FieldError("added token id", "an id of the vocabulary");
    const std::uint64_t end = std::uint64_t{record.match_offset} + record.match_length;
    if (record.match_length == 0 || end > data->added_bytes.size()) {
      return FieldError("added token text", "a place inside the added bytes");
    }
    if ((record.flags & ~kAddedFlagMask) != 0) return FieldError("added token flags", "known bits");
    const bool raw = i < data->num_raw_added;
    if (raw == ((record.flags & kAddedNormalized) != 0)) {
      return FieldError("added tokens", "raw ones first");
    }
    if (i != 0 && i != data->num_raw_added &&
        data->AddedMatch(data->added[i - 1]) >= data->AddedMatch(record)) {
      return FieldError("added tokens", "ascending texts");
    }
    auto& first = raw ? data->raw_first : data->normalized_first;
    const auto byte = static_cast<unsigned char>(data->AddedMatch(record)[0]);
    first[1].set(byte);
    if ((data->token_flags[record.id] & kTokenControl) == 0) first[0].set(byte);
  }
  return OkStatus();
}

}  // namespace

std::uint64_t HashBytes(std::string_view bytes) {
  std::uint64_t h = 0x9E3779B97F4A7C15ULL ^ bytes.size();
  while (bytes.size() >= 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data(), 8);
    h = (h ^ word) * 0xFF51AFD7ED558CCDULL;
    h ^= h >> 32;
    bytes.remove_prefix(8);
  }
  std::uint64_t tail = 0;
  if (!bytes.empty()) std::memcpy(&tail, bytes.data(), bytes.size());
  h = (h ^ tail) * 0xC4CEB9FE1A85EC53ULL;
  h ^= h >> 32;
  return h * 0x9E3779B97F4A7C15ULL;
}

std::int32_t TokenizerData::FindWord(std::string_view bytes) const {
  std::size_t slot = SlotOf(HashBytes(bytes), vocabulary.size());
  while (vocabulary[slot] != kEmptySlot) {
    if (TokenBytes(vocabulary[slot]) == bytes) return static_cast<std::int32_t>(vocabulary[slot]);
    if (++slot == vocabulary.size()) slot = 0;
  }
  return -1;
}

std::string WriteBlob(const TokenizerSpec& spec) {
  std::vector<const AddedTokenSpec*> added;
  for (const AddedTokenSpec& token : spec.added) added.push_back(&token);
  std::sort(added.begin(), added.end(), [](const AddedTokenSpec* a, const AddedTokenSpec* b) {
    const bool a_normalized = (a->flags & kAddedNormalized) != 0;
    const bool b_normalized = (b->flags & kAddedNormalized) != 0;
    return a_normalized != b_normalized ? b_normalized : a->match < b->match;
  });
  std::vector<AddedRecord> records;
  std::string added_bytes;
  std::uint32_t num_raw = 0;
  for (const AddedTokenSpec* token : added) {
    records.push_back({static_cast<std::uint32_t>(token->id), token->flags,
                       static_cast<std::uint32_t>(added_bytes.size()),
                       static_cast<std::uint32_t>(token->match.size())});
    added_bytes += token->match;
    if ((token->flags & kAddedNormalized) == 0) ++num_raw;
  }
  std::vector<std::uint32_t> offsets{0};
  std::string token_bytes;
  for (const std::string& token : spec.tokens) {
    token_bytes += token;
    offsets.push_back(static_cast<std::uint32_t>(token_bytes.size()));
  }
  const std::vector<std::uint32_t> merge_slots = MergeSlots(spec.merges);
  const std::vector<std::uint32_t> vocabulary = VocabularyTable(spec);
  const std::vector<std::uint32_t> char_tokens = MakeCharTokens(spec, merge_slots);
  const auto count = [](std::size_t n) { return static_cast<std::uint32_t>(n); };
  Header header{kMagic,
                kBlobVersion,
                (spec.nfc ? kFlagNfc : 0U) | (spec.ignore_merges ? kFlagIgnoreMerges : 0U) |
                    (spec.prefix_space ? kFlagPrefixSpace : 0U) |
                    (char_tokens.empty() ? 0U : kFlagCharTokens),
                count(spec.tokens.size()),
                count(spec.merges.size()),
                count(merge_slots.size()),
                count(vocabulary.size()),
                num_raw,
                count(records.size()),
                count(spec.prefix.size()),
                count(spec.suffix.size()),
                count(spec.splits.size()),
                count(added_bytes.size()),
                count(token_bytes.size()),
                0};
  std::string blob;
  blob.reserve(sizeof(Header) + token_bytes.size() + spec.merges.size() * 20 +
               sizeof(std::uint32_t) * kNumCharSlots + spec.tokens.size() * 10);
  AppendSection(std::span<const Header>(&header, 1), &blob);
  AppendSection(std::span<const std::uint32_t>(offsets), &blob);
  AppendSection(std::span<const MergeRule>(spec.merges), &blob);
  AppendSection(std::span<const std::uint32_t>(merge_slots), &blob);
  AppendSection(std::span<const std::uint32_t>(char_tokens), &blob);
  AppendSection(std::span<const std::uint32_t>(vocabulary), &blob);
  AppendSection(std::span<const std::int32_t>(spec.byte_ids), &blob);
  AppendSection(std::span<const AddedRecord>(records), &blob);
  AppendSection(std::span<const std::int32_t>(spec.prefix), &blob);
  AppendSection(std::span<const std::int32_t>(spec.suffix), &blob);
  AppendSection(std::span<const SplitPattern>(spec.splits), &blob);
  AppendSection(std::span<const std::uint8_t>(spec.token_flags), &blob);
  AppendSection(std::span<const char>(added_bytes), &blob);
  AppendSection(std::span<const char>(token_bytes), &blob);
  header.total_bytes = blob.size();
  std::memcpy(blob.data(), &header, sizeof(header));
  return blob;
}

Status ReadBlob(std::span<const std::byte> blob, TokenizerData* data) {
  if (blob.size() < sizeof(Header)) return FieldError("size", "at least a header of 64 bytes");
  if (reinterpret_cast<std::uintptr_t>(blob.data()) % kAlignment != 0) {
    return InvalidArgumentError("tokenizer blob: expected an address aligned to 8 bytes");
  }
  Header header;
  std::memcpy(&header, blob.data(), sizeof(header));
  ZB_RETURN_IF_ERROR(CheckHeader(header, blob.size()));
  SectionReader reader(blob, sizeof(Header));
  data->blob = blob;
  data->token_offsets =
      reader.Take<std::uint32_t>(std::size_t{header.num_tokens} + 1, "token offsets");
  const std::size_t num_char_slots = (header.flags & kFlagCharTokens) != 0 ? kNumCharSlots : 0;
  data->rules = reader.Take<MergeRule>(header.num_rules, "merge rules");
  data->merge_slots = reader.Take<std::uint32_t>(header.num_merge_slots, "merge slots");
  data->char_tokens = reader.Take<std::uint32_t>(num_char_slots, "char tokens");
  data->vocabulary = reader.Take<std::uint32_t>(header.num_vocabulary_slots, "vocabulary slots");
  data->byte_ids = reader.Take<std::int32_t>(256, "byte ids");
  data->added = reader.Take<AddedRecord>(header.num_added, "added tokens");
  data->prefix = reader.Take<std::int32_t>(header.num_prefix, "prefix");
  data->suffix = reader.Take<std::int32_t>(header.num_suffix, "suffix");
  data->splits = reader.Take<std::uint8_t>(header.num_splits, "splits");
  data->token_flags = reader.Take<std::uint8_t>(header.num_tokens, "token flags");
  data->added_bytes = reader.TakeBytes(header.num_added_bytes, "added bytes");
  data->token_bytes = reader.TakeBytes(header.num_token_bytes, "token bytes");
  const std::size_t end = reader.offset();
  ZB_RETURN_IF_ERROR(std::move(reader).status());
  if (end != blob.size()) return FieldError("size", std::to_string(end) + " bytes by its sections");
  for (const std::uint8_t split : data->splits) {
    if (split >= kNumSplitPatterns) return FieldError("splits", "known patterns");
  }
  data->num_raw_added = header.num_raw_added;
  data->nfc = (header.flags & kFlagNfc) != 0;
  data->ignore_merges = (header.flags & kFlagIgnoreMerges) != 0;
  data->prefix_space = (header.flags & kFlagPrefixSpace) != 0;
  ZB_RETURN_IF_ERROR(CheckTokens(*data));
  ZB_RETURN_IF_ERROR(CheckTables(*data));
  ZB_RETURN_IF_ERROR(CheckAdded(data));
  static std::atomic<std::uint64_t> next_serial{1};
  data->serial = next_serial.fetch_add(1, std::memory_order_relaxed);
  return OkStatus();
}

}  // namespace zhibi::text
