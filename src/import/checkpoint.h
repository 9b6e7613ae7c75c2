// SPDX-License-Identifier: Apache-2.0
// A checkpoint: the tensors of one or many safetensors files behind graph::WeightSource. Reads the
// compressed-tensors int8 layout: `X.weight` I8 with `X.weight_scale` (F32, F16 or BF16, [out] or
// [out, 1]); scales are widened to float once and kept. Files stay mapped as long as the checkpoint
// lives. Immutable once open; thread-safe.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "graph/weights.h"
#include "import/safetensors.h"
#include "zhibi/status.h"

namespace zhibi::import {

class Checkpoint : public graph::WeightSource {
 public:
  // `path`: a folder (model.safetensors, or model.safetensors.index.json with its shards, or its
  // only .safetensors file) or one .safetensors file. kInvalidArgument and kDataLoss as in
  // SafetensorsFile; kNotFound names the missing file; a tensor in two files is kInvalidArgument.
  static Result<std::unique_ptr<Checkpoint>> Open(const std::string& path);
  // Over files that are open already; `where` names them together in messages.
  static Result<std::unique_ptr<Checkpoint>> FromFiles(std::vector<SafetensorsFile> files,
                                                       std::string where);

  // kUnimplemented names a tensor of a type that is not read; kInvalidArgument an int8 tensor with
  // missing or unfit scales.
  Result<graph::StoredTensor> Find(std::string_view name) const override;
  bool Contains(std::string_view name) const override;

  std::span<const SafetensorsFile> files() const { return files_; }
  std::vector<std::string> names() const;  // sorted

 private:
  struct Place {
    const SafetensorsFile* file = nullptr;
    const SafetensorsEntry* entry = nullptr;
  };
  Checkpoint() = default;
  Status Index();
  Status CheckIndexFile(const std::string& index_path,
                        const std::map<std::string, std::string>& weight_map) const;
  Status LoadScales(const std::string& name, const Place& place);

  std::vector<SafetensorsFile> files_;
  std::string where_;
  std::map<std::string, Place, std::less<>> places_;
  std::map<std::string, std::vector<float>, std::less<>> scales_;  // of int8 tensors
  std::map<std::string, Status, std::less<>> bad_scales_;  // why an int8 tensor cannot be used
};

}  // namespace zhibi::import
