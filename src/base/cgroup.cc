// SPDX-License-Identifier: Apache-2.0
#include "base/cgroup.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <sstream>
#include <string_view>
#include <vector>

#include "base/file.h"

namespace zhibi::base {
namespace {

constexpr std::size_t kMaxBytes = std::size_t{1} << 20;
// Version 1 says "no limit" with the largest multiple of the page size.
constexpr std::int64_t kNoLimit = std::int64_t{1} << 60;

std::optional<std::string> ReadText(const std::string& path) {
  Result<std::string> text = ReadFile(path, kMaxBytes);
  if (!text.ok()) return std::nullopt;
  return std::move(text).value();
}

std::optional<std::int64_t> ParseInteger(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.remove_suffix(1);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<std::int64_t> ReadInteger(const std::string& path) {
  const std::optional<std::string> text = ReadText(path);
  return text ? ParseInteger(*text) : std::nullopt;
}

// The value of "key value" lines, as in memory.stat.
std::optional<std::int64_t> ReadKey(const std::string& path, std::string_view key) {
  const std::optional<std::string> text = ReadText(path);
  if (!text) return std::nullopt;
  std::istringstream lines(*text);
  std::string name;
  std::string value;
  while (lines >> name >> value) {
    if (name == key) return ParseInteger(value);
  }
  return std::nullopt;
}

bool ListHas(std::string_view list, std::string_view word) {
  while (!list.empty()) {
    const std::size_t comma = list.find(',');
    if (list.substr(0, comma) == word) return true;
    if (comma == std::string_view::npos) break;
    list.remove_prefix(comma + 1);
  }
  return false;
}

// mountinfo writes space, tab, newline and backslash as \ooo.
std::string Unescape(std::string_view text) {
  const auto octal = [](char c) { return c >= '0' && c <= '7'; };
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 3 < text.size() && octal(text[i + 1]) && octal(text[i + 2]) &&
        octal(text[i + 3])) {
      out += static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 +
                               (text[i + 3] - '0'));
      i += 3;
    } else {
      out += text[i];
    }
  }
  return out;
}

struct Hierarchy {
  std::string mount_point;
  std::string mount_root;  // path inside the hierarchy that is visible at the mount point
  std::string path;        // of this process, inside the hierarchy
};

// `controller` empty: version 2.
std::optional<Hierarchy> FindHierarchy(const std::string& root, std::string_view controller) {
  const std::optional<std::string> groups = ReadText(root + "/proc/self/cgroup");
  const std::optional<std::string> mounts = ReadText(root + "/proc/self/mountinfo");
  if (!groups || !mounts) return std::nullopt;
  Hierarchy found;
  std::istringstream group_lines(*groups);
  std::string line;
  bool has_path = false;
  while (std::getline(group_lines, line)) {  // "4:memory:/user.slice" or "0::/user.slice"
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string_view names = std::string_view(line).substr(first + 1, second - first - 1);
    if (controller.empty() ? !names.empty() : !ListHas(names, controller)) continue;
    found.path = line.substr(second + 1);
    has_path = true;
    break;
  }
  if (!has_path) return std::nullopt;
  std::istringstream mount_lines(*mounts);
  while (std::getline(mount_lines, line)) {
    // "36 35 98:0 /root /mount/point options fields... - type source superoptions"
    std::istringstream words(line);
    std::string skip;
    std::string mount_root;
    std::string mount_point;
    std::string type;
    std::string source;
    std::string options;
    words >> skip >> skip >> skip >> mount_root >> mount_point;
    while (words >> skip && skip != "-") {
    }
    words >> type >> source >> options;
    if (controller.empty() ? type != "cgroup2"
                           : type != "cgroup" || !ListHas(options, controller)) {
      continue;
    }
    found.mount_point = root + Unescape(mount_point);
    found.mount_root = Unescape(mount_root);
    return found;
  }
  return std::nullopt;
}

// Folders from the process's own group up to the mount point.
std::vector<std::string> Levels(const Hierarchy& hierarchy) {
  std::string path = hierarchy.path;
  const std::string& mount_root = hierarchy.mount_root;
  if (mount_root != "/") {
    const bool below = path.compare(0, mount_root.size(), mount_root) == 0 &&
                       (path.size() == mount_root.size() || path[mount_root.size()] == '/');
    path = below ? path.substr(mount_root.size()) : std::string();
  }
  if (path.find("/..") != std::string::npos) path.clear();  // outside of our cgroup namespace
  while (!path.empty() && path.back() == '/') path.pop_back();
  std::vector<std::string> levels;
  while (!path.empty()) {
    levels.push_back(hierarchy.mount_point + path);
    path.resize(std::min(path.rfind('/'), path.size() - 1));
  }
  levels.push_back(hierarchy.mount_point);
  return levels;
}

void TakeQuota(CgroupCpu& cpu, double quota, const std::string& source) {
  if (quota <= 0 || (cpu.quota > 0 && cpu.quota <= quota)) return;
  cpu.quota = quota;
  cpu.source = source;
}

void TakeMemory(CgroupMemory& memory, std::int64_t limit, std::int64_t used,
                std::int64_t reclaimable, const std::string& source) {
  if (limit < 0 || limit >= kNoLimit) return;
  const std::int64_t taken = std::clamp(used - reclaimable, std::int64_t{0}, limit);
  const std::int64_t free = limit - taken;
  if (memory.limit_bytes == 0) memory.free_bytes = free;
  memory.free_bytes = std::min(memory.free_bytes, free);
  if (memory.limit_bytes != 0 && memory.limit_bytes <= limit) return;
  memory.limit_bytes = std::max(limit, std::int64_t{1});
  memory.source = source;
}

}  // namespace

CgroupCpu ReadCgroupCpu(const std::string& root) {
  CgroupCpu cpu;
  if (const std::optional<Hierarchy> hierarchy = FindHierarchy(root, "cpu")) {
    for (const std::string& level : Levels(*hierarchy)) {
      const std::string source = level + "/cpu.cfs_quota_us";
      const std::optional<std::int64_t> quota = ReadInteger(source);
      const std::optional<std::int64_t> period = ReadInteger(level + "/cpu.cfs_period_us");
      if (quota && period && *period > 0) {
        TakeQuota(cpu, static_cast<double>(*quota) / static_cast<double>(*period), source);
      }
    }
  }
  if (const std::optional<Hierarchy> hierarchy = FindHierarchy(root, "")) {
    for (const std::string& level : Levels(*hierarchy)) {
      const std::string source = level + "/cpu.max";
      const std::optional<std::string> text = ReadText(source);
      if (!text) continue;
      const std::size_t space = text->find(' ');
      if (space == std::string::npos) continue;
      const std::optional<std::int64_t> quota =
          ParseInteger(std::string_view(*text).substr(0, space));
      const std::optional<std::int64_t> period =
          ParseInteger(std::string_view(*text).substr(space + 1));
      if (quota && period && *period > 0) {
        TakeQuota(cpu, static_cast<double>(*quota) / static_cast<double>(*period), source);
      }
    }
  }
  return cpu;
}

CgroupMemory ReadCgroupMemory(const std::string& root) {
  CgroupMemory memory;
  if (const std::optional<Hierarchy> hierarchy = FindHierarchy(root, "memory")) {
    for (const std::string& level : Levels(*hierarchy)) {
      const std::string source = level + "/memory.limit_in_bytes";
      const std::optional<std::int64_t> limit = ReadInteger(source);
      if (!limit) continue;
      TakeMemory(memory, *limit, ReadInteger(level + "/memory.usage_in_bytes").value_or(0),
                 ReadKey(level + "/memory.stat", "total_inactive_file").value_or(0), source);
    }
  }
  if (const std::optional<Hierarchy> hierarchy = FindHierarchy(root, "")) {
    for (const std::string& level : Levels(*hierarchy)) {
      const std::string source = level + "/memory.max";
      const std::optional<std::int64_t> limit =
          ReadInteger(source);  // "max" is not a number: no limit
      if (!limit) continue;
      TakeMemory(memory, *limit, ReadInteger(level + "/memory.current").value_or(0),
                 ReadKey(level + "/memory.stat", "inactive_file").value_or(0), source);
    }
  }
  return memory;
}

}  // namespace zhibi::base
