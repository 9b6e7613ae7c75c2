#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# build.sh PRESET [TARGET...]: configures (once) and builds one preset. `build.sh --dir PRESET` only prints the folder.
# Folder: $BUILD/PRESET where BUILD is set, else build/PRESET in the source tree, else (read-only tree) a folder of this
# tree under $XDG_CACHE_HOME or ~/.cache. Parallel jobs are limited by memory: 1 GB each.
set -euo pipefail
source_dir=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)

build_root() {
  if [ -n "${BUILD:-}" ]; then
    mkdir -p -- "$BUILD" && (cd -- "$BUILD" && pwd -P)
    return
  fi
  if { mkdir -p -- "$source_dir/build" && [ -w "$source_dir/build" ]; } 2>/dev/null; then
    echo "$source_dir/build"
    return
  fi
  local cache=${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}
  local root="$cache/zhibi/build/$(basename -- "$source_dir")-$(cksum <<<"$source_dir" | cut -d' ' -f1)"
  if ! mkdir -p -- "$root" 2>/dev/null; then
    echo "zhibi: neither $source_dir nor $cache can be written; set BUILD to a folder that can" >&2
    return 1
  fi
  echo "$root"
}

# Kibibytes that may be taken: MemAvailable, or what a cgroup of version 1 or 2 leaves.
free_kib() {
  local free limit file
  free=$(awk '$1 == "MemAvailable:" {print $2}' /proc/meminfo 2>/dev/null || true)
  free=${free:-4194304}
  for file in /sys/fs/cgroup/memory.max /sys/fs/cgroup/memory/memory.limit_in_bytes; do
    limit=$(cat "$file" 2>/dev/null || true)
    case $limit in '' | *[!0-9]*) continue ;; esac
    # A number of over 15 digits is version 1's way to say that there is no limit.
    [ ${#limit} -le 15 ] && [ $((limit / 1024)) -lt "$free" ] && free=$((limit / 1024))
  done
  limit=$(ulimit -v)
  [ "$limit" = unlimited ] || { [ "$limit" -lt "$free" ] && free=$limit; }
  echo "$free"
}

jobs() {
  if [ -n "${JOBS:-}" ]; then
    echo "$JOBS"
    return
  fi
  local by_memory=$(($(free_kib) / 1000000)) cores
  cores=$(nproc)
  [ "$by_memory" -ge 1 ] || by_memory=1
  [ "$cores" -lt "$by_memory" ] && echo "$cores" || echo "$by_memory"
}

root=$(build_root)
if [ "${1:-}" = --dir ]; then
  printf '%s\n' "$root/$2"
  exit 0
fi
preset=$1
shift
dir="$root/$preset"

# ccache, where it is there, recognises the same file in another clone. It would expand a dollar sign as a variable.
case $source_dir in *'$'*) ;; *) export CCACHE_BASEDIR="$source_dir" CCACHE_NOHASHDIR=1 ;; esac
# A folder that some other source tree configured (a moved or copied clone) is configured anew.
if [ -f "$dir/CMakeCache.txt" ] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$source_dir" "$dir/CMakeCache.txt"; then
  rm -rf -- "$dir/CMakeCache.txt" "$dir/CMakeFiles"
fi
log="$dir/zhibi_build.log"
mkdir -p -- "$dir"
fail() {
  cat -- "$log" >&2
  echo "zhibi: $1 failed (log: $log)" >&2
  exit 1
}
if [ ! -f "$dir/build.ninja" ] || [ "$source_dir/CMakePresets.json" -nt "$dir/build.ninja" ]; then
  (cd -- "$source_dir" && cmake --preset "$preset" -B "$dir") >"$log" 2>&1 || fail "cmake --preset $preset"
fi
if [ -t 1 ]; then
  # A terminal gets ninja's own one-line progress.
  ninja -C "$dir" -j "$(jobs)" "$@" || exit 1
else
  ninja -C "$dir" -j "$(jobs)" "$@" >"$log" 2>&1 || fail "ninja in $dir"
fi
