// SPDX-License-Identifier: Apache-2.0
#include "base/machine.h"

#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <set>
#include <span>
#include <sstream>
#include <vector>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "base/cgroup.h"
#include "base/file.h"
#include "base/status_macros.h"
#include "base/switches.h"

namespace zhibi::base {
namespace {

constexpr std::size_t kMaxBytes = std::size_t{1} << 20;
constexpr std::array<std::string_view, 3> kLevelNames = {"scalar", "avx2", "avx512"};

struct FeatureName {
  bool CpuFeatures::* flag;
  std::string_view name;
};

constexpr std::array<FeatureName, 16> kFeatureNames = {{
    {&CpuFeatures::avx, "avx"},
    {&CpuFeatures::avx2, "avx2"},
    {&CpuFeatures::fma, "fma"},
    {&CpuFeatures::f16c, "f16c"},
    {&CpuFeatures::avx_vnni, "avx_vnni"},
    {&CpuFeatures::avx512f, "avx512f"},
    {&CpuFeatures::avx512bw, "avx512bw"},
    {&CpuFeatures::avx512cd, "avx512cd"},
    {&CpuFeatures::avx512dq, "avx512dq"},
    {&CpuFeatures::avx512vl, "avx512vl"},
    {&CpuFeatures::avx512_vnni, "avx512_vnni"},
    {&CpuFeatures::avx512_bf16, "avx512_bf16"},
    {&CpuFeatures::avx512_vbmi, "avx512_vbmi"},
    {&CpuFeatures::amx_tile, "amx_tile"},
    {&CpuFeatures::amx_int8, "amx_int8"},
    {&CpuFeatures::amx_bf16, "amx_bf16"},
}};
static_assert(sizeof(CpuFeatures) == kFeatureNames.size(), "every feature has a name");

constexpr std::array kAvx2Needs = {&CpuFeatures::avx2, &CpuFeatures::fma, &CpuFeatures::f16c};
constexpr std::array kAvx512Needs = {
    &CpuFeatures::avx2,     &CpuFeatures::fma,      &CpuFeatures::f16c,     &CpuFeatures::avx512f,
    &CpuFeatures::avx512bw, &CpuFeatures::avx512cd, &CpuFeatures::avx512dq, &CpuFeatures::avx512vl};

bool Has(const CpuFeatures& features, std::span<bool CpuFeatures::* const> needs) {
  return std::all_of(needs.begin(), needs.end(), [&](auto flag) { return features.*flag; });
}

std::string Trim(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\n");
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\n") - first + 1);
}

#if defined(__x86_64__)

struct Leaf {
  unsigned eax = 0;
  unsigned ebx = 0;
  unsigned ecx = 0;
  unsigned edx = 0;
};

// Zeros where the CPU does not know the leaf.
Leaf Cpuid(unsigned leaf, unsigned subleaf) {
  Leaf out;
  if (__get_cpuid_count(leaf, subleaf, &out.eax, &out.ebx, &out.ecx, &out.edx) == 0) return {};
  return out;
}

bool Bit(unsigned word, int index) { return ((word >> index) & 1U) != 0; }

std::uint64_t ReadXcr0() {
  unsigned low = 0;
  unsigned high = 0;
  // NOLINTNEXTLINE(hicpp-no-assembler): the intrinsic needs -mxsave, which the baseline does not
  // have.
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return (std::uint64_t{high} << 32) | low;
}

void DescribeCpu(CpuInfo& info) {
  const Leaf basic = Cpuid(0, 0);
  std::array<char, 13> vendor{};
  std::memcpy(vendor.data(), &basic.ebx, 4);
  std::memcpy(vendor.data() + 4, &basic.edx, 4);
  std::memcpy(vendor.data() + 8, &basic.ecx, 4);
  info.vendor = vendor.data();
  std::array<char, 49> brand{};
  for (unsigned i = 0; i < 3; ++i) {
    const Leaf leaf = Cpuid(0x80000002U + i, 0);
    std::memcpy(brand.data() + std::size_t{i} * 16, &leaf, 16);
  }
  info.model_name = Trim(brand.data());
}

#else

void DescribeCpu(CpuInfo& info) { info.model_name = "not an x86-64 CPU"; }

#endif

std::int64_t CacheBytes(int name) {
  const long bytes = ::sysconf(name);
  return bytes > 0 ? bytes : 0;
}

std::string MissingFor(const CpuFeatures& features, CpuLevel level) {
  const std::span<bool CpuFeatures::* const> needs =
      level == CpuLevel::kAvx512 ? std::span<bool CpuFeatures::* const>(kAvx512Needs)
                                 : std::span<bool CpuFeatures::* const>(kAvx2Needs);
  std::string missing;
  for (const FeatureName& row : kFeatureNames) {
    const bool needed = std::find(needs.begin(), needs.end(), row.flag) != needs.end();
    if (needed && !(features.*row.flag))
      missing += (missing.empty() ? "" : " ") + std::string(row.name);
  }
  return missing;
}

std::int64_t MeminfoBytes(const std::string& text, std::string_view key) {
  std::istringstream lines(text);
  std::string line;
  while (std::getline(lines, line)) {  // "MemAvailable:   24023848 kB"
    std::istringstream words(line);
    std::string name;
    std::int64_t kib = 0;
    if (words >> name >> kib && std::string_view(name) == key) return kib * 1024;
  }
  return 0;
}

// Physical cores among `cpus`: the first CPU of each sibling list stands for its core.
int CountCores(const std::string& root, const std::vector<int>& cpus) {
  std::set<std::string> cores;
  for (const int cpu : cpus) {
    const Result<std::string> siblings =
        ReadFile(root + "/sys/devices/system/cpu/cpu" + std::to_string(cpu) +
                     "/topology/thread_siblings_list",
                 kMaxBytes);
    cores.insert(siblings.ok() ? *siblings : "alone " + std::to_string(cpu));
  }
  return std::max(1, static_cast<int>(cores.size()));
}

std::vector<int> AllowedCpus() {
  std::vector<int> cpus;
  // A fixed cpu_set_t holds 1024 CPUs; the kernel refuses the call on larger machines, hence the
  // growing set.
  for (int capacity = CPU_SETSIZE; capacity <= CPU_SETSIZE * 64; capacity *= 2) {
    const std::size_t size = CPU_ALLOC_SIZE(static_cast<std::size_t>(capacity));
    std::vector<cpu_set_t> set(size / sizeof(cpu_set_t) + 1);
    if (::sched_getaffinity(0, size, set.data()) != 0) continue;
    for (int cpu = 0; cpu < capacity; ++cpu) {
      if (CPU_ISSET_S(static_cast<std::size_t>(cpu), size, set.data())) cpus.push_back(cpu);
    }
    break;
  }
  if (cpus.empty()) cpus.push_back(0);
  return cpus;
}

}  // namespace

std::string_view CpuLevelName(CpuLevel level) {
  return kLevelNames[static_cast<std::size_t>(level)];
}

Result<CpuLevel> ParseCpuLevel(std::string_view text) {
  for (std::size_t i = 0; i < kLevelNames.size(); ++i) {
    if (text == kLevelNames[i]) return static_cast<CpuLevel>(i);
  }
  return InvalidArgumentError("expected scalar, avx2 or avx512, got \"" + std::string(text) + "\"");
}

CpuFeatures CpuInfo::usable() const {
  CpuFeatures out = features;
  for (const FeatureName& row : kFeatureNames) {
    const bool wide = row.name.substr(0, 6) == "avx512" || row.name.substr(0, 3) == "amx";
    if (level == CpuLevel::kScalar || (wide && level < CpuLevel::kAvx512)) out.*row.flag = false;
  }
  return out;
}

CpuFeatures DetectCpuFeatures() {
  CpuFeatures f;
#if defined(__x86_64__)
  const Leaf one = Cpuid(1, 0);
  const Leaf seven = Cpuid(7, 0);
  const Leaf seven_one = Cpuid(7, 1);
  const bool osxsave = Bit(one.ecx, 27);
  const std::uint64_t saved = osxsave ? ReadXcr0() : 0;
  const bool ymm = (saved & 0x6U) == 0x6U;            // SSE and AVX state
  const bool zmm = ymm && (saved & 0xE0U) == 0xE0U;   // opmask, upper ZMM, ZMM16-31
  const bool tiles = (saved & 0x60000U) == 0x60000U;  // tile configuration and data
  f.avx = ymm && Bit(one.ecx, 28);
  f.avx2 = f.avx && Bit(seven.ebx, 5);
  f.fma = f.avx && Bit(one.ecx, 12);
  f.f16c = f.avx && Bit(one.ecx, 29);
  f.avx_vnni = f.avx2 && Bit(seven_one.eax, 4);
  f.avx512f = zmm && Bit(seven.ebx, 16);
  f.avx512dq = f.avx512f && Bit(seven.ebx, 17);
  f.avx512cd = f.avx512f && Bit(seven.ebx, 28);
  f.avx512bw = f.avx512f && Bit(seven.ebx, 30);
  f.avx512vl = f.avx512f && Bit(seven.ebx, 31);
  f.avx512_vbmi = f.avx512f && Bit(seven.ecx, 1);
  f.avx512_vnni = f.avx512f && Bit(seven.ecx, 11);
  f.avx512_bf16 = f.avx512f && Bit(seven_one.eax, 5);
  f.amx_bf16 = tiles && Bit(seven.edx, 22);
  f.amx_tile = tiles && Bit(seven.edx, 24);
  f.amx_int8 = tiles && Bit(seven.edx, 25);
#endif
  return f;
}

CpuLevel BestCpuLevel(const CpuFeatures& features) {
  if (Has(features, kAvx512Needs)) return CpuLevel::kAvx512;
  if (Has(features, kAvx2Needs)) return CpuLevel::kAvx2;
  return CpuLevel::kScalar;
}

Result<CpuInfo> DetectCpu(const std::optional<std::string>& level_override) {
  CpuInfo info;
  DescribeCpu(info);
  info.features = DetectCpuFeatures();
  info.best = BestCpuLevel(info.features);
  info.level = info.best;
  info.l1d_bytes = CacheBytes(_SC_LEVEL1_DCACHE_SIZE);
  info.l2_bytes = CacheBytes(_SC_LEVEL2_CACHE_SIZE);
  info.l3_bytes = CacheBytes(_SC_LEVEL3_CACHE_SIZE);
  if (!level_override) return info;
  Result<CpuLevel> level = ParseCpuLevel(*level_override);
  if (!level.ok()) return std::move(level).status().WithContext(SwitchName(Switch::kCpu));
  if (*level > info.best) {
    return FailedPreconditionError(std::string(SwitchName(Switch::kCpu)) + "=" + *level_override +
                                   ": this CPU allows at most " +
                                   std::string(CpuLevelName(info.best)) + ", missing " +
                                   MissingFor(info.features, *level));
  }
  info.level = *level;
  info.forced = true;
  return info;
}

const Result<CpuInfo>& CurrentCpu() {
  static const Result<CpuInfo> kCpu = DetectCpu(SwitchValue(Switch::kCpu));
  return kCpu;
}

std::string CpuFeatureNames(const CpuFeatures& features) {
  std::string names;
  for (const FeatureName& row : kFeatureNames) {
    if (features.*row.flag) names += (names.empty() ? "" : " ") + std::string(row.name);
  }
  return names;
}

CpuLimits ReadCpuLimits(const std::string& root) {
  CpuLimits limits;
  const std::vector<int> cpus = AllowedCpus();
  limits.online = static_cast<int>(cpus.size());
  limits.cores = CountCores(root, cpus);
  CgroupCpu cgroup = ReadCgroupCpu(root);
  limits.quota = cgroup.quota;
  limits.quota_source = std::move(cgroup.source);
  return limits;
}

MemoryLimits ReadMemoryLimits(const std::string& root) {
  MemoryLimits limits;
  if (const Result<std::string> meminfo = ReadFile(root + "/proc/meminfo", kMaxBytes);
      meminfo.ok()) {
    limits.total_bytes = MeminfoBytes(*meminfo, "MemTotal:");
    limits.available_bytes = MeminfoBytes(*meminfo, "MemAvailable:");
  }
  CgroupMemory cgroup = ReadCgroupMemory(root);
  limits.cgroup_limit_bytes = cgroup.limit_bytes;
  limits.cgroup_free_bytes = cgroup.free_bytes;
  limits.cgroup_source = std::move(cgroup.source);
  struct rlimit address_space{};
  if (::getrlimit(RLIMIT_AS, &address_space) == 0 && address_space.rlim_cur != RLIM_INFINITY) {
    limits.rlimit_bytes = static_cast<std::int64_t>(
        std::min<std::uint64_t>(address_space.rlim_cur, std::uint64_t{1} << 62));
  }
  return limits;
}

int ThreadsFor(const CpuLimits& limits) {
  int threads = std::min(limits.cores, limits.online);
  if (limits.quota > 0) threads = std::min(threads, static_cast<int>(std::min(limits.quota, 1e6)));
  return std::max(1, threads);
}

std::int64_t UsableBytes(const MemoryLimits& limits) {
  std::int64_t usable = limits.available_bytes > 0 ? limits.available_bytes : limits.total_bytes;
  if (limits.cgroup_limit_bytes > 0) usable = std::min(usable, limits.cgroup_free_bytes);
  if (limits.rlimit_bytes > 0) usable = std::min(usable, limits.rlimit_bytes);
  return usable;
}

Result<int> EffectiveThreads() {
  const std::optional<std::string> text = SwitchValue(Switch::kThreads);
  if (!text) return ThreadsFor(ReadCpuLimits());
  int threads = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), threads);
  if (error != std::errc() || end != text->data() + text->size() || threads < 1 || threads > 1024) {
    return InvalidArgumentError(std::string(SwitchName(Switch::kThreads)) +
                                ": expected a number from 1 to 1024, got \"" + *text + "\"");
  }
  return threads;
}

std::int64_t MemoryLimitBytes() { return UsableBytes(ReadMemoryLimits()); }

Result<std::int64_t> ParseByteSize(std::string_view text) {
  const Status bad = InvalidArgumentError("expected a size such as 2G, 512M or 1073741824, got \"" +
                                          std::string(text) + "\"");
  double number = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  if (error != std::errc() || !(number >= 0)) return bad;
  std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  double factor = 1;
  if (!unit.empty() && unit != "B") {
    static constexpr std::string_view kUnits = "KMGT";
    const char upper =
        unit[0] >= 'a' && unit[0] <= 'z' ? static_cast<char>(unit[0] - 'a' + 'A') : unit[0];
    const std::size_t power = kUnits.find(upper);
    if (power == std::string_view::npos) return bad;
    factor = std::pow(1024.0, static_cast<double>(power + 1));
    unit.remove_prefix(1);
    if (!unit.empty() && unit != "B" && unit != "iB") return bad;
  }
  const double bytes = number * factor;
  if (bytes > 9e18) return bad;
  return static_cast<std::int64_t>(bytes);
}

std::string FormatByteSize(std::int64_t bytes) {
  static constexpr std::array<const char*, 5> kUnits = {"B", "KiB", "MiB", "GiB", "TiB"};
  double value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (std::abs(value) >= 1024 && unit + 1 < kUnits.size()) {
    value /= 1024;
    ++unit;
  }
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), unit == 0 ? "%.0f %s" : "%.1f %s", value, kUnits[unit]);
  return text.data();
}

}  // namespace zhibi::base
