#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that the documents tell the truth about files: every path that docs/architecture.md names exists, every
relative link of a tracked Markdown file leads somewhere, and the README shows the two commands.
"""
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PATH = re.compile(r"(?<![\w/.-])((?:src|include|tests|tools|data|docs|models|cmake|packages|bench|examples)/[\w./-]*\w/?)")
LINK = re.compile(r"\]\(([^)\s#]+)(?:#[^)]*)?\)")


def main():
    problems = []
    architecture = ROOT / "docs" / "architecture.md"
    named = 0
    if not architecture.exists():
        problems.append("docs/architecture.md: missing")
    else:
        for number, line in enumerate(architecture.read_text(encoding="utf-8").splitlines(), 1):
            for name in PATH.findall(line):
                named += 1
                # A folder's name may stand for files of a later issue only where the line says so.
                if not (ROOT / name).exists() and "later" not in line:
                    problems.append(f"docs/architecture.md:{number}: {name} does not exist")
    out = subprocess.run(["git", "-C", str(ROOT), "ls-files", "-z", "*.md"], check=True, capture_output=True).stdout
    pages = [ROOT / name for name in out.decode("utf-8").split("\0") if name]
    for page in pages:
        if not page.exists():
            continue
        for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
            for target in LINK.findall(line):
                if re.match(r"[a-z]+:", target):
                    continue
                if not (page.parent / target).exists():
                    problems.append(f"{page.relative_to(ROOT)}:{number}: broken link {target}")
    readme = (ROOT / "README.md").read_text(encoding="utf-8") if (ROOT / "README.md").exists() else ""
    for command in ("make draft", "make test"):
        if command not in readme:
            problems.append(f"README.md: does not show `{command}`")
    for problem in problems:
        print(problem)
    print(f"docs: {len(pages)} pages, {named} paths in docs/architecture.md, {len(problems)} problem(s)")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
