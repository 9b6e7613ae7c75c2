#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes data/statutes/table.json: facts about statutes, derived from a folder of facts
(statutes.json) and a folder of texts (statutes.*.jsonl.xz). The table holds no texts.

What the sources do not show stays unknown. A day on which an amended text came into force is taken
from the text only where the text was adopted as a whole (its last article speaks of itself); a day
that the facts call doubtful (it repeats the day of publication) is dropped, and the text counts as
in force only from the day on which a source lists it so. --check compares with the shipped file,
and compares the smaller table that skeletons cite with it.

    derive_statutes.py --facts FOLDER --corpus FOLDER [--check] [--out FILE]
"""
import argparse
import collections
import datetime
import json
import lzma
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import statute_text as texts  # noqa: E402  (beside this script)

ROOT = Path(__file__).resolve().parent.parent
TABLE = ROOT / "data/statutes/table.json"
SKELETONS = ROOT / "data/statutes/statutes.json"
LISTS = ROOT / "tools/statute_lists.json"
OWN_ADOPTION_DAYS = 300  # at most, from the meeting that adopts a text to its publication
SETTLED_DAYS = 365  # a text changed less than this before a snapshot may not be in force in it
SINCE = "2010-01-01"
DOUBTFUL = "公布日"  # in effective_basis: the day only repeats the publication
LISTED = {"LawRefBook": "2025-04-19"}  # snapshot of a source that lists texts as in force
RULES_AS_OF = "2025-04-19"


def days(text):
    return datetime.date.fromisoformat(text).toordinal()


def adoption_of(published, changes):
    """The change that a text published on that day is the result of; None: unknown."""
    before = [day for day in changes if day <= published]
    if not before or days(published) - days(before[-1]) > OWN_ADOPTION_DAYS:
        return None
    return before[-1]


def read_texts(folder):
    """Name in one spelling -> parsed text."""
    found = {}
    parts = []
    for file in sorted(folder.glob("statutes.*.jsonl.xz")):
        with lzma.open(file, "rt", encoding="utf-8") as lines:
            for line in lines:
                document = json.loads(line)
                if document["title"].startswith("中华人民共和国民法典 "):
                    parts.append(document)
                    continue
                found[texts.normal(document["title"])] = texts.parse(document)
    if parts:
        code = texts.join(sorted((texts.parse(part) for part in parts),
                                 key=lambda part: min(part.articles)), "中华人民共和国民法典")
        found[texts.normal(code.name)] = code
    return found


def matches(patterns, name):
    return any(re.search(pattern, name) for pattern in patterns)


def kind_of(fact, text, lists):
    if fact["level"] != "法律":
        return fact["level"]
    if re.search(lists["interpretations_of_law"], fact["name"]):
        return "法律解释"
    if text is not None and text.adopted_by == "全国人民代表大会":
        return "基本法律"
    return "法律"


def adopted_by(fact, text):
    if fact["level"] == "司法解释":
        bodies = [body for body in ("最高人民法院", "最高人民检察院") if body in fact["name"][:20]]
        return "、".join(bodies)
    if text is not None and text.adopted_by:
        return text.adopted_by
    return ""


def fact_versions(fact):
    """The versions that the facts know, oldest first."""
    versions = []
    for previous in fact.get("previous_versions") or []:
        day = previous["effective"]
        if day and previous["published"] and day <= previous["published"]:
            day = None
        if day and day == fact["effective"]:
            continue  # the same text, read from another file
        versions.append({"published": previous["published"], "from": day,
                         "articles": previous["articles"]})
    emptied = fact["articles"] is None and versions and fact["status"] != "repealed"
    current = {"published": None if emptied else fact.get("last_changed"),
               "from": fact["effective"], "articles": fact["articles"],
               "inserted": [texts.article(a) for a in fact.get("inserted_articles") or []]}
    repeats = DOUBTFUL in (fact.get("effective_basis") or "")
    # A day before the publication is that of an older text.
    older = fact["effective"] and current["published"] and fact["effective"] < current["published"]
    if repeats or older:
        current["from"] = None
        current["doubtful"] = repeats
    versions.append(current)
    versions.sort(key=lambda v: v["from"] or v["published"] or "9999")
    following = fact.get("next_version")
    if following:
        versions.append({"from": following["effective"], "articles": following["articles"]})
    return versions, current


def attach(text, versions, current):
    """Puts what the text shows into the version that it is the text of. Returns that version."""
    if not text.articles:
        return None
    last = text.last_article
    same = [v for v in versions if v["articles"] == last]
    if len(same) > 1 and text.changes:
        dated = [v for v in same if v.get("published")
                 and adoption_of(v["published"], text.changes) == text.changes[-1]]
        same = dated or ([current] if current in same else same)
    if not same and current["articles"] is None and len(versions) == 1:
        current["articles"] = last
        same = [current]
    if not same:
        return None
    version = same[-1]
    if version.get("published") is None and text.changes:
        version["published"] = text.changes[-1]
    version["text"] = text
    version["inserted"] = sorted(a for a in text.articles if a[1])
    version["deleted"] = text.deleted
    version["original"] = (len(text.changes) == 1 and text.first
                           and adoption_of(version["published"], text.changes) is not None)
    if version["from"] is None and version["original"]:
        if text.last_day and text.last_day >= version["published"]:
            version["from"] = text.last_day
    return version


def close(fact, versions, current):
    """Ends each version where the next one begins, as far as the sources show it."""
    history = next((v["text"].changes for v in reversed(versions) if v.get("text")), [])
    for this, behind in zip(versions, versions[1:]):
        this["ended"] = True
        if not this.get("published"):
            continue
        later = [day for day in history if day > this["published"]]
        own = (later and behind.get("published")
               and adoption_of(behind["published"], history) == later[0])
        if own and behind["from"]:
            this["until"] = behind["from"]
        elif later:
            this["surely_until"] = later[0]
    if fact["status"] == "repealed":
        versions[-1]["ended"] = True
        versions[-1]["until"] = fact["repealed_on"]
    elif current["from"] is None and current.get("published"):
        listed = [fact["as_of"]]
        if current.get("doubtful"):
            listed += [day for source, day in LISTED.items() if source in fact["source"]]
        settled = [d for d in listed if days(d) - days(current["published"]) >= SETTLED_DAYS]
        if settled:
            current["surely_from"] = min(settled)
    return history


def complete(fact, versions, history):
    """Does the table hold every text in force since SINCE, with its days and articles?"""
    if not history or (fact["status"] == "repealed" and not fact["repealed_on"]):
        return False
    last_text = versions[-1].get("text")
    if last_text is None or last_text.changes != history or not last_text.first:
        return False
    before = [day for day in history if day < SINCE]
    needed = before[-1:] + [day for day in history if day >= SINCE]
    chosen = []
    for day in needed:
        held = [v for v in versions
                if v.get("published") and adoption_of(v["published"], history) == day]
        if not held or not held[0]["from"] or not held[0]["articles"]:
            return False
        chosen.append(held[0])
    return bool(before) is False or chosen[0]["from"] <= SINCE


def encode(version, shapes):
    out = {key: version.get(key) for key in ("published", "from", "until", "surely_from",
                                            "surely_until", "ended", "original", "articles")}
    for key in ("inserted", "deleted"):
        out[key] = texts.spell(version.get(key) or [])
    if out["until"]:
        out["ended"] = None  # follows
    if shapes and version.get("text"):
        out["shapes"] = texts.shapes(version["text"])
    return {key: value for key, value in out.items() if value}


def row_of(fact, text, lists, report):
    name = fact["name"]
    versions, current = fact_versions(fact)
    version = attach(text, versions, current) if text else None
    if text and text.articles and version is None:
        report["text of an unknown version"].append(
            f"{name}: text {text.last_article}, facts {[v['articles'] for v in versions]}")
    current["published"] = lists["published"].get(name, current["published"])
    history = close(fact, versions, current)
    row = {"name": name, "kind": kind_of(fact, text, lists)}
    aliases = fact["short_names"] + lists["aliases"].get(name, [])
    row["aliases"] = list(dict.fromkeys(a for a in aliases if a != name))
    row["old_names"] = lists["old_names"].get(name, [])
    row["adopted_by"] = adopted_by(fact, text)
    row["number"] = text.number if text else ""
    row["adopted"] = text.changes[0] if text and text.first else ""
    if matches(lists["procedural"], name):
        row["matter"] = "程序"
    elif matches(lists["substantive"], name):
        row["matter"] = "实体"
    row["core"] = fact["tier"] == "core"
    row["complete"] = complete(fact, versions, history)
    row["as_of"] = fact["as_of"]
    if fact["status"] == "repealed":
        row["repealed"] = fact["repealed_on"] or True
    row["replaced_by"] = fact.get("replaced_by")
    row["hint"] = fact.get("successor_hint")
    for index, at in lists["until"].get(name, {}).items():
        versions[int(index)]["until"] = at
    row["versions"] = [encode(v, row["core"]) for v in versions]
    return {key: value for key, value in row.items() if value or key == "versions"}


def row_of_text(text, kind):
    """A document that the facts lack: its name, kind and articles."""
    version = {}
    if not text.gaps:
        version = {"articles": text.last_article, "text": text, "deleted": text.deleted,
                   "inserted": sorted(a for a in text.articles if a[1])}
    if len(text.changes) == 1 and text.first:
        version["original"] = True
        version["published"] = text.changes[0]
        version["from"] = text.last_day if text.last_day >= text.changes[0] else ""
    row = {"name": text.name, "kind": kind, "number": text.number,
           "adopted_by": text.adopted_by, "adopted": text.changes[0] if text.first else "",
           "as_of": RULES_AS_OF, "versions": [encode(version, False)]}
    return {key: value for key, value in row.items() if value or key == "versions"}


def more_rows(parsed, known, lists):
    kinds = {"department_rule": "规章", "statute": "法律", "regulation": "行政法规",
             "judicial_interpretation": "司法解释"}
    for key, text in sorted(parsed.items()):
        if key not in known and not matches(lists["not_statutes"], text.name):
            yield row_of_text(text, kinds[text.kind])
    for extra in lists["rows"]:
        row = {k: v for k, v in extra.items() if k not in ("from", "source")}
        yield {**row, "versions": [{"from": extra["from"]}]}


def renames(parsed):
    """New name -> old names, as the decisions on amendments say."""
    found = collections.defaultdict(list)
    for text in parsed.values():
        for old, new in text.renamed:
            found[texts.normal(new)].append(old)
    return found


def repeals(parsed, facts):
    """Names whose repeal the last articles of later texts show -> day, name of the later text."""
    found = {}
    for fact in facts:
        text = parsed.get(texts.normal(fact["name"]))
        if text is None or len(text.changes) != 1 or not fact["effective"]:
            continue
        if DOUBTFUL in (fact.get("effective_basis") or ""):
            continue
        for name in text.repeals:
            if texts.normal(name) != texts.normal(fact["name"]):
                found[texts.normal(name)] = (fact["effective"], fact["name"])
    return found


def derive(facts_folder, corpus_folder, report):
    lists = json.loads(LISTS.read_text("utf-8"))
    facts = json.loads((facts_folder / "statutes.json").read_text("utf-8"))["rows"]
    parsed = read_texts(corpus_folder)
    known = {texts.normal(fact["name"]) for fact in facts}
    ended = repeals(parsed, facts)
    old = renames(parsed)
    rows = []
    for fact in facts:
        key = texts.normal(fact["name"])
        if fact["status"] == "repealed" and not fact["repealed_on"] and key in ended:
            day, later = ended[key]
            fact = {**fact, "repealed_on": day, "replaced_by": fact["replaced_by"] or later}
            report["repeal found in a later text"].append(f"{fact['name']}: {day}")
        if key in old:
            lists["old_names"].setdefault(fact["name"], []).extend(old[key])
        rows.append(row_of(fact, parsed.get(key), lists, report))
    rows += more_rows(parsed, known, lists)
    names = collections.Counter(texts.normal(row["name"]) for row in rows)
    twice = [name for name, count in names.items() if count > 1]
    if twice:
        raise SystemExit(f"two rows for {twice}")
    return rows


def write(rows):
    as_of = {}
    for row in rows:
        as_of[row["kind"]] = min(row["as_of"], as_of.get(row["kind"], "9999"))
    head = {"format": 1, "as_of": min(as_of.values()), "as_of_kinds": as_of}
    lines = [json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in rows]
    opening = json.dumps(head, ensure_ascii=False)[:-1]
    return opening + ',"statutes":[\n' + ",\n".join(lines) + "\n]}\n"


def figures(rows, report):
    kinds = collections.Counter(row["kind"] for row in rows)
    core = [row for row in rows if row.get("core")]
    flat = [v for row in rows for v in row["versions"]]
    print(f"rows {len(rows)}: " + ", ".join(f"{k} {n}" for k, n in kinds.most_common()))
    print(f"repealed {sum('repealed' in r for r in rows)}, with a day "
          f"{sum(isinstance(r.get('repealed'), str) for r in rows)}")
    print(f"versions {len(flat)}: with articles {sum('articles' in v for v in flat)}, "
          f"with their first day {sum('from' in v for v in flat)}, "
          f"with shapes {sum('shapes' in v for v in flat)}")
    print(f"core rows {len(core)}: every version since 2010 {sum('complete' in r for r in core)}, "
          f"first day of the newest version {sum('from' in r['versions'][-1] for r in core)}")
    print(f"all rows with every version since 2010: {sum('complete' in r for r in rows)}")
    for title, lines in report.items():
        print(f"{title}: {len(lines)}")
        for line in lines:
            print("  " + line)


def check_skeletons(rows):
    """Differences between the table that skeletons cite and this one."""
    by_name = {row["name"]: row for row in rows}
    wrong = 0
    for cited in json.loads(SKELETONS.read_text("utf-8"))["statutes"]:
        row = by_name.get(cited["name"])
        if row is None:
            print(f"skeletons: {cited['name']} is not in the table")
            wrong += 1
            continue
        same = [v for v in row["versions"] if v.get("articles") == cited["articles"]]
        if not same:
            print(f"skeletons: {cited['name']}: {cited['articles']} articles, table "
                  f"{[v.get('articles') for v in row['versions']]}")
            wrong += 1
        elif "from" in same[-1] and same[-1]["from"] != cited["effective"]:
            print(f"skeletons: {cited['name']}: in force {cited['effective']}, table "
                  f"{same[-1]['from']}")
            wrong += 1
        elif "from" not in same[-1]:
            print(f"skeletons: {cited['name']}: in force {cited['effective']}, table unknown "
                  f"(published {same[-1].get('published')})")
        if "repealed" in row:
            print(f"skeletons: {cited['name']}: repealed {row['repealed']}")
            wrong += 1
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--facts", type=Path, required=True)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=TABLE)
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    arguments = parser.parse_args()
    if arguments.check and not (arguments.facts.is_dir() and arguments.corpus.is_dir()):
        print("inputs are not here: nothing to compare")
        return 0
    report = collections.defaultdict(list)
    rows = derive(arguments.facts, arguments.corpus, report)
    made = write(rows)
    figures(rows, report)
    wrong = check_skeletons(rows)
    if not arguments.check:
        arguments.out.write_text(made, "utf-8")
        print(f"{arguments.out.name}: {len(made.encode())} bytes")
        return 0
    if arguments.out.read_text("utf-8") != made:
        print(f"{arguments.out.name} differs from what the inputs give")
        wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
