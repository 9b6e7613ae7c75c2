#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Proves that the checks can fail: builds small trees with one fault each and expects the check to name it, and a clean
tree that passes.
"""
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

TOOLS = Path(__file__).resolve().parent
SPDX = "// SPDX-License-Identifier: Apache-2.0\n"
CLEAN = {
    "README.md": "make draft, make test, [code](src/base/a.h)\n",
    "docs/architecture.md": "Files: `src/base/a.cc`.\n",
    "src/base/CMakeLists.txt": "",
    "src/base/README.md": "# base\n",
    "src/base/a.h": SPDX + "#pragma once\n#include <string>\n#include \"zhibi/status.h\"\n",
    "src/base/a.cc": SPDX + "#include \"base/a.h\"\n// a new delete malloc( in a comment\nconst char* k = \"new X\";\n",
    "include/zhibi/status.h": SPDX + "#pragma once\n#include <string>\n",
    "tests/base/a_test.cc": SPDX + "#include \"base/a.h\"\n#include <gtest/gtest.h>\n",
    "tests/untested.txt": "",
}
# (check, file, text, what the check must print)
FAULTS = [
    ("check_layers.py", "src/base/b.h", '#include "runtime/engine.h"\n', "base may not include runtime"),
    ("check_layers.py", "src/runtime/b.h", '#include "compile/passes.h"\n', "runtime may not include compile"),
    ("check_layers.py", "src/backend/cpu/b.h", '#include "backend/fenced/c.h"\n', "backend/cpu may not include"),
    ("check_layers.py", "src/odd/b.h", "\n", "'odd' is not in tools/layers.txt"),
    ("check_layers.py", "src/text/b.h", '#include "base/c_internal.h"\n', "internal to base"),
    ("check_layers.py", "src/runtime/b.h", "#include <sqlite3.h>\n", "belongs to store only"),
    ("check_layers.py", "tests/text/b_test.cc", '#include "compile/passes.h"\n', "tests/text may not include compile"),
    ("check_layers.py", "include/zhibi/b.h", '#include "base/a.h"\n', "public headers include"),
    ("check_style.py", "src/base/b.h", "#pragma once\n", "no SPDX line"),
    ("check_style.py", "src/base/b.h", SPDX, "no #pragma once"),
    ("check_style.py", "src/base/b.h", SPDX + "#pragma once\nusing  namespace std;\n", "using-directives"),
    ("check_style.py", "src/base/b.h", SPDX + "#pragma once\nint* p = new int;\n", "raw new"),
    ("check_style.py", "src/base/b.h", SPDX + "#pragma once\nvoid* p = malloc(1);\n", "raw allocation"),
    ("check_style.py", "src/base/b.h", SPDX + "#pragma once\nauto p = std::getenv(\"A\");\n", "environment outside"),
    ("check_style.py", "src/base/b.h", SPDX + "#pragma once\n" + "//\n" * 1001, "at most 1000"),
    ("check_style.py", "src/base/b.h", SPDX + "#pragma once\n// TO" "DO: later\n", "unfinished"),
    ("check_style.py", "src/base/b.cc", SPDX, "no line in tests/untested.txt"),
    ("check_style.py", "tests/untested.txt", "src/base/none.cc: reason\n", "does not exist"),
    ("check_style.py", "tests/base/b_test.cc", SPDX + "void f() { GTEST_SKIP(); }\n", "skip without a reason"),
    ("check_style.py", "docs/b.md", "see /wo" "rk/main\n", "a path of one machine"),
    ("check_style.py", "src/base/README.md", "\n" * 61, "over 60 lines"),
    ("check_style.py", "include/zhibi/b.h", SPDX + "#pragma once\n#define A 1\n", "macro in a public header"),
    ("check_style.py", "models/m.safetensors", "x" * 24_000_001, "a model file has at most"),
    ("check_docs.py", "docs/architecture.md", "`src/base/gone.cc`\n", "src/base/gone.cc does not exist"),
    ("check_docs.py", "docs/b.md", "[x](gone.md)\n", "broken link gone.md"),
    ("check_docs.py", "README.md", "make test\n", "does not show `make draft`"),
]


def make_tree(root, files):
    (root / "tools").mkdir(parents=True)
    for name in ("check_layers.py", "check_style.py", "check_docs.py", "layers.txt"):
        shutil.copy(TOOLS / name, root / "tools" / name)
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    subprocess.run(["git", "-C", str(root), "add", "-A"], check=True)


def run_check(root, name, *words):
    out = subprocess.run([sys.executable, str(root / "tools" / name), *words], capture_output=True, text=True)
    return out.returncode, out.stdout + out.stderr


def check_isa(problems):
    """A weak symbol in an object built with -mavx2 is found, strong and local ones are not."""
    cases = (("inline int f() { return 1; }\nint g() { return f(); }\n", 1), ("static int f() { return 1; }\nint g() { return f(); }\n", 0))
    for source, expected in cases:
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            (root / "k_avx2.cc").write_text(source, encoding="utf-8")
            words = ["g++", "-O0", "-mavx2", "-o", "k.o", "-c", "k_avx2.cc"]
            subprocess.run(words, cwd=root, check=True)
            entry = {"directory": folder, "file": str(root / "k_avx2.cc"), "arguments": words}
            (root / "compile_commands.json").write_text(json.dumps([entry]), encoding="utf-8")
            out = subprocess.run([sys.executable, str(TOOLS / "check_isa.py"), folder], capture_output=True, text=True)
            if out.returncode != expected or "isa: 1 objects" not in out.stdout:
                problems.append(f"check_isa.py: expected status {expected}, got {out.returncode}: {out.stdout}")


def main():
    problems = []
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "clean"
        make_tree(root, CLEAN)
        for name in ("check_layers.py", "check_style.py", "check_docs.py"):
            status, out = run_check(root, name)
            if status != 0:
                problems.append(f"{name} fails on a clean tree: {out}")
        for index, (name, file, text, expected) in enumerate(FAULTS):
            root = Path(folder) / str(index)
            make_tree(root, {**CLEAN, file: text})
            status, out = run_check(root, name)
            if status == 0 or expected not in out:
                problems.append(f"{name} does not find '{expected}' in {file}: {out}")
    check_isa(problems)
    for problem in problems:
        print(problem)
    print(f"selftest: {len(FAULTS)} faults, {len(problems)} problem(s)")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
