#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The table of docs/reference/types-coverage.md: what the cases of each document type take.

usage: python3 tools/types_coverage.py --zhibi BIN [--check]

Counts come from `zhibi doctypes validate --gaps`; what the cases hold (two parties on a side, an organisation, a minor
with a statutory agent, a missing value) is read from the case files. --check: compares with the file, writes nothing.
"""
import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "docs/reference/types-coverage.md"
HEAD = """# What the cases of each document type take

Made by `python3 tools/types_coverage.py --zhibi BIN`, from `zhibi doctypes validate` and the case files; a test compares.
"taken / all": a `when` of a clause, an `if` of the type's own templates, an optional element, a check, each taken both ways.
Of the cases: ≥2: two parties on one side; org: an organisation; minor: a person with a 法定代理人; missing: a value that is not
known, printed as 【待填】. A divorce agreement has one husband and one wife, so the first three do not apply to it.

| type | title | cases | `when` | `if` | optional | checks | ≥2 | org | minor | missing |
|---|---|--:|--:|--:|--:|--:|:-:|:-:|:-:|:-:|
"""
NOTE = """A sum that is required in one of its two spellings (`amount` or `amount_fen`) counts as given in both and is never
absent from a draft. SIG-01 reminds of every divorce agreement that it is signed in person.

"""


def holds(value, test):
    if test(value):
        return True
    if isinstance(value, dict):
        return any(holds(v, test) for v in value.values())
    if isinstance(value, list):
        return any(holds(v, test) for v in value)
    return False


def is_side(value):
    return isinstance(value, list) and len(value) > 1 and all(isinstance(v, dict) and "name" in v for v in value) and \
        any(key in v for v in value for key in ("kind", "address", "sex", "id_number"))


def is_organisation(value):
    return isinstance(value, dict) and (value.get("kind") in ("organization", "unit") or "credit_code" in value)


def has_agent(value):
    return isinstance(value, dict) and bool(value.get("statutory_agent"))


def marks(folder):
    cases = [json.loads(p.read_text(encoding="utf-8")) for p in sorted((folder / "cases").glob("*.json"))]
    texts = [c.get("elements", c.get("case", {})) for c in cases]
    found = [any(holds(t, test) for t in texts) for test in (is_side, is_organisation, has_agent)]
    return found + [any(c.get("allow_missing") for c in cases)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--zhibi", required=True)
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    out = subprocess.run([args.zhibi, "doctypes", "validate", "--gaps"], capture_output=True, text=True, encoding="utf-8",
                         env=dict(os.environ, ZHIBI_SHARE_DIR=str(ROOT)), check=False)
    if out.returncode != 0:
        sys.exit(f"{args.zhibi} doctypes validate: {out.stderr.strip() or out.stdout[-2000:]}")
    text, gaps, current = HEAD, [], ""
    for line in out.stdout.splitlines()[1:]:
        if line.startswith(" "):
            gaps.append(f"- {current}: {line.strip()}")
            continue
        cells = line.split("\t")
        if cells[0].endswith("_shared"):
            current = "_shared"
            text += f"| `_shared` | 共用 | | | {cells[4]} | {cells[5]} | | | | | |\n"
            continue
        current, cases, _, when, branches, fields, checks = cells[:7]
        folder = ROOT / "data/doctypes" / current
        title = json.loads((folder / "doctype.json").read_text(encoding="utf-8"))["title"]
        signs = " | ".join("✓" if m else "" for m in marks(folder))
        text += f"| `{current}` | {title} | {cases} | {when} | {branches} | {fields} | {checks} | {signs} |\n"
    text += "\n## Not taken both ways\n\n" + NOTE + "\n".join(gaps) + "\n" if gaps else ""
    if not args.check:
        TARGET.write_text(text, encoding="utf-8")
        return
    if not TARGET.exists() or TARGET.read_text(encoding="utf-8") != text:
        sys.exit(f"{TARGET.relative_to(ROOT)} is not what the cases give; run: python3 tools/types_coverage.py --zhibi BIN")


if __name__ == "__main__":
    main()
