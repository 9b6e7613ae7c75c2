#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_isa.py BUILD_DIR: translation units of one instruction set must not leak it into the baseline.

An inline or template function that such a unit compiles is a weak symbol; the linker keeps any one copy, and if it is
this one, a CPU without the instructions crashes in code that never asked for them. So objects built with -mavx*,
-mfma, -mamx* or -march flags may define strong and local symbols only.
"""
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

FLAGS = re.compile(r"^-m(avx|fma|f16c|amx|arch=|sse4)")
# Pointers to the exception personality: data, no code.
HARMLESS = re.compile(r"^DW\.ref\.")


def main():
    build = Path(sys.argv[1])
    commands = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
    problems, checked = [], 0
    for entry in commands:
        words = entry.get("arguments") or shlex.split(entry["command"])
        if not any(FLAGS.match(word) for word in words):
            continue
        output = entry.get("output") or words[words.index("-o") + 1]
        path = Path(entry["directory"]) / output
        if not path.exists():
            continue
        checked += 1
        # The 9th column of `nm --format=sysv` is not needed: the type letter says weak (W, V) or unique (u).
        listing = subprocess.run(["nm", "--defined-only", "--demangle", str(path)], check=True, capture_output=True,
                                 text=True).stdout
        for line in listing.splitlines():
            match = re.match(r"^[0-9a-f]+ ([A-Za-z]) (.+)$", line)
            if match and match.group(1) in "WVu" and not HARMLESS.match(match.group(2)):
                problems.append(f"{Path(entry['file']).name}: weak symbol {match.group(2)[:120]}")
    for problem in problems:
        print(problem)
    print(f"isa: {checked} objects, {len(problems)} problem(s)")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
