// SPDX-License-Identifier: Apache-2.0
// One line of progress on standard error for work that takes longer than a blink. Draws only when
// standard error is a terminal, so that pipes, logs and CI stay clean; the line is wiped at the
// end. Thread rule: Update from one thread at a time.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace zhibi::base {

class ProgressBar {
 public:
  // `total` in any unit; 0 when it is not known (then only the count is shown).
  ProgressBar(std::string label, std::int64_t total);
  // For tests: draws on `out` whether it is a terminal or not.
  ProgressBar(std::string label, std::int64_t total, std::FILE* out, bool draw);
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;
  ~ProgressBar();

  // Redraws at most ten times a second. `detail` is shown after the bar, e.g. a layer's name.
  void Update(std::int64_t done, std::string_view detail = {});
  // Wipes the line; called by the destructor too.
  void Finish();

  bool drawing() const { return draw_; }

 private:
  std::string label_;
  std::int64_t total_;
  std::FILE* out_;
  bool draw_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point next_;
};

// True when standard error is a terminal that can redraw a line (TERM is set and not "dumb").
bool StderrIsTerminal();

}  // namespace zhibi::base
