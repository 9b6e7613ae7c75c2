#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# fresh_root.sh [COMMAND...]: does what a newcomer does. Makes a minimal Debian 12 with debootstrap, installs git and
# make, clones this repository's HEAD and runs `make draft` (or COMMAND) twice, printing the time of each.
# Needs root and debootstrap. KEEP=1 leaves the root and prints its path. ROOT_TAR=FILE: the bare root with git and make
# is kept in that archive and unpacked from it the next time. Packages come from this machine's apt source.
set -euo pipefail
source_dir=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)
[ "$(id -u)" -eq 0 ] || { echo "fresh_root.sh needs root" >&2; exit 77; }
command -v debootstrap >/dev/null || { echo "debootstrap is not installed (apt-get install debootstrap)" >&2; exit 77; }
[ $# -gt 0 ] || set -- make draft

mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2>/dev/null | grep -v security | head -n 1)
[ -n "$mirror" ] || { echo "no apt source on this machine" >&2; exit 77; }
root=$(mktemp -d)
cleanup() {
  umount -- "$root/proc" "$root/dev/null" 2>/dev/null || true
  if [ "${KEEP:-}" = 1 ]; then echo "kept: $root"; else rm -rf --one-file-system -- "$root"; fi
}
trap cleanup EXIT

inside() {
  env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb ${https_proxy:+https_proxy="$https_proxy"} \
    ${http_proxy:+http_proxy="$http_proxy"} chroot "$root" "$@"
}
if [ -n "${ROOT_TAR:-}" ] && [ -f "$ROOT_TAR" ]; then
  echo "== bare root from $ROOT_TAR =="
  tar -C "$root" -xf "$ROOT_TAR"
  mount -t proc proc "$root/proc"
else
  echo "== debootstrap bookworm =="
  begin=$SECONDS
  debootstrap --variant=minbase --include=ca-certificates bookworm "$root" "$mirror" >"$root.log" 2>&1 ||
    { tail -n 5 "$root.log" >&2; exit 1; }
  rm -f -- "$root.log"
  echo "took $((SECONDS - begin)) s"
  # The way to the packages is this machine's own: sources, proxies and certificates as apt has them here.
  rm -rf -- "$root/etc/apt"
  cp -RL -- /etc/apt "$root/etc/apt"
  cp -L -- /etc/resolv.conf /etc/hosts "$root/etc/" 2>/dev/null || true
  mkdir -p -- "$root/usr/local/share/ca-certificates"
  cp -RL -- /usr/local/share/ca-certificates/. "$root/usr/local/share/ca-certificates/" 2>/dev/null || true
  cp -L -- /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt" 2>/dev/null || true
  mount -t proc proc "$root/proc"
  echo "== apt-get install git make =="
  begin=$SECONDS
  inside sh -c 'apt-get -q update && apt-get -q install -y --no-install-recommends git make' >"$root/log" 2>&1 ||
    { tail -n 20 "$root/log" >&2; exit 1; }
  echo "took $((SECONDS - begin)) s"
  [ -z "${ROOT_TAR:-}" ] || tar -C "$root" --one-file-system --exclude=./proc/* -cf "$ROOT_TAR" .
fi

# A clone through a bundle file: the chroot cannot see this folder, and nothing uncommitted comes along.
git -C "$source_dir" bundle create -q "$root/zhibi.bundle" HEAD
inside git -c advice.detachedHead=false clone -q /zhibi.bundle /home/zhibi
for turn in first second; do
  echo "== $turn: $* =="
  begin=$SECONDS
  inside sh -c 'cd /home/zhibi && exec "$@"' sh "$@"
  echo "took $((SECONDS - begin)) s"
done
