#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What `make bundle` runs: program, its shared objects beside it, data and the default model in one folder and archive.
# What counts against 24 MiB: the stripped program and every shared object that the folder carries. Left to the system:
# the C library (libc, libm, the loader), without which no program of that system runs, and what only PDF needs (Pango).
# The model has a limit of its own.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
readonly max_bytes=$((24 * 1024 * 1024))

bash tools/build.sh release zhibi
program="$(bash tools/build.sh --dir release)/src/cli/zhibi"
version=$("$program" --version | grep -oE '[0-9]+\.[0-9]+\.[0-9]+' | head -n 1)
name="zhibi-$version-linux-$(uname -m)"
out="$(bash tools/build.sh --dir bundle)"
dir="$out/$name"
rm -rf -- "$dir"
mkdir -p -- "$dir/licences"

install -m 755 -- "$program" "$dir/zhibi"
strip --strip-all -- "$dir/zhibi"
# Lines of ldd: "libfmt.so.9 => /usr/lib/x86_64-linux-gnu/libfmt.so.9 (0x...)".
while read -r library _ path _; do
  case $library in
    libc.so.* | libm.so.* | libpthread.so.* | libdl.so.* | librt.so.* | ld-linux* | linux-vdso*) continue ;;
  esac
  [ "$path" != not ] || { echo "zhibi: $library is not found" >&2; exit 1; }
  [ -f "$path" ] || continue
  install -m 755 -- "$(readlink -f -- "$path")" "$dir/$library"
  strip --strip-unneeded -- "$dir/$library"
  patchelf --set-rpath '$ORIGIN' "$dir/$library"
done < <(ldd "$program")
patchelf --set-rpath '$ORIGIN' "$dir/zhibi"
# The PDF writer comes along; Pango, Cairo and their 36 shared objects would not fit and are the system's.
module="$(dirname -- "$program")/libzhibi_pdf.so"
if [ -f "$module" ]; then
  install -m 755 -- "$module" "$dir/"
  strip --strip-unneeded -- "$dir/libzhibi_pdf.so"
  patchelf --set-rpath '$ORIGIN' "$dir/libzhibi_pdf.so"
fi

cp -R -- data "$dir/data"
mkdir -p -- "$dir/models/zhibi-mini" "$dir/examples"
find models/zhibi-mini -maxdepth 1 -type f \( -name '*.safetensors' -o -name '*.json' -o -name '*.jinja' -o -name '*.md' \) \
  -exec cp -- {} "$dir/models/zhibi-mini/" \;
cp -- examples/*.json "$dir/examples/"
cp -- LICENSE NOTICE README.md CHANGELOG.md "$dir/"
# Compiled in, then every shared object that is carried: its package's terms go with it.
packages=(nlohmann-json3-dev libcli11-dev)
for library in "$dir"/*.so*; do
  case $library in */libzhibi_*) continue ;; esac
  package=$(dpkg-query -S "*/$(basename -- "$library")" 2>/dev/null | head -n 1 | cut -d : -f 1 || true)
  if [ -z "$package" ]; then
    echo "zhibi: no package owns $(basename -- "$library"): its licence can't be carried" >&2
    exit 1
  fi
  packages+=("$package")
done
for package in "${packages[@]}"; do
  # Some of these documents are links into a base package.
  cp -L -- "/usr/share/doc/$package/copyright" "$dir/licences/$package"
done

# Same commit, same archive: order, owner and time are fixed.
epoch=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 0)}
tar --create --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$epoch" -C "$out" "$name" |
  xz -6 -T 1 >"$out/$name.tar.xz"

bytes_of() { cat -- "$@" | wc -c; }
mib() { awk -v bytes="$1" 'BEGIN {printf "%.1f MiB", bytes / 1048576}'; }
code=$(bytes_of "$dir/zhibi" "$dir"/*.so*)
model=$(find "$dir/models" -type f -exec cat -- {} + | wc -c)
data=$(find "$dir/data" -type f -exec cat -- {} + | wc -c)
echo "bundle:  $dir"
echo "archive: $out/$name.tar.xz ($(mib "$(bytes_of "$out/$name.tar.xz")"))"
echo "program and $(find "$dir" -maxdepth 1 -name '*.so*' | wc -l) shared objects: $(mib "$code") (limit 24 MiB)"
echo "model: $(mib "$model"), data: $(mib "$data")"
if [ "$code" -ge "$max_bytes" ]; then
  echo "zhibi: program and shared objects have $code bytes, the limit is $max_bytes" >&2
  exit 1
fi
