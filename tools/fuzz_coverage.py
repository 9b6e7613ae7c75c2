#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How many lines of each parser the kept fuzz corpus reaches, from the fuzz preset's coverage instrumentation.

tests/fuzz/parsers.txt says which files a fuzzer's corpus must cover ("safetensors: src/import/safetensors.cc"). The
corpus is run once, without mutation, so the figure belongs to the files that are kept.
"""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BAR = 85.0


def parsers():
    table = {}
    path = ROOT / "tests/fuzz/parsers.txt"
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else []:
        line = line.split("#", 1)[0].strip()
        if line:
            name, _, files = line.partition(":")
            table[name.strip()] = files.split()
    return table


def measure_one(program, files):
    """Share of covered lines in percent, and a problem or ''."""
    name = program.name.removesuffix("_fuzz")
    corpus = ROOT / "tests/fuzz/corpus" / name
    with tempfile.TemporaryDirectory() as folder:
        raw, data = Path(folder) / "raw", Path(folder) / "data"
        out = subprocess.run([str(program), "-runs=0", str(corpus)], capture_output=True, text=True, errors="replace",
                             env={"LLVM_PROFILE_FILE": str(raw), "PATH": "/usr/bin:/bin"}, cwd=folder)
        if out.returncode != 0 or not raw.exists():
            return 0.0, f"the corpus does not run: {out.stderr[-400:]}"
        subprocess.run(["llvm-profdata-19", "merge", "-sparse", str(raw), "-o", str(data)], check=True)
        export = subprocess.run(["llvm-cov-19", "export", "-summary-only", f"-instr-profile={data}", str(program),
                                 *[str(ROOT / f) for f in files]], check=True, capture_output=True, text=True)
        lines = [entry["summary"]["lines"] for entry in json.loads(export.stdout)["data"][0]["files"]]
    total = sum(l["count"] for l in lines)
    if total == 0:
        return 0.0, "no line of " + ", ".join(files) + " is in the program"
    share = 100.0 * sum(l["covered"] for l in lines) / total
    return share, "" if share >= BAR else f"{share:.1f} % of {total} lines, the bar is {BAR:.0f} %"


def measure(folder, programs):
    table = parsers()
    results = []
    for program in programs:
        name = program.name.removesuffix("_fuzz")
        if name not in table:
            results.append((name, 0.0, f"tests/fuzz/parsers.txt does not say which files {name} covers"))
            continue
        results.append((name, *measure_one(program, table[name])))
    for name in table:
        if not any(p.name == name + "_fuzz" for p in programs):
            results.append((name, 0.0, f"tests/fuzz/parsers.txt names {name}, but {folder} has no {name}_fuzz"))
    return results


def main():
    folder = Path(subprocess.run(["bash", str(ROOT / "tools/build.sh"), "--dir", "fuzz"], check=True,
                                 capture_output=True, text=True).stdout.strip()) / "tests/fuzz"
    bad = 0
    for name, share, problem in measure(folder, sorted(p for p in folder.glob("*_fuzz") if p.is_file())):
        print(f"{name}: {share:.1f} % {problem}")
        bad += bool(problem)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
