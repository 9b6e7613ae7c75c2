// SPDX-License-Identifier: Apache-2.0
#include "import/model_folder.h"

#define XXH_INLINE_ALL  // one use, no library to link
#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>
#include <xxhash.h>

#include "base/file.h"
#include "base/json.h"
#include "base/status_macros.h"
#include "graph/families/config_reader.h"

namespace zhibi::import {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::string_view kWeightsSuffix = ".safetensors";
constexpr std::string_view kConfig = "config.json";
constexpr std::string_view kTokenizer = "tokenizer.json";
constexpr std::string_view kTokenizerConfig = "tokenizer_config.json";
constexpr std::string_view kGenerationConfig = "generation_config.json";
constexpr std::string_view kTemplateFile = "chat_template.jinja";
constexpr std::string_view kTemplateJson = "chat_template.json";

struct SmallFile {
  std::string_view name;
  std::size_t max_bytes;
};
constexpr std::array<SmallFile, 6> kSmallFiles = {{{kConfig, std::size_t{16} << 20},
                                                   {kTokenizer, std::size_t{256} << 20},
                                                   {kTokenizerConfig, std::size_t{64} << 20},
                                                   {kGenerationConfig, std::size_t{1} << 20},
                                                   {kTemplateFile, std::size_t{4} << 20},
                                                   {kTemplateJson, std::size_t{8} << 20}}};

struct Location {
  std::string folder;
  std::string file;  // empty: the whole folder
};

bool Exists(const std::string& path) {
  std::error_code error;
  return fs::exists(path, error);
}

Result<Location> Locate(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) {
    return NotFoundError(path + ": no such file or folder; expected a model folder with " +
                         std::string(kConfig) + " or a .safetensors file in one");
  }
  Location location;
  if (fs::is_directory(status)) {
    location.folder = path;
  } else if (path.ends_with(kWeightsSuffix)) {
    const std::string parent = fs::path(path).parent_path().string();
    location = {parent.empty() ? "." : parent, path};
  } else {
    return InvalidArgumentError(path + ": expected a model folder or a .safetensors file");
  }
  const std::string config = location.folder + "/" + std::string(kConfig);
  if (!Exists(config)) return NotFoundError(config + ": missing; a model folder needs it");
  return location;
}

// The text of a file of the folder; empty where it does not exist.
Result<std::string> ReadSmall(const std::string& folder, std::string_view name) {
  const std::string path = folder + "/" + std::string(name);
  if (!Exists(path)) return std::string();
  const auto* file = std::ranges::find(kSmallFiles, name, &SmallFile::name);
  return base::ReadFile(path, file->max_bytes);
}

Result<json> ParseObject(const std::string& text, const std::string& path) {
  ZB_ASSIGN_OR_RETURN(json parsed, base::ParseJson(text, path));
  if (!parsed.is_object()) return InvalidArgumentError(path + ": expected a JSON object");
  return parsed;
}

// `chat_template` is a string, or a list of named ones of which "default" is taken.
Result<std::string> TemplateOf(const json& object, const std::string& where) {
  const auto at = object.find("chat_template");
  if (at == object.end() || at->is_null()) return std::string();
  if (at->is_string()) return at->get<std::string>();
  if (at->is_array()) {
    for (const json& entry : *at) {
      if (entry.is_object() && entry.value("name", json()) == "default" &&
          entry.contains("template") && entry["template"].is_string()) {
        return entry["template"].get<std::string>();
      }
    }
  }
  return InvalidArgumentError(where +
                              ": chat_template: expected a string, or a list of objects with name "
                              "and template, one of them named default");
}

Result<std::string> ReadTemplate(const ModelFolder& model) {
  ZB_ASSIGN_OR_RETURN(std::string text, ReadSmall(model.folder, kTemplateFile));
  if (!text.empty()) return text;
  ZB_ASSIGN_OR_RETURN(const std::string json_text, ReadSmall(model.folder, kTemplateJson));
  for (const auto& [name, content] : {std::pair(kTemplateJson, &json_text),
                                      std::pair(kTokenizerConfig, &model.tokenizer_config_json)}) {
    if (content->empty()) continue;
    const std::string path = model.folder + "/" + std::string(name);
    ZB_ASSIGN_OR_RETURN(const json object, ParseObject(*content, path));
    ZB_ASSIGN_OR_RETURN(text, TemplateOf(object, path));
    if (!text.empty()) return text;
  }
  return std::string();
}

// The weight files of a location, sorted by name.
Result<std::vector<std::string>> WeightFiles(const Location& location) {
  if (!location.file.empty()) return std::vector<std::string>{location.file};
  std::vector<std::string> paths;
  std::error_code error;
  fs::directory_iterator it(location.folder, error);
  for (; !error && it != fs::directory_iterator(); it.increment(error)) {
    const std::string path = it->path().string();
    if (path.ends_with(kWeightsSuffix) || path.ends_with(".safetensors.index.json")) {
      paths.push_back(path);
    }
  }
  if (error) return NotFoundError(location.folder + ": cannot be listed: " + error.message());
  std::ranges::sort(paths);
  return paths;
}

class Hasher {
 public:
  Hasher() { XXH3_128bits_reset(&state_); }
  void Add(std::string_view bytes) {
    AddNumber(bytes.size());
    XXH3_128bits_update(&state_, bytes.data(), bytes.size());
  }
  void AddNumber(std::uint64_t number) { XXH3_128bits_update(&state_, &number, sizeof(number)); }
  std::string Text() const {
    XXH128_canonical_t bytes;
    XXH128_canonicalFromHash(&bytes, XXH3_128bits_digest(&state_));
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text;
    for (const unsigned char byte : bytes.digest) {
      text += kDigits[byte >> 4];
      text += kDigits[byte & 15U];
    }
    return text;
  }

 private:
  alignas(64) XXH3_state_t state_;
};

Status AddWeightFile(const std::string& path, Hasher& hasher) {
  ZB_ASSIGN_OR_RETURN(const base::MappedFile file, base::MappedFile::Open(path));
  std::error_code error;
  const auto changed = fs::last_write_time(path, error);
  if (error) return NotFoundError(path + ": " + error.message());
  const std::string_view bytes(reinterpret_cast<const char*>(file.bytes().data()),
                               file.bytes().size());
  hasher.Add(fs::path(path).filename().string());
  hasher.AddNumber(bytes.size());
  hasher.AddNumber(static_cast<std::uint64_t>(changed.time_since_epoch().count()));
  // 8 bytes of length and the header; a broken file is told apart by whoever opens it.
  std::uint64_t length = 0;
  for (std::size_t i = 0; i < 8 && i < bytes.size(); ++i) {
    length |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
  }
  length = std::min(length, SafetensorsFile::kMaxHeaderBytes);
  hasher.Add(bytes.substr(0, static_cast<std::size_t>(length) + 8));
  return OkStatus();
}

}  // namespace

bool LooksLikeModelFolder(const std::string& path) {
  std::error_code error;
  return fs::is_directory(path, error) || path.ends_with(kWeightsSuffix);
}

Result<std::string> HashModel(const std::string& path) {
  ZB_ASSIGN_OR_RETURN(const Location location, Locate(path));
  Hasher hasher;
  for (const SmallFile& file : kSmallFiles) {
    ZB_ASSIGN_OR_RETURN(const std::string text, ReadSmall(location.folder, file.name));
    hasher.Add(text);
  }
  ZB_ASSIGN_OR_RETURN(const std::vector<std::string> paths, WeightFiles(location));
  for (const std::string& weights : paths) ZB_RETURN_IF_ERROR(AddWeightFile(weights, hasher));
  return hasher.Text();
}

Result<ModelFolder> LoadModelFolder(const std::string& path) {
  ZB_ASSIGN_OR_RETURN(const Location location, Locate(path));
  ModelFolder model;
  model.path = path;
  model.folder = location.folder;
  ZB_ASSIGN_OR_RETURN(model.config_json, ReadSmall(model.folder, kConfig));
  ZB_ASSIGN_OR_RETURN(const json config,
                      ParseObject(model.config_json, model.folder + "/" + std::string(kConfig)));
  ZB_ASSIGN_OR_RETURN(model.tokenizer_json, ReadSmall(model.folder, kTokenizer));
  ZB_ASSIGN_OR_RETURN(model.tokenizer_config_json, ReadSmall(model.folder, kTokenizerConfig));
  ZB_ASSIGN_OR_RETURN(model.generation_config_json, ReadSmall(model.folder, kGenerationConfig));
  ZB_ASSIGN_OR_RETURN(model.chat_template, ReadTemplate(model));
  ZB_ASSIGN_OR_RETURN(model.checkpoint,
                      Checkpoint::Open(location.file.empty() ? location.folder : location.file));
  ZB_ASSIGN_OR_RETURN(model.content_hash, HashModel(path));
  return model;
}

Result<graph::FamilyGraphs> BuildGraphs(const ModelFolder& model, const graph::StepLimits& limits) {
  const std::string config_path = model.folder + "/" + std::string(kConfig);
  ZB_ASSIGN_OR_RETURN(const json config, ParseObject(model.config_json, config_path));
  const auto names = config.find("architectures");
  if (names == config.end() || !names->is_array() || names->empty() ||
      !names->front().is_string()) {
    return InvalidArgumentError(config_path +
                                ": architectures: expected a list with the name of the model's "
                                "class, as transformers writes it");
  }
  Result<const graph::Family*> family = graph::FindFamily(names->front().get<std::string>());
  if (!family.ok()) return std::move(family).status().WithContext(model.folder);
  Result<graph::FamilyGraphs> graphs = (*family)->build(config, *model.checkpoint, limits);
  if (!graphs.ok()) return std::move(graphs).status().WithContext(model.folder);
  if (!model.generation_config_json.empty()) {
    const std::string path = model.folder + "/" + std::string(kGenerationConfig);
    ZB_ASSIGN_OR_RETURN(const json generation, ParseObject(model.generation_config_json, path));
    graph::ConfigReader reader(generation, path);
    const std::vector<std::int32_t> eos = reader.TokenIds("eos_token_id", graphs->info.vocab);
    ZB_RETURN_IF_ERROR(reader.status());
    if (!eos.empty()) graphs->info.eos_ids = eos;
  }
  return graphs;
}

bool StoresInt8(const Checkpoint& checkpoint) {
  std::size_t int8 = 0;
  std::size_t other = 0;
  for (const SafetensorsFile& file : checkpoint.files()) {
    for (const SafetensorsEntry& entry : file.entries()) {
      if (entry.shape.size() != 2 || entry.name.ends_with("_scale")) continue;
      ++(entry.dtype == DType::kI8 ? int8 : other);
    }
  }
  return int8 > other;
}

}  // namespace zhibi::import
