#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes mini.json beside this file: cases of zhibi-mini's own generator and the prompt that its training code renders.

    python3 tests/golden/prompts/make_goldens.py

The prompt template of the document type must give the same bytes (tests/legal/prompt_test.cc)."""
import json
import pathlib
import random
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "models" / "zhibi-mini"))

from zmini import facts, prompt  # noqa: E402


def main():
    rng = random.Random(20261130)
    cases = []
    for index in range(32):
        made = facts.make_case(rng, test=index % 2 == 0)
        case = made[0] if isinstance(made, tuple) else made
        cases.append({"elements": {**case, "court": "北京市朝阳区人民法院"}, "prompt": prompt.elements_text(case)})
    text = json.dumps(cases, ensure_ascii=False, separators=(",", ":")).replace('{"elements"', '\n{"elements"')
    (HERE / "mini.json").write_text(text + "\n")


if __name__ == "__main__":
    main()
