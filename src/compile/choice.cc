// SPDX-License-Identifier: Apache-2.0
#include "compile/choice.h"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/log.h"
#include "base/status_macros.h"
#include "compile/rewrite.h"

namespace zhibi::compile {
namespace {

using backend::KernelEntry;
using engine::BucketAxis;
using graph::Dim;
using graph::Graph;
using graph::Node;
using graph::ValueId;

// Largest rows of the buckets; an axis keeps those below its maximum and adds the maximum.
constexpr std::int64_t kBuckets[] = {1, 4, 16, 64, 512};
// How many steps fall into a bucket for each prefill of a full chunk: a draft of a few hundred
// tokens after one prompt, alone or with some company.
constexpr double kStepsPerBucket[] = {64, 16, 8, 4, 4, 4};
// Used where an entry has no estimate: later in the list is worse.
constexpr double kUnknownUs = 1e6;

Result<graph::TensorView> ViewAt(const graph::TensorDesc& desc,
                                 std::span<const std::int64_t> symbols) {
  graph::TensorView view;
  view.dtype = desc.dtype;
  view.rank = static_cast<std::int32_t>(desc.shape.size());
  for (std::size_t i = 0; i < desc.shape.size(); ++i) {
    ZB_ASSIGN_OR_RETURN(view.dims[i], desc.shape[i].Evaluate(symbols));
  }
  return view;
}

// Rows that a node works on: all axes of its result but the last (a vector's only axis).
Dim RowsOf(const Graph& graph, const Node& node) {
  ValueId id = node.dst.empty() ? ValueId::kNone : node.dst[0];
  if (id == ValueId::kNone) id = Operand(node, 0);
  if (id == ValueId::kNone) return Dim(1);
  const graph::Shape& shape = graph.value(id).desc.shape;
  if (shape.empty()) return Dim(1);
  if (shape.size() == 1) return shape[0];
  Dim rows(1);
  for (std::size_t i = 0; i + 1 < shape.size(); ++i) rows = rows * shape[i];
  return rows;
}

bool IsSymbol(const Dim& dim, std::size_t symbol) {
  return dim == Dim::Symbol(static_cast<graph::SymbolId>(symbol));
}

Result<BucketAxis> MakeAxis(const Graph& graph, const Dim& rows) {
  std::vector<std::int64_t> maxima;
  bool single = false;
  for (std::size_t i = 0; i < graph.symbols.size(); ++i) {
    maxima.push_back(graph.symbols[i].max);
    single = single || IsSymbol(rows, i);
  }
  ZB_ASSIGN_OR_RETURN(const std::int64_t most, rows.Evaluate(maxima));
  BucketAxis axis{rows, {}};
  // A composite axis (batch * seq) has one bucket: which sizes make 16 rows is not known.
  for (const std::int64_t bucket : kBuckets) {
    if (single && bucket < most) axis.buckets.push_back(bucket);
  }
  axis.buckets.push_back(std::max<std::int64_t>(most, 1));
  return axis;
}

Result<std::vector<BucketAxis>> MakeAxes(const Graph& graph, std::vector<std::int32_t>& of_node) {
  std::vector<BucketAxis> axes;
  for (const Node& node : graph.nodes) {
    const Dim rows = RowsOf(graph, node);
    auto it = std::find_if(axes.begin(), axes.end(),
                           [&rows](const BucketAxis& axis) { return axis.rows == rows; });
    if (it == axes.end()) {
      ZB_ASSIGN_OR_RETURN(BucketAxis axis, MakeAxis(graph, rows));
      it = axes.insert(axes.end(), std::move(axis));
    }
    of_node.push_back(static_cast<std::int32_t>(it - axes.begin()));
  }
  if (axes.empty()) axes.push_back({Dim(1), {1}});
  return axes;
}

std::string ShapesOf(const backend::OpQuery& query) {
  std::string text;
  for (std::size_t i = 0; i < query.src.size(); ++i) {
    const graph::TensorView& view = query.src[i];
    if (view.rank == 0) continue;
    text += text.empty() ? "" : ", ";
    const DType dtype = query.is_weight[i] ? query.formats[i].dtype : view.dtype;
    text += std::string(DTypeName(dtype)) + " [";
    for (int d = 0; d < view.rank; ++d) {
      text += (d == 0 ? "" : ", ") + std::to_string(view.dims[static_cast<std::size_t>(d)]);
    }
    text += "]";
  }
  return text;
}

// One way to run a node: all buckets served by entries of one layout.
struct Option {
  double cost = 0;
  std::vector<const KernelEntry*> entries;
  std::vector<double> estimate_us;
};
using Options = std::map<std::string, Option>;

class Chooser {
 public:
  Chooser(const Graph& graph, std::span<const KernelEntry* const> kernels)
      : graph_(graph), kernels_(kernels) {}

  Result<Choice> Run() {
    std::vector<std::int32_t> axis_of_node;
    ZB_ASSIGN_OR_RETURN(choice_.axes, MakeAxes(graph_, axis_of_node));
    options_.resize(graph_.nodes.size());
    choice_.nodes.resize(graph_.nodes.size());
    std::string impossible;
    for (std::size_t n = 0; n < graph_.nodes.size(); ++n) {
      choice_.nodes[n].axis = axis_of_node[n];
      ZB_ASSIGN_OR_RETURN(const std::string problem, CollectOptions(n));
      if (!problem.empty()) impossible += (impossible.empty() ? "" : "\n") + problem;
    }
    if (!impossible.empty()) return UnimplementedError("no kernel for:\n" + impossible);
    PickLayouts();
    for (std::size_t n = 0; n < graph_.nodes.size(); ++n) ZB_RETURN_IF_ERROR(Settle(n));
    for (auto& [key, count] : refusals_) {
      choice_.refusals.push_back({std::get<0>(key), std::get<1>(key), std::get<2>(key), count});
    }
    return std::move(choice_);
  }

 private:
  const BucketAxis& AxisOf(std::size_t n) const {
    return choice_.axes[static_cast<std::size_t>(choice_.nodes[n].axis)];
  }

  static std::int64_t MinRows(const BucketAxis& axis, std::size_t bucket) {
    return bucket == 0 ? 1 : axis.buckets[bucket - 1] + 1;
  }

  // The node's options; the answer is empty, or says why there is none.
  Result<std::string> CollectOptions(std::size_t n) {
    const Node& node = graph_.nodes[n];
    const BucketAxis& axis = AxisOf(n);
    Options& options = options_[n];
    std::string reasons;
    for (std::size_t b = 0; b < axis.buckets.size(); ++b) {
      const std::int64_t rows = axis.buckets[b];
      ZB_ASSIGN_OR_RETURN(const auto limit,
                          NodeQuery::Make(graph_, node, SymbolsAt(graph_, axis, rows, false),
                                          MinRows(axis, b), rows));
      ZB_ASSIGN_OR_RETURN(const auto typical,
                          NodeQuery::Make(graph_, node, SymbolsAt(graph_, axis, rows, true),
                                          MinRows(axis, b), rows));
      AskEntries(node, b, limit->get(), typical->get(), options, reasons);
      std::erase_if(options, [b](const auto& entry) { return entry.second.entries.size() <= b; });
      if (options.empty()) {
        return fmt::format("{} (op {}, {} rows: {}):{}", node.name, node.op, rows,
                           ShapesOf(limit->get()), reasons);
      }
    }
    return std::string();
  }

  void AskEntries(const Node& node, std::size_t bucket, const backend::OpQuery& limit,
                  const backend::OpQuery& typical, Options& options, std::string& reasons) {
    double unknown = kUnknownUs;
    for (const KernelEntry* entry : kernels_) {
      if (entry->op != node.op) continue;
      std::string reason = entry->row_invariant ? entry->supports(limit) : "not row-invariant";
      if (!reason.empty()) {
        reasons += "\n  " + std::string(entry->name) + ": " + reason;
        Refuse(node.op, entry->name, reason);
        continue;
      }
      const double us = entry->estimate_us != nullptr ? entry->estimate_us(typical) : unknown++;
      Option& option = options[std::string(entry->layout)];
      if (option.entries.size() < bucket) continue;  // an earlier bucket has no entry of the layout
      const double weight = kStepsPerBucket[std::min(bucket, std::size(kStepsPerBucket) - 1)];
      if (option.entries.size() == bucket) {
        option.entries.push_back(entry);
        option.estimate_us.push_back(us);
        option.cost += us * weight;
      } else if (us < option.estimate_us[bucket]) {
        option.cost += (us - option.estimate_us[bucket]) * weight;
        option.entries[bucket] = entry;
        option.estimate_us[bucket] = us;
      }
    }
  }

  void Refuse(const std::string& op, std::string_view entry, const std::string& reason) {
    std::int64_t& count = refusals_[{op, std::string(entry), reason}];
    if (++count == 1 && base::LogEnabled(base::LogArea::kDispatch, base::LogLevel::kDebug)) {
      base::Log(base::LogArea::kDispatch, base::LogLevel::kDebug,
                fmt::format("{}: {} refuses: {}", op, entry, reason));
    }
  }

  static const std::string& Cheapest(const Options& options) {
    return std::min_element(
               options.begin(), options.end(),
               [](const auto& a, const auto& b) { return a.second.cost < b.second.cost; })
        ->first;
  }

  // Nodes that read the same matrix (a tied embedding and head) share its bytes when a common
  // layout costs little more than one copy each.
  void PickLayouts() {
    constexpr double kSharingMayCost = 1.15;
    std::map<ValueId, std::vector<std::size_t>> readers;
    for (std::size_t n = 0; n < graph_.nodes.size(); ++n) {
      choice_.nodes[n].layout = Cheapest(options_[n]);
      for (const ValueId id : graph_.nodes[n].src) {
        if (IsMatrixOperand(graph_, id)) readers[id].push_back(n);
      }
    }
    for (const auto& [id, nodes] : readers) {
      if (nodes.size() < 2) continue;
      double apart = 0;
      for (const std::size_t n : nodes) apart += options_[n].at(choice_.nodes[n].layout).cost;
      std::string best;
      double best_cost = apart * kSharingMayCost;
      for (const auto& [layout, option] : options_[nodes[0]]) {
        double cost = 0;
        for (const std::size_t n : nodes) {
          const auto it = options_[n].find(layout);
          cost +=
              it == options_[n].end() ? std::numeric_limits<double>::infinity() : it->second.cost;
        }
        if (cost <= best_cost) {
          best_cost = cost;
          best = layout;
        }
      }
      if (best.empty()) continue;
      for (const std::size_t n : nodes) choice_.nodes[n].layout = best;
    }
  }

  Status Settle(std::size_t n) {
    NodeChoice& node = choice_.nodes[n];
    Option& option = options_[n].at(node.layout);
    node.entries = option.entries;
    node.estimate_us = option.estimate_us;
    const BucketAxis& axis = AxisOf(n);
    for (std::size_t b = 0; b < node.entries.size(); ++b) {
      if (node.entries[b]->workspace_bytes == nullptr) continue;
      ZB_ASSIGN_OR_RETURN(
          const auto query,
          NodeQuery::Make(graph_, graph_.nodes[n], SymbolsAt(graph_, axis, axis.buckets[b], false),
                          MinRows(axis, b), axis.buckets[b]));
      node.workspace_bytes =
          std::max(node.workspace_bytes, node.entries[b]->workspace_bytes(query->get()));
    }
    return OkStatus();
  }

  const Graph& graph_;
  std::span<const KernelEntry* const> kernels_;
  Choice choice_;
  std::vector<Options> options_;
  std::map<std::tuple<std::string, std::string, std::string>, std::int64_t> refusals_;
};

}  // namespace

std::vector<std::int64_t> SymbolsAt(const Graph& graph, const BucketAxis& axis, std::int64_t rows,
                                    bool typical) {
  std::vector<std::int64_t> symbols;
  for (std::size_t i = 0; i < graph.symbols.size(); ++i) {
    const graph::Symbol& symbol = graph.symbols[i];
    std::int64_t value = typical ? symbol.opt : symbol.max;
    if (IsSymbol(axis.rows, i)) value = std::min(rows, symbol.max);
    symbols.push_back(value);
  }
  return symbols;
}

bool IsMatrixOperand(const Graph& graph, ValueId id) {
  if (id == ValueId::kNone || graph.value(id).kind != graph::ValueKind::kWeight) return false;
  const graph::Weight& weight = graph.weight(graph.value(id).weight);
  return weight.shape.size() >= 2 && weight.role != graph::WeightRole::kTable &&
         weight.role != graph::WeightRole::kVector;
}

Result<std::unique_ptr<NodeQuery>> NodeQuery::Make(const Graph& graph, const Node& node,
                                                   std::span<const std::int64_t> symbols,
                                                   std::int64_t min_rows, std::int64_t max_rows) {
  std::unique_ptr<NodeQuery> made(new NodeQuery());
  made->is_weight_ = std::make_unique<bool[]>(node.src.size());
  made->formats_.resize(node.src.size());
  for (std::size_t i = 0; i < node.src.size(); ++i) {
    if (node.src[i] == ValueId::kNone) {
      made->src_.emplace_back();
      continue;
    }
    const graph::Value& value = graph.value(node.src[i]);
    ZB_ASSIGN_OR_RETURN(graph::TensorView view, ViewAt(value.desc, symbols));
    made->src_.push_back(view);
    made->is_weight_[i] = value.kind == graph::ValueKind::kWeight;
    if (made->is_weight_[i]) made->formats_[i] = graph.weight(value.weight).format;
  }
  for (const ValueId id : node.dst) {
    ZB_ASSIGN_OR_RETURN(graph::TensorView view, ViewAt(graph.value(id).desc, symbols));
    made->dst_.push_back(view);
  }
  backend::OpQuery& query = made->query_;
  query.op = node.op;
  query.attrs = &node.attrs;
  query.src = made->src_;
  query.dst = made->dst_;
  query.formats = made->formats_;
  query.is_weight = {made->is_weight_.get(), node.src.size()};
  query.min_rows = min_rows;
  query.max_rows = max_rows;
  const int group = CacheGroupOf(node);
  if (group >= 0 && static_cast<std::size_t>(group) < graph.caches.size()) {
    query.cache_dtype = graph.caches[static_cast<std::size_t>(group)].dtype;
  }
  return made;
}

Result<Choice> ChooseKernels(const Graph& graph, std::span<const KernelEntry* const> kernels) {
  return Chooser(graph, kernels).Run();
}

}  // namespace zhibi::compile
