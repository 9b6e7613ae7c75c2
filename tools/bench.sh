#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What `make bench` runs: the machine's limits, then the three model shapes as int8 and int4 beside them.
# ARGS: more arguments for each `zhibi bench`, e.g. ARGS='--duration 2000'.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
bash tools/install_packages.sh packages/draft.txt
bash tools/build.sh release zhibi
program="$(bash tools/build.sh --dir release)/src/cli/zhibi"
read -r -a more <<<"${ARGS:-}"
"$program" bench limits
for shape in 30m 135m 0.5b; do
  for precision in int8 int4; do
    echo
    echo "== shape $shape, $precision =="
    "$program" bench --shape "$shape" --precision "$precision" "${more[@]}"
  done
done
