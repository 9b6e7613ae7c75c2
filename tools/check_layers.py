#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the dependency order of tools/layers.txt on every include of src/, include/, tests/ and bench/.

Fails on an include that the table does not list, on a cycle in the table, on a folder that it does not know, on
`*_internal.h` from another folder, and on heavy headers in too many files.
"""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
SUFFIXES = {".h", ".cc", ".cuh", ".cu"}


class Layers:
    def __init__(self, path):
        self.folders, self.public, self.only, self.heavy = {}, {}, [], []
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            line = line.split("#", 1)[0].strip()
            if not line:
                continue
            if line.startswith("heavy "):
                words = line.split()
                self.heavy.append((int(words[1]), words[2:]))
                continue
            name, colon, rest = line.partition(":")
            if not colon:
                sys.exit(f"{path.name}:{number}: expected 'FOLDER: FOLDERS', got '{line}'")
            words = name.split()
            if words[0] == "public":
                self.public[words[1]] = set(rest.split())
            elif words[0] == "only":
                self.only.append((words[1], set(rest.split())))
            else:
                self.folders[name.strip()] = set(rest.split())

    def folder_of(self, path):
        """Longest listed folder that holds `path` (relative to src/); its first part where none is listed."""
        parts = path.split("/")[:-1]
        for length in range(len(parts), 0, -1):
            name = "/".join(parts[:length])
            if name in self.folders:
                return name
        return parts[0] if parts else ""

    def cycle(self):
        state, trail = {}, []

        def visit(name):
            state[name] = 1
            trail.append(name)
            for other in sorted(self.folders.get(name, ())):
                if other == "*" or other == name:
                    continue
                if state.get(other) == 1:
                    return trail[trail.index(other):] + [other]
                if other not in state:
                    found = visit(other)
                    if found:
                        return found
            state[name] = 2
            trail.pop()
            return None

        for name in sorted(self.folders):
            if name not in state:
                found = visit(name)
                if found:
                    return found
        return None


def home_of(relative, layers):
    """(folder name in the table, set it may include or None for all) of a file given relative to the root."""
    parts = relative.split("/")
    if parts[0] == "src":
        folder = layers.folder_of("/".join(parts[1:]))
        return folder, layers.folders.get(folder)
    if parts[0] == "include":
        return "include", set()
    if parts[0] == "bench":
        return "bench", layers.folders.get("bench")
    listed = layers.folder_of(relative)
    own = layers.folder_of("/".join(parts[1:]))
    allowed = {"tests", own, "tests/support", "support"} | layers.folders.get(own, set())
    if listed in layers.folders:
        allowed |= layers.folders[listed]
        return listed, allowed
    if own not in layers.folders:
        return relative.rsplit("/", 1)[0], None if len(parts) == 2 else frozenset(["?"])
    return "tests/" + own, allowed


def allowed_by_only(folder, allowed):
    return folder in allowed or any(folder == "tests/" + name for name in allowed)


def check_file(path, layers, problems, heavy_uses):
    relative = path.relative_to(ROOT).as_posix()
    folder, allowed = home_of(relative, layers)
    if allowed is not None and "?" in allowed or (relative.startswith("src/") and allowed is None):
        problems.append(f"{relative}: folder '{folder}' is not in tools/layers.txt")
        return
    everything = allowed is None or "*" in allowed
    for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        bracket, name = match.groups()
        place = f"{relative}:{number}"
        if name.startswith("zhibi/"):
            header = name[len("zhibi/"):]
            if header in layers.public and folder not in layers.public[header] and not folder.startswith("tests"):
                problems.append(f"{place}: {folder} may not include {name}")
            continue
        if bracket == "<":
            for prefix, folders in layers.only:
                if name.startswith(prefix) and not allowed_by_only(folder, folders):
                    problems.append(f"{place}: <{name}> belongs to {' '.join(sorted(folders))} only")
            for index, (_, prefixes) in enumerate(layers.heavy):
                if relative.startswith("src/") and any(name.startswith(p) for p in prefixes):
                    heavy_uses.setdefault(index, set()).add(relative)
            continue
        if "/" not in name and ((path.parent / name).exists() or folder.startswith("tests")):
            continue  # beside the file
        if folder == "include":
            problems.append(f"{place}: public headers include the standard library and zhibi/ only, not \"{name}\"")
            continue
        target = layers.folder_of(name)
        if name.endswith("_internal.h") and target != folder and folder != "tests/" + target:
            problems.append(f"{place}: {name} is internal to {target}")
        if everything or target == folder or target in allowed:
            continue
        if target not in layers.folders:
            if target != "support" and not (ROOT / "tests" / name).exists():
                problems.append(f"{place}: \"{name}\" is in no known folder")
                continue
        problems.append(f"{place}: {folder} may not include {target} (\"{name}\")")


def main():
    layers = Layers(ROOT / "tools" / "layers.txt")
    problems, heavy_uses = [], {}
    cycle = layers.cycle()
    if cycle:
        problems.append("tools/layers.txt: cycle " + " -> ".join(cycle))
    count = 0
    for top in ("src", "include", "tests", "bench"):
        for path in sorted((ROOT / top).rglob("*")):
            if path.suffix in SUFFIXES and path.is_file():
                count += 1
                check_file(path, layers, problems, heavy_uses)
    for index, files in sorted(heavy_uses.items()):
        limit, prefixes = layers.heavy[index]
        if len(files) > limit:
            problems.append(f"{'|'.join(prefixes)} included by {len(files)} files, at most {limit}: "
                            + ", ".join(sorted(files)))
    for problem in problems:
        print(problem)
    print(f"layers: {count} files, {len(problems)} problem(s)")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
