#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Paths with spaces, quotes and Chinese characters: configuring a copy of the tree there, compiling a file of it, and drafting
# with every file there.
. "$(dirname -- "${BASH_SOURCE[0]}")/_lib.sh"
odd="$scratch/文书 a'b \$c"
copy_tree "$odd/执笔 源码"
cd -- "$odd/执笔 源码"
object=src/base/CMakeFiles/zhibi_base.dir/paths.cc.o
make -s help >"$scratch/help"
grep -q 'make draft' "$scratch/help" || fail "make help"
bash tools/build.sh release "$object" >"$scratch/log" 2>&1 || fail "build: $(tail -n 20 "$scratch/log")"
[ -f "build/release/$object" ] || fail "nothing was built in the tree"
[ "$(BUILD="$odd/别 处" bash tools/build.sh --dir release)" = "$odd/别 处/release" ] || fail "BUILD is not taken"

cp -- "$elements" "$odd/要素 一.json"
ZHIBI_CACHE_DIR="$odd/缓 存" "$program" draft --doctype civil-complaint --elements "$odd/要素 一.json" \
  --out "$odd/起诉状 一.txt" </dev/null >"$scratch/out" 2>&1 || fail "draft: $(cat "$scratch/out")"
grep -q '民事起诉状' "$odd/起诉状 一.txt" || fail "no complaint"
