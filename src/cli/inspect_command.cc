// SPDX-License-Identifier: Apache-2.0
// One JSON value describes a file; the text for people and the diff are made from it, so that the
// three never disagree.
#include "cli/inspect_command.h"

#include <cstdio>
#include <memory>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "backend/backend.h"
#include "base/json.h"
#include "base/machine.h"
#include "base/status_macros.h"
#include "cli/inspect_text.h"
#include "engine/engine_file.h"

namespace zhibi::cli {
namespace {

using engine::EngineFile;
using engine::Plan;
using nlohmann::json;

std::string FormatText(const quant::WeightFormat& format) {
  std::string text(DTypeName(format.dtype));
  if (format.group > 0) text += "/" + std::to_string(format.group);
  return text + (format.zero_points ? " zero points" : "");
}

json InfoJson(const EngineFile& file) {
  const engine::EngineInfo& info = file.info();
  return {{"path", file.path()},
          {"bytes", file.file_bytes()},
          {"format_version", info.format_version},
          {"zhibi_version", info.zhibi_version},
          {"source", info.source},
          {"source_hash", info.source_hash},
          {"precision", info.precision},
          {"device",
           {{"backend", info.device_backend},
            {"isa", info.device_isa},
            {"features", info.device_features}}},
          {"model",
           {{"family", info.model.family},
            {"vocab", info.model.vocab},
            {"hidden", info.model.hidden},
            {"context", info.model.context},
            {"parameters", info.model.parameters},
            {"bos_id", info.model.bos_id},
            {"eos_ids", info.model.eos_ids}}},
          {"limits",
           {{"max_tokens", info.limits.max_tokens},
            {"max_seqs", info.limits.max_seqs},
            {"max_out_rows", info.limits.max_out_rows},
            {"max_context", info.limits.max_context},
            {"page_tokens", info.limits.page_tokens}}}};
}

json SectionsJson(const EngineFile& file) {
  json list = json::array();
  for (const engine::Section& section : file.sections()) {
    list.push_back({{"role", section.role},
                    {"fingerprint", section.fingerprint},
                    {"rank", section.rank},
                    {"offset", section.offset},
                    {"bytes", section.bytes},
                    {"checksum", fmt::format("{:016x}", section.checksum)}});
  }
  return list;
}

json ValuesJson(const Plan& plan, const std::vector<std::int32_t>& indexes,
                const std::vector<std::string>& names) {
  json list = json::array();
  for (const std::int32_t index : indexes) {
    const engine::PlanValue& value = plan.values[static_cast<std::size_t>(index)];
    std::string shape;
    for (const graph::Dim& dim : value.desc.shape) {
      shape += (shape.empty() ? "" : ", ") + dim.ToString(names);
    }
    list.push_back({{"name", value.name},
                    {"dtype", DTypeName(value.desc.dtype)},
                    {"shape", "[" + shape + "]"}});
  }
  return list;
}

json OpsJson(const Plan& plan) {
  json list = json::array();
  for (const engine::PlanOp& op : plan.ops) {
    json kernels = json::array();
    for (const std::int32_t kernel : op.kernels) {
      kernels.push_back(plan.kernels[static_cast<std::size_t>(kernel)].name);
    }
    const graph::OpDef* def = graph::FindOp(op.op);
    list.push_back({{"name", op.name},
                    {"op", op.op},
                    {"attrs", def != nullptr ? def->describe(op.attrs) : ""},
                    {"axis", op.axis},
                    {"kernels", kernels},
                    {"workspace_bytes", op.workspace_bytes}});
  }
  return list;
}

json PlanJson(const Plan& plan) {
  std::vector<std::string> names;
  json symbols = json::array();
  for (const graph::Symbol& symbol : plan.symbols) {
    names.push_back(symbol.name);
    symbols.push_back(
        {{"name", symbol.name}, {"min", symbol.min}, {"opt", symbol.opt}, {"max", symbol.max}});
  }
  json axes = json::array();
  for (const engine::BucketAxis& axis : plan.axes) {
    axes.push_back({{"rows", axis.rows.ToString(names)}, {"buckets", axis.buckets}});
  }
  json caches = json::array();
  for (const graph::CacheGroup& cache : plan.caches) {
    caches.push_back({{"name", cache.name},
                      {"layers", cache.layers},
                      {"dtype", DTypeName(cache.dtype)},
                      {"bytes_per_token", cache.bytes_per_token * cache.layers},
                      {"window", cache.window}});
  }
  return {{"name", plan.name},
          {"symbols", symbols},
          {"axes", axes},
          {"caches", caches},
          {"inputs", ValuesJson(plan, plan.inputs, names)},
          {"outputs", ValuesJson(plan, plan.outputs, names)},
          {"arena_bytes", plan.arena_bytes},
          {"ops", OpsJson(plan)}};
}

json WeightsJson(const EngineFile& file) {
  json list = json::array();
  for (const engine::PackedWeight& weight : file.weights()) {
    json parts = json::array();
    for (const graph::WeightPart& part : weight.parts) parts.push_back(part.tensor);
    list.push_back({{"name", weight.name},
                    {"shape", weight.shape},
                    {"format", FormatText(weight.format)},
                    {"layout", weight.layout},
                    {"parts", parts},
                    {"interleave", weight.interleave},
                    {"offset", weight.offset},
                    {"bytes", weight.bytes},
                    {"max_error", weight.max_error},
                    {"rms_error", weight.rms_error}});
  }
  return list;
}

// Why this machine cannot run the engine; empty when it can.
json MachineJson(const EngineFile& file, const std::string& backend) {
  json machine;
  const auto device = backend::OpenDevice(backend, {});
  if (!device.ok()) {
    machine["problem"] = device.status().message();
    return machine;
  }
  const backend::DeviceInfo& info = (*device)->info();
  machine["backend"] = info.backend;
  machine["isa"] = info.isa;
  machine["features"] = info.features;
  const Status status =
      engine::CheckFingerprint(file.info(), {info.backend, info.isa, info.features});
  machine["problem"] = status.message();
  return machine;
}

Result<json> Describe(const std::string& path, const InspectOptions& options) {
  ZB_ASSIGN_OR_RETURN(const std::shared_ptr<const EngineFile> file, EngineFile::Open(path));
  json all = InfoJson(*file);
  all["this_machine"] = MachineJson(*file, options.backend);
  all["sections"] = SectionsJson(*file);
  all["plans"] = json::array();
  for (const Plan& plan : file->plans()) all["plans"].push_back(PlanJson(plan));
  all["weights"] = WeightsJson(*file);
  const std::span<const std::byte> report = file->SectionBytes(engine::kRoleReport);
  if (!report.empty()) {
    Result<json> parsed = base::ParseJson(
        {reinterpret_cast<const char*>(report.data()), report.size()}, path + ": section report");
    if (parsed.ok()) all["report"] = std::move(parsed).value();
  }
  if (options.verify) {
    ZB_RETURN_IF_ERROR(file->VerifyWeights());
    all["weights_verified"] = true;
  }
  return all;
}

}  // namespace

Status RunInspect(const InspectOptions& options) {
  ZB_ASSIGN_OR_RETURN(json first, Describe(options.file, options));
  if (!options.other.empty()) {
    ZB_ASSIGN_OR_RETURN(json second, Describe(options.other, options));
    const std::vector<std::string> lines = DiffEngines(first, second);
    for (const std::string& line : lines) std::printf("%s\n", line.c_str());
    if (lines.empty()) std::printf("no difference\n");
    return OkStatus();
  }
  if (options.json) {
    std::printf("%s\n", first.dump(2, ' ', false, json::error_handler_t::replace).c_str());
    return OkStatus();
  }
  for (const std::string& line : EngineText(first, options.ops)) std::printf("%s\n", line.c_str());
  return OkStatus();
}

}  // namespace zhibi::cli
