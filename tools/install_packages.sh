#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# install_packages.sh LIST...: installs what is missing of the package lists, or says in one message which command an
# administrator runs. All or nothing: no package is installed and nothing is built before every list is satisfied.
# Root or sudo is used only when something is missing. ZHIBI_INSTALL=no never installs.
set -euo pipefail

missing=()
wanted=()
while IFS= read -r line; do
  line=${line%%#*}
  read -r package condition <<<"$line" || true
  [ -n "${package:-}" ] || continue
  if [ -n "${condition:-}" ] && command -v "${condition#\?}" >/dev/null 2>&1; then continue; fi
  wanted+=("$package")
done < <(cat -- "$@")

if ! command -v dpkg-query >/dev/null 2>&1; then
  echo "zhibi: this is not a Debian system; going on with what is installed" >&2
  exit 0
fi

installed=$(dpkg-query -W -f '${db:Status-Abbrev} ${Package}\n' "${wanted[@]}" 2>/dev/null | sed -n 's/^ii *//p') || true
for package in "${wanted[@]}"; do
  grep -qxF -- "$package" <<<"$installed" || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

sudo=()
if [ "$(id -u)" -ne 0 ]; then
  # Without a terminal sudo could not ask for a password.
  if command -v sudo >/dev/null 2>&1 && { sudo -n true 2>/dev/null || { [ -t 0 ] && [ -t 2 ]; }; }; then
    sudo=(sudo)
  else
    ZHIBI_INSTALL=no
  fi
fi
if [ "${ZHIBI_INSTALL:-}" = no ]; then
  {
    echo "zhibi: ${#missing[@]} Debian package(s) are missing. Run as root, then repeat this command:"
    echo "  apt-get update && apt-get install -y --no-install-recommends ${missing[*]}"
  } >&2
  exit 3
fi

echo "zhibi: installing ${#missing[@]} Debian package(s): ${missing[*]}" >&2
apt() {
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 apt-get -q -o Dpkg::Use-Pty=0 \
    -o DPkg::Lock::Timeout=300 "$@"
}
log=$(mktemp)
trap 'rm -f "$log"' EXIT
install() { apt install -y --no-install-recommends "${missing[@]}" >"$log" 2>&1; }
# Package lists may be absent or old on a fresh machine: one try with what is there, then one with new lists.
if ! install; then
  if ! apt update >"$log" 2>&1 || ! install; then
    tail -n 20 "$log" >&2
    echo "zhibi: apt-get could not install: ${missing[*]}" >&2
    exit 3
  fi
fi
