// SPDX-License-Identifier: Apache-2.0
// Ctrl-C and SIGTERM as a flag that long work looks at between steps. The first signal asks for an
// orderly end (files under construction are dropped, the exit code is 130 or 143); the second ends
// the process at once. Thread rule: thread-safe. Install once, before threads start.
#pragma once

#include <atomic>

namespace zhibi::base {

// Handles SIGINT, SIGTERM and SIGHUP. Signals that are ignored when the program starts (nohup) stay
// ignored.
void InstallInterruptHandler();

// True from the first signal on.
bool Interrupted();
// The flag itself, for code that takes a cancel flag.
const std::atomic<bool>& InterruptFlag();
// The signal's number; 0 before any.
int InterruptSignal();
// 128 + signal: what the program returns after an orderly end.
int InterruptExitCode();

// For tests: as if nothing had come.
void ClearInterruptForTest();

}  // namespace zhibi::base
