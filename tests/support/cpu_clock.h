// SPDX-License-Identifier: Apache-2.0
// Processor time of the calling thread. Bars on how long a computation takes are held against it,
// not against the wall clock, which also counts what else the machine does.
#pragma once

#include <ctime>

namespace zhibi {

inline double ThreadCpuMilliseconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

}  // namespace zhibi
