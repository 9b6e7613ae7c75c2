#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# 2 GB of memory: drafting inside a memory cgroup of that size where the test may make one, else under an address-space
# limit. The whole of `make draft`, compilation included, is tests/frame/memory_2gb_build.sh.
. "$(dirname -- "${BASH_SOURCE[0]}")/_lib.sh"
. "$source_dir/tests/frame/_memory.sh"
in_2gb "$program" draft --doctype civil-complaint --elements "$elements" --out "$scratch/out.txt" \
  </dev/null >"$scratch/log" 2>&1 || fail "draft in 2 GB: $(tail -n 5 "$scratch/log")"
grep -q '民事起诉状' "$scratch/out.txt" || fail "no complaint"
in_2gb "$program" doctor --json >"$scratch/doctor" || true
python3 - "$scratch/doctor" <<'PYTHON' || fail "doctor does not see the limit"
import json, sys
memory = json.load(open(sys.argv[1], encoding="utf-8"))["memory"]
sys.exit(0 if memory["usable_bytes"] <= 2 << 30 else 1)
PYTHON
