# SPDX-License-Identifier: Apache-2.0
"""Reads texts of statutes: who adopted them and when they were changed (the lines below the
title), articles with their paragraphs and items, what they repeal and rename. Used by
derive_statutes.py. It only reads what stands there; a line that it does not know is left out."""
import dataclasses
import re

NUMBER = "[零〇○一二三四五六七八九十百千两]+"
# Some texts lack the blank behind the number, or have it inside; 笫 is a common misspelling.
ARTICLE = re.compile(f"[第笫]({NUMBER}) ?条(?:之({NUMBER}))?(?![第规的和、至所款之中以与及])")
HEADING = re.compile(f"(?:第{NUMBER}(?:编|分编|章|节)(?=[ \u3000]|$)|附 ?则$|目 ?录$|序 ?言$)")
SECTION = re.compile(f"{NUMBER}、[^。；：]{{1,30}}$")
TAIL = re.compile("(?:附件|附录|附表|附：|附$|注：)")
DAY = "(\\d{4})年(\\d{1,2})月(\\d{1,2})日"
ITEM = re.compile(f"（({NUMBER})）")
ASCII_ITEM = re.compile("[（(]?(\\d{1,2})[)）.．、]")
UNITS = {"十": 10, "百": 100, "千": 1000}
DIGITS = {c: i for i, c in enumerate("零一二三四五六七八九")} | {"〇": 0, "○": 0, "两": 2}


@dataclasses.dataclass
class Text:
    name: str
    kind: str
    articles: dict = dataclasses.field(default_factory=dict)  # (number, inserted) -> lines
    deleted: list = dataclasses.field(default_factory=list)
    changes: list = dataclasses.field(default_factory=list)  # days, adoption first
    adopted_by: str = ""
    number: str = ""
    last_day: str = ""  # that the last articles name for the text itself
    repeals: list = dataclasses.field(default_factory=list)
    renamed: list = dataclasses.field(default_factory=list)  # old, new
    gaps: int = 0  # lines that look like articles but do not follow the one before
    tail: bool = False  # something follows the last article
    first: bool = False  # changes[0] is the adoption, and no older document has the same name

    @property
    def last_article(self):
        return max((n for n, _ in self.articles), default=0)


def number(text):
    """一百二十 -> 120."""
    if not any(c in UNITS for c in text):
        return int("".join(str(DIGITS[c]) for c in text))
    total = part = 0
    for c in text:
        if c in UNITS:
            total += (part or 1) * UNITS[c]
            part = 0
        else:
            part = DIGITS[c]
    return total + part


def article(text):
    found = re.fullmatch(f"第({NUMBER})条(?:之({NUMBER}))?", text)
    return number(found[1]), number(found[2]) if found[2] else 0


def spell(articles):
    return " ".join(f"{n}-{i}" if i else str(n) for n, i in sorted(articles))


def normal(name):
    """A name in one spelling, for comparing."""
    name = re.sub("[《》〈〉﹤﹥<>\\s\u3000]", "", name)
    return name.replace("(", "（").replace(")", "）")


def iso(groups):
    return "{:04d}-{:02d}-{:02d}".format(*(int(g) for g in groups))


def head_lines(lines):
    """The lines between title and text, wrapped ones joined."""
    joined = []
    for line in lines[1:60]:
        if ARTICLE.match(line) or HEADING.match(line) or len(line) > 400:
            break
        starts = re.match(f"[（(]?(?:根据)?{DAY}", line) or re.match("法释|法〔", line)
        if starts or not joined:
            joined.append(line)
        else:
            joined[-1] += " " + line
    return joined


BODIES = (("全国人民代表大会常务委员会", "届全国人民代表大会常务委员会"),
          ("全国人民代表大会", "届全国人民代表大会第"),
          ("国务院、中央军事委员会", "国务院、中华人民共和国中央军事委员会"),
          ("国务院", "国务院"), ("最高人民法院", "最高人民法院"))


def read_head(text, lines):
    changes = []
    for line in head_lines(lines):
        if numbered := re.search("法释〔\\d{4}〕\\d+号", line[:40]):
            text.number = text.number or numbered[0]
        dated = re.match(f"[（(]?(?:根据)?{DAY}(.*)", line)
        if not dated:
            continue
        what = dated[4]
        if re.match("\\s*(起?施行|起?生效|执行)", what):
            continue
        amends = re.search("修改|修正|修订|的决定》|修正案", what)
        adopts = re.search("通过|公布|发布|批准|公告", what)
        if not amends and not adopts:
            continue
        day = iso(dated.groups()[:3])
        only_published = re.search("公布|发布|公告", what) and not re.search("通过", what)
        if changes and not amends and only_published:
            continue
        if not changes:
            text.first = not amends
            text.adopted_by = next((b for b, words in BODIES if words in what[:60]), "")
            order = re.search("国务院令第(\\d+)号", what)
            if order and text.kind == "regulation":
                text.number = f"国务院令第{order[1]}号"
        changes.append(day)
    text.changes = sorted(set(changes))


def read_articles(text, lines):
    at = None
    for line in lines[1:]:
        found = ARTICLE.match(line)
        if found:
            here = (number(found[1]), number(found[2]) if found[2] else 0)
            follows = at is None or here == (at[0] + 1, 0) or here == (at[0], at[1] + 1)
            if at is None and here[0] != 1:
                follows = " " in text.name  # a part of a code numbers on
            if follows:
                at = here
                text.articles[at] = [line[found.end():].strip(" \u3000")]
                text.tail = False
                continue
            if re.match("[ \u3000]", line[found.end():]):
                text.gaps += 1
        if at is None:
            continue
        if HEADING.match(line) or SECTION.match(line):
            continue
        if TAIL.match(line):
            text.tail = True
        if not text.tail:
            text.articles[at].append(line.strip(" \u3000"))
    text.deleted = sorted(a for a, body in text.articles.items()
                          if re.fullmatch("[（(]?(删去|删除|已删除|废止)[）)]?。?", body[0]))


def read_end(text):
    for body in list(text.articles.values())[-4:]:
        for line in body:
            own = re.search(f"本(?:法|条例|规定|办法|解释|规则|细则|决定|安排)(?:从|自)?{DAY}起(?:施行|生效)",
                            line)
            if own:
                text.last_day = iso(own.groups())
            for clause in re.split("[。；]", line):
                if clause.rstrip("，、 ").endswith("同时废止"):
                    text.repeals += [strip_marks(n) for n in outer_names(clause)]
    if normal(text.name) in map(normal, text.repeals):
        text.first = False


def outer_names(clause):
    """Names between 《 and its own 》, names within names left inside."""
    depth, start = 0, 0
    for place, c in enumerate(clause):
        if c in "《〈":
            if depth == 0:
                start = place + 1
            depth += 1
        elif c in "》〉" and depth:
            depth -= 1
            if depth == 0:
                before = re.search("(最高人民法院(?:、最高人民检察院)?)(?:[^，。《》]{0,14}的)?$",
                                   clause[:start - 1])
                name = clause[start:place]
                yield name if not before or name.startswith("最高") else before[1] + name


def strip_marks(name):
    return re.sub("[（(]法释.*?[）)]", "", name)


def parse(document):
    text = Text(document["title"], document["kind"])
    lines = document["text"].split("\n")
    read_head(text, lines)
    read_articles(text, lines)
    if text.articles:
        read_end(text)
    whole = document["text"]
    for found in re.finditer(
            "修改《([^\n]*)》\n1\\.将名称修改为：\n“([^\n”]*)”", whole):
        text.renamed.append((found[1], found[2]))
    return text


def join(parts, name):
    """One text of several that number their articles on."""
    whole = Text(name, parts[0].kind)
    for part in parts:
        for key, body in part.articles.items():
            whole.articles[key] = body
    whole.changes = parts[0].changes[:1]
    whole.first = parts[0].first
    whole.adopted_by = next(part.adopted_by for part in parts if part.adopted_by)
    read_end(whole)
    return whole


def shape(body):
    """Items of each paragraph; None: the lines do not show paragraphs for sure."""
    paragraphs = []
    for line in body:
        if not line:
            continue
        item = ITEM.match(line)
        if item or ASCII_ITEM.match(line):
            if not paragraphs:
                return None
            here = number(item[1]) if item else int(ASCII_ITEM.match(line)[1])
            if item or paragraphs[-1][1] == 0:
                paragraphs[-1][0] = max(paragraphs[-1][0], here)
            paragraphs[-1][1] |= bool(item)
            continue
        inline = [number(n) for n in ITEM.findall(line)]
        count = max(inline) if inline[:2] == [1, 2] else 0
        paragraphs.append([count, 1 if count else 0])
        if not re.search("[。：；！”）》]$", line):
            return None
    return [count for count, _ in paragraphs]


def shapes(text):
    """0 0,3 0*4 120-1=2; see src/statute/table_json.cc."""
    words = []
    at = (0, 0)
    keys = sorted(text.articles)
    for key in keys:
        counts = shape(text.articles[key])
        if counts is None or not counts or key in text.deleted:
            continue
        if key == keys[-1] and len(counts) > 1 and text.tail:
            continue
        word = ",".join(map(str, counts))
        if key == (at[0] + 1, 0):
            if words and words[-1][0] == word and words[-1][2] == (at[0], 0):
                words[-1] = [word, words[-1][1] + 1, key, words[-1][3]]
            else:
                words.append([word, 1, key, ""])
        else:
            words.append([word, 1, key, spell([key]) + "="])
        at = key
    return " ".join(mark + word + (f"*{times}" if times > 1 else "")
                    for word, times, _, mark in words)
