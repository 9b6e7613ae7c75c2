// SPDX-License-Identifier: Apache-2.0
// Any bytes as a safetensors file: the header's rules, then every tensor through Checkpoint (int8
// scales) and graph::ReadWeightF32, which must stay within the bytes.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "graph/weights.h"
#include "import/checkpoint.h"
#include "import/safetensors.h"

namespace {

// Reads the first and the last row of a tensor.
void ReadRows(const zhibi::import::Checkpoint& checkpoint, const std::string& name) {
  const auto tensor = checkpoint.Find(name);
  if (!tensor.ok() || tensor->shape.empty() || tensor->shape.size() > 2) return;
  const std::int64_t cols = tensor->shape.size() == 2 ? tensor->shape[1] : 1;
  if (tensor->shape[0] == 0 || cols > (1 << 16)) return;
  zhibi::graph::Weight weight;
  weight.name = name;
  weight.shape = tensor->shape;
  weight.parts = {{name, 0, tensor->shape[0]}};
  std::vector<float> row(static_cast<std::size_t>(cols));
  for (const std::int64_t at : {std::int64_t{0}, tensor->shape[0] - 1}) {
    if (!zhibi::graph::ReadWeightF32(weight, checkpoint, at, 1, row).ok()) __builtin_trap();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using zhibi::import::Checkpoint;
  using zhibi::import::SafetensorsFile;
  auto file = SafetensorsFile::Parse({reinterpret_cast<const std::byte*>(data), size}, "fuzz");
  if (!file.ok()) return 0;
  for (const auto& entry : file->entries()) {
    if (file->Find(entry.name) != &entry) __builtin_trap();
    if (file->Bytes(entry).size() != entry.end - entry.begin) __builtin_trap();
  }
  std::vector<SafetensorsFile> files;
  files.push_back(std::move(file).value());
  const auto checkpoint = Checkpoint::FromFiles(std::move(files), "fuzz");
  if (!checkpoint.ok()) return 0;
  for (const std::string& name : (*checkpoint)->names()) ReadRows(**checkpoint, name);
  return 0;
}
