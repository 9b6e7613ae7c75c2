// SPDX-License-Identifier: Apache-2.0
#include "graph/family.h"

namespace zhibi::graph {

Result<const Family*> FindFamily(std::string_view architecture) {
  std::string known;
  for (const Family* family : AllFamilies()) {
    for (const std::string_view name : family->architectures) {
      if (name == architecture) return family;
      known += (known.empty() ? "" : ", ") + std::string(name);
    }
  }
  return UnimplementedError("config.json: architectures: expected one of " + known + ", got \"" +
                            std::string(architecture) + "\"");
}

}  // namespace zhibi::graph
