// SPDX-License-Identifier: Apache-2.0
// The tokenizer's mapped form (a section of the engine file): little endian, read in place.
//
//   header     64 bytes: magic "ZBTK", version, flags, counts (struct Header in the .cc)
//   sections   each 8-aligned, in this order, sizes from the counts:
//              token offsets u32[n+1] | rules 12 B[r] | merge slots u32[m] | char tokens u32[28928]
//              | vocabulary slots u32[v] | byte ids i32[256] added tokens 16 B[a] | prefix i32[p] |
//              suffix i32[s] | splits u8[k] | token flags u8[n] added bytes | token bytes
//
// The version rises when a reader of the older one would misread; readers refuse other versions. No
// checksum: the engine file has one. Thread-safe.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "text/tokenizer_data.h"
#include "text/tokenizer_spec.h"
#include "zhibi/status.h"

namespace zhibi::text {

constexpr std::uint32_t kBlobVersion = 1;

// spec: consistent, as ReadTokenizerJson leaves it.
std::string WriteBlob(const TokenizerSpec& spec);

// Checks every offset, id and count (a few milliseconds for the largest vocabularies) and points
// the views into `blob`. kDataLoss with the field's name; kUnimplemented for another version.
Status ReadBlob(std::span<const std::byte> blob, TokenizerData* data);

}  // namespace zhibi::text
