// SPDX-License-Identifier: Apache-2.0
#include "import/checkpoint.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/json.h"
#include "base/status_macros.h"
#include "quant/codec.h"

namespace zhibi::import {
namespace {

using nlohmann::json;

constexpr std::string_view kSingleName = "model.safetensors";
constexpr std::string_view kIndexName = "model.safetensors.index.json";
constexpr std::size_t kMaxIndexBytes = std::size_t{64} << 20;
constexpr std::size_t kMaxFiles = 4096;

// "a.safetensors": no folder, nothing that leaves the checkpoint's own folder.
bool IsPlainFileName(std::string_view name) {
  return !name.empty() && name != "." && name != ".." && name.find('/') == std::string_view::npos &&
         name.find('\0') == std::string_view::npos;
}

Result<std::map<std::string, std::string>> ReadIndex(const std::string& path) {
  ZB_ASSIGN_OR_RETURN(const std::string text, base::ReadFile(path, kMaxIndexBytes));
  ZB_ASSIGN_OR_RETURN(const json index, base::ParseJson(text, path));
  if (!index.is_object() || !index.contains("weight_map") || !index["weight_map"].is_object()) {
    return InvalidArgumentError(path + ": weight_map: expected an object of tensor to file name");
  }
  std::map<std::string, std::string> weight_map;
  for (const auto& item : index["weight_map"].items()) {
    if (!item.value().is_string() || !IsPlainFileName(item.value().get<std::string>())) {
      return InvalidArgumentError(path + ": weight_map: " + item.key() +
                                  ": expected the name of a file beside the index");
    }
    weight_map.emplace(item.key(), item.value().get<std::string>());
  }
  if (weight_map.empty()) return InvalidArgumentError(path + ": weight_map: is empty");
  return weight_map;
}

// Names of the folder's .safetensors files, sorted.
Result<std::vector<std::string>> ListSafetensors(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  std::filesystem::directory_iterator it(folder, error);
  for (; !error && it != std::filesystem::directory_iterator(); it.increment(error)) {
    if (it->path().extension() == ".safetensors") names.push_back(it->path().filename().string());
  }
  if (error) return NotFoundError(folder + ": cannot list the folder: " + error.message());
  std::ranges::sort(names);
  return names;
}

Result<std::string> OnlySafetensors(const std::string& folder) {
  ZB_ASSIGN_OR_RETURN(const std::vector<std::string> names, ListSafetensors(folder));
  if (names.size() == 1) return names.front();
  if (names.empty()) {
    return NotFoundError(folder + ": expected " + std::string(kSingleName) + ", " +
                         std::string(kIndexName) + " or one .safetensors file, found none" +
                         "; other formats (.bin, .pth) are to be converted to safetensors first");
  }
  std::string found;
  for (const std::string& name : names) found += (found.empty() ? "" : ", ") + name;
  return NotFoundError(folder + ": several .safetensors files (" + found + ") need " +
                       std::string(kIndexName) + ", which is missing");
}

// `index_path` is empty where no index names the file.
Result<SafetensorsFile> OpenShard(const std::string& folder, const std::string& name,
                                  const std::string& index_path) {
  Result<SafetensorsFile> file = SafetensorsFile::Open(folder + "/" + name);
  if (file.ok() || index_path.empty()) return file;
  return std::move(file).status().WithContext(index_path + ": shard " + name);
}

Status MisplacedError(const std::string& index_path, const std::string& tensor,
                      const std::string& expected, const std::string& given) {
  return InvalidArgumentError(index_path + ": tensor " + tensor + ": expected in " + expected +
                              (given.empty() ? ", found in no file" : ", found in " + given));
}

bool Exists(const std::string& path) {
  std::error_code error;
  return std::filesystem::exists(path, error);
}

// Elements of an F32, F16 or BF16 tensor as float; files give no alignment.
std::vector<float> Widen(std::span<const std::byte> bytes, DType dtype) {
  const std::size_t size = dtype == DType::kF32 ? 4 : 2;
  std::vector<float> values(bytes.size() / size);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (dtype == DType::kF32) {
      std::memcpy(&values[i], bytes.data() + i * size, size);
      continue;
    }
    std::uint16_t bits = 0;
    std::memcpy(&bits, bytes.data() + i * size, size);
    values[i] = dtype == DType::kF16 ? quant::F16ToF32(bits) : quant::BF16ToF32(bits);
  }
  return values;
}

}  // namespace

Result<std::unique_ptr<Checkpoint>> Checkpoint::Open(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_directory(path, error)) {
    std::vector<SafetensorsFile> files;
    ZB_ASSIGN_OR_RETURN(SafetensorsFile file, SafetensorsFile::Open(path));
    files.push_back(std::move(file));
    return FromFiles(std::move(files), path);
  }
  std::vector<std::string> names;
  std::map<std::string, std::string> weight_map;
  const std::string index_path = path + "/" + std::string(kIndexName);
  if (Exists(path + "/" + std::string(kSingleName))) {
    names.emplace_back(kSingleName);
  } else if (Exists(index_path)) {
    ZB_ASSIGN_OR_RETURN(weight_map, ReadIndex(index_path));
    for (const auto& [tensor, name] : weight_map) names.push_back(name);
    std::ranges::sort(names);
    const auto rest = std::ranges::unique(names);
    names.erase(rest.begin(), rest.end());
  } else {
    ZB_ASSIGN_OR_RETURN(std::string name, OnlySafetensors(path));
    names.push_back(std::move(name));
  }
  if (names.size() > kMaxFiles) {
    return InvalidArgumentError(index_path + ": expected at most " + std::to_string(kMaxFiles) +
                                " files, got " + std::to_string(names.size()));
  }
  std::vector<SafetensorsFile> files;
  for (const std::string& name : names) {
    ZB_ASSIGN_OR_RETURN(SafetensorsFile file,
                        OpenShard(path, name, weight_map.empty() ? "" : index_path));
    files.push_back(std::move(file));
  }
  ZB_ASSIGN_OR_RETURN(std::unique_ptr<Checkpoint> checkpoint, FromFiles(std::move(files), path));
  ZB_RETURN_IF_ERROR(checkpoint->CheckIndexFile(index_path, weight_map));
  return checkpoint;
}

Result<std::unique_ptr<Checkpoint>> Checkpoint::FromFiles(std::vector<SafetensorsFile> files,
                                                          std::string where) {
  std::unique_ptr<Checkpoint> checkpoint(new Checkpoint);
  checkpoint->files_ = std::move(files);
  checkpoint->where_ = std::move(where);
  ZB_RETURN_IF_ERROR(checkpoint->Index());
  return checkpoint;
}

Status Checkpoint::Index() {
  for (const SafetensorsFile& file : files_) {
    for (const SafetensorsEntry& entry : file.entries()) {
      const auto [at, is_new] = places_.try_emplace(entry.name, Place{&file, &entry});
      if (!is_new) {
        return InvalidArgumentError("tensor " + entry.name + ": in two files, " +
                                    at->second.file->path() + " and " + file.path());
      }
    }
  }
  for (const auto& [name, place] : places_) {
    if (place.entry->dtype != DType::kI8) continue;
    Status status = LoadScales(name, place);
    if (!status.ok()) bad_scales_.emplace(name, std::move(status));
  }
  return OkStatus();
}

Status Checkpoint::CheckIndexFile(const std::string& index_path,
                                  const std::map<std::string, std::string>& weight_map) const {
  for (const auto& [tensor, name] : weight_map) {
    const auto at = places_.find(tensor);
    const std::string given =
        at == places_.end() ? "" : std::filesystem::path(at->second.file->path()).filename();
    if (given != name) return MisplacedError(index_path, tensor, name, given);
  }
  return OkStatus();
}

Status Checkpoint::LoadScales(const std::string& name, const Place& place) {
  const std::string where = place.file->path() + ": tensor " + name + ": ";
  const std::vector<std::int64_t>& shape = place.entry->shape;
  if (shape.empty() || shape.size() > 2) {
    return UnimplementedError(where + "expected an int8 tensor of rank 1 or 2, got " +
                              ShapeText(shape));
  }
  const auto scale = places_.find(name + "_scale");
  if (scale == places_.end()) {
    return InvalidArgumentError(where + "int8 without scales: expected a tensor " + name +
                                "_scale of shape [" + std::to_string(shape[0]) + ", 1]");
  }
  const SafetensorsEntry& entry = *scale->second.entry;
  const std::string scale_where = scale->second.file->path() + ": tensor " + entry.name + ": ";
  const std::vector<std::int64_t> column = {shape[0], 1};
  const std::vector<std::int64_t> vector = {shape[0]};
  if (entry.shape != column && entry.shape != vector) {
    return UnimplementedError(scale_where + "expected one scale a row, " + ShapeText(column) +
                              " or " + ShapeText(vector) + ", got " + ShapeText(entry.shape));
  }
  if (!entry.dtype || *entry.dtype == DType::kI8) {
    return UnimplementedError(scale_where + "expected F32, F16 or BF16, got " + entry.dtype_name);
  }
  const auto zero_point = places_.find(name + "_zero_point");
  if (zero_point != places_.end()) {
    const auto bytes = zero_point->second.file->Bytes(*zero_point->second.entry);
    if (std::ranges::any_of(bytes, [](std::byte b) { return b != std::byte{0}; })) {
      return UnimplementedError(zero_point->second.file->path() + ": tensor " + zero_point->first +
                                ": expected symmetric int8 (zero points of 0)");
    }
  }
  std::vector<float> values = Widen(scale->second.file->Bytes(entry), *entry.dtype);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i]) || values[i] < 0) {
      return InvalidArgumentError(scale_where + "expected finite scales of at least 0, got " +
                                  std::to_string(values[i]) + " at row " + std::to_string(i));
    }
  }
  scales_.emplace(name, std::move(values));
  return OkStatus();
}

Result<graph::StoredTensor> Checkpoint::Find(std::string_view name) const {
  const auto at = places_.find(name);
  if (at == places_.end()) {
    return NotFoundError("tensor " + std::string(name) + ": not found in " + where_);
  }
  const SafetensorsEntry& entry = *at->second.entry;
  if (!entry.dtype) {
    return UnimplementedError(at->second.file->path() + ": tensor " + entry.name +
                              ": expected F32, F16, BF16 or I8, got " + entry.dtype_name);
  }
  const auto bad = bad_scales_.find(name);
  if (bad != bad_scales_.end()) return bad->second;
  graph::StoredTensor tensor;
  tensor.dtype = *entry.dtype;
  tensor.shape = entry.shape;
  tensor.bytes = at->second.file->Bytes(entry);
  const auto scales = scales_.find(name);
  if (scales != scales_.end()) tensor.row_scales = scales->second;
  return tensor;
}

bool Checkpoint::Contains(std::string_view name) const { return places_.contains(name); }

std::vector<std::string> Checkpoint::names() const {
  std::vector<std::string> names;
  names.reserve(places_.size());
  for (const auto& [name, place] : places_) names.push_back(name);
  return names;
}

}  // namespace zhibi::import
