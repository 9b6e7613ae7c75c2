// SPDX-License-Identifier: Apache-2.0
// embedding on the CPU, one entry a format and layout: from row_major (embedding_body.h), and from
// the panels of linear, so that a model whose head is its embedding keeps one copy of it. A row of
// a panel is strided: some microseconds of cache misses a token.
#include "graph/ops/embedding.h"

#include "backend/cpu/kernels/linear_pack.h"
#include "backend/cpu/kernels/row_dispatch.h"
#include "backend/row_major.h"
#include "quant/codec.h"

namespace zhibi::cpu {
namespace {

using backend::LaunchArgs;
using backend::OpQuery;

constexpr quant::WeightFormat FormatOf(DType dtype) {
  return {.dtype = dtype,
          .group = dtype == DType::kI4 ? static_cast<std::int32_t>(quant::kI4Group) : 0,
          .zero_points = false};
}

template <DType kType>
std::string Supports(const OpQuery& query) {
  if (query.src.size() < 2 || !query.is_weight[1]) return "the table is not a weight";
  if (query.formats[1] != FormatOf(kType)) return "other weight format";
  return {};
}

template <DType kType>
void LaunchEmbedding(const LaunchArgs& args, const RowKernels& kernels) {
  const auto layout = backend::RowMajorOf(args.src[1], FormatOf(kType));
  EmbeddingCall call;
  call.ids = args.src[0].as<const std::int32_t>();
  call.table = args.src[1].as<const std::byte>();
  call.row_bytes = layout.row_bytes;
  call.scales_offset = layout.scales_offset;
  call.scale_row_bytes = layout.scale_row_bytes;
  call.vocab = layout.rows;
  call.hidden = layout.cols;
  call.type = ElementTypeOf(kType);
  call.scale = static_cast<const graph::EmbeddingAttrs*>(args.attrs)->scale;
  call.dst = args.dst[0].as<float>();
  RunRows(args, args.src[0].elements(), 0.2 * static_cast<double>(call.hidden), call,
          kernels.embedding);
}

template <DType kType>
constexpr RowEntries Entries(std::string_view scalar, std::string_view avx2,
                             std::string_view avx512) {
  return EntriesOf<&LaunchEmbedding<kType>>("embedding", scalar, avx2, avx512, &Supports<kType>);
}

constexpr std::array<RowEntries, 5> kEntries = {
    Entries<DType::kF32>("embedding_f32_scalar", "embedding_f32_avx2", "embedding_f32_avx512"),
    Entries<DType::kF16>("embedding_f16_scalar", "embedding_f16_avx2", "embedding_f16_avx512"),
    Entries<DType::kBF16>("embedding_bf16_scalar", "embedding_bf16_avx2", "embedding_bf16_avx512"),
    Entries<DType::kI8>("embedding_i8_scalar", "embedding_i8_avx2", "embedding_i8_avx512"),
    Entries<DType::kI4>("embedding_i4_scalar", "embedding_i4_avx2", "embedding_i4_avx512")};

struct PanelCall {
  const std::int32_t* ids = nullptr;
  const std::byte* table = nullptr;
  std::int64_t vocab = 0;
  std::int64_t hidden = 0;
  float scale = 1;
  float* dst = nullptr;

  template <LinearFormat kFormat>
  static void Run(const PanelCall& call, std::int64_t begin, std::int64_t end) {
    for (std::int64_t t = begin; t < end; ++t) {
      const std::span<float> y(call.dst + t * call.hidden, static_cast<std::size_t>(call.hidden));
      if (call.ids[t] < 0 || call.ids[t] >= call.vocab) {
        std::fill(y.begin(), y.end(), 0.0F);
        continue;
      }
      UnpackPanelRow(kFormat, call.hidden, call.table, call.ids[t], y);
      for (float& value : y) value *= call.scale;
    }
  }
};

template <LinearFormat kFormat>
void LaunchPanelEmbedding(const LaunchArgs& args) {
  PanelCall call;
  call.ids = args.src[0].as<const std::int32_t>();
  call.table = args.src[1].as<const std::byte>();
  call.vocab = args.src[1].dims[0];
  call.hidden = args.src[1].dims[1];
  call.scale = static_cast<const graph::EmbeddingAttrs*>(args.attrs)->scale;
  call.dst = args.dst[0].as<float>();
  RunRows(args, args.src[0].elements(), 3.0 * static_cast<double>(call.hidden), call,
          &PanelCall::Run<kFormat>);
}

template <LinearFormat kFormat>
std::string SupportsPanels(const OpQuery& query) {
  if (query.src.size() < 2 || !query.is_weight[1]) return "the table is not a weight";
  if (query.formats[1] != WeightFormatOf(kFormat)) return "other weight format";
  return {};
}

template <LinearFormat kFormat>
std::size_t PanelTableBytes(const OpQuery& query, int /*index*/) {
  return PackedPanelBytes(kFormat, query.src[1].dims[0], query.src[1].dims[1]);
}

template <LinearFormat kFormat>
Status PackPanelTable(const OpQuery& query, int /*index*/, const backend::PackSource& source,
                      std::span<std::byte> dst) {
  return PackPanels(kFormat, query.src[1].dims[0], query.src[1].dims[1], source, dst);
}

// About 3 ns an element.
double PanelEstimateUs(const OpQuery& query) {
  return 0.2 + 0.003 * static_cast<double>(query.dst[0].elements());
}

template <LinearFormat kFormat>
constexpr backend::KernelEntry PanelEntry(std::string_view name, std::string_view layout) {
  backend::KernelEntry entry;
  entry.name = name;
  entry.op = "embedding";
  entry.layout = layout;
  entry.row_invariant = true;
  entry.supports = &SupportsPanels<kFormat>;
  entry.estimate_us = &PanelEstimateUs;
  entry.packed_bytes = &PanelTableBytes<kFormat>;
  entry.pack = &PackPanelTable<kFormat>;
  entry.launch = &LaunchPanelEmbedding<kFormat>;
  return entry;
}

constexpr std::array<backend::KernelEntry, 5> kPanelEntries = {
    PanelEntry<LinearFormat::kF32>("embedding_f32_panel", "panel32_f32"),
    PanelEntry<LinearFormat::kF16>("embedding_f16_panel", "panel32_f16"),
    PanelEntry<LinearFormat::kBF16>("embedding_bf16_panel", "panel32_bf16"),
    PanelEntry<LinearFormat::kI8>("embedding_i8_panel", "panel32_i8"),
    PanelEntry<LinearFormat::kI4>("embedding_i4_panel", "panel32_i4g32")};

}  // namespace

void AppendKernels_embedding(const Isa& isa, KernelList* list) {
  for (const RowEntries& entries : kEntries) Append(entries, isa, list);
  for (const backend::KernelEntry& entry : kPanelEntries) list->push_back(&entry);
}

}  // namespace zhibi::cpu
