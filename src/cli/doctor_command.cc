// SPDX-License-Identifier: Apache-2.0
#include "cli/doctor_command.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <system_error>

#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/log.h"
#include "base/machine.h"
#include "base/paths.h"
#include "base/switches.h"
#include "zhibi/version.h"

namespace zhibi::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// Below this the default model with its engine, KV pages and scratch does not fit.
constexpr std::int64_t kLeastBytes = std::int64_t{256} << 20;

json BuildFacts() {
#if defined(__clang__)
  const std::string compiler = "clang " + std::string(__clang_version__);
#else
  const std::string compiler = "g++ " + std::string(__VERSION__);
#endif
#if defined(NDEBUG)
  const bool checks = false;
#else
  const bool checks = true;
#endif
  return {{"compiler", compiler}, {"debug_checks", checks}, {"program", base::ProgramDir()}};
}

void ExamineCpu(json& facts, std::vector<DoctorProblem>& problems) {
  const Result<base::CpuInfo>& chosen = base::CurrentCpu();
  if (!chosen.ok()) {
    problems.push_back(
        {chosen.status().message(), "unset the switch or give a level that this CPU has"});
  }
  const Result<base::CpuInfo> plain = base::DetectCpu(std::nullopt);
  if (!plain.ok()) return;
  const base::CpuInfo& cpu = chosen.ok() ? *chosen : *plain;
  facts["cpu"] = {{"vendor", cpu.vendor},
                  {"model", cpu.model_name},
                  {"features", base::CpuFeatureNames(cpu.features)},
                  {"best", base::CpuLevelName(cpu.best)},
                  {"level", base::CpuLevelName(cpu.level)},
                  {"forced", cpu.forced},
                  {"l1d_bytes", cpu.l1d_bytes},
                  {"l2_bytes", cpu.l2_bytes},
                  {"l3_bytes", cpu.l3_bytes}};
}

void ExamineLimits(json& facts, std::vector<DoctorProblem>& problems) {
  const base::CpuLimits cpu = base::ReadCpuLimits();
  const Result<int> threads = base::EffectiveThreads();
  if (!threads.ok()) problems.push_back({threads.status().message(), "unset it or give a number"});
  facts["threads"] = threads.ok() ? *threads : base::ThreadsFor(cpu);
  facts["limits"] = {{"cpus", cpu.online},
                     {"cores", cpu.cores},
                     {"cgroup_quota_cpus", cpu.quota > 0 ? json(cpu.quota) : json(nullptr)},
                     {"cgroup_quota_file", cpu.quota_source}};
  const base::MemoryLimits memory = base::ReadMemoryLimits();
  const std::int64_t usable = base::UsableBytes(memory);
  const auto limit = [](std::int64_t bytes) { return bytes > 0 ? json(bytes) : json(nullptr); };
  facts["memory"] = {{"total_bytes", memory.total_bytes},
                     {"available_bytes", memory.available_bytes},
                     {"cgroup_limit_bytes", limit(memory.cgroup_limit_bytes)},
                     {"cgroup_limit_file", memory.cgroup_source},
                     {"address_space_limit_bytes", limit(memory.rlimit_bytes)},
                     {"usable_bytes", usable}};
  if (usable < kLeastBytes) {
    problems.push_back({"only " + base::FormatByteSize(usable) + " of memory may be used, " +
                            base::FormatByteSize(kLeastBytes) + " are needed for the default model",
                        "raise the cgroup's limit or end other programs"});
  }
}

// Share of a file's pages that are in the page cache, 0 to 1; none where the system does not say.
std::optional<double> CachedShare(const base::MappedFile& file) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t num_pages = (file.bytes().size() + page - 1) / page;
  if (num_pages == 0) return std::nullopt;
  std::vector<unsigned char> resident(num_pages);
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): mincore only looks.
  void* begin = const_cast<std::byte*>(file.bytes().data());
  if (::mincore(begin, file.bytes().size(), resident.data()) != 0) return std::nullopt;
  std::size_t count = 0;
  for (const unsigned char flag : resident) count += flag & 1U;
  return static_cast<double>(count) / static_cast<double>(num_pages);
}

// Document types; what they share lies in folders whose names begin with "_".
json ListTypes(const std::string& path) {
  std::vector<std::string> names;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(path, error)) {
    const std::string name = entry.path().filename().string();
    if (entry.is_directory(error) && !name.starts_with("_")) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

void ExamineModel(const std::string& share, json& files, std::vector<DoctorProblem>& problems) {
  const std::string folder = share + "/models/zhibi-mini";
  std::error_code error;
  json model = {{"folder", folder}, {"file", nullptr}};
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().extension() != ".safetensors") continue;
    const Result<base::MappedFile> file = base::MappedFile::Open(entry.path().string());
    if (!file.ok()) {
      problems.push_back(
          {file.status().message(), "make the file readable, or name a model with --model"});
      continue;
    }
    model["file"] = entry.path().filename().string();
    model["bytes"] = file->bytes().size();
    const std::optional<double> cached = CachedShare(*file);
    model["page_cache_share"] = cached ? json(*cached) : json(nullptr);
  }
  if (model["file"].is_null()) {
    problems.push_back({"no .safetensors file in " + folder, "name a model with --model"});
  }
  files["model"] = std::move(model);
}

void ExamineFiles(json& facts, std::vector<DoctorProblem>& problems) {
  const Result<std::string> share = base::ShareDir();
  if (!share.ok()) {
    problems.push_back(
        {share.status().message(), "see " + std::string(SwitchName(base::Switch::kShareDir))});
    facts["files"] = {{"share", nullptr}};
    return;
  }
  std::error_code error;
  const fs::path canonical = fs::weakly_canonical(*share, error);
  const std::string shown = error ? *share : canonical.string();
  json files = {{"share", shown}, {"doctypes", ListTypes(shown + "/data/doctypes")}};
  if (files["doctypes"].empty()) {
    problems.push_back(
        {"no document type in " + shown + "/data/doctypes", "install the whole of data/"});
  }
  ExamineModel(shown, files, problems);
  facts["files"] = std::move(files);
}

// The nearest folder above `path` that exists.
fs::path ExistingAncestor(fs::path path) {
  std::error_code error;
  while (!path.empty() && path != path.root_path() && !fs::exists(path, error))
    path = path.parent_path();
  return path.empty() ? fs::path(".") : path;
}

void ExamineCache(json& facts, std::vector<DoctorProblem>& problems) {
  const std::string dir = base::CacheDir();
  std::error_code error;
  const fs::path existing = ExistingAncestor(dir);
  const fs::space_info space = fs::space(existing, error);
  const bool writable = ::access(existing.c_str(), W_OK) == 0;
  std::int64_t bytes = 0;
  std::int64_t count = 0;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(dir, error)) {
    if (!entry.is_regular_file(error)) continue;
    ++count;
    bytes += static_cast<std::int64_t>(entry.file_size(error));
  }
  facts["cache"] = {{"folder", dir},
                    {"writable", writable},
                    {"files", count},
                    {"bytes", bytes},
                    {"free_bytes", static_cast<std::int64_t>(space.available)}};
  if (!writable) {
    problems.push_back(
        {dir + " cannot be written, so engines are built anew at every start",
         "set " + std::string(SwitchName(base::Switch::kCacheDir)) + " to a folder of yours"});
  }
}

void ExamineSwitches(json& facts, std::vector<DoctorProblem>& problems) {
  json set = json::object();
  for (const base::SwitchRow& row : base::SwitchTable()) {
    if (const std::optional<std::string> value = base::SwitchValue(row.id))
      set[std::string(row.name)] = *value;
  }
  facts["switches"] = std::move(set);
  for (const std::string& name : base::UnknownSwitches()) {
    problems.push_back(
        {name + " is set, but no such switch exists", "zhibi doctor lists the switches"});
  }
  if (const Status logging = base::InitLogging(); !logging.ok()) {
    problems.push_back({logging.message(), "unset it or correct the word"});
  }
}

std::string Size(const json& value) {
  return value.is_null() ? "none" : base::FormatByteSize(value.get<std::int64_t>());
}

void PrintLine(const char* label, const std::string& text) {
  std::printf("%-10s %s\n", label, text.c_str());
}

void PrintCpu(const json& facts) {
  if (!facts.contains("cpu")) return;
  const json& cpu = facts["cpu"];
  PrintLine("cpu", cpu["model"].get<std::string>() + ", " + facts["limits"]["cores"].dump() +
                       " cores, " + facts["limits"]["cpus"].dump() + " CPUs allowed");
  PrintLine("features", cpu["features"].get<std::string>());
  PrintLine("caches", "L1d " + Size(cpu["l1d_bytes"]) + ", L2 " + Size(cpu["l2_bytes"]) + ", L3 " +
                          Size(cpu["l3_bytes"]));
  PrintLine("level", cpu["level"].get<std::string>() +
                         (cpu["forced"].get<bool>()
                              ? " (forced; best " + cpu["best"].get<std::string>() + ")"
                              : std::string()));
}

void PrintText(const json& facts) {
  PrintLine("zhibi", facts["version"].get<std::string>() + ", " +
                         facts["build"]["compiler"].get<std::string>() +
                         (facts["build"]["debug_checks"].get<bool>() ? ", with debug checks" : ""));
  PrintCpu(facts);
  const json& quota = facts["limits"]["cgroup_quota_cpus"];
  PrintLine(
      "threads",
      facts["threads"].dump() + ", cgroup quota " +
          (quota.is_null() ? std::string("none")
                           : quota.dump() + " CPUs (" +
                                 facts["limits"]["cgroup_quota_file"].get<std::string>() + ")"));
  const json& memory = facts["memory"];
  PrintLine("memory", Size(memory["usable_bytes"]) + " usable of " + Size(memory["total_bytes"]) +
                          ", cgroup limit " + Size(memory["cgroup_limit_bytes"]) +
                          ", address space " + Size(memory["address_space_limit_bytes"]));
  const json& files = facts["files"];
  if (files["share"].is_string()) {
    PrintLine("files", files["share"].get<std::string>());
    PrintLine("doctypes", std::to_string(files["doctypes"].size()) + " (zhibi doctypes list)");
    const json& model = files["model"];
    if (model["file"].is_string()) {
      std::string line = model["file"].get<std::string>() + ", " + Size(model["bytes"]);
      if (model["page_cache_share"].is_number()) {
        line += ", " +
                std::to_string(static_cast<int>(model["page_cache_share"].get<double>() * 100)) +
                " % in the page cache";
      }
      PrintLine("model", line);
    }
  }
  const json& cache = facts["cache"];
  PrintLine("cache", cache["folder"].get<std::string>() + ", " + cache["files"].dump() +
                         " files, " + Size(cache["bytes"]) + ", " + Size(cache["free_bytes"]) +
                         " free" + (cache["writable"].get<bool>() ? "" : ", not writable"));
  std::printf("\nswitches (environment)\n");
  for (const base::SwitchRow& row : base::SwitchTable()) {
    const json& set = facts["switches"];
    const std::string name(row.name);
    std::printf("  %-18s %s%s\n", name.c_str(),
                set.contains(name) ? ("= " + set[name].get<std::string>() + "   ").c_str() : "",
                (std::string(row.value) + ": " + std::string(row.help)).c_str());
  }
}

}  // namespace

std::vector<DoctorProblem> Examine(json& facts) {
  std::vector<DoctorProblem> problems;
  facts = json::object();
  facts["version"] = std::string(Version());
  facts["build"] = BuildFacts();
  ExamineCpu(facts, problems);
  ExamineLimits(facts, problems);
  ExamineFiles(facts, problems);
  ExamineCache(facts, problems);
  ExamineSwitches(facts, problems);
  return problems;
}

int RunDoctor(const DoctorOptions& options) {
  json facts;
  const std::vector<DoctorProblem> problems = Examine(facts);
  const int exit_code = problems.empty() ? 0 : 1;
  if (options.json) {
    facts["problems"] = json::array();
    for (const DoctorProblem& problem : problems) {
      facts["problems"].push_back({{"what", problem.what}, {"mend", problem.mend}});
    }
    // Paths may hold any bytes; the JSON must stay UTF-8.
    std::printf("%s\n", facts.dump(2, ' ', false, json::error_handler_t::replace).c_str());
    return exit_code;
  }
  PrintText(facts);
  std::printf("\n%s\n", problems.empty() ? "no problem found" : "problems");
  for (const DoctorProblem& problem : problems) {
    std::printf("  %s\n    -> %s\n", problem.what.c_str(), problem.mend.c_str());
  }
  return exit_code;
}

}  // namespace zhibi::cli
