# SPDX-License-Identifier: Apache-2.0
"""Faults in sentences that are written into a document, where too few documents have one of their own.

The sentence is right in the twin and wrong in the faulty text, so the twin shows that the rule is
silent about it. The kinds that change a document's own words stand in the other files.
"""
import re

from . import numbers
from .fault import Fault, choose, kind, near, replace
from .kinds_amounts import other_number
from .kinds_cases import PERSON, SIGNED, TITLE
from .kinds_form import whole

OPINION = re.compile(r"^(?:经审理查明|本院经审理查明|本院查明|另查明)[，：]", re.M)
HOLDING = re.compile(r"判决如下：\n")
ITEMS = ("医疗费", "误工费", "护理费", "交通费", "营养费", "住院伙食补助费", "鉴定费", "残疾赔偿金",
         "丧葬费", "精神损害抚慰金", "车辆维修费", "施救费")


def civil_first(text):
    """A holding of a civil court of first instance of its own, not one that is recited."""
    return len(HOLDING.findall(text)) == 1 and not re.search(r"被告人|原审|一审|二审|再审", text)


COUNT = "一二三四五六七八九十"


def with_first_item(text, words):
    """`words` as the first holding; the others of the document are counted on from two."""
    match = HOLDING.search(text)
    if not match or not civil_first(text) or not text.startswith("一、", match.end()):
        return None
    at, lines = match.end(), text[match.end():].split("\n")
    wanted = 0
    for i, line in enumerate(lines):
        if wanted + 1 >= len(COUNT) or not line.startswith(COUNT[wanted] + "、"):
            break
        wanted += 1
        lines[i] = COUNT[wanted] + line[1:]
    return text[:at] + words + "\n".join(lines), at


def put(text, at, words, start, end, wrong):
    """The document with `words` at `at`; in the faulty text words[start:end] is written `wrong`."""
    twin = text[:at] + words + text[at:]
    return replace(twin, at + start, at + end, wrong)


@kind("written-total", "AMT-02")
def written_total(text, rng):
    """a list of items whose total is wrong by one digit"""
    match = OPINION.search(text)
    if not match:
        return None
    values = [rng.randint(200, 90000) for _ in range(rng.randint(2, 6))]
    names = rng.sample(ITEMS, len(values))
    total = str(sum(values))
    mark = rng.choice("、，；")
    words = "原告的损失为" + mark.join(f"{n}{v}元" for n, v in zip(names, values))
    words += f"，{rng.choice(('合计', '共计', '以上合计'))}{total}元。"
    start = words.rindex(total + "元")
    return put(text, match.end(), words, start, start + len(total), other_number(rng, total))


@kind("written-rate-above-the-cap", "AMT-04")
def written_rate(text, rng):
    """a loan between persons after 2020-08-20 above four times the LPR of its day"""
    bank = r"支行|分行|信用社|小额贷款|信用卡|金融借款"
    match = OPINION.search(text)
    if not match or re.search(bank + "|被告人|离婚|劳动", text) or not re.search(r"借款|借条", text):
        return None
    year, cap = rng.choice((("2020年9月1日", 15.4), ("2021年6月1日", 15.4), ("2022年3月1日", 14.8),
                            ("2023年5月8日", 14.6), ("2024年11月5日", 12.4)))
    rate = numbers.plain(round(cap - rng.choice((0, 0.4, 2.4)), 1))
    rate = rate[:-1] if rate.endswith("0") and "." in rate else rate
    wrong = numbers.plain(float(round(cap + rng.choice((1, 3, 9, 21)))))
    words = f"{year}，双方签订借条，约定借款50000元，年利率{rate}%。"
    start = words.index("年利率")
    fault = put(text, match.end(), words, start + 3, start + 3 + len(rate), wrong)
    fault.start -= 3
    fault.end += 1
    return fault


@kind("written-interest-without-end", "AMT-07")
def written_interest(text, rng):
    """a holding on interest that says from when and not until when"""
    end = rng.choice(("，计算至实际清偿之日止", "，计至借款付清之日止", "至款项还清之日止"))
    words = f"一、被告于本判决生效之日起十日内向原告支付利息（以{rng.randint(2, 90)}0000元为基数，按年利率6%" \
            f"自2016年{rng.randint(1, 12)}月1日起计算{end}）；\n"
    return cut_from_item(text, words, end)


@kind("written-court-fee", "FEE-01")
def written_fee(text, rng):
    """a fee that does not follow from the sum in dispute beside it"""
    match = re.search(r"^(?:如|若)?不服本(?:判决|裁定)|^(?:代理)?审判[长员]", text, re.M)
    if not match or re.search(r"被告人|受理费", text):
        return None
    if re.search(r"减半|简易程序|标的额|劳动争议", text):
        return None
    amount = rng.choice((42000, 68000, 93000, 150000, 388000, 640000, 1250000))
    fee = numbers.plain(numbers.court_fee(amount))
    words = f"诉讼标的额{amount}元，案件受理费{fee}元，由被告负担。\n"
    start = words.rindex(fee + "元")
    wrong = numbers.plain(round(float(fee) * rng.choice((0.6, 0.8, 1.3, 1.9))) + 9)
    fault = put(text, match.start(), words, start, start + len(fee), wrong)
    fault.end += 1
    return fault


@kind("written-holding-without-term", "ENF-01")
def written_holding(text, rng):
    """a holding to pay a sum that says no day"""
    term = rng.choice(("于本判决生效之日起十日内", "于本判决发生法律效力后七日内", "在本判决生效后三十日内"))
    verb = rng.choice(("支付", "偿还", "返还", "赔偿"))
    return cut_from_item(text, f"一、被告{term}向原告{verb}{rng.randint(2, 980)}00元；\n", term)


def cut_from_item(text, words, cut):
    made = with_first_item(text, words)
    if not made:
        return None
    twin, at = made
    place = at + words.index(cut)
    return Fault(twin[:place] + twin[place + len(cut):], at, at + len(words) - len(cut), twin)


@kind("written-masked-alike", "RED-03")
def masked_alike(text, rng):
    """two parties are masked into one name"""
    found = {m.group(3): m for m in PERSON.finditer(text) if not re.search(r"[某×]", m.group(3))}
    if len(found) < 2:
        return None
    names = list(found)[:2]
    family = names[0][0]
    if f"{family}某" in text:
        return None
    twin = text.replace(names[0], f"{family}某1").replace(names[1], f"{family}某2")
    second = [m for m in PERSON.finditer(twin) if m.group(3) == f"{family}某2"]
    lines = re.search(rf"^[^，\n]*?({family}某)2，(?:男|女)，", twin, re.M)
    at = second[0].start(3) if second else lines.start(1) if lines else -1
    return replace(twin, at, at + 3, f"{family}某1") if at >= 0 else None


@kind("written-court-name", "ENT-07")
def court_name(text, rng):
    """the own court, named once more with one character changed"""
    own = text.split("\n", 1)[0]
    match = re.search(r"^本院(?=认为，|经审理查明)", text, re.M)
    if not re.fullmatch(r"[一-龥]{5,30}人民法院", own) or not match or not TITLE.search(text[:400]):
        return None
    if own.startswith("中华人民共和国") or not SIGNED.search(text):
        return None
    places = [i for i in range(1, len(own) - 4) if own[i] not in "省市区县州旗盟第一二三四五中级高东西南北"]
    i = rng.choice(places) if places else 0
    if i == 0:
        return None
    wrong = own[:i] + rng.choice([c for c in "江川阳山河林安平" if c != own[i]]) + own[i + 1:]
    twin = text[:match.start()] + own + text[match.end():]
    return replace(twin, match.start(), match.start() + len(own), wrong)


@near("written-right-total", "AMT-02")
def right_total(text, rng):
    """a list of items, a payment on account, and the right total"""
    match = OPINION.search(text)
    if not match:
        return None
    values = [rng.randint(200, 90000) for _ in range(3)]
    words = "原告的损失为" + "、".join(f"{n}{v}元" for n, v in zip(ITEMS, values))
    words += f"，合计{sum(values)}元，被告已支付{values[0]}元，尚欠{values[1] + values[2]}元。"
    return Fault(text[:match.end()] + words + text[match.end():], match.end(),
                 match.end() + len(words), text)


@near("rate-of-a-bank", "AMT-04")
def bank_rate(text, rng):
    """a bank lends at 18 %"""
    match = OPINION.search(text)
    if not match or "被告人" in text or not re.search(r"借款|借条", text):
        return None
    words = "2022年3月1日，被告向某商业银行支行借款50000元，约定年利率18%。"
    return Fault(text[:match.end()] + words + text[match.end():], match.end(),
                 match.end() + len(words), text)
