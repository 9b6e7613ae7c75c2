#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A user who may not install: with the packages there, silence; without, one message with the exact command, exit
# status 3, and nothing built.
. "$(dirname -- "${BASH_SOURCE[0]}")/_lib.sh"
tree="$scratch/tree"
mkdir -p -- "$tree/packages"
cp -R -- "$source_dir/tools" "$source_dir/Makefile" "$tree/"
rm -rf -- "$tree/tools/__pycache__"
printf '# none\nbash\ncoreutils\n' >"$tree/packages/draft.txt"
mkdir -- "$tree/bin" "$tree/build"
# A sudo that always refuses, as for a user outside of its group.
printf '#!/bin/sh\nexit 1\n' >"$tree/bin/sudo"
chmod 755 "$tree/bin/sudo"
chmod -R a+rX -- "$scratch"
chmod 777 "$tree/build"

as_nobody env PATH="$tree/bin:/usr/bin:/bin" bash "$tree/tools/install_packages.sh" "$tree/packages/draft.txt" \
  </dev/null >"$scratch/out" 2>&1 || fail "packages are there, but: $(cat "$scratch/out")"
[ ! -s "$scratch/out" ] || fail "not silent: $(cat "$scratch/out")"

printf 'zhibi-no-such-one\nzhibi-no-such-two # why\nzhibi-not-needed ?bash\n' >>"$tree/packages/draft.txt"
status=0
as_nobody env PATH="$tree/bin:/usr/bin:/bin" make -s -C "$tree" draft </dev/null >"$scratch/out" 2>&1 || status=$?
[ "$status" -ne 0 ] || fail "make draft went on without its packages"
grep -qF '  apt-get update && apt-get install -y --no-install-recommends zhibi-no-such-one zhibi-no-such-two' "$scratch/out" ||
  fail "no exact command: $(cat "$scratch/out")"
grep -q 'zhibi-not-needed' "$scratch/out" && fail "asks for a package whose command is there"
[ "$(grep -c 'apt-get' "$scratch/out")" -eq 1 ] || fail "more than one message: $(cat "$scratch/out")"
[ -z "$(ls -A "$tree/build")" ] || fail "something was built"
status=0
as_nobody env PATH="$tree/bin:/usr/bin:/bin" bash "$tree/tools/install_packages.sh" "$tree/packages/draft.txt" \
  </dev/null >/dev/null 2>&1 || status=$?
[ "$status" -eq 3 ] || fail "exit status $status, expected 3"
