#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes the bundle and starts it in a root that holds the C library and nothing else: no shell, no locale, no other file
# of the system; /proc is mounted, since the loader asks it where the program lies ($ORIGIN).
# Needs root for chroot. Exit status 77 (skipped) where the system does not permit it. --no-make: check what is there.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
[ "${1:-}" = --no-make ] || bash tools/bundle.sh
bundle=$(find "$(bash tools/build.sh --dir bundle)" -maxdepth 1 -type d -name 'zhibi-*' | head -n 1)

root=$(mktemp -d)
trap 'rm -rf -- "$root"' EXIT
loader=$(patchelf --print-interpreter "$bundle/zhibi")
mkdir -p -- "$root$(dirname -- "$loader")" "$root/lib/x86_64-linux-gnu" "$root/tmp"
cp -L -- "$loader" "$root$loader"
for library in libc.so.6 libm.so.6; do
  cp -L -- "/lib/x86_64-linux-gnu/$library" "$root/lib/x86_64-linux-gnu/$library"
done
cp -R -- "$bundle" "$root/zhibi"
mkdir -- "$root/proc"
# In mount and process namespaces of its own, so that nothing of it is left.
inside() { unshare --mount --pid --fork --mount-proc="$root/proc" env -i PATH="$PATH" chroot "$root" "$@"; }
if ! unshare --mount --pid --fork --mount-proc="$root/proc" true 2>/dev/null; then
  echo "namespaces and mounts are not permitted here"
  exit 77
fi
inside /zhibi/zhibi --version
inside /zhibi/zhibi doctor >"$root/tmp/doctor" 2>&1 || true
grep -q '^files .*/zhibi$' "$root/tmp/doctor" || { cat "$root/tmp/doctor" >&2; echo "doctor does not find its files" >&2; exit 1; }
inside /zhibi/zhibi draft --doctype civil-complaint --elements /zhibi/examples/private-lending.json \
  --out /tmp/complaint.txt >"$root/tmp/draft" 2>&1 || { cat "$root/tmp/draft" >&2; exit 1; }
grep -q '民事起诉状' "$root/tmp/complaint.txt"
grep -q '模型首字' "$root/tmp/draft" || { cat "$root/tmp/draft" >&2; echo "no model-written text" >&2; exit 1; }
# PDF needs Pango, which is not here: the draft is there, the message names the package.
status=0
inside /zhibi/zhibi draft --doctype civil-complaint --elements /zhibi/examples/private-lending.json --no-ai --pdf \
  --out /tmp/second.txt >"$root/tmp/draft" 2>&1 || status=$?
[ "$status" -eq 3 ] && grep -q '民事起诉状' "$root/tmp/second.txt" && grep -q 'libpangocairo-1.0-0' "$root/tmp/draft" ||
  { cat "$root/tmp/draft" >&2; echo "no word on what PDF needs (status $status)" >&2; exit 1; }
echo "drafted $(wc -m <"$root/tmp/complaint.txt") characters in a root with these files beside the bundle:"
(cd -- "$root" && find lib* -type f | sort)
