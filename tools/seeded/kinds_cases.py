# SPDX-License-Identifier: Apache-2.0
"""Faults in case numbers, names and numbers of persons, and roles."""
import re

from . import numbers
from .fault import Fault, choose, kind, near, replace

LETTERS = "京津冀晋内辽吉黑沪苏浙皖闽赣鲁豫鄂湘粤桂琼渝川黔云藏陕甘青宁新"
NUMBER = re.compile(rf"（(20\d\d)）([{LETTERS}])(\d\d|\d{{4}})([一-龥]{{1,3}}[初终])(\d{{1,5}})号(?!之)")
PROVINCES = {
    "北京": "京", "天津": "津", "河北": "冀", "山西": "晋", "辽宁": "辽", "吉林": "吉",
    "黑龙江": "黑", "上海": "沪", "江苏": "苏", "浙江": "浙", "安徽": "皖", "福建": "闽",
    "江西": "赣", "山东": "鲁", "河南": "豫", "湖北": "鄂", "湖南": "湘", "广东": "粤",
    "广西": "桂", "海南": "琼", "重庆": "渝", "四川": "川", "贵州": "黔", "云南": "云",
    "陕西": "陕", "甘肃": "甘", "青海": "青", "宁夏": "宁", "新疆": "新",
}
TITLE = re.compile(r"^(刑事|民事|行政)(附带民事)?(判决书|裁定书)$", re.M)
SIGNED = re.compile(r"^([二一][〇○零九0O][〇○零一二三四五六七八九0O]{2})年([一二三四五六七八九十]{1,2})月"
                    r"([一二三四五六七八九十]{1,3})日", re.M)
# 原告张三，男 / 被告人：李四，女: name of three characters or two.
PERSON = re.compile(r"^(原告|被告人|被告|上诉人|被上诉人|再审申请人|被申请人|第三人)(（[^）\n]{2,30}）)?[：:]?"
                    r"([一-龥]{2,4})，(?:曾用名[^，]{2,6}，|绰号[^，]{1,6}，)?(男|女)，", re.M)
ORGANISATION = re.compile(r"^(原告|被告|上诉人|被上诉人|再审申请人|被申请人|第三人)(（[^）\n]{2,30}）)?[：:]?"
                          r"([一-龥（）]{4,30}(?:公司|厂|合作社|中心|医院|银行))[，。]", re.M)
MASK = re.compile(r"[某×＊*Xx]|[甲乙丙丁]$")
GIVEN = "伟芳娜敏静丽强磊军洋勇艳杰娟涛明超秀霞平刚桂英华玉萍红辉兰峰凯建文波宁鹏飞雷俊浩晨宇"


def own_number(text: str):
    title = TITLE.search(text[:400])
    if not title:
        return None
    match = NUMBER.match(text, title.end() + 1)
    return match


@kind("case-number-without-end", "CASE-01")
def without_end(text, rng):
    """号 is missing"""
    match = choose(rng, [m for m in NUMBER.finditer(text) if text[m.end():m.end() + 1] not in "、，之"])
    return match and replace(text, match.start(), match.end(), match.group()[:-1])


@kind("case-number-plate-letter", "CASE-01")
def plate_letter(text, rng):
    """the letter of number plates or of everyday use for the court's"""
    match = choose(rng, NUMBER.finditer(text))
    return match and replace(text, match.start(), match.end(), match.group().replace(
        match.group(2), rng.choice("贵蒙滇蜀秦陇"), 1))


@kind("case-number-without-type", "CASE-01")
def without_type(text, rng):
    """民初, 刑终 are missing"""
    match = choose(rng, NUMBER.finditer(text))
    return match and replace(text, match.start(), match.end(),
                             "（{0}）{1}{2}{4}号".format(*match.groups()))


@kind("case-number-court-digits", "CASE-01")
def court_digits(text, rng):
    """three digits for four"""
    match = choose(rng, [m for m in NUMBER.finditer(text) if len(m.group(3)) == 4])
    return match and replace(text, match.start(), match.end(),
                             "（{0}）{1}{3}{2}{4}号".format(match.group(1), match.group(2),
                                                         match.group(4), match.group(3)[:3],
                                                         match.group(5)))


@kind("case-number-of-the-future", "CASE-01")
def future_number(text, rng):
    """the year lies behind the day of the document"""
    match = own_number(text)
    if not match or not SIGNED.search(text):
        return None
    return replace(text, match.start(), match.end(), match.group().replace(
        match.group(1), str(int(match.group(1)) + rng.randint(2, 6)), 1))


@kind("case-number-of-another-province", "CASE-03")
def other_province(text, rng):
    """the court's name begins with its province, the code is another's"""
    match = own_number(text)
    line = text.split("\n", 1)[0]
    letter = next((l for name, l in PROVINCES.items() if line.startswith(name)), "")
    if not match or letter != match.group(2) or not line.endswith("法院"):
        return None
    wrong = rng.choice([l for l in LETTERS if l != letter])
    return replace(text, match.start(), match.end(), match.group().replace(letter, wrong, 1))


@kind("case-number-invented", "CASE-02")
def invented(text, rng):
    """12345, 88888"""
    match = choose(rng, NUMBER.finditer(text))
    return match and replace(text, match.start(), match.end(), match.group().replace(
        match.group(5) + "号", rng.choice(["1234", "12345", "8888", "66666", "54321", "3456"]) + "号"))


@kind("case-number-of-another-branch", "CASE-04")
def other_branch(text, rng):
    """民初 in a criminal judgment"""
    match = own_number(text)
    if not match or match.group(4)[0] not in "刑民":
        return None
    other = {"刑": "民", "民": "刑"}[match.group(4)[0]]
    return replace(text, match.start(), match.end(),
                   match.group().replace(match.group(4), other + match.group(4)[1:], 1))


@kind("case-as-example", "CASE-05")
def as_example(text, rng):
    """another court's case as an argument, which nobody verified"""
    match = re.search(r"^本院认为，", text, re.M)
    if not match:
        return None
    number = f"（{rng.randint(2016, 2019)}）最高法民{rng.choice('终申再')}{rng.randint(2, 997)}号"
    words = f"参照{number}{rng.choice(['案例的裁判观点', '类案', '判例'])}，"
    text2 = text[:match.end()] + words + text[match.end():]
    start = match.end() + 2
    return Fault(text2, start, start + len(number), text)


def with_number(text, rng):
    """A right citizen number behind the birth of one person; returns text, match, number's start."""
    born = re.compile(r"^(?:被告人|原告|被告|上诉人[^，\n]{0,14}?)[：:]?[^，\n]{2,12}，(男|女)，"
                      r"(?:生于)?(\d{4})年(\d{1,2})月(\d{1,2})日(?:出生|生|，)", re.M)
    lines = [m for m in born.finditer(text)
             if not re.search(r"\d{15}|身份", text[m.start():text.find("\n", m.start())])]
    match = choose(rng, lines)
    if not match:
        return None
    order = rng.randint(1, 499) * 2 + (1 if match.group(1) == "男" else 0)
    number = numbers.citizen_number(rng.choice(("320502", "110105", "510107", "440106")),
                                    "{:0>4}{:0>2}{:0>2}".format(*match.groups()[1:]), order % 1000)
    at = match.end() if not match.group().endswith("，") else match.end() - 1
    words = "，公民身份号码" + number
    return text[:at] + words + text[at:], match, at + len(words) - 18


@kind("citizen-number-one-digit", "ENT-04")
def one_digit(text, rng):
    """one digit is another"""
    made = with_number(text, rng)
    if not made:
        return None
    twin, _, at = made
    place = at + rng.randrange(17)
    digit = rng.choice([d for d in "0123456789" if d != twin[place]])
    return Fault(twin[:place] + digit + twin[place + 1:], at, at + 18, twin)


@kind("citizen-number-transposed", "ENT-04")
def transposed(text, rng):
    """two neighbouring digits have changed places"""
    made = with_number(text, rng)
    if not made:
        return None
    twin, _, at = made
    pairs = [i for i in range(16) if twin[at + i] != twin[at + i + 1]]
    i = at + rng.choice(pairs)
    return Fault(twin[:i] + twin[i + 1] + twin[i] + twin[i + 2:], at, at + 18, twin)


@kind("sex-against-number", "ENT-06")
def sex(text, rng):
    """男 for 女"""
    made = with_number(text, rng)
    if not made:
        return None
    twin, match, at = made
    other = "女" if match.group(1) == "男" else "男"
    return Fault(twin[:match.start(1)] + other + twin[match.end(1):], match.start(1), at + 18, twin)


@kind("birth-against-number", "ENT-06")
def birth(text, rng):
    """another day of birth"""
    made = with_number(text, rng)
    if not made or "生" not in made[1].group()[-3:]:
        return None
    twin, match, at = made
    day = rng.choice([d for d in range(1, 28) if d != int(match.group(4))])
    text = twin[:match.start(4)] + str(day) + twin[match.end(4):]
    return Fault(text, match.start(2), at + 18 + len(str(day)) - len(match.group(4)), twin)


@kind("credit-code-one-sign", "ENT-05")
def credit(text, rng):
    """one sign is another"""
    match = choose(rng, ORGANISATION.finditer(text))
    if not match or MASK.search(match.group(3)):
        return None
    code = numbers.credit_code(rng)
    at = match.end(3)
    twin = text[:at] + "，统一社会信用代码" + code + text[at:]
    start = at + len("，统一社会信用代码")
    place = start + rng.randrange(2, 18)
    sign = rng.choice([c for c in numbers.CREDIT_SIGNS if c != twin[place]])
    return Fault(twin[:place] + sign + twin[place + 1:], start, start + 18, twin)


def parties(text):
    """Natural persons and organisations that the head names, unmasked, each name once."""
    found = {}
    for pattern in (PERSON, ORGANISATION):
        for match in pattern.finditer(text):
            name = match.group(3)
            if not MASK.search(name) and len(name) >= 2:
                found.setdefault(name, match)
    return found


def mentions(text, name, after):
    return [m.start() for m in re.finditer(re.escape(name), text) if m.start() >= after]


def head_end(text, found):
    return max(text.find("\n", m.end()) for m in found.values())


# Roles of the two sides, of each instance.
SIDES = (("原告", "被告"), ("上诉人", "被上诉人"), ("再审申请人", "被申请人"))


def opposed(text):
    """The parties of the head by name, where both sides are there, and the roles of these sides."""
    if "反诉" in text:
        return {}, ()
    for sides in SIDES:
        found = {n: m for n, m in parties(text).items() if m.group(1) in sides}
        if {m.group(1) for m in found.values()} == set(sides):
            return found, sides
    return {}, ()


@kind("party-on-the-other-side", "ENT-03")
def other_side(text, rng):
    """原告 for 被告, 上诉人 for 被上诉人, 再审申请人 for 被申请人 before a party's name"""
    found, sides = opposed(text)
    spots = []
    for name, match in found.items():
        role = match.group(1)
        for at in mentions(text, name, head_end(text, found)):
            if text[at - len(role):at] == role and text[at - len(role) - 1] not in "审被原":
                spots.append((at - len(role), role, name))
    spot = choose(rng, spots)
    if not spot:
        return None
    at, role, name = spot
    wrong = sides[1] if role == sides[0] else sides[0]
    fault = replace(text, at, at + len(role), wrong)
    fault.end += len(name)
    return fault


@kind("one-person-on-both-sides", "ENT-03")
def both_sides(text, rng):
    """the head names one person on both sides"""
    found, sides = opposed(text)
    first = [m for m in found.values() if m.group(1) == sides[0]]
    second = [m for m in found.values() if m.group(1) == sides[1]]
    if not first or not second:
        return None
    return replace(text, second[0].start(3), second[0].end(3), first[0].group(3))


def spelled(text, rng, place):
    found = {n: m for n, m in parties(text).items() if len(n) == 3 and m.re is PERSON}
    if not found:
        return None
    end = head_end(text, parties(text))
    spots = [(at, name) for name in found for at in mentions(text, name, end)]
    spot = choose(rng, spots)
    if not spot:
        return None
    at, name = spot
    sign = rng.choice([c for c in GIVEN if c not in name])
    wrong = name[:place] + sign + name[place + 1:]
    if wrong in text:
        return None
    return replace(text, at, at + 3, wrong)


@kind("name-middle-character", "ENT-02")
def middle(text, rng):
    """王建国 written 王健国 at one place"""
    return spelled(text, rng, 1)


@kind("name-last-character", "ENT-02")
def last(text, rng):
    """王建国 written 王建军 at one place"""
    return spelled(text, rng, 2)


@kind("organisation-one-character", "ENT-02")
def organisation(text, rng):
    """one character of an organisation's name"""
    found = {n: m for n, m in parties(text).items() if m.re is ORGANISATION and len(n) >= 6}
    spots = [(at, name) for name in found for at in mentions(text, name, head_end(text, parties(text)))]
    spot = choose(rng, spots)
    if not spot:
        return None
    at, name = spot
    i = rng.randrange(2, len(name) - 3)
    wrong = name[:i] + rng.choice([c for c in "华宏鑫盛达泰瑞恒隆兴源通博远" if c != name[i]]) + name[i + 1:]
    return replace(text, at, at + len(name), wrong)


@kind("party-of-another-name", "ENT-01")
def unknown(text, rng):
    """原告 and a name that nobody here has"""
    found = {n: m for n, m in parties(text).items() if m.group(1) in ("原告", "被告", "被告人")}
    if any(m.group(1) == "被告人" for m in found.values()) and not re.search(r"^公诉机关", text[:500], re.M):
        return None  # what another court found may name persons that are no parties here
    spots = [(at, name) for name, m in found.items() if len(name) <= 3
             for at in mentions(text, name, head_end(text, found))
             if text[at - len(m.group(1)):at] == m.group(1)
             and text[at + len(name):at + len(name) + 1] in set("诉辩系向于未在与的支偿返归承应负提签认经因借犯以违明，。")]
    spot = choose(rng, spots)
    if not spot:
        return None
    at, name = spot
    family = rng.choice([c for c in "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗" if c not in text[:400]] or ["褚"])
    if any(n[0] == family for n in parties(text)):
        return None
    return replace(text, at, at + len(name), family + "".join(rng.sample(GIVEN, 2)))


CAUSE = re.compile(r"([一-龥]{2,12}(?:合同|借贷|侵权|责任|质量|租赁|买卖|借款|转让)纠纷)一案")


@kind("cause-not-in-the-table", "ENT-08")
def cause(text, rng):
    """the cause of action with one character changed, in a document of 2026"""
    number = re.search(r"^（(20\d\d)）民([一二三四申提再抗监终]{1,3})字第(\d+)号$", text[:300], re.M)
    signed = SIGNED.search(text)
    match = CAUSE.search(text)
    if not number or not signed or not match:
        return None
    name = re.search(r"(?:借款合同|买卖合同|租赁合同|施工合同|民间借贷|股权转让|转让合同|委托合同|"
                     r"产品质量|承包合同|保证合同|经营合同|合同)纠纷$", match.group(1))
    if not name:
        return None
    twin = text[:signed.start(1)] + "二〇二六" + text[signed.end(1):]
    twin = twin.replace(number.group(), f"（2026）最高法民{number.group(2)[-1]}{number.group(3)}号", 1)
    match = CAUSE.search(twin)
    end = match.end(1)
    start = end - len(name.group())
    i = rng.randrange(start, end - 3)
    wrong = twin[start:i] + rng.choice("帐贷和卖倍质") + twin[i + 1:end]
    if wrong == twin[start:end]:
        return None
    fault = replace(twin, start, end, wrong)
    fault.start = match.start(1)
    return fault


@near("sibling", "ENT-02")
def sibling(text, rng):
    """a brother whose name differs by one character and who is introduced as such"""
    found = {n: m for n, m in parties(text).items() if len(n) == 3 and m.re is PERSON}
    match = re.search(r"^(?:本院认为|经审理查明|本院经审理查明)[，：]", text, re.M)
    if not found or not match:
        return None
    name = sorted(found)[0]
    other = name[:2] + rng.choice([c for c in GIVEN if c not in name])
    if other in text:
        return None
    words = f"其兄{other}到庭作证，{other}陈述的内容与在案证据一致。"
    return Fault(text[:match.end()] + words + text[match.end():], match.end(),
                 match.end() + len(words), text)


@near("masked-names", "ENT-02")
def masked(text, rng):
    """two masked names of one family"""
    match = re.search(r"^(?:本院认为|经审理查明|本院经审理查明)[，：]", text, re.M)
    if not match:
        return None
    words = "证人张某甲、张某乙、李××的证言相互印证。"
    return Fault(text[:match.end()] + words + text[match.end():], match.end(),
                 match.end() + len(words), text)


@near("old-form-number", "CASE-01")
def old_number(text, rng):
    """case number of the form before 2016"""
    match = re.search(r"^(?:本院认为|经审理查明|本院经审理查明)[，：]", text, re.M)
    if not match:
        return None
    words = f"（2012）江宁开民初字第{rng.randint(1, 999):03d}号民事判决已经生效。"
    return Fault(text[:match.end()] + words + text[match.end():], match.end(),
                 match.end() + len(words), text)
