// SPDX-License-Identifier: Apache-2.0
#include "zhibi/version.h"

namespace zhibi {

std::string_view Version() { return ZHIBI_VERSION; }

}  // namespace zhibi
