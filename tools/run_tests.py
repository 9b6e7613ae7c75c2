#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `make test` and so CI runs: every suite in stages, with a time for each and one closing line that counts cases.

Every GoogleTest program that CMake registered is run with an XML report, so that cases are counted, not programs; a
program that dies counts as one failed case more. Skips are listed with their reasons. Needs the standard library only.

Stages: checks release isa qemu asan tsan fuzz lint frame bundle. `--only asan,fuzz` runs some of them.
"""
import argparse
import concurrent.futures
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import fuzz_coverage  # noqa: E402  (beside this file)
import lint  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent
CORES = os.cpu_count() or 1
# CI gives up after 90 minutes; a run that is late says which stages it did not start instead of being killed.
TOTAL_SECONDS = 80 * 60
FUZZ_SECONDS = 30
TSAN_FOLDERS = ("base", "backend", "runtime")
SANITIZER_ENV = {
    "ASAN_OPTIONS": "detect_leaks=1:strict_string_checks=1:detect_stack_use_after_return=1",
    # Quoted, since the checkout's path may hold spaces.
    "LSAN_OPTIONS": f"suppressions='{ROOT / 'tests/lsan.supp'}':print_suppressions=0",
    "UBSAN_OPTIONS": "print_stacktrace=1",
    "TSAN_OPTIONS": "halt_on_error=1:second_deadlock_stack=1",
    "ASAN_SYMBOLIZER_PATH": "/usr/bin/llvm-symbolizer-19",
    "TSAN_SYMBOLIZER_PATH": "/usr/bin/llvm-symbolizer-19",
}


@dataclass
class Case:
    name: str
    outcome: str  # passed, failed, skipped
    detail: str = ""


def say(text):
    print(text, flush=True)


def run(command, timeout, env=None, cwd=ROOT):
    """(exit status, output); status 124 after the time limit, with all children ended."""
    full = dict(os.environ, **(env or {}))
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen([str(w) for w in command], cwd=str(cwd), env=full, stdin=subprocess.DEVNULL,
                                   stdout=out, stderr=subprocess.STDOUT, start_new_session=True)
        try:
            status = process.wait(timeout)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            process.wait()
            status = 124
        out.seek(0)
        return status, out.read().decode("utf-8", "replace")


def tail(text, lines=30):
    return "\n".join(text.strip().splitlines()[-lines:])


def build(preset, targets, timeout, *definitions):
    """Configures anew (a package may have come since) and builds. None, or a failed case."""
    directory = lint.build_dir(preset)
    directory.mkdir(parents=True, exist_ok=True)
    status, out = run(["cmake", "--preset", preset, "-B", directory, *definitions], 300)
    if status == 0:
        status, out = run(["bash", ROOT / "tools/build.sh", preset, *targets], timeout)
    if status == 0:
        return None
    errors = [line for line in out.splitlines() if " error: " in line or "CMake Error" in line or "undefined ref" in line]
    detail = ["time limit"] * (status == 124) + errors[:20] + ["..."] + out.strip().splitlines()[-25:]
    return Case(f"{preset}.build", "failed", "\n".join(detail))


def registered_tests(preset):
    directory = lint.build_dir(preset)
    status, out = run(["ctest", "--test-dir", directory, "--show-only=json-v1"], 60)
    if status != 0:
        return []
    tests = []
    for entry in json.loads(out)["tests"]:
        properties = {p["name"]: p["value"] for p in entry.get("properties", [])}
        if not entry.get("command"):
            continue
        tests.append({"name": entry["name"], "command": entry["command"],
                      "labels": properties.get("LABELS", []),
                      "cwd": properties.get("WORKING_DIRECTORY", str(directory)),
                      "env": dict(v.split("=", 1) for v in properties.get("ENVIRONMENT", [])),
                      "timeout": properties.get("TIMEOUT", 0),
                      "serial": properties.get("RUN_SERIAL", False),
                      "skip_status": properties.get("SKIP_RETURN_CODE", 77)})
    return tests


def cases_of_xml(prefix, path):
    cases = []
    for case in ElementTree.parse(path).getroot().iter("testcase"):
        name = f"{prefix}.{case.get('classname')}.{case.get('name')}"
        failure, skip = case.find("failure"), case.find("skipped")
        if failure is not None:
            cases.append(Case(name, "failed", "\n".join(f.get("message", "") for f in case.iter("failure"))))
        elif skip is not None:
            reason = (skip.get("message") or skip.text or "no reason given").strip().splitlines()
            cases.append(Case(name, "skipped", reason[-1] if reason else "no reason given"))
        elif case.get("status") == "run":
            cases.append(Case(name, "passed"))
    return cases


def run_program(prefix, test, wrapper, env, timeout):
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        full = dict(test["env"], **env)
        full["GTEST_OUTPUT"] = f"xml:{report}"
        status, out = run([*wrapper, *test["command"]], timeout, full, test["cwd"])
        name = f"{prefix}.{test['name']}"
        cases = []
        if report.exists():
            try:
                cases = cases_of_xml(name, report)
            except ElementTree.ParseError:
                cases = []
        if status == test["skip_status"] and not cases:
            return [Case(name, "skipped", tail(out, 1) or "no reason given")]
        if status != 0 and not any(c.outcome == "failed" for c in cases):
            reason = f"time limit of {timeout:.0f} s" if status == 124 else f"exit status {status}"
            cases.append(Case(name, "failed", f"{reason}\n{tail(out, 60)}"))
        if status == 0 and not cases:
            cases.append(Case(name, "passed"))
        return cases


def run_suite(prefix, tests, wrapper=(), env=None, timeout=900.0):
    """As many programs at a time as there are cores; those that ask to be alone (RUN_SERIAL) follow one by one."""
    cases = []

    def one(test):
        return run_program(prefix, test, wrapper, env or {}, test["timeout"] or timeout)

    with concurrent.futures.ThreadPoolExecutor(CORES) as pool:
        for found in pool.map(one, [t for t in tests if not t["serial"]]):
            cases += found
    for test in tests:
        if test["serial"]:
            cases += one(test)
    return cases


def of_problems(name, problems):
    return Case(name, "failed" if problems else "passed", "\n".join(problems))


def stage_checks(_):
    cases = [of_problems(f"checks.{name[:-3]}", lint.run_script(name)) for name in lint.SCRIPTS]
    for script in sorted((ROOT / "tools").glob("*_selftest.py")):
        cases.append(of_problems(f"checks.{script.stem}", lint.run_script(script.name)))
    cases.append(of_problems("checks.element_forms", lint.run_script("make_element_forms.py", "--check")))
    return cases


def stage_release(_):
    failed = build("release", ["all", "zhibi_headers"], 1800, "-DZHIBI_TESTS=ON")
    if failed:
        return [failed]
    cases = [Case("release.build", "passed"),
             of_problems("release.check_isa", lint.run_script("check_isa.py", str(lint.build_dir("release"))))]
    return cases + run_suite("release", registered_tests("release"))


def fast_tests():
    return [t for t in registered_tests("release") if "fast" in t["labels"]]


def cpu_level():
    """The best level of this CPU, by the program itself."""
    program = lint.build_dir("release") / "src/cli/zhibi"
    status, out = run([program, "doctor", "--json"], 60, {"ZHIBI_CPU": ""})
    try:
        return json.loads(out[out.index("{"):])["cpu"]["best"]
    except (ValueError, KeyError):
        return f"unknown: zhibi doctor exit status {status}"


def stage_isa(_):
    levels = ["scalar", "avx2", "avx512"]
    best = cpu_level()
    if best not in levels:
        return [Case("isa", "failed", best)]
    cases = []
    for index, level in enumerate(levels):
        if index > levels.index(best):
            cases.append(Case(f"isa.{level}", "skipped", f"this CPU has at most {best}"))
            continue
        cases += run_suite(f"isa.{level}", fast_tests(), env={"ZHIBI_CPU": level})
    return cases


def stage_qemu(_):
    qemu = shutil.which("qemu-x86_64")
    if not qemu:
        return [Case("qemu", "failed", "qemu-x86_64 is not installed (packages/test.txt)")]
    tests = [t for t in fast_tests() if "noqemu" not in t["labels"]]
    # Emulated code is some 20 times slower: suites may set the label noqemu and say why in their CMakeLists.txt.
    return run_suite("qemu", tests, wrapper=(qemu, "-cpu", "Haswell"), env={"ZHIBI_QEMU": "1"}, timeout=1200)


def stage_asan(_):
    failed = build("asan", ["all"], 2400, "-DZHIBI_TESTS=ON")
    if failed:
        return [failed]
    return [Case("asan.build", "passed")] + run_suite("asan", registered_tests("asan"), env=SANITIZER_ENV, timeout=1500)


def stage_tsan(_):
    failed = build("tsan", ["zhibi_base"], 600, "-DZHIBI_TESTS=ON")
    if failed:
        return [failed]
    # A test whose program is not built yet has no command, so programs are found by name: folder_test.
    _, listing = run(["ninja", "-C", lint.build_dir("tsan"), "-t", "targets", "all"], 60)
    programs = sorted({line.split(":")[0] for line in listing.splitlines()
                       if line.split("_")[0] in TSAN_FOLDERS and line.split(":")[0].endswith("_test")})
    if not programs:
        return [Case("tsan.build", "failed", "no test program of " + ", ".join(TSAN_FOLDERS))]
    failed = build("tsan", programs, 1800)
    if failed:
        return [failed]
    tests = [t for t in registered_tests("tsan") if Path(t["command"][0]).name in programs]
    return [Case("tsan.build", "passed")] + run_suite("tsan", tests, env=SANITIZER_ENV, timeout=1500)


def run_fuzzer(program, seconds):
    name = program.name
    seeds = ROOT / "tests/fuzz/corpus" / name.removesuffix("_fuzz")
    if not seeds.is_dir() or not any(seeds.iterdir()):
        return [Case(f"fuzz.{name}", "failed", f"no seeds in {seeds.relative_to(ROOT)}")]
    with tempfile.TemporaryDirectory() as folder:
        corpus = Path(folder) / "corpus"
        shutil.copytree(seeds, corpus)
        env = dict(SANITIZER_ENV, LLVM_PROFILE_FILE=str(Path(folder) / "unused.profraw"))
        status, out = run([program, f"-max_total_time={seconds}", "-timeout=10", "-rss_limit_mb=3000",
                           "-print_final_stats=1", f"-artifact_prefix={folder}/", corpus], seconds + 120, env, folder)
        if status == 0:
            runs = [l.split()[-1] for l in out.splitlines() if l.startswith("stat::number_of_executed_units")]
            return [Case(f"fuzz.{name}", "passed", f"{runs[0] if runs else '?'} inputs")]
        found = [p for p in Path(folder).iterdir() if p.name.startswith(("crash-", "timeout-", "oom-", "leak-"))]
        inputs = "\n".join(f"{p.name}: {p.read_bytes()[:2000].hex()}" for p in found)
        return [Case(f"fuzz.{name}", "failed", f"exit status {status}\n{tail(out, 50)}\n{inputs}")]


def stage_fuzz(args):
    failed = build("fuzz", ["all"], 1800)
    if failed:
        return [failed]
    folder = lint.build_dir("fuzz") / "tests/fuzz"
    programs = sorted(p for p in folder.glob("*_fuzz") if p.is_file() and os.access(p, os.X_OK))
    if not programs:
        return [Case("fuzz", "failed", "no fuzzer was built")]
    cases = []
    with concurrent.futures.ThreadPoolExecutor(CORES) as pool:
        for found in pool.map(lambda p: run_fuzzer(p, args.fuzz_seconds), programs):
            cases += found
    for case in cases:
        if case.outcome == "passed":
            say(f"  {case.name}: {case.detail}")
    for name, share, problem in fuzz_coverage.measure(folder, programs):
        say(f"  corpus of {name} covers {share:.1f} % of its parser's lines")
        cases.append(Case(f"fuzz.coverage.{name}", "failed" if problem else "passed", problem))
    return cases


def stage_lint(args):
    cases = [of_problems("lint.format", lint.run_format(fix=False))]
    problems, checked, left = lint.run_tidy(args.tidy_seconds, everything=False)
    say(f"  clang-tidy: {checked} changed files checked, {len(left)} not reached in {args.tidy_seconds:.0f} s")
    cases.append(of_problems("lint.clang_tidy", problems))
    if left:
        cases.append(Case("lint.clang_tidy_rest", "skipped", f"{len(left)} files not reached in the time given"))
    return cases


def run_script_case(name, path, timeout, *words):
    """Exit status 0 passed, 77 skipped (last line says why), anything else failed."""
    status, out = run(["bash", path, *words], timeout)
    if status == 77:
        return Case(name, "skipped", tail(out, 1))
    detail = tail(out, 40) if status else ""
    return Case(name, "passed" if status == 0 else "failed", ("time limit\n" if status == 124 else "") + detail)


def stage_frame(args):
    cases = []
    for script in sorted((ROOT / "tests/frame").glob("*.sh")):
        slow = "# slow" in script.read_text(encoding="utf-8").splitlines()
        if script.name.startswith("_") or (slow and not args.slow):
            continue
        cases.append(run_script_case(f"frame.{script.stem}", script, 1500 if slow else 300))
    return cases


def stage_bundle(_):
    if os.geteuid() != 0:
        return [Case("bundle", "skipped", "a root with only libc needs chroot, and so root")]
    return [run_script_case("bundle.only_libc", ROOT / "tools/check_bundle.sh", 600)]


STAGES = {"checks": stage_checks, "release": stage_release, "isa": stage_isa, "qemu": stage_qemu,
          "asan": stage_asan, "tsan": stage_tsan, "fuzz": stage_fuzz, "lint": stage_lint,
          "frame": stage_frame, "bundle": stage_bundle}


def main():
    parser = argparse.ArgumentParser(description="all suites, one closing line")
    parser.add_argument("--only", default="", help="comma-separated stages: " + " ".join(STAGES))
    parser.add_argument("--slow", action="store_true", help="slow tests of tests/frame too")
    parser.add_argument("--fuzz-seconds", type=int, default=FUZZ_SECONDS)
    parser.add_argument("--tidy-seconds", type=float, default=300)
    args = parser.parse_args()
    names = [n for n in args.only.split(",") if n] or list(STAGES)
    for name in names:
        if name not in STAGES:
            parser.error(f"no stage {name}; there are {' '.join(STAGES)}")
    start = time.monotonic()
    cases = []
    for name in names:
        begin = time.monotonic()
        if begin - start > TOTAL_SECONDS:
            found = [Case(name, "failed", "not started: out of time")]
        else:
            say(f"[{name}] ...")
            try:
                found = STAGES[name](args)
            except Exception as error:  # pylint: disable=broad-except
                found = [Case(name, "failed", f"{type(error).__name__}: {error}")]
        cases += found
        for case in found:
            if case.outcome == "failed":
                say(f"  FAILED {case.name}\n" + "\n".join("    " + l for l in case.detail.splitlines()))
        counts = {o: sum(c.outcome == o for c in found) for o in ("passed", "failed", "skipped")}
        say(f"[{name}] {counts['passed']} passed, {counts['failed']} failed, {counts['skipped']} skipped "
            f"in {time.monotonic() - begin:.0f} s")
    failed = [c for c in cases if c.outcome == "failed"]
    skipped = [c for c in cases if c.outcome == "skipped"]
    for case in skipped:
        say(f"SKIPPED {case.name}: {case.detail}")
    for case in failed:
        say(f"FAILED {case.name}")
    say(f"time: {(time.monotonic() - start) / 60:.1f} min")
    say(f"{sum(c.outcome == 'passed' for c in cases)} passed, {len(failed)} failed, {len(skipped)} skipped")
    return 1 if failed or not any(c.outcome == "passed" for c in cases) else 0


if __name__ == "__main__":
    sys.exit(main())
