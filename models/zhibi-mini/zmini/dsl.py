# SPDX-License-Identifier: Apache-2.0
"""A tiny phrase grammar.

`[a|b|c]` picks one alternative (nesting allowed, an empty alternative makes the phrase optional), `{slot}` inserts a
value; a callable value is called with no arguments each time it is met, so that a name may be written in full at its
first mention and shortened later. Templates are parsed once and cached.
"""
from functools import lru_cache


@lru_cache(maxsize=None)
def parse(template):
    """Returns a tuple of parts: str, ('slot', name) or ('alt', (parts, parts, ...))."""
    parts, rest = _sequence(template, 0, top=True)
    if rest != len(template):
        raise ValueError(f"unbalanced ']' at {rest} in {template!r}")
    return parts


def _sequence(text, pos, top):
    parts, plain = [], []
    while pos < len(text):
        char = text[pos]
        if char == "[":
            if plain:
                parts.append("".join(plain))
                plain = []
            alternatives, pos = _alternatives(text, pos + 1)
            parts.append(("alt", alternatives))
        elif char == "{":
            end = text.index("}", pos)
            if plain:
                parts.append("".join(plain))
                plain = []
            parts.append(("slot", text[pos + 1:end]))
            pos = end + 1
        elif char in "]|" and not top:
            break
        else:
            plain.append(char)
            pos += 1
    if plain:
        parts.append("".join(plain))
    return tuple(parts), pos


def _alternatives(text, pos):
    found = []
    while True:
        parts, pos = _sequence(text, pos, top=False)
        found.append(parts)
        if pos >= len(text):
            raise ValueError(f"'[' is never closed in {text!r}")
        if text[pos] == "]":
            return tuple(found), pos + 1
        pos += 1


def expand(rng, template, slots):
    """Returns one random sentence of the template."""
    out = []
    _walk(rng, parse(template), slots, out)
    return "".join(out)


def _walk(rng, parts, slots, out):
    for part in parts:
        if isinstance(part, str):
            out.append(part)
        elif part[0] == "slot":
            value = slots[part[1]]
            out.append(value() if callable(value) else value)
        else:
            options = part[1]
            _walk(rng, options[int(rng.random() * len(options))], slots, out)


def pick(rng, templates, slots):
    """One random template of a list, expanded."""
    return expand(rng, templates[int(rng.random() * len(templates))], slots)
