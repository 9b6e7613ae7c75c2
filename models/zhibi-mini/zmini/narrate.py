# SPDX-License-Identifier: Apache-2.0
"""Writes the three free clauses of a case with the phrase banks: every fact of a clause is an element of the case."""
from . import phrases as ph
from .dsl import expand, pick
from .prompt import DELIVERY, date_text, rate_text, sum_text

NUMERAL = " 一二三四五六七八九十"


def count_text(number):
    """Chinese numeral of 1 to 20; the caller writes 两 where it counts pieces."""
    if number <= 10:
        return NUMERAL[number]
    return "十" + NUMERAL[number - 10] if number < 20 else "二十"


def _started(items):
    """The first item of an enumeration begins with 于, since words like 先后 may stand before it."""
    return items if items[0].startswith("于") else ["于" + items[0]] + items[1:]


class Mentions:
    """How parties are called: in full at the first mention in a clause, shorter afterwards where that is unambiguous."""

    def __init__(self, rng, case):
        self.rng = rng
        self.named = rng.random() < 0.7      # name the parties again at the start of later clauses
        self.always = rng.random() < 0.12    # name them everywhere
        self.repeat_title = rng.random() < 0.25
        self.piece = rng.choice(["二", "两"])
        defendants = case["defendants"]
        self.groups = {"P": [p["name"] for p in case["plaintiffs"]], "D": [d["name"] for d in defendants]}
        for key, role in (("B", "borrower"), ("G", "guarantor"), ("S", "spouse")):
            self.groups[key] = [d["name"] for d in defendants if d["role"] == role]
        self.seen = set()

    def start_clause(self, first):
        self.seen = set() if first or self.named else set("PBGSD")

    def full(self, key):
        title, group = ("原告" if key == "P" else "被告"), self.groups[key]
        if self.repeat_title and len(group) > 1:
            return "、".join(title + name for name in group)
        return title + "、".join(group)

    def short(self, key):
        title, group = ("原告" if key == "P" else "被告"), self.groups[key]
        whole = key == "P" or len(group) == len(self.groups["D"])
        if not whole:
            return self.full(key)
        if len(group) == 1:
            return title
        count = self.piece if len(group) == 2 else count_text(len(group))
        return count + title

    def __call__(self, key):
        if key in self.seen and not self.always:
            return self.short(key)
        self.seen.add(key)
        return self.full(key)


class Writer:
    """Writes one case; `clauses()` returns the texts of 借款经过, 履行与催收 and 理由."""

    def __init__(self, rng, case):
        self.rng, self.case, self.loan = rng, case, case["loan"]
        self.mention = Mentions(rng, case)
        loan = self.loan
        self.slots = {key: (lambda k=key: self.mention(k)) for key in "PBGSD"}
        self.slots.update(date=date_text(loan["date"]), sum=sum_text(loan["amount_fen"]), out=sum_text(case["outstanding_fen"]))
        if loan.get("rate_year_percent"):
            self.slots["rate"] = rate_text(loan["rate_year_percent"])
        if loan.get("term_end"):
            self.slots["term"] = date_text(loan["term_end"])
        if case.get("interest_from"):
            self.slots["from"] = date_text(case["interest_from"])
            self.slots["crate"] = rate_text(case["interest_rate_percent"])
        self.old = loan["date"] < "2021-01-01"

    def pick(self, bank, **extra):
        return pick(self.rng, bank, {**self.slots, **extra} if extra else self.slots)

    def clauses(self):
        self.mention.start_clause(True)
        first = self.lending()
        self.mention.start_clause(False)
        second = self.performance()
        self.mention.start_clause(False)
        return [first, second, self.reasons()]

    # -- 借款经过
    def lending(self):
        text = self._relation() + self._borrow()
        delivery = self._deliver()
        security = ""
        if self.mention.groups["G"] and not self.case.get("guarantee"):
            security = self._lazy(ph.GUARANTEE_BARE)
        elif self.mention.groups["G"]:
            bank = {"joint": ph.GUARANTEE_JOINT, "general": ph.GUARANTEE_GENERAL, "unspecified": ph.GUARANTEE_UNSPECIFIED}
            kind, period = self.case["guarantee"]["kind"], self.case["guarantee"].get("period")
            extra = self.pick(ph.PERIOD, period_text=period) if period else ""
            security = self._lazy(bank[kind], period=extra)
        if self.rng.random() < 0.75:
            text += delivery() + (security() if security else "")
        else:
            text += (security() if security else "") + delivery()
        if self.mention.groups["S"]:
            basis = self.case.get("spouse_basis")
            several = len(self.mention.groups["B"]) > 1
            text += self.pick(ph.SPOUSE_IS_SEVERAL if several else ph.SPOUSE_IS) + self.pick(ph.SPOUSE_BASIS[basis]) + "。"
        return text

    def _lazy(self, bank, **extra):
        return lambda: self.pick(bank, **extra)

    def _relation(self):
        relation = self.case.get("relation")
        if not relation:
            return ""
        from .facts import RELATION_ACTS  # late: facts draws, narrate only reads the list
        if relation in RELATION_ACTS:
            return self.pick(ph.REL_ACT, rel=relation)
        return self.pick(ph.REL_FULL if relation.endswith("关系") or "单位" in relation else ph.REL_NOUN, rel=relation)

    def _why(self, tail_only):
        """Returns (why, tail): the purpose stands before the borrowing or after the sum."""
        use = self.loan.get("purpose")
        if not use:
            return (self.pick(ph.USE_NONE) if self.rng.random() < 0.15 else ""), ""
        if tail_only:
            return "", self.pick(ph.USE_TAIL, use=use)
        state = use.endswith(("需要", "困难", "紧张", "不足", "用钱", "急用", "治病", "住院治疗"))
        if not state and self.rng.random() < 0.3:
            return "", self.pick(ph.USE_TAIL, use=use)
        return self.pick(ph.USE_STATE if state else ph.USE_NEED, use=use), ""

    def _terms(self, rate_here):
        """The agreed term and rate, in random order, without a leading comma."""
        parts = [self.pick(ph.TERM_YES if self.loan.get("term_end") else ph.TERM_NO)]
        if rate_here and self.loan["rate_agreed"] == "written":
            parts.append(self.pick(ph.RATE_YES))
        elif self.loan["rate_agreed"] == "none":
            if parts[0].startswith("未约定") and self.rng.random() < 0.5:
                parts = [self.rng.choice(["未约定还款期限和利息", "未约定还款期限及利息", "对还款期限和利息均未作约定"])]
            else:
                parts.append(self.pick(ph.RATE_NO))
        if len(parts) == 2 and self.rng.random() < 0.35:
            parts.reverse()
        return "，".join(parts)

    def _borrow(self):
        written = self.loan["written"]
        bank = {"iou": ph.BORROW_IOU, "contract": ph.BORROW_CONTRACT, "none": ph.BORROW_NONE}[written]
        template = self.rng.choice(bank)
        why, tail = self._why("{why}" not in template)
        if not why:
            template = template.replace("{why}[，|]", "")
        terms = self._terms(True)
        lead = self.rng.choice(["，约定", "，载明", "，约定", "，"]) if written == "iou" else self.rng.choice(["，约定", "，双方约定", "，"])
        if terms.startswith(("未", "对", "双方")) or terms.startswith("约定") or terms.startswith("承诺"):
            lead = "，"
        bare = terms if lead == "，" and terms.startswith(("未", "对", "双方")) else self.rng.choice(["载明", "约定", "写明", "记载"]) + terms
        for verb in ("载明", "约定", "写明", "记载"):
            bare = bare.replace(verb + "约定", verb)
        extra = {"why": why, "tail": tail, "terms": lead + terms, "terms_bare": bare, "oral_terms": lead + terms}
        text = self.pick([template], **extra)
        if self.loan["rate_agreed"] == "oral":
            text += self.pick(ph.ORAL_RATE)
        return text

    def _deliver(self):
        parts = self.loan.get("deliveries")
        if not parts:
            bank = {"cash": ph.DELIVER_CASH, "mixed": ph.DELIVER_MIXED}.get(self.loan["delivery"], ph.DELIVER_PLAIN)
            return self._lazy(bank, how=DELIVERY[self.loan["delivery"]])
        items = [self.pick(ph.PART_CASH if p["delivery"] == "cash" else ph.PART_BANK, d=date_text(p["date"]),
                           how=DELIVERY[p["delivery"]], s=sum_text(p["amount_fen"])) for p in parts]
        items = _started(items)
        count = "两" if len(parts) == 2 else count_text(len(parts))
        joint = self.rng.choice(["，", "；", "，", "、"])
        return lambda: self.pick(ph.PARTS_LEAD, count=count) + joint.join(items) + "。"

    # -- 履行与催收
    def performance(self):
        text = ""
        if self.loan.get("extension"):
            ext = self.loan["extension"]
            text += self.pick(ph.EXTENSION, ext_date=date_text(ext["date"]), ext_end=date_text(ext["term_end"]))
        text += self._repaid() + self._demanded()
        tail = tail2 = ""
        if self.case.get("interest_from") and self.rng.random() < 0.9:
            tail, tail2 = self.pick(ph.OWED_INT), self.pick(ph.OWED_INT[1:])
        text += self.pick(ph.OWED, int=tail, int2=tail2)
        if self.mention.groups["G"]:
            text += self.pick(ph.GUARANTOR_UNPAID)
        if self.mention.groups["S"]:
            text += self.pick(ph.SPOUSE_UNPAID)
        if self.case.get("evidence") and self.rng.random() < 0.9:
            text += self.pick(ph.EVIDENCE, evidence="、".join(self.case["evidence"]))
        return text

    def _repaid(self):
        paid = self.case["repayments"]
        if not paid:
            lead = ph.DUE_LEAD_EXT if self.loan.get("extension") else ph.DUE_LEAD_TERM if self.loan.get("term_end") else ph.DUE_LEAD_OPEN
            bank = ph.UNPAID if self.loan["rate_agreed"] == "none" or self.rng.random() < 0.3 else ph.UNPAID_BOTH
            return self.pick(lead) + self.pick(bank)
        style = self.rng.random()
        banks = {kind: [self.rng.choice(ph.PAY[kind])] if style < 0.6 else ph.PAY[kind] for kind in ph.PAY}
        items = [self.pick(banks[p["kind"]], d=date_text(p["date"]), s=sum_text(p["amount_fen"])) for p in paid]
        lead = self.pick(ph.DUE_LEAD_OPEN) if self.rng.random() < 0.7 else ""
        items = _started(items)
        if len(items) == 1:
            return lead + self.pick(ph.PAY_LEAD_ONE, pay=items[0])
        count = "两" if len(items) == 2 else count_text(len(items))
        return lead + self.pick(ph.PAY_LEAD_MANY, pay=self.rng.choice(["，", "；", "，", "、"]).join(items), count=count)

    def _demand_item(self, demand, bank):
        """Adverbs (当面, 上门, ...) need no 通过 or 方式; everything else takes the template's words."""
        if demand["way"] in ph.ADVERB_WAYS:
            bank = ["于{d}{way}", "{d}{way}"]
        return self.pick(bank, d=date_text(demand["date"]), way=demand["way"])

    def _demanded(self):
        demands = self.case["demands"]
        if not demands:
            return ""
        unpaid = self._lazy(ph.UNPAID_END_SOME if self.case["repayments"] else ph.UNPAID_END_NONE)
        if len(demands) == 1:
            demand = demands[0]
            bank = ph.DEMAND_ADVERB if demand["way"] in ph.ADVERB_WAYS else ph.DEMAND_ONE
            return self.pick(bank, d=date_text(demand["date"]), way=demand["way"], unpaid=unpaid)
        bank = [self.rng.choice(ph.DEMAND_ITEM)] if self.rng.random() < 0.6 else ph.DEMAND_ITEM
        items = _started([self._demand_item(demand, bank) for demand in demands])
        return self.pick(ph.DEMAND_MANY, items="、".join(items), unpaid=unpaid)

    # -- 理由
    def reasons(self):
        rng, case = self.rng, self.case
        text = self.pick(ph.OPEN)
        people = all(p["kind"] == "natural" for p in case["plaintiffs"] + case["defendants"] if p.get("role", "borrower") == "borrower")
        orgs = all(p["kind"] != "natural" for p in case["plaintiffs"] + case["defendants"] if p.get("role", "borrower") == "borrower")
        if self.old:
            text += self.pick(ph.VALID[:3])
        elif people and rng.random() < 0.5:
            text += self.pick(ph.VALID_PEOPLE)
        elif orgs and rng.random() < 0.5:
            text += self.pick(ph.VALID_ORGS)
        else:
            text += self.pick(ph.VALID)
        if not self.old and rng.random() < 0.3:
            text += self.pick(ph.LOAN_DUTY)
        text += self._breach() + self._interest()
        liability = [part for part in (self._spouse(), self._surety()) if part]
        text += "".join(liability if rng.random() < 0.5 else reversed(liability))
        fee = [c for c in case["claims"] if c["kind"] == "lawyer_fee"]
        if fee:
            text += self.pick(ph.LAWYER, fee=sum_text(fee[0]["amount_fen"]))
        return text + self.pick(ph.CLOSE)

    def _breach(self):
        if self.old:
            return self.pick(ph.BREACH_OLD)
        if self.loan.get("term_end"):
            return self.pick(ph.BREACH_TERM)
        return self.pick(ph.BREACH_OPEN_ASKED if self.case["demands"] else ph.BREACH_OPEN)

    def _interest(self):
        basis = self.case.get("interest_basis")
        if not basis:
            return ""
        agreed = self.loan.get("rate_year_percent")
        if basis == "agreed":
            return self.pick(ph.INT_AGREED if agreed == self.case["interest_rate_percent"] else ph.INT_LESS)
        if basis == "lpr4":
            return self.pick(ph.INT_CAP if agreed else ph.INT_CAP_BARE)
        if self.loan["rate_agreed"] != "none":
            return self.pick(ph.INT_LPR_OTHER)
        return self.pick(ph.INT_LPR_NONE if not self.old else [ph.INT_LPR_NONE[0], ph.INT_LPR_NONE[2]])

    def _spouse(self):
        if not self.mention.groups["S"]:
            return ""
        bank = ph.SPOUSE_OLD if self.old else ph.SPOUSE_WHY[self.case.get("spouse_basis")]
        if len(self.mention.groups["B"]) > 1:  # the elements don't say whose spouse it is
            bank = [t.replace("与{B}共同签字", "共同签字").replace("{B}的配偶", "借款人的配偶") for t in bank]
        return self.pick(bank)

    def _surety(self):
        if not self.mention.groups["G"]:
            return ""
        kind = (self.case.get("guarantee") or {"kind": "unspecified"})["kind"]
        if self.old:
            return self.pick(ph.SURETY_OLD, liab="连带清偿责任" if kind == "joint" else "保证责任")
        bank = {"joint": ph.SURETY_JOINT, "general": ph.SURETY_GENERAL, "unspecified": ph.SURETY_UNSPECIFIED}[kind]
        return self.pick(bank) + self.pick(ph.SURETY_SCOPE)


def write_clauses(rng, case):
    """Returns the three clause texts of a case."""
    return Writer(rng, case).clauses()
