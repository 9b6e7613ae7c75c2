// SPDX-License-Identifier: Apache-2.0
#include "base/paths.h"

#include <sys/auxv.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>
#include <system_error>

#include "base/status_macros.h"
#include "base/switches.h"

namespace zhibi::base {
namespace {

namespace fs = std::filesystem;

bool IsDirectory(const std::string& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

// Source folder of the build tree that holds the program, from CMake's own cache: no path is
// compiled in, so that program and tree can be moved.
std::string SourceOfBuild(const fs::path& program_dir) {
  constexpr std::string_view kKey = "CMAKE_HOME_DIRECTORY:INTERNAL=";
  constexpr int kMaxLevels = 6;
  fs::path folder = program_dir;
  for (int level = 0; level < kMaxLevels && folder.has_relative_path(); ++level) {
    std::ifstream cache(folder / "CMakeCache.txt");
    for (std::string line; cache && std::getline(cache, line);) {
      if (line.rfind(kKey, 0) == 0) return line.substr(kKey.size());
    }
    folder = folder.parent_path();
  }
  return {};
}

// The switch, else $XDG_*/zhibi, else a folder in the user's home; none where nothing is set.
std::optional<std::string> NamedDir(Switch named, const char* xdg, const std::string& in_home) {
  if (std::optional<std::string> dir = SwitchValue(named)) return dir;
  if (const std::optional<std::string> dir = EnvironmentVariable(xdg)) {
    if (dir->front() == '/') return *dir + "/zhibi";  // the XDG rule: relative values are ignored
  }
  if (const std::optional<std::string> home = EnvironmentVariable("HOME")) {
    if (home->front() == '/') return *home + in_home;
  }
  return std::nullopt;
}

}  // namespace

std::string ProgramDir() {
  std::error_code error;
  fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error || program.empty()) {
    // Without /proc (a bare chroot) the kernel still hands over the path that the program was
    // started by.
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the kernel hands the address over as a number.
    const auto* started = reinterpret_cast<const char*>(::getauxval(AT_EXECFN));
    if (started == nullptr) return ".";
    program = fs::absolute(started, error);
    if (error) return ".";
  }
  return program.parent_path().string();
}

std::vector<std::string> ShareDirCandidates() {
  std::vector<std::string> candidates;
  if (const std::optional<std::string> dir = SwitchValue(Switch::kShareDir)) {
    // A folder that the user names is the only one: falling back would hide the mistake.
    candidates.push_back(*dir);
    return candidates;
  }
  const std::string program = ProgramDir();
  candidates.push_back(program);
  candidates.push_back(program + "/../share/zhibi");
  if (const std::string source = SourceOfBuild(program); !source.empty()) {
    candidates.push_back(source);
  }
  return candidates;
}

Result<std::string> ShareDir() {
  std::string tried;
  for (const std::string& candidate : ShareDirCandidates()) {
    if (IsDirectory(candidate + "/data")) return candidate;
    if (!tried.empty()) tried += ", ";
    tried += candidate;
  }
  return NotFoundError("no folder with data/ and models/ (tried " + tried + "); set " +
                       std::string(SwitchName(Switch::kShareDir)) + " to it");
}

Result<std::string> SharePath(const std::string& relative) {
  ZB_ASSIGN_OR_RETURN(const std::string dir, ShareDir());
  std::string path = dir + "/" + relative;
  std::error_code error;
  if (!fs::exists(path, error)) return NotFoundError(path + ": expected a file or folder of zhibi");
  return path;
}

std::string CacheDir() {
  const std::optional<std::string> dir =
      NamedDir(Switch::kCacheDir, "XDG_CACHE_HOME", "/.cache/zhibi");
  if (dir) return *dir;
  std::error_code error;
  const fs::path temporary = fs::temp_directory_path(error);
  const std::string base = error ? std::string(".") : temporary.string();
  return base + "/zhibi-cache-" + std::to_string(::getuid());
}

Result<std::string> UserDir() {
  const std::optional<std::string> dir =
      NamedDir(Switch::kUserDir, "XDG_DATA_HOME", "/.local/share/zhibi");
  if (dir) return *dir;
  return NotFoundError("no folder for what users install; set " +
                       std::string(SwitchName(Switch::kUserDir)) + " to one");
}

}  // namespace zhibi::base
