// SPDX-License-Identifier: Apache-2.0
// Brings the schema of a document type into the plain form that validation walks:
//   "common.schema.json#/$defs/x"   becomes "#/$defs/common.x", with the definitions it needs
//   a $ref with other keywords      becomes a copy of its target with these on top: required is
//                                   added to, properties are added or replaced, the rest replaces;
//                                   "x-from" names the target
//   "x-into": "{name}_fen"          gets the property's name; the property that normalising writes
//                                   into is added where the schema has none
// Thread-safe.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "zhibi/status.h"

namespace zhibi::legal {

// Prefix of the shared definitions within "$defs".
inline constexpr const char* kCommonPrefix = "common.";

// `common`: the parsed common.schema.json, or null where there is none. kInvalidArgument: a
// reference that leads nowhere or round in a circle, with its pointer.
Status PrepareSchema(nlohmann::json& root, const nlohmann::json& common, const std::string& source);

}  // namespace zhibi::legal
