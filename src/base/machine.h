// SPDX-License-Identifier: Apache-2.0
// What this process may use of this machine: instruction sets, cores, memory. Cores and memory are
// those that cgroups, cpusets and rlimits leave us, not those that the hardware has: a pool larger
// than the quota is throttled, a cache larger than the limit is killed. Thread rule: thread-safe;
// CurrentCpu is detected once and immutable, limits are read anew at each call. Sources: Intel SDM
// vol. 1 ch. 13 and vol. 2 CPUID, AMD APM vol. 3 app. E, cgroups(7), proc(5).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "zhibi/status.h"

namespace zhibi::base {

// What a kernel of a level may assume. Stored in engine files: append only.
enum class CpuLevel : std::uint8_t {
  kScalar = 0,
  kAvx2 = 1,    // AVX2, FMA, F16C
  kAvx512 = 2,  // kAvx2 and AVX-512 F, BW, CD, DQ, VL; VNNI and BF16 are flags of their own
};

// "scalar", "avx2", "avx512".
std::string_view CpuLevelName(CpuLevel level);
// kInvalidArgument names the three accepted words.
Result<CpuLevel> ParseCpuLevel(std::string_view text);

// A flag is set only when the CPU has the instructions and the system saves their registers
// (XGETBV).
struct CpuFeatures {
  bool avx = false;
  bool avx2 = false;
  bool fma = false;
  bool f16c = false;
  bool avx_vnni = false;
  bool avx512f = false;
  bool avx512bw = false;
  bool avx512cd = false;
  bool avx512dq = false;
  bool avx512vl = false;
  bool avx512_vnni = false;
  bool avx512_bf16 = false;
  bool avx512_vbmi = false;
  bool amx_tile = false;
  bool amx_int8 = false;
  bool amx_bf16 = false;
};

struct CpuInfo {
  std::string vendor;                  // "AuthenticAMD"; empty where unknown
  std::string model_name;              // brand string, trimmed
  CpuFeatures features;                // what there is, whatever ZHIBI_CPU says
  CpuLevel best = CpuLevel::kScalar;   // highest level that the features allow
  CpuLevel level = CpuLevel::kScalar;  // chosen: best, or what ZHIBI_CPU asks for
  bool forced = false;                 // level comes from ZHIBI_CPU
  std::int64_t l1d_bytes = 0;          // of one core; 0 where unknown
  std::int64_t l2_bytes = 0;
  std::int64_t l3_bytes = 0;

  // Features as the chosen level shows them: below kAvx512 all AVX-512 and AMX flags are off, below
  // kAvx2 all are.
  CpuFeatures usable() const;
};

CpuFeatures DetectCpuFeatures();
CpuLevel BestCpuLevel(const CpuFeatures& features);

// Detects and applies `level_override` (the value of ZHIBI_CPU, if any).
// kInvalidArgument: not a level. kFailedPrecondition: a level above what this CPU has, naming the
// missing features.
Result<CpuInfo> DetectCpu(const std::optional<std::string>& level_override);

// DetectCpu with ZHIBI_CPU, once per process. A program checks it at its start and prints the
// Status.
const Result<CpuInfo>& CurrentCpu();

// "avx2 fma f16c avx512f ...", space-separated, in the order of the struct.
std::string CpuFeatureNames(const CpuFeatures& features);

struct CpuLimits {
  int online = 1;            // CPUs that the scheduler may give us (affinity, hence cpuset)
  int cores = 1;             // of them, physical cores: SMT siblings count once
  double quota = 0;          // cgroup quota in CPUs, the tightest of the hierarchy; 0: none
  std::string quota_source;  // path of the file that sets it
};

struct MemoryLimits {
  std::int64_t total_bytes = 0;         // MemTotal
  std::int64_t available_bytes = 0;     // MemAvailable
  std::int64_t cgroup_limit_bytes = 0;  // the tightest of the hierarchy; 0: none
  std::int64_t cgroup_free_bytes =
      0;  // least limit - usage + reclaimable of the hierarchy; meaningless without limit
  std::int64_t rlimit_bytes = 0;  // RLIMIT_AS; 0: none
  std::string cgroup_source;
};

// `root` is "" in the program and a folder with proc/ and sys/ in tests. What cannot be read counts
// as no limit.
CpuLimits ReadCpuLimits(const std::string& root = "");
MemoryLimits ReadMemoryLimits(const std::string& root = "");

// Threads for lock-step work: min(cores, floor(quota)), at least 1. Rounded down, since a pool that
// runs past its quota is stopped for the rest of each 100 ms period.
int ThreadsFor(const CpuLimits& limits);
// Bytes that may be taken now: the least of MemAvailable, what the cgroups leave and RLIMIT_AS.
std::int64_t UsableBytes(const MemoryLimits& limits);

// ZHIBI_THREADS where it is set, else ThreadsFor(ReadCpuLimits()).
// kInvalidArgument: ZHIBI_THREADS is not a number from 1 to 1024.
Result<int> EffectiveThreads();
// UsableBytes(ReadMemoryLimits()).
std::int64_t MemoryLimitBytes();

// "2147483648", "2048M", "2G", "1.5GiB" (powers of 1024) to bytes. kInvalidArgument names the text
// and the form.
Result<std::int64_t> ParseByteSize(std::string_view text);
// "1.5 GiB", "24.0 MiB", "512 B".
std::string FormatByteSize(std::int64_t bytes);

}  // namespace zhibi::base
