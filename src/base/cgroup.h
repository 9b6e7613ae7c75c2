// SPDX-License-Identifier: Apache-2.0
// CPU quota and memory limit of the cgroups that hold this process, version 1, 2 or both mounted
// (hybrid). A limit may sit at any level of the hierarchy, so every level up to the mount point is
// read. In a container the path of /proc/self/cgroup can lie above what is mounted: the mount's own
// root is taken off first. Thread rule: thread-safe, no state. Source: cgroups(7),
// Documentation/admin-guide/cgroup-v2.rst, proc(5) mountinfo.
#pragma once

#include <cstdint>
#include <string>

namespace zhibi::base {

struct CgroupCpu {
  double quota = 0;  // CPUs; 0: no quota
  std::string source;
};

struct CgroupMemory {
  std::int64_t limit_bytes = 0;  // 0: no limit
  std::int64_t free_bytes = 0;   // at the level where it is least; only with a limit
  std::string source;
};

// `root` goes before /proc and /sys: "" in the program, a made-up tree in tests. What is unreadable
// is no limit.
CgroupCpu ReadCgroupCpu(const std::string& root);
CgroupMemory ReadCgroupMemory(const std::string& root);

}  // namespace zhibi::base
