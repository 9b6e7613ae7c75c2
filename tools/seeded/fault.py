# SPDX-License-Identifier: Apache-2.0
"""A planted fault, and the register of kinds."""
import random
from dataclasses import dataclass, field
from typing import Callable, Optional


@dataclass
class Fault:
    """`text` with one fault; `twin` without it (the document itself, or the document with a right
    value where the kind needs one that real documents lack)."""

    text: str
    start: int  # code points of `text`: the words at fault
    end: int
    twin: str
    # Where a section is missing there are no words at fault: other places where it may be shown.
    anchors: list[tuple[int, int]] = field(default_factory=list)


@dataclass(frozen=True)
class Kind:
    name: str
    rule: str
    plant: Callable[[str, random.Random], Optional[Fault]]
    about: str


KINDS: list[Kind] = []
NEAR: list[Kind] = []  # no faults: `rule` must not speak about the changed place


def kind(name: str, rule: str):
    def add(function):
        KINDS.append(Kind(name, rule, function, (function.__doc__ or "").strip()))
        return function

    return add


def near(name: str, rule: str):
    def add(function):
        NEAR.append(Kind(name, rule, function, (function.__doc__ or "").strip()))
        return function

    return add


def replace(twin: str, start: int, end: int, words: str) -> Fault:
    """The twin with [start, end) written otherwise."""
    return Fault(twin[:start] + words + twin[end:], start, start + len(words), twin)


def without(twin: str, start: int, end: int) -> Fault:
    """The twin without [start, end); shown at the title, at the cut, or at the last lines."""
    text = twin[:start] + twin[end:]
    anchors = [(max(0, start - 200), min(len(text), start + 200))]
    anchors.append((0, min(len(text), 120)))
    anchors.append((max(0, len(text) - 60), len(text)))
    return Fault(text, start, start, twin, anchors)


def choose(rng: random.Random, items):
    items = list(items)
    return rng.choice(items) if items else None
