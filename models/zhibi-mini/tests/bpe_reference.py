# SPDX-License-Identifier: Apache-2.0
"""A slow byte-level BPE encoder in plain Python, independent of the tokenizers library, for the tests.

Splits like Qwen2's pattern (contractions aside, which Chinese text has not) with Unicode categories, then merges by rank.
"""
import json
import unicodedata


def letters():
    """The printable letter of each byte in byte-level vocabularies."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    table, extra = {b: chr(b) for b in plain}, 0
    for byte in range(256):
        if byte not in table:
            table[byte] = chr(256 + extra)
            extra += 1
    return table


def is_letter(char):
    return unicodedata.category(char).startswith("L")


def is_number(char):
    return unicodedata.category(char).startswith("N")


def is_other(char):
    return not (char.isspace() or is_letter(char) or is_number(char))


def run(text, pos, test):
    while pos < len(text) and test(text[pos]):
        pos += 1
    return pos


def pieces(text):
    """Pre-tokens of [^\\r\\n\\p{L}\\p{N}]?\\p{L}+ | \\p{N} | ' '?[^\\s\\p{L}\\p{N}]+[\\r\\n]* | \\s*[\\r\\n]+ | \\s+(?!\\S) | \\s+"""
    pos = 0
    while pos < len(text):
        char, after = text[pos], text[pos + 1:pos + 2]
        if is_letter(char):
            end = run(text, pos, is_letter)
        elif char not in "\r\n" and not is_number(char) and after and is_letter(after):
            end = run(text, pos + 1, is_letter)
        elif is_number(char):
            end = pos + 1
        elif is_other(char) or (char == " " and after and is_other(after)):
            end = run(text, run(text, pos + (char == " "), is_other), lambda c: c in "\r\n")
        else:
            end = run(text, pos, str.isspace)
            breaks = [i for i in range(pos, end) if text[i] in "\r\n"]
            if breaks:
                end = breaks[-1] + 1
            elif end < len(text) and end - pos > 1:
                end -= 1
        yield text[pos:end]
        pos = end


class Encoder:
    def __init__(self, path):
        with open(path, encoding="utf-8") as source:
            spec = json.load(source)
        self.vocab = spec["model"]["vocab"]
        self.rank = {tuple(pair): n for n, pair in enumerate(spec["model"]["merges"])}
        self.special = {t["content"]: t["id"] for t in spec["added_tokens"]}
        self.letters = letters()

    def piece(self, text):
        parts = [self.letters[b] for b in text.encode("utf-8")]
        while len(parts) > 1:
            best = min(range(len(parts) - 1), key=lambda i: self.rank.get((parts[i], parts[i + 1]), 1 << 30))
            if (parts[best], parts[best + 1]) not in self.rank:
                break
            parts[best:best + 2] = [parts[best] + parts[best + 1]]
        return [self.vocab[p] for p in parts]

    def encode(self, text):
        """Ids; special tokens in the text are recognised."""
        out, start, pos = [], 0, 0
        while pos <= len(text):
            token = next((s for s in self.special if text.startswith(s, pos)), None) if pos < len(text) and text[pos] == "<" else None
            if token or pos == len(text):
                for part in pieces(text[start:pos]):
                    out += self.piece(part)
                if token:
                    out.append(self.special[token])
                    pos += len(token)
                    start = pos
                    continue
            pos += 1
        return out
