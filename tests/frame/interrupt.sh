#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Ctrl-C while a draft streams: exit status 130, no half file, an old file untouched.
. "$(dirname -- "${BASH_SOURCE[0]}")/_lib.sh"
mkdir -- "$scratch/out"
echo old >"$scratch/out/complaint.txt"
# python3 starts the program, since a shell lets background programs ignore SIGINT; so may have done who started this.
python3 - "$program" "$elements" "$scratch/out/complaint.txt" <<'PYTHON' || fail "see above"
import os, signal, subprocess, sys, time
signal.signal(signal.SIGINT, signal.SIG_DFL)
program, elements, out = sys.argv[1:]
seen = []
for delay in (0.0, 0.02, 0.05, 0.1, 0.2):
    process = subprocess.Popen([program, "draft", "--doctype", "civil-complaint", "--elements", elements, "--out", out],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.read(1)  # the first text is there
    time.sleep(delay)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=30)
    seen.append(process.returncode)
    if process.returncode not in (130, 0):
        sys.exit(f"exit status {process.returncode} after SIGINT, expected 130")
    folder = os.path.dirname(out)
    names = os.listdir(folder)
    if process.returncode == 130 and names != ["complaint.txt"]:
        sys.exit(f"left behind: {names}")
    if process.returncode == 0 and any(not name.startswith("complaint.") for name in names):
        sys.exit(f"left behind beside the finished documents: {names}")
    for name in names:  # a run that was faster than the signal has its DOCX and report there
        if name != "complaint.txt":
            os.remove(os.path.join(folder, name))
    text = open(out, encoding="utf-8").read()
    if process.returncode == 130 and text != "old\n":
        sys.exit("the old file was touched")
    open(out, "w", encoding="utf-8").write("old\n")
if 130 not in seen:
    sys.exit(f"no run was interrupted in time: {seen}")
PYTHON
