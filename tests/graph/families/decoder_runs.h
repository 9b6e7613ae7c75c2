// SPDX-License-Identifier: Apache-2.0
// Runs the decoder plan of a golden model over its sequences in different ways. For the tests of
// this folder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "graph/graph.h"
#include "support/golden_model.h"
#include "support/graph_interpreter.h"

namespace zhibi::test {

// How the sequences reach the plan.
struct Feeding {
  int chunk = 1 << 20;   // rows of a sequence a step
  bool together = true;  // all sequences in one ragged step, or one after the other
  int page_tokens = 32;
  std::size_t longest = 1 << 20;         // longer sequences are left out
  std::function<void(TensorMap&)> edit;  // see StepDriver::EditInputs
};

// Worst RowError of the logits at all golden positions under `graph` (the model's step plan, or a
// broken copy of it). Fails the current test when a run fails.
double WorstLogitsError(const GoldenModel& model, const graph::Graph& graph,
                        const Feeding& feeding);

}  // namespace zhibi::test
