// SPDX-License-Identifier: Apache-2.0
#include "import/safetensors.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/json.h"
#include "base/status_macros.h"

namespace zhibi::import {
namespace {

using nlohmann::json;

struct TypeRow {
  std::string_view name;
  std::uint64_t bits;
  std::optional<DType> dtype;
};

// Types whose size is known; the ones without a DType are refused only when a model uses them.
constexpr std::array<TypeRow, 19> kTypes = {{{"F32", 32, DType::kF32},
                                             {"F16", 16, DType::kF16},
                                             {"BF16", 16, DType::kBF16},
                                             {"I8", 8, DType::kI8},
                                             {"F64", 64, std::nullopt},
                                             {"I64", 64, std::nullopt},
                                             {"U64", 64, std::nullopt},
                                             {"C64", 64, std::nullopt},
                                             {"I32", 32, std::nullopt},
                                             {"U32", 32, std::nullopt},
                                             {"I16", 16, std::nullopt},
                                             {"U16", 16, std::nullopt},
                                             {"U8", 8, std::nullopt},
                                             {"BOOL", 8, std::nullopt},
                                             {"F8_E5M2", 8, std::nullopt},
                                             {"F8_E4M3", 8, std::nullopt},
                                             {"F8_E8M0", 8, std::nullopt},
                                             {"F6_E2M3", 6, std::nullopt},
                                             {"F4", 4, std::nullopt}}};

constexpr std::size_t kMaxRank = 8;

const TypeRow* FindType(std::string_view name) {
  for (const TypeRow& row : kTypes) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

// Names come from the file: what is printed is cut and cleaned.
std::string Quoted(std::string_view name) {
  constexpr std::size_t kLongest = 120;
  std::string text = "\"";
  for (const char c : name.substr(0, kLongest))
    text += static_cast<unsigned char>(c) < 0x20 ? '?' : c;
  return text + (name.size() > kLongest ? "...\"" : "\"");
}

std::optional<std::uint64_t> Unsigned(const json& value) {
  if (value.is_number_unsigned()) return value.get<std::uint64_t>();
  return std::nullopt;
}

Status ReadShape(const json& value, const std::string& where, SafetensorsEntry& entry) {
  if (!value.is_array() || value.size() > kMaxRank) {
    return InvalidArgumentError(where + "shape: expected a list of at most 8 sizes");
  }
  for (const json& size : value) {
    const std::optional<std::uint64_t> number = Unsigned(size);
    if (!number || *number > std::uint64_t{std::numeric_limits<std::int64_t>::max()}) {
      return InvalidArgumentError(where + "shape: expected whole sizes of at most 2^63 - 1, got " +
                                  size.dump(-1, ' ', true, json::error_handler_t::replace));
    }
    entry.shape.push_back(static_cast<std::int64_t>(*number));
  }
  return OkStatus();
}

Status ReadOffsets(const json& value, const std::string& where, std::uint64_t data_bytes,
                   SafetensorsEntry& entry) {
  std::optional<std::uint64_t> begin;
  std::optional<std::uint64_t> end;
  if (value.is_array() && value.size() == 2) {
    begin = Unsigned(value[0]);
    end = Unsigned(value[1]);
  }
  if (!begin || !end) {
    return InvalidArgumentError(where + "data_offsets: expected two whole numbers");
  }
  if (*begin > *end) {
    return InvalidArgumentError(where + "data_offsets: expected begin <= end, got [" +
                                std::to_string(*begin) + ", " + std::to_string(*end) + "]");
  }
  if (*end > data_bytes) {
    return DataLossError(where + "data_offsets: expected an end within the " +
                         std::to_string(data_bytes) + " bytes of data in the file, got " +
                         std::to_string(*end) + "; the file is cut off or its header is wrong");
  }
  entry.begin = *begin;
  entry.end = *end;
  return OkStatus();
}

// Bits of the whole tensor, or nothing when the product overflows.
std::optional<std::uint64_t> TensorBits(std::span<const std::int64_t> shape, std::uint64_t bits) {
  if (std::ranges::find(shape, 0) != shape.end()) return 0;
  std::uint64_t total = bits;
  for (const std::int64_t size : shape) {
    if (total > std::numeric_limits<std::uint64_t>::max() / static_cast<std::uint64_t>(size)) {
      return std::nullopt;
    }
    total *= static_cast<std::uint64_t>(size);
  }
  return total;
}

Result<SafetensorsEntry> ReadEntry(const std::string& name, const json& value,
                                   const std::string& where, std::uint64_t data_bytes) {
  if (!value.is_object()) return InvalidArgumentError(where + "expected an object");
  for (const auto& item : value.items()) {
    if (item.key() != "dtype" && item.key() != "shape" && item.key() != "data_offsets") {
      return InvalidArgumentError(where + "unexpected key " + Quoted(item.key()) +
                                  ", expected dtype, shape and data_offsets");
    }
  }
  for (const char* key : {"dtype", "shape", "data_offsets"}) {
    if (!value.contains(key)) return InvalidArgumentError(where + key + ": missing");
  }
  const json& dtype = value["dtype"];
  if (!dtype.is_string()) return InvalidArgumentError(where + "dtype: expected a string");
  SafetensorsEntry entry;
  entry.name = name;
  entry.dtype_name = dtype.get<std::string>();
  ZB_RETURN_IF_ERROR(ReadShape(value["shape"], where, entry));
  ZB_RETURN_IF_ERROR(ReadOffsets(value["data_offsets"], where, data_bytes, entry));
  const TypeRow* type = FindType(entry.dtype_name);
  if (type == nullptr) return entry;  // of unknown size: refused by whoever asks for it
  entry.dtype = type->dtype;
  const std::optional<std::uint64_t> bits = TensorBits(entry.shape, type->bits);
  if (!bits || *bits % 8 != 0 || *bits / 8 != entry.end - entry.begin) {
    return InvalidArgumentError(where + "expected " +
                                (bits ? std::to_string(*bits / 8) : "more than 2^61") +
                                " bytes for " + entry.dtype_name + " " + ShapeText(entry.shape) +
                                ", got " + std::to_string(entry.end - entry.begin));
  }
  return entry;
}

Status ReadMetadata(const json& value, const std::string& path) {
  if (!value.is_object()) {
    return InvalidArgumentError(path + ": __metadata__: expected an object of strings");
  }
  for (const auto& item : value.items()) {
    if (!item.value().is_string()) {
      return InvalidArgumentError(path + ": __metadata__: " + Quoted(item.key()) +
                                  ": expected a string");
    }
  }
  return OkStatus();
}

Status TilingError(const std::string& path, const SafetensorsEntry& entry, std::uint64_t expected,
                   const std::string& before) {
  return InvalidArgumentError(
      path + ": tensor " + Quoted(entry.name) + ": data_offsets: expected begin " +
      std::to_string(expected) + " (after " + before + "), got " + std::to_string(entry.begin) +
      (entry.begin < expected ? ", which overlaps it" : ", which leaves a hole"));
}

// The ranges must follow each other without overlap or hole and fill the data.
Status CheckTiling(std::span<const SafetensorsEntry> entries, std::uint64_t data_bytes,
                   const std::string& path) {
  std::vector<const SafetensorsEntry*> order;
  order.reserve(entries.size());
  for (const SafetensorsEntry& entry : entries) order.push_back(&entry);
  std::ranges::sort(order, [](const SafetensorsEntry* a, const SafetensorsEntry* b) {
    return std::pair(a->begin, a->end) < std::pair(b->begin, b->end);
  });
  std::uint64_t at = 0;
  std::string before = "the header";
  for (const SafetensorsEntry* entry : order) {
    if (entry->begin != at) {
      return TilingError(path, *entry, at, before);
    }
    at = entry->end;
    before = "tensor " + Quoted(entry->name);
  }
  if (at != data_bytes) {
    return InvalidArgumentError(path + ": expected the data to end after " + std::to_string(at) +
                                " bytes (with " + before + "), got " + std::to_string(data_bytes));
  }
  return OkStatus();
}

}  // namespace

std::string ShapeText(std::span<const std::int64_t> shape) {
  std::string text = "[";
  for (const std::int64_t size : shape) {
    if (text.size() > 1) text += ", ";
    text += std::to_string(size);
  }
  return text + "]";
}

Result<SafetensorsFile> SafetensorsFile::Open(const std::string& path) {
  ZB_ASSIGN_OR_RETURN(base::MappedFile mapped, base::MappedFile::Open(path));
  SafetensorsFile file;
  file.path_ = path;
  file.file_ = std::move(mapped);
  ZB_RETURN_IF_ERROR(file.ReadHeader(file.file_.bytes()));
  return file;
}

Result<SafetensorsFile> SafetensorsFile::Parse(std::span<const std::byte> bytes,
                                               std::string source) {
  SafetensorsFile file;
  file.path_ = std::move(source);
  ZB_RETURN_IF_ERROR(file.ReadHeader(bytes));
  return file;
}

Status SafetensorsFile::ReadHeader(std::span<const std::byte> bytes) {
  constexpr std::size_t kPrefix = 8;
  size_ = bytes.size();
  if (bytes.size() < kPrefix) {
    return DataLossError(path_ + ": expected at least 8 bytes (the header's length), got " +
                         std::to_string(bytes.size()));
  }
  std::uint64_t length = 0;
  for (std::size_t i = 0; i < kPrefix; ++i) {
    length |= static_cast<std::uint64_t>(std::to_integer<unsigned>(bytes[i])) << (8 * i);
  }
  if (length > kMaxHeaderBytes) {
    return InvalidArgumentError(path_ + ": header length at offset 0: expected at most " +
                                std::to_string(kMaxHeaderBytes) + ", got " +
                                std::to_string(length) + "; not a safetensors file?");
  }
  if (length > bytes.size() - kPrefix) {
    return DataLossError(path_ + ": expected a header of " + std::to_string(length) +
                         " bytes, the file holds " + std::to_string(bytes.size() - kPrefix) +
                         " after its length; it is cut off");
  }
  header_ = bytes.subspan(kPrefix, static_cast<std::size_t>(length));
  data_ = bytes.subspan(kPrefix + static_cast<std::size_t>(length));
  const std::string_view text(reinterpret_cast<const char*>(header_.data()), header_.size());
  if (text.empty() || text.front() != '{') {
    return InvalidArgumentError(path_ + ": header: expected a JSON object at offset 8");
  }
  ZB_ASSIGN_OR_RETURN(const json header,
                      base::ParseJson(text, path_ + ": header", {.max_depth = 4}));
  for (const auto& item : header.items()) {
    if (item.key() == "__metadata__") {
      ZB_RETURN_IF_ERROR(ReadMetadata(item.value(), path_));
      continue;
    }
    const std::string where = path_ + ": tensor " + Quoted(item.key()) + ": ";
    ZB_ASSIGN_OR_RETURN(SafetensorsEntry entry,
                        ReadEntry(item.key(), item.value(), where, data_.size()));
    entries_.push_back(std::move(entry));
  }
  std::ranges::sort(entries_, {}, &SafetensorsEntry::name);
  return CheckTiling(entries_, data_.size(), path_);
}

const SafetensorsEntry* SafetensorsFile::Find(std::string_view name) const {
  const auto at = std::ranges::lower_bound(entries_, name, {}, [](const SafetensorsEntry& entry) {
    return std::string_view(entry.name);
  });
  return at != entries_.end() && at->name == name ? &*at : nullptr;
}

std::span<const std::byte> SafetensorsFile::Bytes(const SafetensorsEntry& entry) const {
  return data_.subspan(static_cast<std::size_t>(entry.begin),
                       static_cast<std::size_t>(entry.end - entry.begin));
}

}  // namespace zhibi::import
