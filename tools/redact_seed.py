#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plants made-up ids, phones, cards, accounts, plates, mails and addresses into validation documents, runs
`zhibi redact` at P1, P2 and P3, and prints one table: planted, left over, protected places changed, restored.

    python3 tools/redact_seed.py --zhibi PROGRAM [--corpus FOLDER] [--seed N] [--drafts]

Without the corpus the fixtures of tests/extract/documents are used. With --drafts every case of every document type is
drafted instead: the planted values are the names, ids and telephones of its natural persons, and both the text and the
DOCX are redacted at P2 and P3. Exit 1 if anything planted is left, a case number, court, judge, article or sum changed,
or a restored text is not the original, byte for byte.
"""
import argparse
import json
import lzma
import pathlib
import random
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
KEEP = (r"[（(](?:19|20)\d\d[)）][^，。\n（）()]{1,20}?号", r"第[零一二三四五六七八九十百千\d]+条", r"审判[长员] \S{2,4}",
        r"书记员 \S{2,4}", r"\d[\d，,.]*万?元")


def luhn(rng, prefix, length):
    digits = [int(c) for c in prefix] + [rng.randrange(10) for _ in range(length - len(prefix) - 1)]
    total = sum(d if i % 2 else (2 * d - 9 if d > 4 else 2 * d) for i, d in enumerate(reversed(digits)))
    return "".join(map(str, digits)) + str(-total % 10)


def citizen(rng):
    head = f"{rng.choice(['110105', '320583', '440103', '510107'])}{rng.randrange(1950, 2005)}" \
           f"{rng.randrange(1, 13):02d}{rng.randrange(1, 29):02d}{rng.randrange(1000):03d}"
    return head + "10X98765432"[sum(int(c) * w for c, w in zip(head, WEIGHTS)) % 11]


def full_width(text):
    return "".join(chr(ord(c) + 0xFEE0) if c.isascii() and c.isalnum() else c for c in text)


def plants(rng):
    """(kind, value, sentence): the value must not be found afterwards."""
    road = rng.choice(["中山路", "解放大街", "幸福巷", "滨河大道"])
    detail = f"{road}{rng.randrange(1, 900)}号{rng.randrange(1, 40)}栋{rng.randrange(101, 3000)}室"
    identity, mobile = citizen(rng), f"1{rng.choice('3578')}{rng.randrange(10**9):09d}"
    card = luhn(rng, "6222", 19)
    grouped = " ".join(card[i:i + 4] for i in range(0, 19, 4))
    plate = "苏E" + "".join(rng.choice("ABCDEFGH12345678") for _ in range(5))
    account = str(rng.randrange(10**14, 10**15))
    return [
        ("citizen_number", identity, f"公民身份号码{identity}。"),
        ("citizen_number", full_width(citizen(rng)), None),
        ("mobile", mobile, f"联系电话：{mobile}。"),
        ("mobile", f"{mobile[:3]} {mobile[3:7]} {mobile[7:]}", f"手机号{mobile[:3]} {mobile[3:7]} {mobile[7:]}，"),
        ("landline", f"0512-{rng.randrange(60000000, 69999999)}", None),
        ("bank_card", card, f"转入{card}账户，"),
        ("bank_card", grouped, f"银行卡号{grouped}。"),
        ("account", account, f"开户行工商银行，账号：{account}。"),
        ("plate", plate, f"驾驶{plate}号小型轿车，"),
        ("email", f"user{rng.randrange(1000, 9999)}@example.com", None),
        ("wechat", f"wxid_{rng.randrange(10**6)}a", None),
        ("address", detail, f"住江苏省昆山市玉山镇{detail}。"),
        ("passport", f"E{rng.randrange(10**7, 10**8)}", None),
    ]


SENTENCES = {"landline": "电话{}，", "email": "邮箱{}。", "wechat": "微信号：{}。", "passport": "护照号码{}。",
             "citizen_number": "身份证号：{}。"}


def documents(corpus):
    found = []
    if corpus:
        for name in ("pleadings", "court"):
            path = corpus / f"{name}.val.jsonl.xz"
            if path.exists():
                for row, line in enumerate(lzma.open(path, "rt", encoding="utf-8")):
                    found.append((f"{name}-{row}", json.loads(line)["text"]))
    if not found:
        for path in sorted((ROOT / "tests" / "extract" / "documents").glob("*.txt")):
            found.append((path.stem, path.read_text(encoding="utf-8")))
    return found


def plant(rng, text):
    """Puts each sentence behind a full stop, never inside a sentence."""
    places = [m.end() for m in re.finditer("[。；]\n?", text)] or [len(text)]
    values = []
    inserts = []
    for kind, value, sentence in plants(rng):
        values.append((kind, value))
        inserts.append((rng.choice(places), sentence or SENTENCES[kind].format(value)))
    for at, sentence in sorted(inserts, reverse=True):
        text = text[:at] + sentence + text[at:]
    return text, values


def people(value, found):
    """Names, ids and telephones of natural persons in elements; names that are masked already are none."""
    if isinstance(value, list):
        for item in value:
            people(item, found)
    if not isinstance(value, dict):
        return
    if value.get("kind") == "natural" or "sex" in value or "birth_date" in value:
        for key in ("name", "id_number", "phone"):
            text = value.get(key)
            if isinstance(text, str) and len(text) > (1 if key == "name" else 7) and "某" not in text:
                found.add(text)
    for item in value.values():
        people(item, found)


def drafts(zhibi, folder):
    """(name, text, values, path of the DOCX) of every case that is drafted."""
    for path in sorted((ROOT / "data" / "doctypes").glob("*/cases/*.json")):
        case = json.loads(path.read_text(encoding="utf-8"))
        key = "elements" if "elements" in case else "case"
        given = folder / "given.json"
        given.write_text(json.dumps(case[key], ensure_ascii=False), encoding="utf-8")
        out = folder / f"{path.parent.parent.name}-{path.stem}.txt"
        run = subprocess.run([zhibi, "draft", "--no-ai", "--allow-missing", "--doctype", path.parent.parent.name, "--" + key,
                              str(given), "--out", str(out)], capture_output=True, check=False)
        if run.returncode == 0 and out.exists():
            text = out.read_text(encoding="utf-8")
            values = set()
            people(case[key], values)
            yield out.stem, text, sorted(v for v in values if v in text), out.with_suffix(".docx")


def run_drafts(zhibi):
    """Redacts and restores the text and the DOCX of every draft; what is left, refused or not restored."""
    table = {}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        documents_ = list(drafts(zhibi, folder))
        for level in ("P2", "P3"):
            for form in ("text", "DOCX"):
                planted = left = refused = restored = count = 0
                for title, text, values, docx in documents_:
                    source = str(docx if form == "DOCX" else docx.with_suffix(".txt"))
                    if not pathlib.Path(source).exists():
                        continue
                    count += 1
                    plain = subprocess.run([zhibi, "redact", source, "--publish", "P0"], capture_output=True, check=True)
                    run = subprocess.run([zhibi, "redact", source, "--publish", level, "--map", "map.json", "--out", "o.txt"],
                                         cwd=folder, capture_output=True, check=False)
                    if run.returncode != 0:
                        refused += 1
                        print(title, level, form, run.stderr.decode()[-300:].strip())
                        continue
                    out = (folder / "o.txt").read_text(encoding="utf-8")
                    planted += len(values)
                    for value in values:
                        if value in out:
                            left += 1
                            print(title, level, form, "left:", value)
                    back = subprocess.run([zhibi, "redact", "o.txt", "--restore", "map.json"], cwd=folder,
                                          capture_output=True, check=True)
                    restored += back.stdout == plain.stdout
                table[level, form] = (count, planted, left, refused, restored)
    print("level\tfrom\tdocuments\tplanted\tleft\trefused\trestored")
    for key, row in table.items():
        print(*key, *row, sep="\t")
    return 1 if any(row[2] or row[3] or row[4] < row[0] for row in table.values()) else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--zhibi", required=True)
    parser.add_argument("--corpus", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=20261201)
    parser.add_argument("--drafts", action="store_true")
    args = parser.parse_args()
    args.zhibi = str(pathlib.Path(args.zhibi).resolve())
    if args.drafts:
        return run_drafts(args.zhibi)
    rng = random.Random(args.seed)
    bad = 0
    table = {}
    seeded = [(name, *plant(rng, text)) for name, text in documents(args.corpus)]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for level in ("P1", "P2", "P3"):
            left = changed = refused = restored = 0
            kinds = {}
            for name, text, values in seeded:
                (folder / "in.txt").write_bytes(text.encode())
                run = subprocess.run([args.zhibi, "redact", "in.txt", "--publish", level, "--map", "map.json", "--out",
                                      "out.txt"], cwd=folder, capture_output=True, check=False)
                if run.returncode != 0:
                    refused += 1
                    print(name, level, run.stderr.decode()[-300:].strip())
                    continue
                out = (folder / "out.txt").read_text(encoding="utf-8")
                for kind, value in values:
                    kinds[kind] = kinds.get(kind, 0) + 1
                    if value in out:
                        left += 1
                        print(name, level, "left:", kind, value)
                for pattern in KEEP:
                    if re.findall(pattern, text) != re.findall(pattern, out):
                        changed += 1
                        was, now = re.findall(pattern, text), re.findall(pattern, out)
                        print(name, level, "changed:", [w for w in was if w not in now][:5], [w for w in now if w not in was][:5])
                back = subprocess.run([args.zhibi, "redact", "out.txt", "--restore", "map.json"], cwd=folder,
                                      capture_output=True, check=True)
                restored += back.stdout == text.encode()
                if (folder / "map.json").stat().st_mode & 0o77:
                    sys.exit("the mapping can be read by others")
            table[level] = (len(seeded), sum(kinds.values()), left, refused, changed, restored)
            bad += left + refused + changed + len(seeded) - restored
    print("level\tdocuments\tplanted\tleft\trefused\tprotected changed\trestored")
    for level, row in table.items():
        print(level, *row, sep="\t")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
