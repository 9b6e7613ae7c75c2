// SPDX-License-Identifier: Apache-2.0
#include "graph/op.h"

#include <algorithm>

namespace zhibi::graph {

Result<Attrs> Attrs::FromBytes(std::span<const std::byte> bytes) {
  if (bytes.size() > kMaxBytes) {
    return InvalidArgumentError("attributes: expected at most " + std::to_string(kMaxBytes) +
                                " bytes, got " + std::to_string(bytes.size()));
  }
  Attrs attrs;
  if (!bytes.empty()) std::memcpy(attrs.bytes_.data(), bytes.data(), bytes.size());
  attrs.size_ = static_cast<std::uint32_t>(bytes.size());
  return attrs;
}

const OpDef* FindOp(std::string_view name) {
  const auto ops = AllOps();
  const auto it =
      std::lower_bound(ops.begin(), ops.end(), name,
                       [](const OpDef* op, std::string_view wanted) { return op->name < wanted; });
  return it != ops.end() && (*it)->name == name ? *it : nullptr;
}

}  // namespace zhibi::graph
