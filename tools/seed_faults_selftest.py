#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Keeps tools/seed_faults.py alive without the corpus: plants every kind into the documents of tests/rules and holds what
it plants and how it counts against what is known.

usage: python3 tools/seed_faults_selftest.py [--zhibi BIN]

With --zhibi the whole tool runs over a corpus of these documents too: every fault must be found and
no document may have an error.
"""
import argparse
import contextlib
import io
import json
import lzma
import random
import re
import sys
import tempfile
from pathlib import Path

import seed_faults
from seeded import corpus, fault, numbers

ROOT = Path(__file__).resolve().parent.parent
CLEAN = re.compile(r'CleanText\{"(\w+)",\s*R"\((.*?)\)"\}', re.S)
problems = []


def expect(good, what):
    if not good:
        problems.append(what)


def fixtures():
    texts = dict(CLEAN.findall((ROOT / "tests/rules/clean_texts.h").read_text(encoding="utf-8")))
    for path in sorted((ROOT / "tests/rules/seeded").glob("*.txt")):
        texts[path.stem] = path.read_text(encoding="utf-8")
    return texts


def plant(kind, name, text):
    return kind.plant(text, random.Random(f"{kind.name} {name}"))


def common(a, b):
    """How many characters two texts share at their front."""
    return next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))


def check_kinds(texts):
    rules = {rule["id"] for rule in json.loads(
        (ROOT / "data/rules/rules.json").read_text(encoding="utf-8"))["rules"]}
    for kind in fault.KINDS + fault.NEAR:
        expect(kind.rule in rules, f"{kind.name}: {kind.rule} is not in data/rules/rules.json")
        expect(kind.about, f"{kind.name}: does not say what it plants")
        fits = 0
        for name, text in texts.items():
            made = plant(kind, name, text)
            if made is None:
                continue
            fits += 1
            again = plant(kind, name, text)
            where = f"{kind.name} in {name}"
            expect((made.text, made.start, made.end) == (again.text, again.start, again.end),
                   f"{where}: two runs differ")
            expect(0 <= made.start <= made.end <= len(made.text), f"{where}: the place is not in the text")
            if kind in fault.NEAR:
                continue
            expect(made.text != made.twin, f"{where}: nothing was planted")
            at = common(made.text, made.twin)
            near = [(made.start, made.end), *made.anchors]
            # A cut shows up where the texts part, at most a repeated character later.
            expect(any(start - 40 <= at <= end + 40 for start, end in near),
                   f"{where}: the texts part at {at}, the place is {made.start} to {made.end}")
        expect(fits, f"{kind.name}: fits none of the {len(texts)} documents of tests/rules")
    names = [kind.name for kind in fault.KINDS + fault.NEAR]
    expect(len(names) == len(set(names)), "two kinds have one name")
    expect(len(fault.KINDS) >= 25, f"{len(fault.KINDS)} kinds are fewer than 25")


def check_numbers():
    for value, words in ((107000, "壹拾万柒仟元整"), (50000, "伍万元整"), (100000500, "壹亿零伍佰元整")):
        expect(numbers.capital(value) == words, f"{value} is {words}, not {numbers.capital(value)}")
    expect(numbers.court_fee(100000) == 2300, "the fee of 100000 yuan is 2300 yuan")
    expect(numbers.citizen_number("110105", "19491231", 2) == "11010519491231002X", "check digit of a number")


def check_counting():
    finding = {"id": "AMT-01", "level": "error", "message": "m", "evidence": "e", "span": {"start": 4, "end": 8}}
    made = fault.Fault("0123456789", 5, 6, "0123x56789")
    expect(seed_faults.at_place(finding, made), "a finding around the place counts")
    expect(not seed_faults.at_place({**finding, "span": {"start": 7, "end": 8}}, made), "one beside it does not")
    expect(seed_faults.new_findings([finding], [finding]) == [], "what is said of the twin too is not new")
    expect(seed_faults.new_findings([finding, finding], [finding]) == [finding], "a second one is new")
    kind = fault.Kind("k", "AMT-01", None, "")
    document = corpus.Document("d", "", "val", "0123456789")
    args = argparse.Namespace(misses=False, errors=False, each=1)

    def verdict(untouched, text, twin):
        with contextlib.redirect_stdout(io.StringIO()) as out:
            code = seed_faults.report(args, {"AMT-01": "error"}, [document], [(kind, document, made)], [],
                                      [untouched, text, twin], set())
        return code, out.getvalue()

    expect(verdict([], [finding], [])[0] == 0, "one planted and found: the bars hold")
    expect(verdict([], [], [])[0] == 1, "one planted and missed: a bar is missed")
    expect(verdict([], [finding], [finding])[0] == 1, "said of the twin too: missed")
    expect(verdict([finding], [finding], [])[0] == 1, "an error on an untouched document is a false one")
    expect("below the bar" in verdict([], [], [])[1], "the table says which rule is below its bar")


def write_corpus(folder, texts):
    for bundle in corpus.BUNDLES:
        for part in ("val", "train"):
            with lzma.open(folder / f"{bundle}.{part}.jsonl.xz", "wt", encoding="utf-8") as out:
                for name, text in texts.items() if (bundle, part) == ("court", "val") else ():
                    out.write(json.dumps({"kind": "court", "source": "tests/rules", "title": name, "text": text},
                                         ensure_ascii=False) + "\n")


def check_corpus(texts, zhibi):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_corpus(folder, texts)
        documents = corpus.load(folder, {"val", "held"})
        expect(len(documents) == len(texts), f"{len(documents)} documents read, {len(texts)} written")
        expect(documents == corpus.load(folder, {"val", "held"}), "two readings of the corpus differ")
        if not zhibi:
            return
        with contextlib.redirect_stdout(io.StringIO()) as out:
            seed_faults.main(["--zhibi", zhibi, "--corpus", name, "--misses", "--errors"])
        # Too few documents for the bars of warnings; errors have to be found and to be right.
        printed = out.getvalue()
        rows = [line.split() for line in printed.splitlines() if re.match(r"[A-Z]+-\d\d  +error ", line)]
        expect(len(rows) > 10, f"no table of rules:\n{printed}")
        for row in rows:
            expect(row[2] == row[4], f"{row[0]}: {row[2]} planted, {row[4]} found:\n{printed}")
        expect(f"{len(texts)} untouched documents: 0 false errors" in printed, printed)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--zhibi")
    args = parser.parse_args()
    texts = fixtures()
    check_kinds(texts)
    check_numbers()
    check_counting()
    check_corpus(texts, args.zhibi)
    for problem in problems:
        print(problem)
    print(f"{len(fault.KINDS)} kinds and {len(fault.NEAR)} near misses over {len(texts)} documents: "
          f"{len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
