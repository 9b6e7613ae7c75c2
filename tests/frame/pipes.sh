#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# LANG=C, no terminal, piped output: the same text as elsewhere, in UTF-8, without escape sequences or progress bars; a
# reader that leaves early ends the program without noise; a full disk is an error.
. "$(dirname -- "${BASH_SOURCE[0]}")/_lib.sh"
draft=("$program" draft --doctype civil-complaint --elements "$elements")

env -u LANG LC_ALL=C TERM= "${draft[@]}" --out "$scratch/c.txt" </dev/null >"$scratch/c.out" 2>"$scratch/c.err" ||
  fail "LC_ALL=C: $(cat "$scratch/c.err")"
LC_ALL=C.UTF-8 TERM=xterm "${draft[@]}" --out "$scratch/u.txt" </dev/null >"$scratch/u.out" 2>"$scratch/u.err"
cmp -s "$scratch/c.txt" "$scratch/u.txt" || fail "the text depends on the locale"
iconv -f UTF-8 -t UTF-8 "$scratch/c.out" >/dev/null || fail "standard output is not UTF-8"
grep -q '民事起诉状' "$scratch/c.txt" || fail "no complaint in the file"
! grep -q $'\x1b' "$scratch/c.out" "$scratch/c.err" || fail "escape sequences in a pipe"
! grep -q $'\r' "$scratch/c.out" "$scratch/c.err" || fail "a progress bar in a pipe"

# From standard input.
"${draft[@]:0:4}" --elements - --out "$scratch/i.txt" <"$elements" >/dev/null 2>"$scratch/i.err" ||
  fail "elements from standard input: $(cat "$scratch/i.err")"
cmp -s "$scratch/c.txt" "$scratch/i.txt" || fail "the text depends on where the elements come from"

# head closes the pipe after a few bytes.
"${draft[@]}" 2>"$scratch/head.err" </dev/null | head -c 20 >/dev/null || true
! grep -qiE 'terminate|abort|segmentation|sanitizer' "$scratch/head.err" || fail "noise: $(cat "$scratch/head.err")"

status=0
"${draft[@]}" >/dev/full 2>"$scratch/full.err" </dev/null || status=$?
[ "$status" -ne 0 ] || fail "a full disk is not an error"
