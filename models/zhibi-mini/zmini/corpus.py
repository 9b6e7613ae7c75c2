# SPDX-License-Identifier: Apache-2.0
"""Reads the public legal corpus (JSON lines, xz): which documents are used, and how often.

The corpus teaches register and statute wording only; `general_ccbysa` (share-alike), local regulations and official
notices are left out.
"""
import json
import lzma
import os

# bundle -> copies of each document in one round of the mixture
BUNDLES = {"pleadings": 3, "court": 1, "statutes": 1, "templates": 1, "general_permissive": 1}
LENDING = ("借款", "民间借贷")
CIVIL_STATUTES = ("民法典", "民事诉讼", "民间借贷", "担保", "合同", "诉讼时效", "保证")


def read(path):
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def copies(bundle, record):
    """How many times a document enters one round; 0 leaves it out."""
    if bundle == "statutes":
        return 3 if any(word in record["title"] for word in CIVIL_STATUTES) else 1 if record["kind"] == "judicial_interpretation" else 0
    if bundle == "court":
        return 3 if any(word in record["text"][:4000] for word in LENDING) else 1
    return BUNDLES[bundle]


def documents(folder, split="train", for_tokenizer=False):
    """Yields texts; for the tokenizer once each and the statutes in full."""
    for bundle in BUNDLES:
        for record in read(os.path.join(folder, f"{bundle}.{split}.jsonl.xz")):
            if for_tokenizer:
                if bundle != "statutes" or copies(bundle, record):
                    yield record["text"]
                continue
            for _ in range(copies(bundle, record)):
                yield record["text"]
