// SPDX-License-Identifier: Apache-2.0
// NumPy .npy files, version 1.0 (NEP 1): little endian, C order. Writing only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "zhibi/status.h"

namespace zhibi::cli {

// descr: "<f4" or "<i8"; bytes: the elements, row-major. Atomic.
Status WriteNpy(const std::string& path, const char* descr, std::span<const std::int64_t> shape,
                std::span<const std::byte> bytes);

}  // namespace zhibi::cli
