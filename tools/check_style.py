#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks what no compiler checks: file heads and lengths, forbidden words and calls, READMEs, tests beside sources,
sizes of what is tracked. Looks at tracked files and at new ones that git does not ignore.
"""
import fnmatch
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MIB = 1 << 20
MAX_TRACKED = 40 * MIB
MAX_MODEL = 24_000_000
AIM_LINES, MAX_LINES = 600, 1000
MAX_README = 60
CODE = {".h", ".cc", ".cu", ".cuh"}
TEXT = CODE | {".py", ".sh", ".txt", ".md", ".json", ".cmake", ".toml", ".js", ".mjs", ".ts", ".yml", ".yaml", ""}

MACHINE_PATH = re.compile(r"(?<![\w.$}])/(work|root|farm)/[a-z.]")
REGISTRY = re.compile(r"registry\.npmjs|deb\.debian|pypi\.org|npm\.pkg", re.I)
UNFINISHED = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X|HA" r"CK|not impl" r"emented|st" r"ub)\b(?!\(#\d+\))", re.I)
# Patterns on code without comments and strings: (regex, message, path prefixes or names where it is allowed).
FORBIDDEN = [
    (re.compile(r"\busing\s+namespace\b"), "no using-directives", ()),
    # A smart pointer around it is fine: make_unique cannot reach a private constructor.
    (re.compile(r"(?<!operator )\bnew\s+(?!\()[A-Za-z_:]"), "raw new: use make_unique, a container or an arena",
     ("base/arena", "/memory", "tests/")),
    (re.compile(r"(?<!= )(?<!operator )\bdelete\b(?!\s*;|\()"), "raw delete", ("base/arena", "/memory", "tests/")),
    (re.compile(r"\b(malloc|calloc|realloc|aligned_alloc|posix_memalign)\s*\("), "raw allocation",
     ("base/arena", "/memory", "tests/")),
    (re.compile(r"\bgetenv\s*\("), "environment outside base/switches.cc", ("base/switches.cc", "tests/")),
    (re.compile(r"\bGTEST_SKIP\s*\(\s*\)\s*;"), "a skip without a reason", ()),
    (re.compile(r"\b(EXPECT|ASSERT)_TRUE\s*\(\s*true\s*\)"), "a test that asserts nothing", ()),
]


def listed_files():
    out = subprocess.run(["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                         check=True, capture_output=True).stdout
    names = sorted(set(name for name in out.decode("utf-8").split("\0") if name))
    return [name for name in names if (ROOT / name).is_file()]


def strip_code(text):
    """Blanks out comments, strings and character literals, keeping line numbers."""
    pattern = re.compile(r'R"([^(\s]*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|//[^\n]*|/\*.*?\*/', re.S)
    return pattern.sub(lambda m: ("" if m.group(0)[0] == "/" else '""') + "\n" * m.group(0).count("\n"), text)


def check_code(name, text, problems, notes):
    lines = text.count("\n")
    if lines > MAX_LINES:
        problems.append(f"{name}: {lines} lines, at most {MAX_LINES}")
    elif lines > AIM_LINES:
        notes.append(f"{name}: {lines} lines, the aim is under {AIM_LINES}")
    if name.endswith((".h", ".cuh")) and "#pragma once" not in text:
        problems.append(f"{name}: no #pragma once")
    code = strip_code(text)
    code = re.sub(r"_ptr<[\w:<>, ]*>(?: \w+)?\(\s*new\b", "OWNED", code)
    for pattern, message, allowed in FORBIDDEN:
        if any(part in name for part in allowed):
            continue
        for match in pattern.finditer(code):
            problems.append(f"{name}:{code.count(chr(10), 0, match.start()) + 1}: {message}")
    if name.startswith("include/") and re.search(r"^\s*#\s*define\b", code, re.M):
        problems.append(f"{name}: a macro in a public header")
    if name.startswith("include/"):
        for header in re.findall(r"#\s*include\s*<([^>]+)>", text):
            if "/" in header or header.endswith(".h"):
                problems.append(f"{name}: third-party header <{header}> in a public header")


def check_text(name, text, problems):
    suffix = Path(name).suffix
    if suffix in CODE | {".py", ".sh"} and "SPDX-License-Identifier: Apache-2.0" not in text[:300]:
        problems.append(f"{name}: no SPDX line in its head")
    for number, line in enumerate(text.splitlines(), 1):
        if MACHINE_PATH.search(line):
            problems.append(f"{name}:{number}: a path of one machine")
        if REGISTRY.search(line):
            problems.append(f"{name}:{number}: the address of a package registry")
        if name.startswith(("src/", "include/", "tools/", "web/")) and UNFINISHED.search(line):
            problems.append(f"{name}:{number}: unfinished: {line.strip()[:80]}")


def check_readmes(problems):
    for folder in sorted((ROOT / "src").rglob("CMakeLists.txt")):
        folder = folder.parent
        if folder == ROOT / "src" or not any(folder.glob("*.cc")):
            continue
        readme = folder / "README.md"
        name = readme.relative_to(ROOT)
        if not readme.exists():
            problems.append(f"{name}: missing; every folder says what it owns")
        elif len(readme.read_text(encoding="utf-8").splitlines()) > MAX_README:
            problems.append(f"{name}: over {MAX_README} lines")


def check_tests(names, problems):
    untested = {}
    path = ROOT / "tests" / "untested.txt"
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines() if path.exists() else [], 1):
        line = line.split("#", 1)[0].strip()
        if not line:
            continue
        source, _, reason = line.partition(":")
        if not reason.strip():
            problems.append(f"tests/untested.txt:{number}: no reason for {source}")
        source = source.strip()
        if not any(fnmatch.fnmatchcase(n, source) for n in names if n.startswith("src/")):
            problems.append(f"tests/untested.txt:{number}: {source} does not exist")
        untested[source] = reason
    included = set()
    test_files = [n for n in names if n.startswith("tests/") and n.endswith((".cc", ".h"))]
    for name in test_files:
        included.update(re.findall(r'#\s*include\s*"([^"]+)"', (ROOT / name).read_text(encoding="utf-8")))
    for name in sorted(names):
        if not (name.startswith("src/") and name.endswith(".cc")):
            continue
        stem = name[len("src/"):-len(".cc")]
        tested = f"tests/{stem}_test.cc" in names or stem + ".h" in included
        if not tested and not any(fnmatch.fnmatchcase(name, pattern) for pattern in untested):
            problems.append(f"{name}: no tests/{stem}_test.cc, no test includes {stem}.h, no line in tests/untested.txt")
        if f"tests/{stem}_test.cc" in names and name in untested:
            problems.append(f"tests/untested.txt: {name} has a test")


def check_sizes(names, problems):
    total = 0
    for name in sorted(names):
        size = (ROOT / name).stat().st_size
        total += size
        if name.startswith("models/") and size > MAX_MODEL:
            problems.append(f"{name}: {size} bytes, a model file has at most {MAX_MODEL}")
    if total > MAX_TRACKED:
        problems.append(f"tracked files: {total / MIB:.1f} MiB, at most {MAX_TRACKED // MIB}")
    return total


def main():
    names = listed_files()
    problems, notes = [], []
    for name in sorted(names):
        if Path(name).suffix not in TEXT:
            continue
        path = ROOT / name
        if path.stat().st_size > 4 * MIB:
            continue
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        if name.startswith(("tests/fuzz/corpus/", "data/", "tests/golden/")):
            continue
        check_text(name, text, problems)
        if path.suffix in CODE:
            check_code(name, text, problems, notes)
    check_readmes(problems)
    check_tests(set(names), problems)
    total = check_sizes(names, problems)
    for line in problems:
        print(line)
    if "-v" in sys.argv:
        print("\n".join(notes))
    print(f"style: {len(names)} files, {total / MIB:.1f} MiB, {len(notes)} over {AIM_LINES} lines, "
          f"{len(problems)} problem(s)")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
