// SPDX-License-Identifier: Apache-2.0
#include "graph/graph.h"

#include <fmt/format.h>

namespace zhibi::graph {
namespace {

std::optional<ValueId> FindNamed(const Graph& graph, const std::vector<ValueId>& ids,
                                 std::string_view name) {
  for (const ValueId id : ids) {
    if (graph.value(id).name == name) return id;
  }
  return std::nullopt;
}

std::vector<std::string> SymbolNames(const Graph& graph) {
  std::vector<std::string> names;
  names.reserve(graph.symbols.size());
  for (const Symbol& symbol : graph.symbols) names.push_back(symbol.name);
  return names;
}

bool InRange(const Graph& graph, ValueId id) {
  return static_cast<std::int32_t>(id) >= 0 && static_cast<std::size_t>(id) < graph.values.size();
}

// What is already defined while nodes are walked in program order.
class Validator {
 public:
  explicit Validator(const Graph& graph) : graph_(graph), defined_(graph.values.size(), false) {}

  Status Run() {
    if (Status status = Header(); !status.ok()) return Context(std::move(status), "header");
    for (const Node& node : graph_.nodes) {
      if (Status status = CheckNode(node); !status.ok()) {
        return Context(std::move(status), "node " + node.name + " (" + node.op + ")");
      }
    }
    for (const ValueId id : graph_.outputs) {
      if (!InRange(graph_, id) || !defined_[static_cast<std::size_t>(id)]) {
        return Context(InvalidArgumentError(fmt::format("expected a defined value, got value {}",
                                                        static_cast<std::int32_t>(id))),
                       "outputs");
      }
    }
    return OkStatus();
  }

 private:
  Status Context(Status status, const std::string& where) const {
    return std::move(status).WithContext("graph " + graph_.name + ": " + where);
  }

  Status Header() {
    if (graph_.symbols.size() > static_cast<std::size_t>(kMaxSymbols)) {
      return InvalidArgumentError(
          fmt::format("expected at most {} symbols, got {}", kMaxSymbols, graph_.symbols.size()));
    }
    for (const Symbol& symbol : graph_.symbols) {
      if (symbol.min < 0 || symbol.opt < symbol.min || symbol.max < symbol.opt) {
        return InvalidArgumentError(
            fmt::format("symbol {}: expected 0 <= min <= opt <= max, got {}, {}, {}", symbol.name,
                        symbol.min, symbol.opt, symbol.max));
      }
    }
    for (const ValueId id : graph_.inputs) {
      if (!InRange(graph_, id) || graph_.value(id).kind != ValueKind::kInput) {
        return InvalidArgumentError(fmt::format("inputs: expected a value of kind input, got {}",
                                                static_cast<std::int32_t>(id)));
      }
      if (defined_[static_cast<std::size_t>(id)]) {
        return InvalidArgumentError("input " + graph_.value(id).name + ": listed twice");
      }
      defined_[static_cast<std::size_t>(id)] = true;
    }
    for (std::size_t i = 0; i < graph_.values.size(); ++i) {
      const Value& value = graph_.values[i];
      if (value.kind != ValueKind::kWeight) continue;
      const auto weight = static_cast<std::size_t>(value.weight);
      if (value.weight == WeightId::kNone || weight >= graph_.weights.size()) {
        return InvalidArgumentError(fmt::format("value {}: expected a weight 0..{}, got {}",
                                                value.name, graph_.weights.size(),
                                                static_cast<std::int32_t>(value.weight)));
      }
      const auto& shape = graph_.weights[weight].shape;
      if (value.desc.shape != Shape(shape.begin(), shape.end())) {
        return InvalidArgumentError("value " + value.name + ": expected the shape of its weight");
      }
      defined_[i] = true;
    }
    return OkStatus();
  }

  Status CheckNode(const Node& node) {
    const OpDef* def = FindOp(node.op);
    if (def == nullptr) return InvalidArgumentError("expected a known op");
    if (node.attrs.size() != def->attrs_bytes) {
      return InvalidArgumentError(fmt::format("expected {} bytes of attributes, got {}",
                                              def->attrs_bytes, node.attrs.size()));
    }
    std::vector<TensorDesc> descs;
    for (const ValueId id : node.src) {
      if (id == ValueId::kNone) {
        descs.emplace_back();
        continue;
      }
      if (!InRange(graph_, id)) {
        return InvalidArgumentError(fmt::format("expected operands 0..{}, got {}",
                                                graph_.values.size() - 1,
                                                static_cast<std::int32_t>(id)));
      }
      if (!defined_[static_cast<std::size_t>(id)]) {
        return InvalidArgumentError("operand " + graph_.value(id).name +
                                    ": expected a definition before this use");
      }
      descs.push_back(graph_.value(id).desc);
    }
    auto results = def->infer(node.attrs, descs);
    if (!results.ok()) return std::move(results).status();
    return CheckResults(node, *results);
  }

  Status CheckResults(const Node& node, const std::vector<TensorDesc>& results) {
    if (results.size() != node.dst.size()) {
      return InvalidArgumentError(
          fmt::format("expected {} results, got {}", results.size(), node.dst.size()));
    }
    for (std::size_t i = 0; i < results.size(); ++i) {
      const ValueId id = node.dst[i];
      if (!InRange(graph_, id) || graph_.value(id).kind != ValueKind::kResult) {
        return InvalidArgumentError(fmt::format("result {}: expected a value of kind result", i));
      }
      const Value& value = graph_.value(id);
      if (defined_[static_cast<std::size_t>(id)]) {
        return InvalidArgumentError("result " + value.name + ": defined twice");
      }
      if (!(value.desc == results[i])) {
        const auto names = SymbolNames(graph_);
        return InvalidArgumentError(
            fmt::format("result {}: expected {} {}, got {} {}", value.name,
                        DTypeName(results[i].dtype), ShapeToString(results[i].shape, names),
                        DTypeName(value.desc.dtype), ShapeToString(value.desc.shape, names)));
      }
      defined_[static_cast<std::size_t>(id)] = true;
    }
    return OkStatus();
  }

  const Graph& graph_;
  std::vector<bool> defined_;
};

std::string FormatName(const quant::WeightFormat& format) {
  std::string text(DTypeName(format.dtype));
  if (format.group > 0) text += "/" + std::to_string(format.group);
  return text;
}

}  // namespace

std::optional<ValueId> Graph::FindInput(std::string_view input_name) const {
  return FindNamed(*this, inputs, input_name);
}

std::optional<ValueId> Graph::FindOutput(std::string_view output_name) const {
  return FindNamed(*this, outputs, output_name);
}

Status Validate(const Graph& graph) { return Validator(graph).Run(); }

std::string ToText(const Graph& graph) {
  const auto names = SymbolNames(graph);
  const auto typed = [&](const Value& value) {
    return fmt::format("{} {}{}", value.name, DTypeName(value.desc.dtype),
                       ShapeToString(value.desc.shape, names));
  };
  std::string text = "graph " + graph.name + "\n";
  for (const Symbol& symbol : graph.symbols) {
    text +=
        fmt::format("symbol {} {}..{} opt {}\n", symbol.name, symbol.min, symbol.max, symbol.opt);
  }
  for (const CacheGroup& cache : graph.caches) {
    text += fmt::format("cache {} layers {} elements {} {} window {}\n", cache.name, cache.layers,
                        cache.elements_per_token, DTypeName(cache.dtype), cache.window);
  }
  for (const ValueId id : graph.inputs) text += "input " + typed(graph.value(id)) + "\n";
  for (const Weight& weight : graph.weights) {
    text += fmt::format("weight {} {}{}", weight.name, FormatName(weight.format),
                        ShapeToString(Shape(weight.shape.begin(), weight.shape.end()), {}));
    for (const WeightPart& part : weight.parts) {
      if (part.tensor != weight.name) text += " " + part.tensor;
    }
    text += weight.interleave ? " interleaved\n" : "\n";
  }
  for (const Node& node : graph.nodes) {
    std::string results;
    for (const ValueId id : node.dst) {
      results += (results.empty() ? "" : ", ") + typed(graph.value(id));
    }
    std::string operands;
    for (const ValueId id : node.src) {
      operands += (operands.empty() ? "" : ", ") +
                  (id == ValueId::kNone ? std::string("-") : graph.value(id).name);
    }
    const OpDef* def = FindOp(node.op);
    const std::string attrs = def == nullptr ? "" : def->describe(node.attrs);
    text += fmt::format("{}{}{}({}){}{}\n", results, results.empty() ? "" : " = ", node.op,
                        operands, attrs.empty() ? "" : " ", attrs);
  }
  for (const ValueId id : graph.outputs) text += "output " + graph.value(id).name + "\n";
  return text;
}

}  // namespace zhibi::graph
