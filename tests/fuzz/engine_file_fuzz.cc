// SPDX-License-Identifier: Apache-2.0
// Reader of engine files. Mutations would all die at a checksum, so a first byte of 1 has the
// checksums mended before reading; 0 reads the bytes as they are. What is accepted is walked as the
// executor would: every index and offset must hold.
#include <cstdint>
#include <span>
#include <vector>

#include "../engine/sample_engine.h"
#include "base/check.h"
#include "engine/engine_file.h"
#include "engine/format.h"

namespace {

void Touch(const zhibi::engine::EngineFile& file) {
  using zhibi::engine::Place;
  for (const zhibi::engine::PackedWeight& weight : file.weights()) {
    ZB_CHECK(file.weight_bytes().subspan(weight.offset, weight.bytes).size() == weight.bytes);
  }
  for (const zhibi::engine::Plan& plan : file.plans()) {
    std::vector<std::int64_t> maxima;
    for (const zhibi::graph::Symbol& symbol : plan.symbols) maxima.push_back(symbol.max);
    for (const zhibi::engine::PlanOp& op : plan.ops) {
      for (const std::int32_t index : op.src) {
        const zhibi::engine::PlanValue& value = plan.values.at(static_cast<std::size_t>(index));
        if (value.place == Place::kWeight) {
          ZB_CHECK(static_cast<std::size_t>(value.offset) < file.weights().size());
        }
        if (value.place == Place::kArena) ZB_CHECK(value.offset <= plan.arena_bytes);
      }
      const auto& axis = plan.axes.at(static_cast<std::size_t>(op.axis));
      const int bucket = BucketOf(axis, axis.buckets.back());
      ZB_CHECK(static_cast<std::size_t>(op.kernels.at(static_cast<std::size_t>(bucket))) <
               plan.kernels.size());
    }
  }
  // What was read is written and read again to the same.
  const std::string plans = SerializePlans(file.plans());
  const auto again = zhibi::engine::ParsePlans(std::as_bytes(std::span(plans)), 0);
  ZB_CHECK(again.ok() && SerializePlans(*again) == plans);
  const std::string info = SerializeInfo(file.info());
  ZB_CHECK(zhibi::engine::ParseInfo(std::as_bytes(std::span(info)), 0).ok());
  const std::string weights = SerializeWeights(file.weights());
  ZB_CHECK(zhibi::engine::ParseWeights(std::as_bytes(std::span(weights)), 0).ok());
  static_cast<void>(file.VerifyWeights());
  static_cast<void>(file.SectionBytes("tokenizer"));
  static_cast<void>(CheckFingerprint(file.info(), {"cpu", "avx2", {}}));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 1) return 0;
  const auto* first = reinterpret_cast<const std::byte*>(data) + 1;
  std::vector<std::byte> bytes(first, first + size - 1);
  if (data[0] == 1) zhibi::engine::sample::MendChecksums(bytes);
  const auto file = zhibi::engine::EngineFile::Parse(bytes, "fuzz");
  if (file.ok()) Touch(**file);
  return 0;
}
