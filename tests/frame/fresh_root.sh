#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slow
# `make draft` from a fresh clone on a bare Debian 12.
. "$(dirname -- "${BASH_SOURCE[0]}")/_lib.sh"
bash "$source_dir/tools/fresh_root.sh"
