// SPDX-License-Identifier: Apache-2.0
// Foreign bytes as the elements of a case: encoding, JSON, schema, normalising, checks, rendering.
// A document type's own templates must never fail on elements that passed.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/json.h"
#include "legal/data_dir.h"
#include "legal/doctype.h"
#include "legal/input_text.h"

namespace {

using zhibi::legal::Doctype;

const Doctype& Complaint() {
  static const Doctype doctype = [] {
    const auto data = zhibi::legal::FindDataDir();
    auto loaded = Doctype::Load(data.ok() ? *data : "data", "civil-complaint");
    if (!loaded.ok()) {
      std::fprintf(stderr, "%s\n", loaded.status().ToString().c_str());
      std::abort();
    }
    return *loaded;
  }();
  return doctype;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  auto text =
      zhibi::legal::DecodeInput(std::string(reinterpret_cast<const char*>(data), size), "fuzz");
  if (!text.ok()) return 0;
  auto elements = zhibi::base::ParseJson(text->utf8, "fuzz");
  if (!elements.ok()) return 0;
  const zhibi::legal::Date today{2026, 11, 30};
  if (elements->is_object() && elements->contains("parties")) {  // a case
    auto mapped = Complaint().ElementsFromCase(*elements, today);
    if (mapped.ok()) elements = std::move(mapped);
  }
  zhibi::legal::PlanOptions options;
  options.allow_missing = true;
  const auto lenient = Complaint().Plan(*elements, today, options);
  if (!lenient.ok() && lenient.status().code() != zhibi::StatusCode::kResourceExhausted) {
    std::fprintf(stderr, "allow_missing: %s\n", lenient.status().ToString().c_str());
    std::abort();
  }
  const auto plan = Complaint().Plan(*elements, today);
  if (!plan.ok() && plan.status().code() != zhibi::StatusCode::kResourceExhausted) {
    std::fprintf(stderr, "%s\n", plan.status().ToString().c_str());
    std::abort();
  }
  return 0;
}
