# SPDX-License-Identifier: Apache-2.0
# Common to the front-door tests: the source tree, the release program, a temporary folder, and a person without rights.
set -euo pipefail
source_dir=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd -P)
program="$(bash "$source_dir/tools/build.sh" --dir release)/src/cli/zhibi"
elements="$source_dir/examples/private-lending.json"
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT

fail() {
  echo "FAILED: $*" >&2
  exit 1
}
skip() {
  echo "$*"
  exit 77
}
# Runs a command as a user without rights, and without sudo, whoever runs the test.
as_nobody() {
  if [ "$(id -u)" -eq 0 ]; then
    setpriv --reuid=65534 --regid=65534 --clear-groups env -i PATH=/usr/bin:/bin HOME=/nonexistent "$@"
  else
    "$@"
  fi
}
# A copy of the tracked files that anybody may read.
copy_tree() {
  mkdir -p -- "$1"
  git -C "$source_dir" ls-files -z | (cd -- "$source_dir" && xargs -0 cp --parents -t "$1" --)
  chmod -R a+rX -- "$scratch"
}
