#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `make lint` and `make format` run: clang-format, the scripts of tools/, headers that compile alone, and
clang-tidy on the .cc files that changed. Each part answers with a list of problems; an empty list is good.

clang-tidy is slow on two cores, so it has a budget: files of the newest commits come first, and those that the budget
did not reach are listed.
"""
import argparse
import concurrent.futures
import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TOP_FOLDERS = ("src/", "include/", "tests/", "bench/")
SCRIPTS = ("check_layers.py", "check_style.py", "check_docs.py")


def git(*words):
    out = subprocess.run(["git", "-C", str(ROOT), *words], capture_output=True)
    return out.stdout.decode("utf-8") if out.returncode == 0 else ""


def sources():
    names = git("ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0")
    return sorted(n for n in set(names)
                  if n.endswith((".cc", ".h")) and n.startswith(TOP_FOLDERS) and (ROOT / n).is_file())


def build_dir(preset):
    return Path(subprocess.run(["bash", str(ROOT / "tools/build.sh"), "--dir", preset], check=True,
                               capture_output=True, text=True).stdout.strip())


def changed_sources():
    """.cc files that differ from the base, newest commits first. Base: ZHIBI_LINT_BASE, else where the branch left
    origin/main, else (main itself, as in CI) the commit of tools/lint_base.txt."""
    base = os.environ.get("ZHIBI_LINT_BASE", "")
    head = git("rev-parse", "HEAD").strip()
    if not base:
        base = git("merge-base", "HEAD", "origin/main").strip()
        if base == head:
            base = ""
    if not base:
        lines = (ROOT / "tools/lint_base.txt").read_text(encoding="utf-8").splitlines()
        recorded = next((line.strip() for line in lines if line.strip() and not line.startswith("#")), "")
        base = git("rev-parse", "--verify", "--quiet", recorded + "^{commit}").strip()
    span = f"{base}..HEAD" if base else "HEAD"
    ordered = git("diff", "--name-only", "HEAD").splitlines()
    ordered += git("ls-files", "--others", "--exclude-standard").splitlines()
    ordered += git("log", "--format=", "--name-only", span).splitlines()
    present = set(sources())
    seen = dict.fromkeys(n for n in ordered if n.endswith(".cc") and n in present)
    return list(seen)


def run_format(fix):
    files = sources()
    problems = []
    for start in range(0, len(files), 50):
        part = files[start:start + 50]
        command = ["clang-format-19", *(["-i"] if fix else ["--dry-run", "-Werror"]), *part]
        out = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        if out.returncode != 0:
            bad = sorted({line.split(":", 1)[0] for line in out.stderr.splitlines() if "error:" in line})
            problems += [f"{name}: not formatted (make format)" for name in bad] or [out.stderr.strip()[:400]]
    return problems


def run_script(name, *words):
    out = subprocess.run([sys.executable, str(ROOT / "tools" / name), *words], capture_output=True, text=True)
    lines = (out.stdout + out.stderr).strip().splitlines()
    return [] if out.returncode == 0 else lines or [f"{name} failed"]


def run_headers():
    """Builds the target that compiles every header alone."""
    subprocess.run(["bash", str(ROOT / "tools/build.sh"), "release", "help"], capture_output=True)
    out = subprocess.run(["bash", str(ROOT / "tools/build.sh"), "release", "-k", "0", "zhibi_headers"],
                         capture_output=True, text=True)
    if out.returncode == 0:
        return []
    return [line for line in (out.stdout + out.stderr).splitlines() if "error" in line][:20] or ["zhibi_headers failed"]


def run_tidy(seconds, everything):
    """(problems, files checked, files not reached)."""
    database = build_dir("asan")
    if not (database / "compile_commands.json").exists():
        subprocess.run(["cmake", "--preset", "asan", "-B", str(database)], cwd=ROOT, capture_output=True)
    if not (database / "compile_commands.json").exists():
        return ["no compile_commands.json: the preset asan does not configure"], 0, []
    known = (database / "compile_commands.json").read_text(encoding="utf-8")
    files = sources() if everything else changed_sources()
    files = [n for n in files if n.endswith(".cc") and str(ROOT / n) in known]
    deadline = time.monotonic() + seconds
    problems, left = [], []

    def one(name):
        remaining = deadline - time.monotonic()
        if remaining < 5:
            return name, None
        try:
            out = subprocess.run(["clang-tidy-19", "--quiet", "-p", str(database), str(ROOT / name)],
                                 capture_output=True, text=True, timeout=remaining + 60)
        except subprocess.TimeoutExpired:
            return name, None
        if out.returncode == 0:
            return name, []
        lines = [l for l in out.stdout.splitlines() if "error:" in l or "warning:" in l]
        return name, [l.replace(str(ROOT) + "/", "") for l in lines] or [f"{name}: {out.stderr.strip()[-300:]}"]

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for name, found in pool.map(one, files):
            if found is None:
                left.append(name)
            else:
                problems += found
    return sorted(set(problems)), len(files) - len(left), left


def main():
    parser = argparse.ArgumentParser(description="format, layers, style, documents, headers, clang-tidy")
    parser.add_argument("--fix-format", action="store_true", help="format in place and stop")
    parser.add_argument("--all", action="store_true", help="clang-tidy on every file, not only changed ones")
    parser.add_argument("--tidy-seconds", type=float, default=1800)
    parser.add_argument("--no-tidy", action="store_true")
    parser.add_argument("--no-headers", action="store_true")
    args = parser.parse_args()
    if args.fix_format:
        problems = run_format(fix=True)
        print("\n".join(problems) if problems else f"formatted {len(sources())} files")
        return 1 if problems else 0
    parts = [("format", lambda: run_format(fix=False))]
    parts += [(name[:-3], lambda name=name: run_script(name)) for name in SCRIPTS]
    if not args.no_headers:
        parts.append(("headers", run_headers))
    bad = 0
    for name, part in parts:
        problems = part()
        bad += bool(problems)
        print(f"{name}: {'ok' if not problems else 'FAILED'}", flush=True)
        for problem in problems:
            print(f"  {problem}")
    if not args.no_tidy:
        problems, checked, left = run_tidy(args.tidy_seconds, args.all)
        bad += bool(problems)
        print(f"clang-tidy: {checked} files checked, {len(left)} not reached, {len(problems)} finding(s)")
        for problem in problems:
            print(f"  {problem}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
