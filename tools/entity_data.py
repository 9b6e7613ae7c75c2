#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles the tables of facts (courts.json, causes-of-action.json) to data/entity.

The result is tracked; run this again when the facts change:
    python3 tools/entity_data.py FACTS_DIR
"""
import json
import pathlib
import sys


def compact(rows):
    return ",\n".join("    " + json.dumps(row, ensure_ascii=False) for row in rows)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    facts = pathlib.Path(sys.argv[1])
    out = pathlib.Path(__file__).resolve().parent.parent / "data" / "entity"
    courts = json.loads((facts / "courts.json").read_text(encoding="utf-8"))
    rows = [[c["code"], c["name"], c["province"]] for c in courts["courts"]]
    areas = [[a["letter"], a["area"]] for a in courts["areas"]]
    (out / "courts.json").write_text(
        '{\n  "about": "Code of case numbers, court, province: a sample read off published judgments; a miss is '
        'unknown, never an error.",\n  "areas": [\n' + compact(areas) + '\n  ],\n  "courts": [\n' + compact(rows)
        + "\n  ]\n}\n", encoding="utf-8")
    causes = json.loads((facts / "causes-of-action.json").read_text(encoding="utf-8"))
    parts = {p["part"]: p["name"] for p in causes["level1"]}
    rows = [[p["name"], 1, "", p["name"]] for p in causes["level1"]]
    rows += [[c["name"], 2, "", parts[c["part"]]] for c in causes["level2"]]
    rows += [[c["name"], c["level"], c["code"], c["path"][0]] for c in causes["causes"]]
    (out / "causes.json").write_text(
        '{\n  "about": "' + causes["title"] + '; ' + causes["document"] + '. Rows: name, level, code, part.",\n'
        '  "in_force": "' + causes["effective"] + '",\n  "causes": [\n' + compact(rows) + "\n  ]\n}\n",
        encoding="utf-8")


if __name__ == "__main__":
    main()
