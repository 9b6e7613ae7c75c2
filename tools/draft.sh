#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What `make draft` runs: packages, program, then one complaint streamed from the example's elements.
# MODEL, ELEMENTS: other files; ARGS: more arguments, e.g. ARGS='--out complaint.txt'. Without an --out the text, its
# DOCX, PDF and JSON lie in the folder draft/ of the build folder.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
bash tools/install_packages.sh packages/draft.txt
bash tools/build.sh release zhibi
program="$(bash tools/build.sh --dir release)/src/cli/zhibi"
model=()
[ -z "${MODEL:-}" ] || model=(--model "$MODEL")
read -r -a more <<<"${ARGS:-}"
case " ${ARGS:-} " in *" --out"*) ;; *) more+=(--pdf --out "$(bash tools/build.sh --dir draft)/") ;; esac
exec "$program" draft --doctype civil-complaint --elements "${ELEMENTS:-examples/private-lending.json}" \
  "${model[@]}" "${more[@]}"
