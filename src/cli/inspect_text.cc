// SPDX-License-Identifier: Apache-2.0
#include "cli/inspect_text.h"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/machine.h"

namespace zhibi::cli {
namespace {

using nlohmann::json;
using Lines = std::vector<std::string>;

std::string Bytes(const json& value) { return base::FormatByteSize(value.get<std::int64_t>()); }

std::string Text(const json& value) {
  return value.is_string() ? value.get<std::string>()
                           : value.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string Join(const json& list, const char* separator = " ") {
  std::string text;
  for (const json& item : list) text += (text.empty() ? "" : separator) + Text(item);
  return text;
}

void Header(const json& engine, Lines& lines) {
  const json& model = engine["model"];
  const json& limits = engine["limits"];
  const json& device = engine["device"];
  lines.push_back(fmt::format("{}: {}, format {}, written by zhibi {}", Text(engine["path"]),
                              Bytes(engine["bytes"]), Text(engine["format_version"]),
                              Text(engine["zhibi_version"])));
  lines.push_back(
      fmt::format("source     {} ({})", Text(engine["source"]), Text(engine["source_hash"])));
  lines.push_back(fmt::format("precision  {}", Text(engine["precision"])));
  lines.push_back(fmt::format("model      {}: {} parameters, vocabulary {}, hidden {}, context {}",
                              Text(model["family"]), Text(model["parameters"]),
                              Text(model["vocab"]), Text(model["hidden"]), Text(model["context"])));
  lines.push_back(
      fmt::format("step       up to {} rows, {} sequences, {} wanted rows; pages of {} tokens",
                  Text(limits["max_tokens"]), Text(limits["max_seqs"]),
                  Text(limits["max_out_rows"]), Text(limits["page_tokens"])));
  lines.push_back(fmt::format("built for  {} {} {}", Text(device["backend"]), Text(device["isa"]),
                              Join(device["features"])));
  const std::string problem = Text(engine["this_machine"]["problem"]);
  if (problem.empty()) {
    lines.push_back("this machine can run it");
    return;
  }
  std::istringstream text(problem);
  std::string line;
  for (bool first = true; std::getline(text, line); first = false) {
    lines.push_back((first ? "this machine cannot run it: " : "  ") + line);
  }
}

void Sections(const json& engine, Lines& lines) {
  lines.emplace_back("");
  lines.emplace_back("sections");
  for (const json& section : engine["sections"]) {
    lines.push_back(fmt::format("  {:18} {:>11} at {:>11}  for {}", Text(section["role"]),
                                Bytes(section["bytes"]), Text(section["offset"]),
                                Text(section["fingerprint"])));
  }
}

void Ops(const json& plan, bool all, Lines& lines) {
  std::map<std::string, int> groups;
  for (const json& op : plan["ops"]) {
    std::string kernels;
    std::string last;
    for (const json& kernel : op["kernels"]) {
      if (Text(kernel) == last) continue;
      last = Text(kernel);
      kernels += (kernels.empty() ? "" : ", ") + last;
    }
    if (all) {
      lines.push_back(fmt::format("    {:40} {:16} {}  {}", Text(op["name"]), Text(op["op"]),
                                  kernels, Text(op["attrs"])));
    } else {
      ++groups[fmt::format("{:16} {}", Text(op["op"]), kernels)];
    }
  }
  for (const auto& [text, count] : groups) {
    lines.push_back(fmt::format("    {:4} x {}", count, text));
  }
}

void Plans(const json& engine, bool all, Lines& lines) {
  for (const json& plan : engine["plans"]) {
    lines.emplace_back("");
    lines.push_back(fmt::format("plan {}: {} launches, arena {}", Text(plan["name"]),
                                plan["ops"].size(), Bytes(plan["arena_bytes"])));
    for (const json& symbol : plan["symbols"]) {
      lines.push_back(fmt::format("  symbol {:16} {}..{}, typically {}", Text(symbol["name"]),
                                  Text(symbol["min"]), Text(symbol["max"]), Text(symbol["opt"])));
    }
    for (const json& axis : plan["axes"]) {
      lines.push_back(fmt::format("  kernels chosen by {} up to {}", Text(axis["rows"]),
                                  Join(axis["buckets"])));
    }
    for (const json& cache : plan["caches"]) {
      lines.push_back(
          fmt::format("  cache {}: {} layers, {}, {} a token{}", Text(cache["name"]),
                      Text(cache["layers"]), Text(cache["dtype"]), Bytes(cache["bytes_per_token"]),
                      cache["window"].get<std::int64_t>() > 0 ? ", window " + Text(cache["window"])
                                                              : std::string()));
    }
    lines.push_back("  inputs  " + [&plan] {
      std::string names;
      for (const json& value : plan["inputs"]) {
        names += Text(value["name"]) + Text(value["shape"]) + " ";
      }
      return names;
    }());
    lines.push_back("  outputs " + [&plan] {
      std::string names;
      for (const json& value : plan["outputs"]) {
        names += Text(value["name"]) + Text(value["shape"]) + " ";
      }
      return names;
    }());
    lines.emplace_back("  ops and their kernels");
    Ops(plan, all, lines);
  }
}

void Weights(const json& engine, bool all, Lines& lines) {
  std::map<std::string, std::pair<int, std::int64_t>> kinds;
  lines.emplace_back("");
  lines.emplace_back("weights");
  for (const json& weight : engine["weights"]) {
    auto& kind = kinds[Text(weight["format"]) + " in " + Text(weight["layout"])];
    ++kind.first;
    kind.second += weight["bytes"].get<std::int64_t>();
  }
  for (const auto& [text, kind] : kinds) {
    lines.push_back(
        fmt::format("  {:4} x {:28} {:>11}", kind.first, text, base::FormatByteSize(kind.second)));
  }
  std::vector<const json*> order;
  for (const json& weight : engine["weights"]) {
    if (all || weight["rms_error"].get<double>() > 0) order.push_back(&weight);
  }
  if (!all) {
    std::stable_sort(order.begin(), order.end(), [](const json* a, const json* b) {
      return (*a)["rms_error"].get<double>() > (*b)["rms_error"].get<double>();
    });
    order.resize(std::min<std::size_t>(order.size(), 8));
    lines.emplace_back(order.empty()
                           ? "  all numbers are those of the checkpoint"
                           : "  largest errors of rounding (relative: rms, and largest of all)");
  }
  for (const json* weight : order) {
    lines.push_back(fmt::format("    {:48} {:16} {:8} {:16} {:>11} rms {:.5f} max {:.5f}",
                                Text((*weight)["name"]), Text((*weight)["shape"]),
                                Text((*weight)["format"]), Text((*weight)["layout"]),
                                Bytes((*weight)["bytes"]), (*weight)["rms_error"].get<double>(),
                                (*weight)["max_error"].get<double>()));
  }
}

// The report is part of a foreign file: fields may be missing.
std::string Field(const json& object, const char* name) {
  const auto at = object.find(name);
  return at == object.end() ? "?" : Text(*at);
}

void Report(const json& engine, bool all, Lines& lines) {
  const auto report = engine.find("report");
  if (report == engine.end() || !report->contains("plans")) return;
  for (const json& plan : (*report)["plans"]) {
    if (!plan.is_object()) continue;
    lines.emplace_back("");
    lines.push_back("how plan " + Field(plan, "name") + " was made");
    for (const json& pass : plan.value("passes", json::array())) {
      lines.push_back(fmt::format("  {:16} {:>5} changes, launches {} -> {}  {}",
                                  Field(pass, "name"), Field(pass, "changes"),
                                  Field(pass, "launches_before"), Field(pass, "launches_after"),
                                  Field(pass, "detail")));
    }
    std::map<std::string, std::string> refused;
    for (const json& refusal : plan.value("refusals", json::array())) {
      std::string& entries = refused[Field(refusal, "op") + ": " + Field(refusal, "reason")];
      entries += (entries.empty() ? "" : ", ") + Field(refusal, "entry");
    }
    if (!refused.empty()) lines.emplace_back("  refused (op: reason: entries)");
    for (const auto& [reason, entries] : refused) lines.push_back("    " + reason + ": " + entries);
    if (!all) continue;
    lines.push_back("  memory map of the arena (offset, bytes, first op, last op)");
    for (const json& block : plan.value("memory", json::array())) {
      lines.push_back(fmt::format("    {:>11} {:>11} {:>4} {:>4}  {}", Field(block, "offset"),
                                  Field(block, "bytes"), Field(block, "first_op"),
                                  Field(block, "last_op"), Field(block, "name")));
    }
  }
}

// What is compared under its own key: "plans/step/ops/model.layers.0.mlp: kernels".
void Flatten(const json& value, const std::string& path, std::map<std::string, std::string>& out) {
  static const std::set<std::string> kLeftOut = {"path",     "offset",       "checksum", "report",
                                                 "sections", "this_machine", "bytes"};
  if (value.is_object()) {
    for (const auto& [key, item] : value.items()) {
      if (kLeftOut.contains(key)) continue;
      Flatten(item, path.empty() ? key : path + "." + key, out);
    }
    return;
  }
  const bool records = value.is_array() && !value.empty() && value[0].is_object();
  if (!records) {
    // One kernel for several buckets in a row is named once.
    json shown = value;
    if (shown.is_array() && path.ends_with(".kernels")) {
      shown.erase(std::unique(shown.begin(), shown.end()), shown.end());
    }
    out[path] = Text(shown);
    return;
  }
  for (std::size_t i = 0; i < value.size(); ++i) {
    const std::string name = value[i].contains("name") ? Text(value[i]["name"]) : std::to_string(i);
    Flatten(value[i], path + "[" + name + "]", out);
  }
}

}  // namespace

std::vector<std::string> EngineText(const json& engine, bool ops) {
  Lines lines;
  Header(engine, lines);
  Sections(engine, lines);
  Plans(engine, ops, lines);
  Weights(engine, ops, lines);
  Report(engine, ops, lines);
  if (engine.contains("weights_verified")) lines.emplace_back("the weights' checksum is right");
  return lines;
}

std::vector<std::string> DiffEngines(const json& first, const json& second) {
  std::map<std::string, std::string> a;
  std::map<std::string, std::string> b;
  Flatten(first, "", a);
  Flatten(second, "", b);
  Lines lines;
  for (const auto& [key, value] : a) {
    const auto other = b.find(key);
    if (other == b.end()) {
      lines.push_back(key + ": " + value + " | absent");
    } else if (other->second != value) {
      lines.push_back(key + ": " + value + " | " + other->second);
    }
  }
  for (const auto& [key, value] : b) {
    if (!a.contains(key)) lines.push_back(key + ": absent | " + value);
  }
  return lines;
}

}  // namespace zhibi::cli
