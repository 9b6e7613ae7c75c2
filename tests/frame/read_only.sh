#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A tree that cannot be written: the build goes to the cache folder, and without one a single message says what to set.
. "$(dirname -- "${BASH_SOURCE[0]}")/_lib.sh"
copy_tree "$scratch/tree"
object=src/base/CMakeFiles/zhibi_base.dir/check.cc.o
chmod -R a-w -- "$scratch/tree"
mkdir -- "$scratch/cache"
chmod 777 "$scratch/cache"
dir=$(as_nobody env XDG_CACHE_HOME="$scratch/cache" bash "$scratch/tree/tools/build.sh" --dir release)
case $dir in "$scratch/cache/zhibi/build/tree-"*/release) ;; *) fail "build folder $dir" ;; esac
as_nobody env XDG_CACHE_HOME="$scratch/cache" bash "$scratch/tree/tools/build.sh" release "$object" >"$scratch/log" 2>&1 ||
  fail "build: $(tail -n 20 "$scratch/log")"
[ -f "$dir/$object" ] || fail "nothing was built in $dir"
[ ! -e "$scratch/tree/build" ] || fail "the tree was written"
status=0
as_nobody env HOME=/nonexistent bash "$scratch/tree/tools/build.sh" release "$object" >"$scratch/log" 2>&1 || status=$?
[ "$status" -ne 0 ] || fail "went on without a folder to write"
grep -q 'set BUILD' "$scratch/log" || fail "no hint: $(cat "$scratch/log")"
chmod -R u+w -- "$scratch/tree"

# Drafting with a home that cannot be written works too, engine cache or not.
mkdir -p -- "$scratch/home"
chmod 555 "$scratch/home"
if as_nobody test -x "$program" 2>/dev/null && as_nobody test -r "$elements"; then
  as_nobody env HOME="$scratch/home" "$program" draft --doctype civil-complaint --elements "$elements" \
    </dev/null >"$scratch/out" 2>&1 || fail "draft with a read-only home: $(tail -n 5 "$scratch/out")"
fi
