#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes data/doctypes/element-form.*: the element-style complaint and answer of each cause, from the tables in
tools/element_forms/causes (one file a cause). The written files are tracked, so that the program needs no Python;
--check proves that they are what the tables give, and names each that is not.
"""
import argparse
import importlib
import json
import pkgutil
import sys
from pathlib import Path

from element_forms import cases, causes, doctype, schema

ROOT = Path(__file__).resolve().parent.parent / "data" / "doctypes"


def _json(value):
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def _folder(form, kind):
    """Every file of one type: relative path -> text."""
    if kind == "complaint":
        made_schema, made_type = schema.complaint(form), doctype.complaint(form)
        skeleton, made_cases = doctype.complaint_skeleton(form), cases.complaint_cases(form)
    else:
        made_schema = schema.answer(form, *doctype.answer_parts(form))
        made_type, skeleton, made_cases = doctype.answer(form), doctype.answer_skeleton(form), cases.answer_cases(form)
    folder = f"element-form.{form.key}-{kind}"
    files = {f"{folder}/elements.schema.json": _json(made_schema), f"{folder}/doctype.json": _json(made_type)}
    files.update({f"{folder}/skeleton/{name}": text for name, text in skeleton.items()})
    files.update({f"{folder}/cases/{name}.json": _json(case) for name, case in made_cases.items()})
    return files


def all_files():
    files = {}
    for module in pkgutil.iter_modules(causes.__path__):
        form = importlib.import_module(f"element_forms.causes.{module.name}").FORM
        for kind in ("complaint", "answer"):
            files.update(_folder(form, kind))
    return files


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 when a file is not up to date")
    options = parser.parse_args()
    files = all_files()
    there = {str(path.relative_to(ROOT)) for path in ROOT.glob("element-form.*/**/*") if path.is_file()}
    wrong = sorted(there - files.keys())
    wrong += sorted(name for name, text in files.items()
                    if name not in there or (ROOT / name).read_text(encoding="utf-8") != text)
    if options.check:
        for name in wrong:
            print(f"data/doctypes/{name}: not what tools/make_element_forms.py writes", file=sys.stderr)
        return 1 if wrong else 0
    for name in sorted(there - files.keys()):
        (ROOT / name).unlink()
    for name, text in files.items():
        path = ROOT / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    print(f"{len(files)} files, {len(wrong)} changed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
