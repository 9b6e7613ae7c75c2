#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares zhibi's token ids with Hugging Face's `tokenizers` library, which has the last word on real vocabularies.

usage: compare_with_tokenizers.py STRINGS.jsonl TOKENIZER.json OURS.json [TOKENIZER.json OURS.json ...]

STRINGS.jsonl: a string a line, as run.sh leaves them. OURS.json: what `zhibi tokenize --file` says of the same strings,
a list of id lists. Needs Python's package `tokenizers`, which this repository does not install. Text never becomes a
control token in zhibi, so strings that hold the text of an added token must differ and are counted apart.
"""
import json
import sys

import tokenizers


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        strings = [json.loads(line) for line in file]
    print(f"tokenizers {tokenizers.__version__}, {len(strings)} strings")
    failed = False
    for path, ours_path in zip(sys.argv[2::2], sys.argv[3::2]):
        library = tokenizers.Tokenizer.from_file(path)
        with open(ours_path, encoding="utf-8") as file:
            ours = json.load(file)
        if len(ours) != len(strings):
            sys.exit(f"{ours_path}: {len(ours)} lists for {len(strings)} strings")
        added = [token.content for token in library.get_added_tokens_decoder().values() if token.content]
        theirs = [e.ids for e in library.encode_batch(strings, add_special_tokens=False)]
        tokens, different, control = 0, [], 0
        for text, left, right in zip(strings, ours, theirs):
            tokens += len(right)
            if left == right:
                continue
            if any(content in text for content in added):
                control += 1
            else:
                different.append((text, left, right))
        print(f"{path}: {tokens} tokens, {len(different)} strings differ, {control} more hold the text of an added token")
        for text, left, right in different[:10]:
            at = next((i for i, (a, b) in enumerate(zip(left, right)) if a != b), min(len(left), len(right)))
            print(f"  {text[:80]!r}: from token {at}: zhibi {left[at:at + 6]}, library {right[at:at + 6]}")
        failed = failed or bool(different)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
