#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What `make clean` runs: removes the build folders of the presets, and nothing else under the build root.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
for preset in dev release asan tsan fuzz coverage bundle; do
  rm -rf -- "$(bash tools/build.sh --dir "$preset")"
done
