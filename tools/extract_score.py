#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Scores `zhibi extract` on a hand-read key and prints one table.

    python3 tools/extract_score.py --zhibi PROGRAM [--key FILE] [--corpus FOLDER] [--verbose]

Keys: tests/extract/key.json (50 documents, the rules were tuned while it was read) and
tests/extract/key_heldout.json (30, read before scoring). Documents come from the corpus folder when it
is there, else from tests/extract/documents: the table says how many were read. Exit 1 below the bars:
names and sums F1 0.97, claims 0.9. names_by_act (parties named only by what they do) has no bar.
"""
import argparse
import hashlib
import json
import lzma
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
BARS = {"names": 0.97, "sums": 0.97, "claims": 0.90}


def documents(key, corpus):
    rows = {}
    for entry in key:
        text = None
        path = corpus / entry["file"] if corpus else None
        if path is not None and path.exists():
            if path not in rows:
                rows[path] = [json.loads(line)["text"] for line in lzma.open(path, "rt", encoding="utf-8")]
            text = rows[path][entry["row"]]
        else:
            local = ROOT / "tests" / "extract" / "documents" / (entry["id"] + ".txt")
            if local.exists():
                text = local.read_text(encoding="utf-8")
        if text is None:
            continue
        if hashlib.sha256(text.encode()).hexdigest() != entry["sha256"]:
            sys.exit(f"{entry['id']}: the text is not the one that the key was made from")
        yield entry, text


def match_claims(gold, found):
    """A found claim is right when it begins as the gold one says, up to four characters before."""
    left = list(found)
    hits = 0
    for head in gold:
        for claim in left:
            if 0 <= claim.find(head) <= 4:
                left.remove(claim)
                hits += 1
                break
    return hits


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--zhibi", required=True)
    parser.add_argument("--key", type=pathlib.Path, default=ROOT / "tests" / "extract" / "key.json")
    parser.add_argument("--corpus", type=pathlib.Path)
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    key = json.loads(args.key.read_text(encoding="utf-8"))["documents"]
    kinds = list(BARS) + (["names_by_act"] if any("names_by_act" in entry for entry in key) else [])
    total = {name: [0, 0, 0] for name in kinds}  # right, found, gold
    read = 0
    with tempfile.TemporaryDirectory() as folder:
        for entry, text in documents(key, args.corpus):
            path = pathlib.Path(folder) / "document.txt"
            path.write_text(text, encoding="utf-8")
            out = subprocess.run([args.zhibi, "extract", str(path), "--json"], capture_output=True, check=True)
            got = json.loads(out.stdout)
            read += 1
            by_act = set(got.get("people_by_act", []))
            for name, gold, found in (
                    ("names", set(entry["names"]), set(got["people"])),
                    ("sums", set(entry["sums_fen"]), {s["value"] for s in got["sums"]}),
                    ("names_by_act", set(entry.get("names_by_act", [])), by_act)):
                if name not in total:
                    continue
                total[name][0] += len(gold & found)
                total[name][1] += len(found)
                total[name][2] += len(gold)
                if args.verbose and gold != found:
                    print(entry["id"], name, "missed", sorted(gold - found), "false", sorted(found - gold))
            claims = [c["value"] for c in got["claims"]]
            hits = match_claims(entry["claims"], claims)
            total["claims"][0] += hits
            total["claims"][1] += len(claims)
            total["claims"][2] += len(entry["claims"])
            if args.verbose and (hits < len(entry["claims"]) or hits < len(claims)):
                print(entry["id"], "claims gold", entry["claims"], "found", [c[:24] for c in claims])
    print(f"documents {read} of {len(key)}")
    print("value\tgold\tfound\tright\tprecision\trecall\tF1\tbar")
    good = read > 0
    for name, (right, found, gold) in total.items():
        precision = right / found if found else 1.0
        recall = right / gold if gold else 1.0
        f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
        good = good and f1 >= BARS.get(name, 0)
        bar = f"{BARS[name]:.2f}" if name in BARS else "none"
        print(f"{name}\t{gold}\t{found}\t{right}\t{precision:.3f}\t{recall:.3f}\t{f1:.3f}\t{bar}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
