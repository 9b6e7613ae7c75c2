#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slow
# The whole of `make draft` in 2 GB of memory: configure, compile, link, draft. No ccache.
. "$(dirname -- "${BASH_SOURCE[0]}")/_lib.sh"
. "$source_dir/tests/frame/_memory.sh"
copy_tree "$scratch/tree"
cd -- "$scratch/tree"
begin=$SECONDS
CCACHE_DISABLE=1 in_2gb make -s draft </dev/null >"$scratch/log" 2>&1 || fail "make draft: $(tail -n 30 "$scratch/log")"
grep -q '民事起诉状' "$scratch/log" || fail "no complaint"
echo "make draft in 2 GB: $((SECONDS - begin)) s"
