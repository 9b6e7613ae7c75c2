// SPDX-License-Identifier: Apache-2.0
#include "base/interrupt.h"

#include <signal.h>
#include <unistd.h>

namespace zhibi::base {
namespace {

std::atomic<bool> interrupted{false};
std::atomic<int> interrupt_signal{0};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free,
              "a signal handler may only touch lock-free atomics");

void Handle(int signal) {
  if (interrupted.exchange(true)) ::_exit(128 + signal);
  interrupt_signal.store(signal);
}

}  // namespace

void InstallInterruptHandler() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction old{};
    if (::sigaction(signal, nullptr, &old) == 0 && old.sa_handler == SIG_IGN) continue;
    struct sigaction action{};
    action.sa_handler = Handle;
    ::sigemptyset(&action.sa_mask);
    // No SA_RESTART: a read from a terminal must return, so that its caller sees the flag.
    ::sigaction(signal, &action, nullptr);
  }
}

bool Interrupted() { return interrupted.load(std::memory_order_relaxed); }
const std::atomic<bool>& InterruptFlag() { return interrupted; }
int InterruptSignal() { return interrupt_signal.load(); }
int InterruptExitCode() { return 128 + InterruptSignal(); }

void ClearInterruptForTest() {
  interrupted.store(false);
  interrupt_signal.store(0);
}

}  // namespace zhibi::base
