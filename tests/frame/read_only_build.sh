#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slow
# The whole of `make draft` as a user without rights, in a read-only tree whose path has a space and Chinese characters.
. "$(dirname -- "${BASH_SOURCE[0]}")/_lib.sh"
tree="$scratch/执笔 源码"
copy_tree "$tree"
chmod -R a-w -- "$tree"
mkdir -- "$scratch/cache"
chmod 777 "$scratch/cache"
cd -- "$tree"
as_nobody env XDG_CACHE_HOME="$scratch/cache" LC_ALL=C make -s draft </dev/null >"$scratch/log" 2>&1 ||
  fail "make draft: $(tail -n 30 "$scratch/log")"
grep -q '民事起诉状' "$scratch/log" || fail "no complaint"
[ ! -e "$tree/build" ] || fail "the tree was written"
chmod -R u+w -- "$tree"
