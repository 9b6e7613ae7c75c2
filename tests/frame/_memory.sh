# SPDX-License-Identifier: Apache-2.0
# in_2gb COMMAND...: runs it in a memory cgroup of 2 GB (version 1 or 2), or under ulimit where none can be made.
in_2gb() {
  local group status=0
  for group in /sys/fs/cgroup/memory/zhibi_test_$$ /sys/fs/cgroup/zhibi_test_$$; do
    [ -w "$(dirname -- "$group")/cgroup.procs" ] && mkdir -- "$group" 2>/dev/null || continue
    if echo 2147483648 2>/dev/null >"$group/memory.limit_in_bytes" || echo 2147483648 2>/dev/null >"$group/memory.max"; then
      (
        echo "$BASHPID" >"$group/cgroup.procs"
        exec "$@"
      ) || status=$?
      rmdir -- "$group" 2>/dev/null || true
      return "$status"
    fi
    rmdir -- "$group"
  done
  (
    ulimit -v 2097152
    exec "$@"
  )
}
