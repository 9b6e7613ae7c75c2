# SPDX-License-Identifier: Apache-2.0
"""Faults in the structure of documents, in holdings, and in texts meant for the web."""
import re

from .fault import Fault, choose, kind, near, replace, without
from .kinds_cases import PERSON, SIGNED, TITLE, own_number


def whole(text):
    """Title, own holding and judges: the text is no excerpt."""
    return (TITLE.search(text[:400]) and re.search(r"(?:判决|裁定)如下：", text)
            and re.search(r"^(?:代理)?审判[长员]", text, re.M) and SIGNED.search(text))


def line_of(text, pattern):
    match = re.search(pattern, text, re.M)
    if not match:
        return None
    start = text.rfind("\n", 0, match.start()) + 1
    end = text.find("\n", match.end())
    return start, len(text) if end < 0 else end + 1


@kind("reasons-missing", "STR-01")
def no_reasons(text, rng):
    """the court's opinion is missing up to the law that it rests on"""
    found = list(re.finditer(r"(?:^|。)(本院认为，)", text, re.M))
    if not whole(text) or len(found) != 1 or "民事裁定书" in text[:200]:
        return None  # rulings on petitions often go without
    start = found[0].start(1)
    line_end = text.find("\n", start)
    law = re.compile(r"(?:综上[^，。]{0,6}，|据此，|为此，)?(?:依照|依据|根据)《").search(text, start)
    end = law.start() if law and law.start() < line_end else line_end + 1
    return without(text, start, end)


@kind("basis-missing", "STR-01")
def no_basis(text, rng):
    """依照《…》的规定 is missing before 判决如下"""
    found = re.findall(r"如下：", text)
    match = re.search(r"(?:依照|依据|根据)《[^。“”\n]*?(?=(?:判决|裁定)如下：)", text)
    if not whole(text) or len(found) != 1 or not match:
        return None
    return without(text, match.start(), match.end())


@kind("prosecution-missing", "STR-01")
def no_prosecution(text, rng):
    """the head does not name the prosecution"""
    line = line_of(text[:500], r"^公诉机关")
    if not whole(text) or not line or not re.search(r"^刑事判决书", text[:100], re.M):
        return None
    return without(text, *line)


@kind("own-number-missing", "STR-01")
def no_number(text, rng):
    """the case number under the title is missing"""
    number = own_number(text)
    if not whole(text) or not number or text[number.end():number.end() + 1] != "\n":
        return None
    return without(text, number.start(), number.end() + 1)


@kind("holding-words-missing", "STR-01")
def no_words(text, rng):
    """判决如下 is missing"""
    found = list(re.finditer(r"，?(?:判决|裁定|决定)如下：?", text))
    if not whole(text) or len(found) != 1:
        return None
    return without(text, found[0].start(), found[0].end())


@kind("facts-behind-the-opinion", "STR-02")
def facts_late(text, rng):
    """the paragraph of the facts stands behind the opinion"""
    facts = line_of(text, r"^(?:本院)?经(?:公开)?(?:开庭)?审理查明[：:，]")
    opinion = line_of(text, r"^本院认为，")
    if not whole(text) or not facts or not opinion or facts[1] > opinion[0]:
        return None
    paragraph = text[facts[0]:facts[1]]
    moved = text[:facts[0]] + text[facts[1]:opinion[1]] + paragraph + text[opinion[1]:]
    start = opinion[0] - len(paragraph)
    return Fault(moved, start, opinion[1], text)


@kind("notice-before-the-holding", "STR-02")
def notice_early(text, rng):
    """the notice of appeal stands before the opinion"""
    notice = line_of(text, r"^(?:如|若)?不服本(?:判决|裁定)")
    opinion = line_of(text, r"^本院认为，")
    if not whole(text) or not notice or not opinion or notice[0] < opinion[1]:
        return None
    paragraph = text[notice[0]:notice[1]]
    moved = text[:opinion[0]] + paragraph + text[opinion[0]:notice[0]] + text[notice[1]:]
    return Fault(moved, opinion[0], opinion[1] + len(paragraph), text)


@kind("ruling-words-in-a-judgment", "STR-03")
def ruling_words(text, rng):
    """裁定如下 in a judgment"""
    match = re.search(r"判决如下：", text)
    if not whole(text) or not match or "判决书" not in TITLE.search(text[:400]).group():
        return None
    if re.search(r"（(?:19|20)\d\d）[^\n]{0,16}(?:申|再|监|提|核)", text[:200]):
        return None
    found = list(re.finditer(r"判决如下：", text))
    return len(found) == 1 and replace(text, match.start(), match.end(), "裁定如下：") or None


@kind("judgment-words-in-a-ruling", "STR-03")
def judgment_words(text, rng):
    """判决如下 in a ruling"""
    found = list(re.finditer(r"裁定如下：", text))
    if not whole(text) or len(found) != 1 or "裁定书" not in TITLE.search(text[:400]).group():
        return None
    if not re.search(r"^（\d{4}）[^\n]{1,20}(?:终|民申|民提|民再)", text[:200], re.M):
        return None
    return replace(text, found[0].start(), found[0].end(), "判决如下：")


@kind("notice-in-a-final-ruling", "STR-03")
def notice_in_final(text, rng):
    """a notice of appeal in a ruling or judgment that is final"""
    match = re.search(r"^本(?:裁定|判决)为终审(?:裁定|判决)。\n", text, re.M)
    if not whole(text) or not match or not re.search(r"^（\d{4}）[^\n]{1,20}终", text[:200], re.M):
        return None
    what = "裁定" if "裁定书" in TITLE.search(text[:400]).group() else "判决"
    words = f"如不服本{what}，可在接到{what}书的第二日起十日内，向上一级人民法院提出上诉。\n"
    return Fault(text[:match.start()] + words + text[match.start():], match.start(),
                 match.start() + len(words), text)


@kind("appeal-notice-missing", "STR-04")
def no_notice(text, rng):
    """first instance without notice of appeal"""
    line = line_of(text, r"^(?:如|若)?不服本(?:判决|裁定)[^\n]*上诉")
    return line and whole(text) and without(text, *line) or None


@kind("final-notice-missing", "STR-04")
def no_final(text, rng):
    """second instance without 本裁定为终审裁定"""
    match = re.search(r"^本(?:裁定|判决)为终审(?:裁定|判决)。?\n", text, re.M)
    if not whole(text) or not match or not re.search(r"^（\d{4}）[^\n]{1,20}终", text[:200], re.M):
        return None
    if re.search(r"送达之日起发生法律效力|核准", text[text.rfind("如下"):]):
        return None  # says in other words that it is in force
    return without(text, match.start(), match.end())


def signature(text):
    judges = list(re.finditer(r"^(?:代理|助理)?审判[长员][^\n]{2,12}\n", text, re.M))
    return judges if whole(text) and judges else None


@kind("judges-missing", "STR-05")
def no_judges(text, rng):
    """no judge has signed"""
    judges = signature(text)
    if not judges or judges[-1].end() - judges[0].start() > 120:
        return None
    return without(text, judges[0].start(), judges[-1].end())


@kind("day-missing", "STR-05")
def no_day(text, rng):
    """the day under the judges is missing"""
    judges, day = signature(text), SIGNED.search(text)
    if not judges or not day or text[day.end():day.end() + 1] != "\n":
        return None
    return without(text, day.start(), day.end() + 1)


@kind("clerk-missing", "STR-05")
def no_clerk(text, rng):
    """no clerk has signed"""
    clerks = list(re.finditer(r"^(?:代)?书记员[^\n]{2,12}(?:\n|$)", text, re.M))
    if not signature(text) or len(clerks) != 1:
        return None
    return without(text, clerks[0].start(), clerks[0].end())


PLACEHOLDERS = ("【待填：{}】", "【请填写{}】", "____", "（此处填写{}）", "【{}待补】", "{{{{{}}}}}")


@kind("placeholder", "STR-06")
def placeholder(text, rng):
    """a value that nobody filled in"""
    spots = [(m, "金额") for m in re.finditer(r"(?<=人民币)\d+元", text)]
    spots += [(m, "日期") for m in re.finditer(r"\d{4}年\d{1,2}月\d{1,2}日", text)]
    spot = choose(rng, spots)
    if not spot:
        return None
    match, name = spot
    return replace(text, match.start(), match.end(), rng.choice(PLACEHOLDERS).format(name))


PAY = re.compile(r"(于本判决(?:生效|发生法律效力)(?:之日起|后)[一二三四五六七八九十\d]{1,3}日内)"
                 r"[^。；\n]{0,40}?(?:支付|偿还|返还|给付|归还|赔偿)[^。；\n]{0,40}?\d[\d.,]*(?:万)?元")


@kind("holding-without-term", "ENF-01")
def no_term(text, rng):
    """a holding to pay without a term"""
    start = text.rfind("判决如下")
    if start < 0:
        return None
    spots = []
    for match in PAY.finditer(text, start):
        line = text[text.rfind("\n", 0, match.start()) + 1:]
        words = line.split("\n", 1)[0].replace(match.group(1), "")
        if re.search(r"\d元[，。；]?余款|其余|利息|连带|追偿|优先|解除|抵|上述|第.项|每月|抚养|日内|前|变更|离婚|婚|归|名下|撤销|维持|罚金", words):
            continue
        spots.append(match)
    match = choose(rng, spots)
    if not match:
        return None
    fault = without(text, match.start(1), match.end(1))
    fault.anchors = []
    fault.start = text.rfind("\n", 0, match.start()) + 1
    fault.start = max(fault.start, match.start() - 80)
    fault.end = match.end() - len(match.group(1))
    return fault


SECRETS = ("联系电话138{0:08d}", "公民身份号码{1}", "电子邮箱user{0:04d}@example.cn")


@kind("secret-left", "RED-02")
def secret(text, rng):
    """a telephone number, a mail address or a citizen number in the text for the web"""
    from . import numbers
    match = choose(rng, [m for m in PERSON.finditer(text)])
    if not match:
        return None
    number = numbers.citizen_number("320502", f"19{rng.randint(50, 99)}0{rng.randint(1, 9)}1"
                                    f"{rng.randint(0, 9)}", rng.randint(1, 999))
    words = rng.choice(SECRETS).format(rng.randint(10**7, 10**8 - 1), number) + "，"
    return Fault(text[:match.end()] + words + text[match.end():], match.end(),
                 match.end() + len(words), text)


@kind("two-of-one-masked-name", "RED-03")
def one_name(text, rng):
    """two parties whose masked names are the same"""
    found = [m for m in PERSON.finditer(text) if re.search(r"[某×]", m.group(3))]
    names = {m.group(3) for m in found}
    if len(found) < 2 or len(names) != len(found):
        return None
    return replace(text, found[1].start(3), found[1].end(3), found[0].group(3))


@kind("minor", "RED-04")
def minor(text, rng):
    """a judgment on an offence of a minor is not published"""
    match = re.search(r"^本院认为，", text, re.M)
    title = TITLE.search(text[:400])
    if not match or not title or "刑事" not in title.group() or re.search(r"未成年|十八周岁", text):
        return None
    words = rng.choice(("被告人犯罪时不满十八周岁，依法应当从轻处罚。", "被告人系未成年被告人，"))
    return Fault(text[:match.end()] + words + text[match.end():], match.end(),
                 match.end() + len(words), text)


@kind("judge-masked", "RED-09")
def judge(text, rng):
    """the judge's name is masked"""
    judges = signature(text)
    match = choose(rng, judges or [])
    if not match:
        return None
    name = re.search(r"[一-龥]{2,3}\n$", match.group())
    if not name or re.search(r"[某×]", match.group()):
        return None
    start = match.start() + name.start()
    return replace(text, start, match.end() - 1, text[start] + rng.choice(("某", "某某", "××")))


@kind("number-masked", "RED-09")
def number_masked(text, rng):
    """the case number is masked"""
    number = own_number(text)
    if not number:
        return None
    words = f"（{number.group(1)}）{number.group(2)}××{number.group(4)}××号"
    return replace(text, number.start(), number.end(), words)


@near("final-without-notice", "STR-04")
def final(text, rng):
    """a final judgment needs no notice of appeal"""
    match = re.search(r"^本(?:裁定|判决)为终审(?:裁定|判决)。\n", text, re.M)
    return match and whole(text) and Fault(text, match.start(), match.end(), text) or None


@near("recited-judgment", "STR-03")
def recited(text, rng):
    """a ruling that recites 判决如下 of the first instance"""
    match = re.search(r"^(?:经审理查明|本院认为)[，：]", text, re.M)
    title = TITLE.search(text[:400])
    if not match or not title or "裁定书" not in title.group() or not whole(text):
        return None
    words = "一审法院依照《中华人民共和国刑法》第二百六十四条的规定，判决如下：被告人犯盗窃罪。\n"
    return Fault(text[:match.start()] + words + text[match.start():], match.start(),
                 match.start() + len(words), text)
