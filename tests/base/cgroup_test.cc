// SPDX-License-Identifier: Apache-2.0
#include "base/cgroup.h"

#include <string>

#include <gtest/gtest.h>

#include "base/machine.h"
#include "base/temp_dir.h"

namespace zhibi::base {
namespace {

constexpr std::int64_t kGiB = std::int64_t{1} << 30;

TEST(CgroupTest, Version2TakesTightestLevel) {
  const TempDir dir;
  dir.Put("proc/self/cgroup", "0::/app.slice/zhibi.service\n");
  dir.Put("proc/self/mountinfo",
          "22 1 0:20 / /proc rw - proc proc rw\n"
          "30 22 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n");
  dir.Put("sys/fs/cgroup/app.slice/zhibi.service/cpu.max", "max 100000\n");
  dir.Put("sys/fs/cgroup/app.slice/cpu.max", "150000 100000\n");
  dir.Put("sys/fs/cgroup/app.slice/zhibi.service/memory.max", "4294967296\n");
  dir.Put("sys/fs/cgroup/app.slice/zhibi.service/memory.current", "1073741824\n");
  dir.Put("sys/fs/cgroup/app.slice/zhibi.service/memory.stat", "anon 1\ninactive_file 536870912\n");
  dir.Put("sys/fs/cgroup/app.slice/memory.max", "2147483648\n");
  dir.Put("sys/fs/cgroup/app.slice/memory.current", "1073741824\n");

  const CgroupCpu cpu = ReadCgroupCpu(dir.path());
  EXPECT_DOUBLE_EQ(cpu.quota, 1.5);
  EXPECT_EQ(cpu.source, dir.path() + "/sys/fs/cgroup/app.slice/cpu.max");

  const CgroupMemory memory = ReadCgroupMemory(dir.path());
  EXPECT_EQ(memory.limit_bytes, 2 * kGiB);
  EXPECT_EQ(memory.free_bytes, kGiB);  // the outer level leaves less than the inner one's 3.5 GiB
  EXPECT_EQ(memory.source, dir.path() + "/sys/fs/cgroup/app.slice/memory.max");
}

TEST(CgroupTest, Version1InContainerTakesMountRootOff) {
  const TempDir dir;
  dir.Put("proc/self/cgroup",
          "5:memory:/docker/abc/inner\n3:cpu,cpuacct:/docker/abc\n0::/docker/abc\n");
  dir.Put("proc/self/mountinfo",
          "30 22 0:26 /docker/abc /sys/fs/cgroup/cpu,cpuacct ro - cgroup cgroup rw,cpu,cpuacct\n"
          "31 22 0:27 /docker/abc /sys/fs/cgroup/memory\\040v1 ro - cgroup cgroup rw,memory\n");
  dir.Put("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "250000\n");
  dir.Put("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
  dir.Put("sys/fs/cgroup/memory v1/inner/memory.limit_in_bytes", "1073741824\n");
  dir.Put("sys/fs/cgroup/memory v1/inner/memory.usage_in_bytes", "805306368\n");
  dir.Put("sys/fs/cgroup/memory v1/inner/memory.stat", "cache 1\ntotal_inactive_file 268435456\n");
  dir.Put("sys/fs/cgroup/memory v1/memory.limit_in_bytes", "9223372036854771712\n");

  EXPECT_DOUBLE_EQ(ReadCgroupCpu(dir.path()).quota, 2.5);
  const CgroupMemory memory = ReadCgroupMemory(dir.path());
  EXPECT_EQ(memory.limit_bytes, kGiB);
  EXPECT_EQ(memory.free_bytes, kGiB / 2);
}

TEST(CgroupTest, NoLimitAndUnreadableFilesAreNoLimit) {
  const TempDir dir;
  EXPECT_EQ(ReadCgroupCpu(dir.path()).quota, 0);
  EXPECT_EQ(ReadCgroupMemory(dir.path()).limit_bytes, 0);
  dir.Put("proc/self/cgroup", "rubbish\n4:cpu\n0::/../outside\n");
  dir.Put("proc/self/mountinfo", "short\n30 22 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
  dir.Put("sys/fs/cgroup/cpu.max", "lots of it\n");
  dir.Put("sys/fs/cgroup/memory.max", "max\n");
  EXPECT_EQ(ReadCgroupCpu(dir.path()).quota, 0);
  EXPECT_EQ(ReadCgroupMemory(dir.path()).limit_bytes, 0);
}

TEST(CgroupTest, UsageOverLimitLeavesNothing) {
  const TempDir dir;
  dir.Put("proc/self/cgroup", "0::/\n");
  dir.Put("proc/self/mountinfo", "30 22 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
  dir.Put("sys/fs/cgroup/memory.max", "1000\n");
  dir.Put("sys/fs/cgroup/memory.current", "2000\n");
  EXPECT_EQ(ReadCgroupMemory(dir.path()).free_bytes, 0);
}

TEST(LimitsTest, ReadsMeminfoAndSiblings) {
  const TempDir dir;
  dir.Put("proc/meminfo", "MemTotal:  8388608 kB\nMemFree: 5 kB\nMemAvailable:   4194304 kB\n");
  const MemoryLimits memory = ReadMemoryLimits(dir.path());
  EXPECT_EQ(memory.total_bytes, 8 * kGiB);
  EXPECT_EQ(memory.available_bytes, 4 * kGiB);
  EXPECT_LE(UsableBytes(memory), 4 * kGiB);

  const CpuLimits real = ReadCpuLimits();
  for (int cpu = 0; cpu < 64; ++cpu) {
    const std::string folder = "sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/topology/";
    dir.Put(folder + "thread_siblings_list", "0-63\n");
  }
  const CpuLimits limits = ReadCpuLimits(dir.path());
  EXPECT_EQ(limits.online, real.online);
  EXPECT_EQ(limits.cores, real.online <= 64 ? 1 : limits.cores);
}

}  // namespace
}  // namespace zhibi::base
