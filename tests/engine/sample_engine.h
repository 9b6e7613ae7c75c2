// SPDX-License-Identifier: Apache-2.0
// A small engine that uses every kind of field: two plans, a symbolic dimension with a division,
// absent operands, merged weights, a cache group. Also mends checksums, so that a mutated file gets
// past them (tests and the fuzzer). Functions; thread-safe.
#pragma once

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "engine/bytes.h"
#include "engine/engine_file.h"
#include "engine/layout.h"
#include "graph/ops/linear.h"
#include "graph/ops/rms_norm.h"

namespace zhibi::engine::sample {

inline graph::Dim Tokens() { return graph::Dim::Symbol(static_cast<graph::SymbolId>(0)); }

inline Plan StepPlan() {
  const graph::Dim tokens = Tokens();
  Plan plan;
  plan.name = "step";
  plan.symbols = {{"tokens", 1, 1, 64}, {"seqs", 1, 1, 4}};
  plan.axes = {
      {tokens, {1, 4, 64}},
      {graph::Dim::CeilDiv(tokens + graph::Dim::Symbol(static_cast<graph::SymbolId>(1)), 3), {23}}};
  plan.values = {
      {"x", {DType::kF32, {tokens, 8}}, Place::kInput, 0},
      {"norm", {DType::kF32, {8}}, Place::kWeight, 0},
      {"normed", {DType::kF32, {tokens, 8}}, Place::kArena, 0},
      {"w", {DType::kF32, {4, 8}}, Place::kWeight, 1},
      {"none", {}, Place::kAbsent, 0},
      {"y", {DType::kF32, {tokens, 4}}, Place::kArena, 2048},
  };
  plan.inputs = {0};
  plan.outputs = {5};
  PlanOp norm;
  norm.op = "rms_norm";
  norm.op_version = graph::FindOp("rms_norm")->version;
  norm.name = "model.norm";
  norm.attrs = graph::Attrs::Of(graph::RmsNormAttrs{1e-5F, 0});
  norm.src = {0, 1};
  norm.dst = {2};
  norm.kernels = {0, 0, 0};
  PlanOp linear;
  linear.op = "linear";
  linear.op_version = graph::FindOp("linear")->version;
  linear.name = "head";
  linear.attrs = graph::Attrs::Of(graph::LinearAttrs{});
  linear.src = {2, 3, 4, 4};
  linear.dst = {5};
  linear.kernels = {1, 2, 2};
  linear.workspace_offset = 3072;
  linear.workspace_bytes = 512;
  plan.ops = {norm, linear};
  plan.kernels = {{"norm_a", "row_major"}, {"gemv_b", "tiles"}, {"gemm_c", "tiles"}};
  graph::CacheGroup cache;
  cache.name = "kv";
  cache.layers = 2;
  cache.elements_per_token = 16;
  cache.dtype = DType::kF16;
  cache.bytes_per_token = 32;
  cache.window = 128;
  plan.caches = {cache};
  plan.arena_bytes = 4096;
  return plan;
}

inline EngineInfo Info() {
  EngineInfo info;
  info.source = "models/tiny";
  info.source_hash = "00ff";
  info.precision = "int8";
  info.device_backend = "cpu";
  info.device_isa = "avx2";
  info.device_features = {"avx_vnni", "f16c"};
  info.model.family = "llama";
  info.model.vocab = 4;
  info.model.hidden = 8;
  info.model.context = 128;
  info.model.eos_ids = {2, 3};
  info.model.bos_id = 1;
  info.model.parameters = 40;
  info.limits.max_tokens = 64;
  return info;
}

inline std::vector<PackedWeight> Weights() {
  PackedWeight norm;
  norm.name = "norm";
  norm.shape = {8};
  norm.role = graph::WeightRole::kVector;
  norm.layout = "row_major";
  PackedWeight matrix;
  matrix.name = "w";
  matrix.shape = {4, 8};
  matrix.format = {DType::kI8, 0, false};
  matrix.layout = "tiles";
  matrix.parts = {{"a.weight", 0, 2}, {"b.weight", 0, 2}};
  matrix.interleave = true;
  matrix.max_error = 0.004;
  matrix.rms_error = 0.002;
  return {norm, matrix};
}

inline Status Write(const std::string& path, const std::vector<Plan>& plans) {
  Result<std::unique_ptr<EngineWriter>> writer = EngineWriter::Create(path);
  if (!writer.ok()) return writer.status();
  const std::size_t sizes[] = {32, 48};
  const std::vector<PackedWeight> weights = Weights();
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const std::vector<std::byte> bytes(sizes[i], static_cast<std::byte>(i + 1));
    const Status status = (*writer)->AddWeight(weights[i], bytes);
    if (!status.ok()) return status;
  }
  Status status = (*writer)->AddSection(kRoleTokenizer, "tokens");
  if (!status.ok()) return status;
  return (*writer)->Finish(Info(), plans);
}

// Puts the right checksums (table, sections, header) and lengths into whatever the bytes say.
inline void MendChecksums(std::vector<std::byte>& bytes) {
  Header header;
  if (bytes.size() < sizeof(Header)) return;
  std::memcpy(&header, bytes.data(), sizeof(Header));
  header.magic = kMagic;
  header.format_version = kFormatVersion;
  header.file_bytes = bytes.size();
  if (header.table_offset <= bytes.size()) {
    header.table_bytes = bytes.size() - header.table_offset;
    const std::span<std::byte> table = std::span(bytes).subspan(header.table_offset);
    // Walks the table as the reader does and rewrites each checksum in place.
    ByteReader in(table, "table", 0);
    const std::size_t count = in.GetCount("sections", 36);
    for (std::size_t i = 0; i < count && !in.failed(); ++i) {
      in.GetText("fingerprint");
      in.Get<std::int32_t>();
      in.GetText("role");
      const auto offset = in.Get<std::uint64_t>();
      const auto size = in.Get<std::uint64_t>();
      const std::size_t at = table.size() - in.remaining();
      in.Get<std::uint64_t>();
      if (in.failed() || offset > bytes.size() || size > bytes.size() - offset) continue;
      const std::uint64_t checksum = Checksum(std::span(bytes).subspan(offset, size));
      std::memcpy(table.data() + at, &checksum, sizeof(checksum));
    }
    header.table_checksum = Checksum(table);
  }
  std::memcpy(bytes.data(), &header, sizeof(Header));
  header.header_checksum = Checksum(std::span(bytes).first(offsetof(Header, header_checksum)));
  std::memcpy(bytes.data(), &header, sizeof(Header));
}

}  // namespace zhibi::engine::sample
