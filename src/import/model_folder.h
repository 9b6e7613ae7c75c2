// SPDX-License-Identifier: Apache-2.0
// A Hugging Face model on disk: a folder with config.json, safetensors and the text side's files,
// or one .safetensors file in such a folder. Opens and checks everything, builds the family's
// graphs, and names the content for the engine cache. All files are foreign. Immutable once loaded;
// thread-safe.
#pragma once

#include <memory>
#include <string>

#include "graph/family.h"
#include "import/checkpoint.h"
#include "zhibi/status.h"

namespace zhibi::import {

struct ModelFolder {
  std::string path;         // as given
  std::string folder;       // that holds config.json
  std::string config_json;  // the file's text, known to be a JSON object
  // Texts of files that may be missing: empty then.
  std::string tokenizer_json;
  std::string tokenizer_config_json;
  std::string generation_config_json;
  // From chat_template.jinja, chat_template.json or tokenizer_config.json, in this order.
  std::string chat_template;
  std::unique_ptr<Checkpoint> checkpoint;
  std::string content_hash;  // HashModel(path)
};

// kNotFound: nothing there, or no config.json or weights; kInvalidArgument: malformed; messages
// name the file.
Result<ModelFolder> LoadModelFolder(const std::string& path);

// True for what LoadModelFolder takes by its looks: a folder, or a name ending in .safetensors.
bool LooksLikeModelFolder(const std::string& path);

// 32 hexadecimal digits over the small files' bytes and, of each safetensors file, size, time of
// change and header: reads no weights, so that a cached engine is found in milliseconds. Errors as
// LoadModelFolder for missing files.
Result<std::string> HashModel(const std::string& path);

// The graphs by the family of config.json's `architectures`; end tokens from generation_config.json
// win over config.json's. kUnimplemented lists the families there are.
Result<graph::FamilyGraphs> BuildGraphs(const ModelFolder& model, const graph::StepLimits& limits);

// True when most of the model's matrices are stored as int8 with scales.
bool StoresInt8(const Checkpoint& checkpoint);

}  // namespace zhibi::import
