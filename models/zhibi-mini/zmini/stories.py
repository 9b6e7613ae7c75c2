# SPDX-License-Identifier: Apache-2.0
"""Cases of every document type but the private-lending complaint, and the paragraph that a model shall write for each.

A story is a dict: type (id of data/doctypes, or civil-complaint-other), lines (the element lines, PROMPT.md), clause (its name),
text (the paragraph), names (parties), family. Events are drawn by stage from causes.py; the narrative tells each event once, in
order, either word for word or in the paraphrase of the same template. A share of events are sentences of real judgments, always
kept word for word: a user's own words must survive. HELD_OUT names two families a type that training never sees.
"""
import datetime
import random
import re

from . import causes, names
from .dsl import expand
from .prompt import CLAUSE, ELEMENTS, END, TEXT_END, date_text, rate_text, sum_text

SENTENCES = []  # sentences of real judgments (set by the data workers)
NICKS = ["平安是福", "海阔天空", "一路向前", "阿强建材", "晨光", "小雨", "奋斗的青春", "好运来", "静水流深", "老张家常菜"]
SMALL = ("劳动争议", "物业服务合同纠纷", "服务合同纠纷", "生命权、身体权、健康权纠纷", "盗窃", "治安管理处罚", "市场监督处罚")  # causes of everyday sums
ASKED = ["微信", "电话", "短信", "书面函件", "电子邮件", "当面"]

# type -> (title, side labels, clause, label of an event line)
TYPES = {
    "civil-complaint-other": ("民事起诉状", ("原告", "被告"), "事实与理由", "经过"),
    "civil-answer": ("民事答辩状", ("答辩人", "被答辩人"), "事实和理由", "要点"),
    "civil-appeal": ("民事上诉状", ("上诉人", "被上诉人"), "上诉理由", "要点"),
    "civil-judgment": ("民事判决书", ("原告", "被告"), "本院查明", "经过"),
    "labor-arbitration-application": ("劳动人事争议仲裁申请书", ("申请人", "被申请人"), "事实和理由", "经过"),
    "traffic-accident-complaint": ("机动车交通事故责任纠纷民事起诉状", ("原告", "被告"), "事故经过", "经过"),
    "enforcement-application": ("强制执行申请书", ("申请执行人", "被执行人"), "事实和理由", "经过"),
    "payment-order-application": ("支付令申请书", ("申请人", "被申请人"), "事实和理由", "经过"),
    "preservation-application": ("财产保全申请书", ("申请人", "被申请人"), "事实和理由", "经过"),
    "lawyers-letter": ("律师函", ("委托人", "收函人"), "事实", "经过"),
    "indictment": ("起诉书", ("被告人",), "经依法审查查明", "经过"),
    "criminal-judgment": ("刑事判决书", ("被告人",), "经审理查明", "经过"),
    "administrative-judgment": ("行政判决书", ("原告", "被告"), "经审理查明", "经过"),
}
WEIGHTS = [5, 4, 3, 4, 3, 3, 2, 2, 2, 2, 2, 2, 2]

# type -> families (cause, number of the key dispute) kept out of training
HELD_OUT = {
    "civil-complaint-other": {("买卖合同纠纷", 3), ("离婚纠纷", 1)}, "civil-answer": {("买卖合同纠纷", 4), ("服务合同纠纷", 10)},
    "civil-appeal": {("房屋租赁合同纠纷", 2), ("建设工程施工合同纠纷", 11)}, "civil-judgment": {("股权转让纠纷", 1), ("信用卡纠纷", 3)},
    "labor-arbitration-application": {("劳动争议", 3), ("劳动争议", 6)},
    "traffic-accident-complaint": {("机动车交通事故责任纠纷", 1), ("机动车交通事故责任纠纷", 5)},
    "enforcement-application": {("买卖合同纠纷", 1), ("金融借款合同纠纷", 4)}, "payment-order-application": {("买卖合同纠纷", 0), ("服务合同纠纷", 0)},
    "preservation-application": {("买卖合同纠纷", 5), ("股权转让纠纷", 2)}, "lawyers-letter": {("房屋租赁合同纠纷", 0), ("物业服务合同纠纷", 1)},
    "indictment": {("盗窃", 2), ("诈骗", 0)}, "criminal-judgment": {("盗窃", 0), ("职务侵占", 1)},
    "administrative-judgment": {("工伤认定", 1), ("房屋征收", 0)},
}
LINKS = ["后", "此后，", "其后，", "随后，", "之后，", "期间，", ""]
OPEN = {
    "complaint": ["", "", "", "[原、被告双方之间的|双方]纠纷[经过如下|事实如下]：", "[本案事实经过为|事实经过如下]："],
    "judgment": ["", "", "", "[双方纠纷的经过如下|纠纷经过如下]："],
}
CLOSE = {
    "civil-complaint-other": ["[为维护自身合法权益|为维护合法权益]，[原告特诉至法院|原告诉至贵院]，[请求判如所请|望判如所请|请求支持原告的诉讼请求]。", "{B}的上述行为[损害了|侵害了]{A}的合法权益，[故诉至法院|特向贵院起诉]。", "双方[协商未果|无法协商一致]，{A}[故提起诉讼|遂诉至法院]。"],
    "civil-answer": ["综上，[对方的诉讼请求缺乏事实依据|对方的请求没有事实依据]，[请求依法驳回|请求人民法院依法驳回]。", "综上，[请求人民法院查明事实|请求法院在查明事实的基础上]，[依法裁判|依法作出裁判]。"],
    "civil-appeal": ["综上，[一审判决有误|原判确有错误]，[请求二审法院依法支持上诉请求|请求二审法院依法改判]。", "综上，[请求二审法院查明事实|恳请二审法院查清事实]，[支持上诉人的上诉请求|依法支持上诉请求]。"],
    "labor-arbitration-application": ["[为维护自身合法权益|为维护合法权益]，[申请人特申请仲裁|特提出仲裁申请]，[请求支持仲裁请求|望裁如所请]。", "双方[协商未果|未能协商一致]，[故申请仲裁|遂提起仲裁申请]。"],
    "enforcement-application": ["[为实现生效法律文书确定的权利|为维护合法权益]，[特申请强制执行|申请人申请强制执行]。"],
    "payment-order-application": ["[双方债权债务关系明确|上述债权债务明确]，[没有其他债务纠纷|不存在其他债务纠纷]，[特申请支付令|请求发出支付令]。"],
    "preservation-application": ["[为避免将来判决难以执行|为防止判决难以执行]，[特申请财产保全|申请人申请财产保全]。"],
    "lawyers-letter": ["[上述事实有相应证据佐证|以上事实有相关证据证明]。", ""],
}


def _money(rng, small):
    if small:
        return sum_text(rng.randint(2, 900) * rng.choice([1000, 5000, 10000]) + (rng.randint(1, 99) if rng.random() < 0.2 else 0))
    base = rng.choice([rng.randint(1, 99) * 100, rng.randint(10, 999) * 1000, rng.randint(1, 500) * 10000, rng.randint(300, 9999999)])
    return sum_text(base * 100 + (rng.randint(1, 99) if rng.random() < 0.2 else 0))


class Story:
    """Draws one story; `rng` decides everything."""

    def __init__(self, rng, kind, family):
        self.rng, self.kind, self.family = rng, kind, family
        self.day = datetime.date(2021, 1, 1) + datetime.timedelta(days=rng.randrange(1700))
        self.criminal = kind in ("indictment", "criminal-judgment")
        cause = causes.CAUSES.get(family[0])
        sides = cause["sides"] if cause else ("P", "P") if self.criminal else ("OP", "O")
        self.kinds = [rng.choice(s) for s in sides]
        found = []
        while len(found) < 3:  # two parties, a third person
            make = names.organisation if self.kinds[len(found):len(found) + 1] == ["O"] else names.person
            name = make(rng)
            if not any(name in o or o in name for o in found):
                found.append(name)
        self.a, self.b, self.c = found
        self.goods, self.place = rng.choice(causes.GOODS), rng.choice(names.REGIONS) + rng.choice(causes.PLACES)
        self.work, self.post = rng.choice(causes.WORKS), rng.choice(causes.POSTS)
        swap = kind == "civil-answer" or kind == "civil-appeal" and rng.random() < 0.5
        self.first = "B" if swap else "A"  # the side that writes
        labels = TYPES[kind][1]
        self.roles = {"A": "被害人", "B": "被告人"} if self.criminal else {self.first: labels[0], "AB"[self.first == "A"]: labels[1]}
        self.style = rng.choice(["name", "name", "role", "both"])  # how the element lines call the parties
        self.told = rng.choice(["both", "name", "title", "title"])
        self.seen = set()

    def call(self, key, style):
        name, role = (self.a, self.b)["AB".index(key)], self.roles[key]
        if self.criminal or style == "name":
            return name
        if style == "role":
            return role
        if style == "title":  # in full at the first mention, the role alone afterwards
            full = key not in self.seen
            self.seen.add(key)
            return role + name if full else role
        return role + name

    def slots(self):
        rng, small = self.rng, self.family[0] in SMALL
        later = self.day + datetime.timedelta(days=rng.randint(10, 500))
        return {"C": self.c, "goods": self.goods, "place": self.place, "work": self.work, "post": self.post, "hurt": rng.choice(causes.HURTS),
                "nick": rng.choice(NICKS), "way": rng.choice(ASKED), "s": _money(rng, small), "s2": _money(rng, small), "d2": date_text(later.isoformat()),
                "n": str(rng.randint(2, 60)), "n2": str(rng.randint(2, 90)), "m": str(rng.randint(2, 60)), "r": rate_text(rng.randint(300, 2400) / 100) + "%"}

    def event(self, template, dated=True):
        """(date or None, element text, narrative maker)."""
        rng, fixed = self.rng, self.slots()
        plain = template.lstrip("~")
        dated = dated and not template.startswith("~") and rng.random() < 0.9
        if dated:
            self.day += datetime.timedelta(days=rng.choice([0, 1, 3, rng.randint(2, 200), rng.randint(2, 60)]))

        def voice(style):
            return {**fixed, "A": lambda: self.call("A", style), "B": lambda: self.call("B", style), "X": lambda: self.call(self.first, style)}
        seen, self.seen = self.seen, set()
        element = expand(rng, plain, voice(self.style))
        self.seen = seen
        word_for_word = rng.random() < 0.45 or self.style == "role"
        tell = (lambda: element) if word_for_word else (lambda: expand(rng, plain, voice(self.told)))
        return (date_text(self.day.isoformat()) if dated else None, element, tell)

    def real(self):
        self.day += datetime.timedelta(days=self.rng.randint(1, 60))
        text = self.rng.choice(SENTENCES)
        return (date_text(self.day.isoformat()) if self.rng.random() < 0.4 else None, text, lambda: text)

    def events(self):
        rng, out = self.rng, []
        if self.kind == "civil-answer" or self.kind == "civil-appeal":
            bank = causes.DEFENCE if self.kind == "civil-answer" else causes.APPEAL
            chosen = [self.family[1]] + [i for i in rng.sample(causes.points(bank, self.family[0]), rng.randint(0, 5)) if (self.family[0], i) not in HELD_OUT[self.kind] and i != self.family[1]]
            rng.shuffle(chosen)
            out = [self.event(bank[i], dated=False) for i in chosen]
        elif self.criminal or self.kind == "administrative-judgment":
            bank = (causes.CRIMINAL if self.criminal else causes.ADMIN)[self.family[0]]
            out = [self.event(bank[self.family[1]])]
            out += [self.event(t) for t in rng.sample(bank, rng.randint(0, len(bank) - 1)) if t is not bank[self.family[1]] and (self.family[0], bank.index(t)) not in HELD_OUT[self.kind]]
            if self.criminal:
                out += [self.event(t) for t in rng.sample(causes.CRIME_TAIL, rng.randint(0, 3))]
        else:
            cause = causes.CAUSES[self.family[0]]
            out = [self.event(rng.choice(cause["key"]))]
            out += [self.event(t) for t in rng.sample(cause["perform"], min(len(cause["perform"]), rng.choice([0, 1, 1, 2, 3, 5])))]
            out.append(self.event(cause["breach"][self.family[1]]))
            others = [t for i, t in enumerate(cause["breach"]) if (self.family[0], i) not in HELD_OUT[self.kind] and i != self.family[1]]
            out += [self.event(t) for t in rng.sample(others, rng.choice([0, 0, 1, 2]))]
            out += [self.event(t) for t in rng.sample(causes.demands(self.family[0]), rng.choice([0, 1, 1, 2]))]
            if self.kind == "enforcement-application":
                out += [self.event(t) for t in rng.sample(causes.ENFORCE, rng.randint(1, 3))]
            if self.kind == "preservation-application":
                out += [self.event(t, dated=False) for t in rng.sample(causes.RISK, rng.randint(1, 2))]
        if rng.random() < 0.3:
            out.insert(rng.randint(0, len(out)), self.event(rng.choice(causes.odd(self.family[0], "".join(k for k, v in zip("AB", self.kinds) if v == "O")))))
        if SENTENCES and rng.random() < 0.35:
            for _ in range(rng.randint(1, 4)):
                out.insert(rng.randint(0, len(out)), self.real())
        return out

    def heads(self):
        title, labels, _, _ = TYPES[self.kind]
        lines = ["文书：" + title]
        if not self.criminal:
            lines.append("案由：" + self.family[0])
        people = {"A": (self.a, self.kinds[0]), "B": (self.b, self.kinds[1])}
        order = ["B"] if self.criminal else [self.first, "AB"[self.first == "A"]]
        for label, key in zip(labels, order):
            name, kind = people[key]
            lines.append(f"{label}1：{name}，{'组织' if kind == 'O' else self.rng.choice(['自然人，男', '自然人，女', '自然人'])}")
        return lines

    def paragraph(self, events):
        rng, parts = self.rng, []
        linked = rng.random()
        points = self.kind in ("civil-answer", "civil-appeal")
        numbered = points and rng.random() < 0.6 and len(events) > 1
        for n, (date, _, tell) in enumerate(events):
            if numbered:
                lead = names_number(n) + "、"
            elif date:
                lead = date + "，"
            else:
                lead = rng.choice(LINKS) if n and not points and rng.random() < linked * 0.5 else ""
                lead = "此后，" if lead == "后" else lead
            if numbered and date:
                lead += date + "，"
            body = tell().rstrip("。；")
            parts.append(lead + body + ("；" if not numbered and n + 1 < len(events) and rng.random() < 0.15 else "。"))
        opening = expand(rng, rng.choice(OPEN["judgment" if "judgment" in self.kind or self.criminal else "complaint"]), {}) if not points and not self.criminal else ""
        closing = ""
        if self.kind in CLOSE:
            slots = {"A": lambda: self.call("A", "both"), "B": lambda: self.call("B", "both")}
            closing = expand(rng, rng.choice(CLOSE[self.kind]), slots)
        return opening + "".join(parts) + closing

    def make(self):
        events = self.events()
        _, _, clause, label = TYPES[self.kind]
        lines = self.heads()
        for n, (date, text, _) in enumerate(events, 1):
            lines.append(f"{label}{n}：" + (date + "，" if date else "") + text)
        return {"type": self.kind, "lines": lines, "clause": clause, "text": self.paragraph(events), "names": [self.a, self.b, self.c],
                "party": [self.a, self.b], "family": self.family}


def names_number(n):
    return "一二三四五六七八九十"[n] if n < 10 else "十" + "一二三四五六七八九"[n - 10]


def families(kind):
    """All fact-pattern families of a type: (cause, number of the key dispute)."""
    if kind == "civil-answer":
        return [(c, i) for c in causes.CAUSES for i in causes.points(causes.DEFENCE, c)]
    if kind == "civil-appeal":
        return [(c, i) for c in causes.CAUSES for i in causes.points(causes.APPEAL, c)]
    if kind in ("indictment", "criminal-judgment"):
        return [(c, i) for c, bank in causes.CRIMINAL.items() for i in range(len(bank))]
    if kind == "administrative-judgment":
        return [(c, i) for c, bank in causes.ADMIN.items() for i in range(len(bank))]
    only = {"labor-arbitration-application": ["劳动争议"], "traffic-accident-complaint": ["机动车交通事故责任纠纷"]}.get(kind, list(causes.CAUSES))
    return [(c, i) for c in only for i in range(len(causes.CAUSES[c]["breach"]))]


FAMILIES = {kind: families(kind) for kind in TYPES}
TRAIN = {kind: [f for f in FAMILIES[kind] if f not in HELD_OUT[kind]] for kind in TYPES}


def make_story(rng, kind=None, test=False):
    """One story; `test` draws a family that training never sees."""
    kind = kind or rng.choices(list(TYPES), WEIGHTS)[0]
    return Story(rng, kind, rng.choice(sorted(HELD_OUT[kind])) if test else rng.choice(TRAIN[kind])).make()


def elements_text(story):
    return ELEMENTS + "\n" + "".join(line + "\n" for line in story["lines"])


def document_text(story):
    return elements_text(story) + f"{CLAUSE}{story['clause']}\n{story['text']}{END}{TEXT_END}"


SENTENCE = re.compile(r"[^。\n]{18,90}(?=。)")


def sentences(texts):
    """Sentences of real judgments that can stand as an event: no citation, no reasoning of the court."""
    return [m for text in texts for m in SENTENCE.findall(text) if not re.search("[《》：:“”？！<|]|本院|法律|规定|第.{1,6}条|二审|一审|原审|公诉|犯|住址|^[一二三四五六七八九十]、", m)]


# --- measures -----------------------------------------------------------------------------------------------------------

VALUES = (re.compile(r"\d+年\d+月\d+日"), re.compile(r"\d+(?:\.\d+)?元"), re.compile(r"\d+(?:\.\d+)?%"))
NUMBER = re.compile(r"\d+(?:\.\d+)?")


def check(story, text):
    """Counts of one draft: every date, sum, rate and number of the elements' event lines is required, no other may stand there."""
    head = len([line for line in story["lines"] if not re.match(r"(经过|要点)\d+：", line)])
    source = "\n".join(re.sub(r"^(经过|要点)\d+：", "", line) for line in story["lines"][head:])
    whole, known, wanted, rest = text, set(), [], source
    for name in sorted(story["party"], key=len, reverse=True):
        rest = rest.replace(name, "〇")
    for pattern in VALUES + (NUMBER,):
        found = pattern.findall(rest)
        known.update(found)
        wanted += found
        rest = pattern.sub("", rest)
    required = wanted + [n for n in story["names"] if n in source]
    missing = [w for w in required if w not in whole]
    rest, foreign, written = whole, [], 0
    for name in sorted(story["party"], key=len, reverse=True):
        rest = rest.replace(name, "〇")
    for pattern in VALUES + (NUMBER,):
        found = pattern.findall(rest)
        written += len(found)
        foreign += [m for m in found if m not in known]
        rest = pattern.sub("", rest)
    # a name next to a role that begins like a party's name and then differs
    misnamed = []
    for name in story["party"]:
        for role in ("原告", "被告", "被告人", "上诉人", "申请人", "答辩人", "委托人", "收函人", "申请执行人", "被执行人"):
            for place in re.finditer(role + re.escape(name[0]), whole):
                tail = whole[place.start() + len(role):]
                if not any(tail.startswith(n) for n in story["names"]) and tail[:2] not in source and tail[:2] not in story["text"]:
                    misnamed.append(role + tail[:8])
    clauses = [c for c in re.split("[。；]", whole) if len(c) > 8]
    real = [c for c in re.split("[。；]", story["text"]) if len(c) > 8]
    repeated = max(0, len(clauses) - len(set(clauses)) - (len(real) - len(set(real))))
    return {"foreign": foreign, "misnamed": misnamed, "missing": missing, "facts": len(required), "values": written,
            "repeated": repeated, "unfinished": int(not whole.endswith("。"))}
