// SPDX-License-Identifier: Apache-2.0
#include "text/tokenizer_json.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/json.h"
#include "base/status_macros.h"
#include "text/byte_alphabet.h"
#include "text/normalizer.h"

namespace zhibi::text {
namespace {

using nlohmann::json;

Status Bad(std::string_view path, std::string_view expected, const json& got) {
  std::string shown = got.is_object() || got.is_array()
                          ? got.type_name()
                          : got.dump(-1, ' ', true, json::error_handler_t::replace);
  if (shown.size() > 80) shown = shown.substr(0, 77) + "...";
  return InvalidArgumentError(std::string(path) + ": expected " + std::string(expected) + ", got " +
                              shown);
}

Status Unsupported(std::string_view path, std::string_view what) {
  return UnimplementedError(std::string(path) + ": " + std::string(what));
}

// The member, or a null value when it is missing.
const json& Member(const json& object, const char* key) {
  static const json null;
  const auto found = object.find(key);
  return found == object.end() ? null : *found;
}

Result<bool> BoolOr(const json& object, const char* key, bool missing, const std::string& path) {
  const json& value = Member(object, key);
  if (value.is_null()) return missing;
  if (!value.is_boolean()) return Bad(path + "." + key, "true or false", value);
  return value.get<bool>();
}

Result<std::string> TypeOf(const json& object, const std::string& path) {
  if (!object.is_object()) return Bad(path, "an object", object);
  const json& type = Member(object, "type");
  if (!type.is_string()) return Bad(path + ".type", "a string", type);
  return type.get<std::string>();
}

Result<std::int32_t> ReadId(const json& value, const std::string& path) {
  if (!value.is_number_integer()) return Bad(path, "a whole number", value);
  if (value.is_number_unsigned() ? value.get<std::uint64_t>() >= kMaxTokens
                                 : value.get<std::int64_t>() < 0) {
    return Bad(path, "an id from 0 to " + std::to_string(kMaxTokens - 1), value);
  }
  return value.get<std::int32_t>();
}

bool LooksLikeMarkup(std::string_view content) {
  if (content.size() < 3) return false;
  return (content.front() == '<' && content.back() == '>') ||
         (content.front() == '[' && content.back() == ']');
}

// Reads one file. Thread rule: one thread at a time.
class Reader {
 public:
  Result<TokenizerSpec> Read(const json& root) {
    if (!root.is_object()) return Bad("root", "an object", root);
    const json& version = Member(root, "version");
    if (!version.is_null() && version != "1.0") {
      return Unsupported("version", "only \"1.0\" is known, got " + version.dump());
    }
    const json& model = Member(root, "model");
    ZB_RETURN_IF_ERROR(ReadModelOptions(model));
    ZB_RETURN_IF_ERROR(ReadVocabulary(Member(model, "vocab")));
    ZB_RETURN_IF_ERROR(ReadNormalizer(Member(root, "normalizer"), "normalizer"));
    ZB_RETURN_IF_ERROR(ReadAddedTokens(Member(root, "added_tokens")));
    ZB_RETURN_IF_ERROR(ReadMerges(Member(model, "merges")));
    ZB_RETURN_IF_ERROR(ReadPreTokenizer(Member(root, "pre_tokenizer")));
    ZB_RETURN_IF_ERROR(CheckDecoder(Member(root, "decoder"), "decoder"));
    ZB_RETURN_IF_ERROR(ReadPostProcessor(Member(root, "post_processor"), "post_processor", 0));
    ZB_RETURN_IF_ERROR(FillBytes());
    return std::move(spec_);
  }

 private:
  Status ReadModelOptions(const json& model) {
    ZB_ASSIGN_OR_RETURN(const std::string type, TypeOf(model, "model"));
    if (type != "BPE") return Unsupported("model.type", "only BPE is known, got " + type);
    for (const char* key : {"continuing_subword_prefix", "end_of_word_suffix"}) {
      const json& value = Member(model, key);
      if (!value.is_null() && value != "") {
        return Unsupported(std::string("model.") + key, "not part of byte-level BPE");
      }
    }
    const json& dropout = Member(model, "dropout");
    if (!dropout.is_null() && dropout != 0) return Unsupported("model.dropout", "random merges");
    ZB_ASSIGN_OR_RETURN(spec_.ignore_merges, BoolOr(model, "ignore_merges", false, "model"));
    ZB_ASSIGN_OR_RETURN(byte_fallback_, BoolOr(model, "byte_fallback", false, "model"));
    return OkStatus();
  }

  // Makes room for id and takes it; the caller has checked the range.
  Status TakeId(std::int32_t id, std::string bytes, std::uint8_t flags, const std::string& path) {
    const auto index = static_cast<std::size_t>(id);
    if (index >= spec_.tokens.size()) {
      spec_.tokens.resize(index + 1);
      spec_.token_flags.resize(index + 1, 0);
    }
    if (spec_.token_flags[index] != 0) {
      return InvalidArgumentError(path + ": id " + std::to_string(id) + " is used by two tokens");
    }
    spec_.tokens[index] = std::move(bytes);
    spec_.token_flags[index] = static_cast<std::uint8_t>(flags | kTokenPresent);
    return OkStatus();
  }

  Status ReadVocabulary(const json& vocabulary) {
    if (!vocabulary.is_object())
      return Bad("model.vocab", "an object of tokens and ids", vocabulary);
    if (vocabulary.empty() || vocabulary.size() > kMaxTokens) {
      return ResourceExhaustedError("model.vocab: expected 1 to " + std::to_string(kMaxTokens) +
                                    " tokens, got " + std::to_string(vocabulary.size()));
    }
    ids_.reserve(vocabulary.size());
    std::string bytes;
    for (const auto& [spelling, value] : vocabulary.items()) {
      const std::string path = "model.vocab";
      if (spelling.size() > kMaxTokenBytes) {
        return ResourceExhaustedError(path + ": a token of " + std::to_string(spelling.size()) +
                                      " bytes, at most " + std::to_string(kMaxTokenBytes));
      }
      ZB_ASSIGN_OR_RETURN(const std::int32_t id,
                          ReadId(value, "model.vocab[\"" + spelling + "\"]"));
      const bool byte_level = !spelling.empty() && BytesOfSpelling(spelling, &bytes);
      ZB_RETURN_IF_ERROR(TakeId(id, byte_level ? bytes : spelling,
                                byte_level ? kTokenMergeable : std::uint8_t{0}, path));
      ids_.emplace(spelling, id);
    }
    return OkStatus();
  }

  Status ReadNormalizer(const json& normalizer, const std::string& path) {
    if (normalizer.is_null()) return OkStatus();
    ZB_ASSIGN_OR_RETURN(const std::string type, TypeOf(normalizer, path));
    if (type == "NFC") {
      spec_.nfc = true;
      return OkStatus();
    }
    if (type != "Sequence") return Unsupported(path, "only NFC is known, got " + type);
    const json& list = Member(normalizer, "normalizers");
    if (!list.is_array()) return Bad(path + ".normalizers", "a list", list);
    for (std::size_t i = 0; i < list.size(); ++i) {
      const std::string item = path + ".normalizers[" + std::to_string(i) + "]";
      // One level of nesting is all that the format's own writer makes.
      if (list[i].is_object() && Member(list[i], "type") == "Sequence") {
        return Unsupported(item, "a sequence in a sequence");
      }
      ZB_RETURN_IF_ERROR(ReadNormalizer(list[i], item));
    }
    return OkStatus();
  }

  Status ReadAddedTokens(const json& list) {
    if (list.is_null()) return OkStatus();
    if (!list.is_array()) return Bad("added_tokens", "a list", list);
    if (list.size() > kMaxAddedTokens) {
      return ResourceExhaustedError("added_tokens: expected at most " +
                                    std::to_string(kMaxAddedTokens) + ", got " +
                                    std::to_string(list.size()));
    }
    std::unordered_map<std::string, std::int32_t> seen;
    for (std::size_t i = 0; i < list.size(); ++i) {
      ZB_RETURN_IF_ERROR(ReadAddedToken(list[i], "added_tokens[" + std::to_string(i) + "]"));
      const AddedTokenSpec& token = spec_.added.back();
      if (!seen.emplace(std::to_string(token.flags & kAddedNormalized) + token.match, token.id)
               .second) {
        return InvalidArgumentError("added_tokens[" + std::to_string(i) + "].content: \"" +
                                    token.match + "\" is there twice");
      }
    }
    return OkStatus();
  }

  Status ReadAddedToken(const json& item, const std::string& path) {
    if (!item.is_object()) return Bad(path, "an object", item);
    const json& content = Member(item, "content");
    if (!content.is_string() || content.get_ref<const std::string&>().empty()) {
      return Bad(path + ".content", "a string that is not empty", content);
    }
    const auto& text = content.get_ref<const std::string&>();
    if (text.size() > kMaxTokenBytes) {
      return ResourceExhaustedError(path + ".content: " + std::to_string(text.size()) +
                                    " bytes, at most " + std::to_string(kMaxTokenBytes));
    }
    AddedTokenSpec token;
    ZB_ASSIGN_OR_RETURN(token.id, ReadId(Member(item, "id"), path + ".id"));
    ZB_ASSIGN_OR_RETURN(const bool special, BoolOr(item, "special", false, path));
    ZB_ASSIGN_OR_RETURN(const bool normalized, BoolOr(item, "normalized", !special, path));
    ZB_ASSIGN_OR_RETURN(const bool left, BoolOr(item, "lstrip", false, path));
    ZB_ASSIGN_OR_RETURN(const bool right, BoolOr(item, "rstrip", false, path));
    ZB_ASSIGN_OR_RETURN(const bool single_word, BoolOr(item, "single_word", false, path));
    token.flags = (normalized ? kAddedNormalized : 0U) | (left ? kAddedLeftStrip : 0U) |
                  (right ? kAddedRightStrip : 0U) | (single_word ? kAddedSingleWord : 0U);
    token.match = normalized && spec_.nfc && !IsCertainlyNfc(text) ? ToNfc(text) : text;

    const bool control = special || LooksLikeMarkup(text);
    const auto flags =
        static_cast<std::uint8_t>((special ? kTokenSpecial : 0) | (control ? kTokenControl : 0));
    const auto known = ids_.find(text);
    if (known == ids_.end()) {
      ZB_RETURN_IF_ERROR(TakeId(token.id, text, flags, path));
      ids_.emplace(text, token.id);
    } else if (known->second != token.id) {
      return InvalidArgumentError(path + ".id: \"" + text + "\" has id " +
                                  std::to_string(known->second) + " in model.vocab, got " +
                                  std::to_string(token.id));
    } else {
      // The text is taken as it stands; plain text may no longer become a control token by merging.
      const auto index = static_cast<std::size_t>(token.id);
      spec_.tokens[index] = text;
      std::uint8_t& old = spec_.token_flags[index];
      const auto keep =
          static_cast<std::uint8_t>(control ? kTokenPresent : kTokenPresent | kTokenMergeable);
      old = static_cast<std::uint8_t>((old & keep) | flags);
    }
    spec_.added.push_back(std::move(token));
    return OkStatus();
  }

  Status ReadMerges(const json& merges) {
    if (!merges.is_array()) return Bad("model.merges", "a list of pairs", merges);
    if (merges.size() > kMaxMerges) {
      return ResourceExhaustedError("model.merges: expected at most " + std::to_string(kMaxMerges) +
                                    ", got " + std::to_string(merges.size()));
    }
    spec_.merges.reserve(merges.size());
    std::string joined;
    for (std::size_t i = 0; i < merges.size(); ++i) {
      const json& item = merges[i];
      const auto path = [i] { return "model.merges[" + std::to_string(i) + "]"; };
      std::string_view left;
      std::string_view right;
      if (item.is_string()) {
        const std::string_view line = item.get_ref<const std::string&>();
        if (line.substr(0, 8) == "#version") continue;
        const std::size_t blank = line.find(' ');
        if (blank == std::string_view::npos ||
            line.find(' ', blank + 1) != std::string_view::npos) {
          return Bad(path(), "two tokens with one blank between", item);
        }
        left = line.substr(0, blank);
        right = line.substr(blank + 1);
      } else if (item.is_array() && item.size() == 2 && item[0].is_string() &&
                 item[1].is_string()) {
        left = item[0].get_ref<const std::string&>();
        right = item[1].get_ref<const std::string&>();
      } else {
        return Bad(path(), "\"a b\" or [\"a\", \"b\"]", item);
      }
      joined.assign(left).append(right);
      MergeRule rule{};
      ZB_ASSIGN_OR_RETURN(rule.left, MergeToken(std::string(left), path));
      ZB_ASSIGN_OR_RETURN(rule.right, MergeToken(std::string(right), path));
      ZB_ASSIGN_OR_RETURN(rule.result, MergeToken(joined, path));
      const std::uint8_t flags = spec_.token_flags[static_cast<std::size_t>(rule.result)];
      if ((flags & kTokenControl) == 0) spec_.merges.push_back(rule);
    }
    return OkStatus();
  }

  template <typename Path>
  Result<std::int32_t> MergeToken(const std::string& spelling, const Path& path) {
    const auto found = ids_.find(spelling);
    if (found == ids_.end()) {
      return InvalidArgumentError(path() + ": token \"" + spelling + "\" is not in model.vocab");
    }
    return found->second;
  }

  Status ReadPreTokenizer(const json& pre_tokenizer) {
    if (pre_tokenizer.is_null()) {
      return Unsupported("pre_tokenizer",
                         "BPE without a ByteLevel pre-tokenizer is not byte-level");
    }
    ZB_ASSIGN_OR_RETURN(const std::string type, TypeOf(pre_tokenizer, "pre_tokenizer"));
    if (type != "Sequence") {
      ZB_RETURN_IF_ERROR(ReadPreStep(pre_tokenizer, type, "pre_tokenizer"));
    } else {
      const json& list = Member(pre_tokenizer, "pretokenizers");
      if (!list.is_array()) return Bad("pre_tokenizer.pretokenizers", "a list", list);
      for (std::size_t i = 0; i < list.size(); ++i) {
        const std::string path = "pre_tokenizer.pretokenizers[" + std::to_string(i) + "]";
        ZB_ASSIGN_OR_RETURN(const std::string step, TypeOf(list[i], path));
        ZB_RETURN_IF_ERROR(ReadPreStep(list[i], step, path));
      }
    }
    if (!byte_level_) {
      return Unsupported("pre_tokenizer",
                         "BPE without a ByteLevel pre-tokenizer is not byte-level");
    }
    return OkStatus();
  }

  Status ReadPreStep(const json& step, const std::string& type, const std::string& path) {
    if (byte_level_) return Unsupported(path, type + " after ByteLevel");
    if (type == "ByteLevel") {
      byte_level_ = true;
      ZB_ASSIGN_OR_RETURN(const bool use_regex, BoolOr(step, "use_regex", true, path));
      ZB_ASSIGN_OR_RETURN(const bool prefix_space, BoolOr(step, "add_prefix_space", true, path));
      if (prefix_space && !spec_.splits.empty()) {
        return Unsupported(path + ".add_prefix_space", "after another pre-tokenizer");
      }
      spec_.prefix_space = prefix_space;
      return use_regex ? AddSplit(SplitPattern::kGpt2, path) : OkStatus();
    }
    if (type == "Digits") {
      ZB_ASSIGN_OR_RETURN(const bool each, BoolOr(step, "individual_digits", false, path));
      return AddSplit(each ? SplitPattern::kDigit : SplitPattern::kDigitRun, path);
    }
    if (type != "Split") {
      return Unsupported(path, "only Split, Digits and ByteLevel are known, got " + type);
    }
    return ReadSplit(step, path);
  }

  Status ReadSplit(const json& step, const std::string& path) {
    const json& pattern = Member(step, "pattern");
    const json& regex = pattern.is_object() ? Member(pattern, "Regex") : pattern;
    if (!pattern.is_object() || !regex.is_string()) {
      return Unsupported(path + ".pattern", "only {\"Regex\": ...} is known");
    }
    const std::optional<SplitPattern> known = FindSplitPattern(regex.get_ref<const std::string&>());
    if (!known) {
      return Unsupported(path + ".pattern",
                         "unknown pattern " + regex.get_ref<const std::string&>());
    }
    const json& behavior = Member(step, "behavior");
    ZB_ASSIGN_OR_RETURN(const bool invert, BoolOr(step, "invert", false, path));
    // Where matches cover everything, removing what is between them changes nothing.
    const bool as_isolated = behavior == "Removed" && invert && SplitPatternCoversAll(*known);
    if (behavior != "Isolated" && !as_isolated) {
      return Unsupported(path + ".behavior", "only Isolated is known, got " + behavior.dump());
    }
    return AddSplit(*known, path);
  }

  Status AddSplit(SplitPattern pattern, const std::string& path) {
    if (spec_.splits.size() == kMaxSplits) {
      return ResourceExhaustedError(path + ": more than " + std::to_string(kMaxSplits) + " splits");
    }
    spec_.splits.push_back(pattern);
    return OkStatus();
  }

  Status CheckDecoder(const json& decoder, const std::string& path) {
    ZB_ASSIGN_OR_RETURN(const std::string type, TypeOf(decoder, path));
    if (type == "ByteLevel") return OkStatus();
    const json& list = Member(decoder, "decoders");
    const auto is_byte_level = [](const json& item) {
      return item.is_object() && Member(item, "type") == "ByteLevel";
    };
    if (type == "Sequence" && list.is_array() && list.size() == 1 && is_byte_level(list[0]))
      return OkStatus();
    return Unsupported(path, "only ByteLevel is known, got " + type);
  }

  Status ReadPostProcessor(const json& processor, const std::string& path, int depth) {
    if (processor.is_null()) return OkStatus();
    ZB_ASSIGN_OR_RETURN(const std::string type, TypeOf(processor, path));
    if (type == "ByteLevel") return OkStatus();  // offsets only
    if (type == "TemplateProcessing") return ReadTemplate(processor, path);
    if (type != "Sequence" || depth > 0) {
      return Unsupported(path, "only ByteLevel and TemplateProcessing are known, got " + type);
    }
    const json& list = Member(processor, "processors");
    if (!list.is_array()) return Bad(path + ".processors", "a list", list);
    for (std::size_t i = 0; i < list.size(); ++i) {
      const std::string item = path + ".processors[" + std::to_string(i) + "]";
      ZB_RETURN_IF_ERROR(ReadPostProcessor(list[i], item, depth + 1));
    }
    return OkStatus();
  }

  // TemplateProcessing.single: special tokens around one sequence A.
  Status ReadTemplate(const json& processor, const std::string& path) {
    const json& single = Member(processor, "single");
    if (!single.is_array()) return Bad(path + ".single", "a list", single);
    std::vector<std::int32_t> before;
    std::vector<std::int32_t> after;
    bool seen_sequence = false;
    for (std::size_t i = 0; i < single.size(); ++i) {
      const std::string item = path + ".single[" + std::to_string(i) + "]";
      if (!single[i].is_object()) return Bad(item, "an object", single[i]);
      if (!Member(single[i], "Sequence").is_null()) {
        if (seen_sequence) return Unsupported(item, "a second sequence");
        seen_sequence = true;
        continue;
      }
      const json& special = Member(single[i], "SpecialToken");
      const json& name = special.is_object() ? Member(special, "id") : special;
      if (!name.is_string()) return Bad(item, "a Sequence or a SpecialToken with an id", single[i]);
      ZB_RETURN_IF_ERROR(AppendTemplateIds(Member(processor, "special_tokens"),
                                           name.get_ref<const std::string&>(), path,
                                           seen_sequence ? &after : &before));
    }
    if (!seen_sequence)
      return InvalidArgumentError(path + ".single: expected a Sequence, got none");
    // A processor that comes later works on the result of the earlier one, so it stands further
    // outside.
    spec_.prefix.insert(spec_.prefix.begin(), before.begin(), before.end());
    spec_.suffix.insert(spec_.suffix.end(), after.begin(), after.end());
    return OkStatus();
  }

  Status AppendTemplateIds(const json& table, const std::string& name, const std::string& path,
                           std::vector<std::int32_t>* dst) {
    const json& entry = table.is_object() ? Member(table, name.c_str()) : table;
    const json& ids = entry.is_object() ? Member(entry, "ids") : entry;
    const std::string where = path + ".special_tokens[\"" + name + "\"].ids";
    if (!entry.is_object() || !ids.is_array() || ids.size() > 64)
      return Bad(where, "a short list of ids", ids);
    for (const json& value : ids) {
      ZB_ASSIGN_OR_RETURN(const std::int32_t id, ReadId(value, where));
      const auto index = static_cast<std::size_t>(id);
      if (index >= spec_.tokens.size() || spec_.token_flags[index] == 0) {
        return Bad(where, "an id of the vocabulary", value);
      }
      dst->push_back(id);
    }
    return OkStatus();
  }

  // Every byte that valid UTF-8 can have must be a token, or text would vanish.
  Status FillBytes() {
    for (unsigned byte = 0; byte < 256; ++byte) {
      const std::string bytes(1, static_cast<char>(byte));
      const auto found = ids_.find(SpellingOfBytes(bytes));
      std::int32_t id = found == ids_.end() ? -1 : found->second;
      if (id < 0 && byte_fallback_) {
        constexpr std::string_view kHex = "0123456789ABCDEF";
        const std::string name = std::string("<0x") + kHex[byte / 16] + kHex[byte % 16] + ">";
        const auto fallback = ids_.find(name);
        if (fallback != ids_.end()) {
          id = fallback->second;
          spec_.tokens[static_cast<std::size_t>(id)] = bytes;
        }
      }
      const bool in_utf8 = byte != 0xC0 && byte != 0xC1 && byte < 0xF5;
      if (id < 0 && in_utf8) {
        return InvalidArgumentError(
            "model.vocab: expected a token for each of the bytes of UTF-8, none for byte " +
            std::to_string(byte));
      }
      if (id >= 0 && (spec_.token_flags[static_cast<std::size_t>(id)] & kTokenControl) != 0) {
        return InvalidArgumentError("added_tokens: the token of byte " + std::to_string(byte) +
                                    " may not be a control token, plain text needs it");
      }
      spec_.byte_ids[byte] = id;
    }
    return OkStatus();
  }

  TokenizerSpec spec_;
  std::unordered_map<std::string, std::int32_t>
      ids_;  // by the file's spelling; added tokens by content
  bool byte_fallback_ = false;
  bool byte_level_ = false;
};

}  // namespace

Result<TokenizerSpec> ReadTokenizerJson(std::string_view tokenizer_json, std::string_view source) {
  base::JsonLimits limits;
  limits.max_bytes = kMaxTokenizerJsonBytes;
  ZB_ASSIGN_OR_RETURN(const json root, base::ParseJson(tokenizer_json, source, limits));
  Result<TokenizerSpec> spec = Reader().Read(root);
  if (!spec.ok()) return std::move(spec).status().WithContext(source);
  return spec;
}

}  // namespace zhibi::text
