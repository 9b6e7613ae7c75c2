# SPDX-License-Identifier: Apache-2.0
"""The documents that faults are planted into.

First the validation files of court texts and pleadings; they hold 108 documents, of which only 22
are whole judgments, so where too few fit a fixed slice of the training files follows: every document
whose salted hash begins below 0x40 (a quarter). Rules are tuned on the other three quarters only.
"""
import hashlib
import json
import lzma
import pathlib
from dataclasses import dataclass

BUNDLES = ("court", "pleadings")
SALT = "zhibi seeded faults\n"


@dataclass(frozen=True)
class Document:
    name: str  # bundle, part and line: court.val#12
    kind: str
    part: str  # "val", "held" or "dev"
    text: str


def part_of(record: dict, part: str) -> str:
    if part == "val":
        return "val"
    key = SALT + record["source"] + "\n" + record["title"]
    return "held" if hashlib.sha256(key.encode()).digest()[0] < 0x40 else "dev"


def load(folder: pathlib.Path, parts: set[str]) -> list[Document]:
    """Validation first, then the slice, each in the order of its hash so that no source prevails."""
    found: list[tuple[int, str, Document]] = []
    for bundle in BUNDLES:
        for part in ("val", "train"):
            path = folder / f"{bundle}.{part}.jsonl.xz"
            with lzma.open(path, "rt", encoding="utf-8") as lines:
                for number, line in enumerate(lines):
                    record = json.loads(line)
                    where = part_of(record, part)
                    if where not in parts:
                        continue
                    name = f"{bundle}.{part}#{number}"
                    order = hashlib.sha256((name + record["title"]).encode()).hexdigest()
                    document = Document(name, record["kind"], where, record["text"])
                    found.append((0 if where == "val" else 1, order, document))
    found.sort(key=lambda item: item[:2])
    return [document for _, _, document in found]
