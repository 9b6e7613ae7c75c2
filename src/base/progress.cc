// SPDX-License-Identifier: Apache-2.0
#include "base/progress.h"

#include <unistd.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/switches.h"

namespace zhibi::base {
namespace {

constexpr int kBarWidth = 24;
// Work shorter than this shows nothing: a bar that flashes by only disturbs.
constexpr std::chrono::milliseconds kQuiet{300};
constexpr std::chrono::milliseconds kInterval{100};

}  // namespace

bool StderrIsTerminal() {
  const std::optional<std::string> term = EnvironmentVariable("TERM");
  return ::isatty(STDERR_FILENO) == 1 && term && *term != "dumb";
}

ProgressBar::ProgressBar(std::string label, std::int64_t total)
    : ProgressBar(std::move(label), total, stderr, StderrIsTerminal()) {
  next_ = start_ + kQuiet;
}

ProgressBar::ProgressBar(std::string label, std::int64_t total, std::FILE* out, bool draw)
    : label_(std::move(label)),
      total_(total),
      out_(out),
      draw_(draw),
      start_(std::chrono::steady_clock::now()),
      next_(start_) {}

ProgressBar::~ProgressBar() { Finish(); }

void ProgressBar::Update(std::int64_t done, std::string_view detail) {
  if (!draw_) return;
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return;
  next_ = now + kInterval;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  // ASCII only: the line is right under LANG=C too.
  std::string line = "\r" + label_ + " ";
  if (total_ > 0) {
    const double share =
        std::clamp(static_cast<double>(done) / static_cast<double>(total_), 0.0, 1.0);
    const int filled = static_cast<int>(share * kBarWidth);
    line += "[" + std::string(static_cast<std::size_t>(filled), '#') +
            std::string(static_cast<std::size_t>(kBarWidth - filled), '.') + "] " +
            std::to_string(static_cast<int>(share * 100)) + "%";
  } else {
    line += std::to_string(done);
  }
  line += " " + std::to_string(static_cast<int>(seconds)) + "s";
  if (!detail.empty()) line += " " + std::string(detail);
  line += "\x1b[K";  // erases what a longer line left behind
  std::fwrite(line.data(), 1, line.size(), out_);
  std::fflush(out_);
  drawn_ = true;
}

void ProgressBar::Finish() {
  if (!drawn_) return;
  std::fputs("\r\x1b[K", out_);
  std::fflush(out_);
  drawn_ = false;
}

}  // namespace zhibi::base
