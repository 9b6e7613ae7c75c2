// SPDX-License-Identifier: Apache-2.0
// Foreign text through the recognisers, redaction at every level and back, and extraction. Spans
// stand on character borders and in order; what was redacted restores to the same bytes.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "entity/recogniser.h"
#include "extract/extract.h"
#include "legal/data_dir.h"
#include "redact/redact.h"

namespace {

using zhibi::entity::Entity;
using zhibi::entity::Recogniser;
using zhibi::redact::Level;

[[noreturn]] void Fail(const char* what) {
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

const Recogniser& Shared() {
  static const Recogniser recogniser = [] {
    const auto data = zhibi::legal::FindDataDir();
    auto loaded = Recogniser::Load(data.ok() ? *data : "data");
    if (!loaded.ok()) Fail(loaded.status().message().c_str());
    return std::move(loaded).value();
  }();
  return recogniser;
}

const zhibi::extract::Extractor& Extractor() {
  static const auto extractor = zhibi::extract::Extractor::Create(Shared()).value();
  return extractor;
}

bool IsBorder(std::string_view text, std::size_t at) {
  return at == text.size() || (static_cast<unsigned char>(text[at]) & 0xC0U) != 0x80U;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto entities = Shared().Find(text, {{"阿强", zhibi::entity::Kind::kPerson, "被告"}});
  if (!entities.ok()) {
    if (entities.status().code() != zhibi::StatusCode::kInvalidArgument) Fail("not a bad text");
    return 0;
  }
  std::size_t before = 0;
  for (const Entity& entity : *entities) {
    if (entity.begin < before || entity.end <= entity.begin || entity.end > text.size() ||
        !IsBorder(text, entity.begin) || !IsBorder(text, entity.end)) {
      Fail("a span is out of order or within a character");
    }
    before = entity.begin;
    (void)Shared().LooksLikePerson(entity.value);
    (void)Shared().causes().Find(entity.value);
    (void)Shared().courts().CodeOf(entity.value);
  }
  for (const Level level : {Level::kP0, Level::kP1, Level::kP2, Level::kP3}) {
    const auto redacted = zhibi::redact::Redact(Shared(), text, level);
    if (!redacted.ok()) Fail(redacted.status().message().c_str());
    const auto mapping =
        zhibi::redact::MappingFromJson(zhibi::redact::ToJson(redacted->mapping), "fuzz");
    if (!mapping.ok()) Fail(mapping.status().message().c_str());
    const auto back = zhibi::redact::Restore(redacted->text, *mapping);
    if (!back.ok() || *back != text) Fail("restoring does not give the original");
  }
  const auto extraction = Extractor().Extract(text, nullptr, {});
  if (!extraction.ok()) Fail(extraction.status().message().c_str());
  (void)zhibi::extract::ToJson(*extraction, text).dump();
  return 0;
}
