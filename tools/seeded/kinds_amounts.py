# SPDX-License-Identifier: Apache-2.0
"""Faults in sums, rates, fees and days."""
import re

from . import numbers
from .fault import Fault, choose, kind, near, replace, without
from .kinds_cases import SIGNED, TITLE

DATE = re.compile(r"(?<!\d)((?:19|20)\d\d)年(\d{1,2})月(\d{1,2})日")
SUM = re.compile(r"(?<![\d.,，×+\-*/每约近超为达])(?<!每月)(?<!每天)(\d{3,7})元(?![（(余多/整以×人美港\d])")
ITEM = r"[^，。；、：\d（）]{2,14}(?:人民币)?\d+(?:\.\d{1,2})?元"
TOTAL = re.compile(rf"((?:{ITEM}[、，；]){{2,12}})(?:以上)?(?:各项|费用|损失)?(?:合计|共计|总计)(?:人民币)?"
                   r"(\d+(?:\.\d{1,2})?)元(?![余多])")
MONEY = re.compile(r"(\d+(?:\.\d{1,2})?)元")


def fen(text):
    return round(float(text) * 100)


def plain_sum(text, rng):
    return choose(rng, [m for m in SUM.finditer(text) if int(m.group(1)) >= 200])


def with_capital(text, rng, form=0):
    """A sum with its capital characters behind it; returns twin, start of figures, of capitals, end."""
    match = plain_sum(text, rng)
    if not match:
        return None
    capital = numbers.capital(int(match.group(1)))
    words = "（大写：{}）" if form == 0 else "（大写人民币{}）"
    words = words.format(capital)
    twin = text[:match.end()] + words + text[match.end():]
    start = match.end() + words.index(capital)
    return twin, match, start, start + len(capital)


@kind("capital-character", "AMT-01")
def capital_character(text, rng):
    """one capital digit is another"""
    made = with_capital(text, rng, rng.randrange(2))
    if not made:
        return None
    twin, match, start, end = made
    place = rng.choice([i for i in range(start, end) if twin[i] in numbers.CAPITALS[1:]])
    sign = rng.choice([c for c in numbers.CAPITALS[1:] if c != twin[place]])
    return Fault(twin[:place] + sign + twin[place + 1:], match.start(), end, twin)


@kind("figure-digit", "AMT-01")
def figure_digit(text, rng):
    """one digit of the figures is another, or a zero too many"""
    made = with_capital(text, rng, rng.randrange(2))
    if not made:
        return None
    twin, match, start, end = made
    if rng.random() < 0.3:
        return Fault(twin[:match.end(1)] + "0" + twin[match.end(1):], match.start(), end + 1, twin)
    place = rng.randrange(match.start(1), match.end(1))
    digit = rng.choice([d for d in "123456789" if d != twin[place]])
    return Fault(twin[:place] + digit + twin[place + 1:], match.start(), end, twin)


def right_total(text, rng):
    spots = []
    for match in TOTAL.finditer(text):
        items = [fen(m) for m in MONEY.findall(match.group(1))]
        if len(items) >= 2 and sum(items) == fen(match.group(2)) and "其中" not in match.group():
            spots.append(match)
    return choose(rng, spots)


def other_number(rng, digits):
    places = [i for i, c in enumerate(digits.split(".")[0])]
    i = rng.choice(places)
    return digits[:i] + rng.choice([d for d in "123456789" if d != digits[i]]) + digits[i + 1:]


@kind("total-digit", "AMT-02")
def total_digit(text, rng):
    """one digit of the total is another"""
    match = right_total(text, rng)
    if not match:
        return None
    return replace(text, match.start(2), match.end(2), other_number(rng, match.group(2)))


@kind("item-digit", "AMT-02")
def item_digit(text, rng):
    """one digit of an item is another"""
    match = right_total(text, rng)
    if not match:
        return None
    item = rng.choice(list(MONEY.finditer(text, match.start(1), match.end(1))))
    wrong = other_number(rng, item.group(1))
    text2 = text[:item.start(1)] + wrong + text[item.end(1):]
    return Fault(text2, match.start(), match.end() + len(wrong) - len(item.group(1)), text)


@kind("unit-of-ten-thousand", "AMT-03")
def unit(text, rng):
    """50000万元 for 50000元"""
    match = choose(rng, [m for m in SUM.finditer(text) if len(m.group(1)) >= 5])
    return match and replace(text, match.start(1), match.end(), match.group(1) + "万元")


@kind("two-currencies", "AMT-03")
def currencies(text, rng):
    """人民币50000美元"""
    match = choose(rng, re.finditer(r"人民币(\d[\d.]*)元", text))
    return match and replace(text, match.start(), match.end(),
                             f"人民币{match.group(1)}{rng.choice(['美元', '港元', '欧元'])}")


@kind("formula", "AMT-05")
def formula(text, rng):
    """a product in brackets that gives another sum"""
    match = plain_sum(text, rng)
    if not match:
        return None
    value = int(match.group(1))
    times = [n for n in (2, 3, 4, 5, 6, 8, 9, 10, 12) if value % n == 0]
    if not times:
        return None
    n = rng.choice(times)
    words = f"（{value // n}元×{n}个月）"
    twin = text[:match.end()] + words + text[match.end():]
    start = match.end() + 1
    wrong = other_number(rng, str(value // n))
    text2 = twin[:start] + wrong + twin[start + len(str(value // n)):]
    return Fault(text2, match.start(), match.end() + len(words) + len(wrong) - len(str(value // n)),
                 twin)


RATE = re.compile(r"(年利率|月利率|月息|年息)(?:按|为|按照)?(\d+(?:\.\d+)?)(%|‰|分)")
LOAN = re.compile(r"(20[01]\d)年\d{1,2}月\d{1,2}日[^。\n]{0,80}借款")


@kind("rate-above-the-cap", "AMT-04")
def rate(text, rng):
    """a private loan after 2020-08-20 above four times the LPR; all years of the text moved"""
    match = choose(rng, RATE.finditer(text))
    loan = LOAN.search(text)
    lender = r"支行|分行|信用社|小额贷款|信用卡|金融借款|一审|二审|上诉|原审|被告人|24%|36%|四倍|LPR|过高|超过|高于"
    if not match or not loan or re.search(lender, text):
        return None
    if not re.search(r"出借|民间借贷|借条|借据|借到|欠条", text):
        return None
    years = [int(m.group(1)) for m in DATE.finditer(text)
             if "生" not in text[m.end():m.end() + 3] and int(m.group(1)) > 2000]
    shift = 2021 - min(years)
    monthly = match.group(1).startswith("月")
    right, wrong = ("1", rng.choice(("2", "2.5", "3", "1.8"))) if monthly else (
        "12", rng.choice(("18", "20", "30", "26")))
    text = re.sub(r"(?<!\d)((?:19|20)\d\d)年", lambda m: f"{int(m.group(1)) + shift}年", text)
    match = next(m for m in RATE.finditer(text) if m.start() == match.start())
    # Every rate of the twin is below the cap, so that the planted one alone is above.
    twin = RATE.sub(lambda m: m.group(1) + ("1%" if m.group(1)[0] == "月" else "12%"), text)
    place = len(RATE.sub(lambda m: m.group(1) + ("1%" if m.group(1)[0] == "月" else "12%"),
                         text[:match.start()])) + len(match.group(1))
    if not twin[place:].startswith(right + "%"):
        return None
    fault = replace(twin, place, place + len(right), wrong)
    fault.start -= len(match.group(1))
    fault.end += 1
    return fault


END = re.compile(r"((?:逾期利息|利息|违约金)[^。；\n]{0,60}(?:利率|%|‰|标准|计算)[^。；\n]{0,20})"
                 r"((?:，)?(?:计算|计付|计|算)?(?:至|到)[^。；\n，]{2,30}(?:之日止|之日|为止|日止|清|止)(?:止)?)")


@kind("interest-without-end", "AMT-07")
def without_end(text, rng):
    """至实际清偿之日止 is missing in a holding or a claim"""
    spots = []
    for match in END.finditer(text):
        clause = re.split(r"[。；\n]", text[:match.start()])[-1] + match.group()
        rest = re.match(r"[^。；\n]*", text[match.end():]).group()
        left = clause.replace(match.group(2), "") + rest
        if re.search(r"(?:支付|给付|偿还|赔偿|承担)[^。；\n]{0,50}(?:利息|违约金)", clause) and not re.search(
                r"[至到止]|暂算|暂计|(?:利息|违约金)款?(?:人民币|共计|为)?\d|届满|付清|还清|清偿", left):
            before = text[:match.start()]
            claimed = before.rfind("请求") > max(before.rfind("辩称"), before.rfind("查明"))
            own = before.rfind("判决如下") > 0 and "如下：" not in text[match.end():]
            if own or (claimed and before.rfind("判决如下") < before.rfind("请求")):
                spots.append(match)
    match = choose(rng, spots)
    if not match:
        return None
    fault = without(text, match.start(2), match.end(2))
    fault.anchors = []
    fault.start, fault.end = match.start(1), match.end(1)
    return fault


FEE = re.compile(r"(?:本案)?案件受理费(?:人民币)?\d+(?:\.\d+)?元")


def with_fee(text, rng):
    match = choose(rng, FEE.finditer(text))
    if not match or re.search(r"标的|减半|劳动争议|简易程序|离婚|二审|上诉案", text):
        return None
    amount = rng.choice((8000, 35000, 86000, 120000, 265000, 480000, 730000, 1500000))
    fee = numbers.plain(numbers.court_fee(amount))
    words = f"本案诉讼标的额为{amount}元，案件受理费{fee}元"
    twin = text[:match.start()] + words + text[match.end():]
    start = match.start() + len(words) - len(fee) - 1
    return twin, start, start + len(fee), fee


@kind("court-fee", "FEE-01")
def court_fee(text, rng):
    """the fee does not follow from the sum in dispute beside it"""
    made = with_fee(text, rng)
    if not made:
        return None
    twin, start, end, fee = made
    wrong = numbers.plain(round(float(fee) * rng.choice((0.7, 0.9, 1.2, 1.5))) + 7)
    fault = replace(twin, start, end, wrong)
    fault.end += 1
    return fault


@kind("doubled-interest", "INT-01")
def doubled(text, rng):
    """the doubled part of the interest, with sum and days, comes out otherwise"""
    match = re.search(r"加倍支付迟延履行期间的债务利息。", text)
    if not match:
        return None
    principal, days = rng.choice((20000, 60000, 100000, 340000)), rng.randint(30, 400)
    value = numbers.plain(round(principal * days * 0.000175, 2))
    words = f"加倍部分债务利息按日万分之一点七五计算，本金{principal}元，{days}天，计{value}元。"
    at = match.end()
    twin = text[:at] + words + text[at:]
    start = at + words.rindex("计") + 1
    wrong = numbers.plain(round(float(value) * rng.choice((0.5, 0.8, 1.3, 2)) + 11, 2))
    return replace(twin, start, start + len(value), wrong)


@kind("no-such-day", "DAT-01")
def no_day(text, rng):
    """30 February, 31 April, month 13"""
    match = choose(rng, DATE.finditer(text))
    if not match:
        return None
    wrong = rng.choice((("2", "30"), ("4", "31"), ("13", match.group(3)), ("9", "31"), ("11", "32")))
    return replace(text, match.start(), match.end(), f"{match.group(1)}年{wrong[0]}月{wrong[1]}日")


def signed_year(text):
    match = SIGNED.search(text)
    if not match:
        return None
    digits = match.group(1).replace("○", "〇").replace("零", "〇").replace("0", "〇").replace("O", "〇")
    return int("".join(str(numbers.DIGITS.index(c)) for c in digits))


EVENT = re.compile(r"((?:19|20)\d\d)(年\d{1,2}月\d{1,2}日)[^，。；年]{0,10}(?:向本院提起公诉|受理|立案|开庭|提起诉讼|"
                   r"作出|签订|出具|借款|转账|抓获|归案|被逮捕|被刑事拘留|收到)")


@kind("event-after-the-document", "DAT-02")
def late_event(text, rng):
    """what happened lies behind the day of the document"""
    year = signed_year(text)
    spots = [m for m in EVENT.finditer(text) if year and text.find("如下") > m.start()]
    match = choose(rng, spots)
    if not match:
        return None
    return replace(text, match.start(1), match.end(2),
                   f"{year + rng.randint(1, 5)}{match.group(2)}")


@kind("arrest-before-detention", "DAT-02")
def chain(text, rng):
    """the days of detention and arrest have changed places"""
    pattern = re.compile(r"于((?:19|20)\d\d年\d{1,2}月\d{1,2}日)被(?:刑事)?拘留[^。\n]{0,20}?"
                         r"(?:于)?((?:19|20)\d\d年\d{1,2}月\d{1,2}日)[^。，\n]{0,12}逮捕")
    match = choose(rng, pattern.finditer(text))
    if not match or match.group(1) == match.group(2):
        return None
    words = match.group().replace(match.group(1), "\0").replace(match.group(2), match.group(1))
    return replace(text, match.start(), match.end(), words.replace("\0", match.group(2)))


@kind("period-backwards", "DAT-02")
def backwards(text, rng):
    """自…起至…止 with the days changed"""
    pattern = re.compile(r"((?:19|20)\d\d年\d{1,2}月\d{1,2}日)(起?至)((?:19|20)\d\d年\d{1,2}月\d{1,2}日)")
    match = choose(rng, [m for m in pattern.finditer(text) if m.group(1) != m.group(3)])
    return match and replace(text, match.start(), match.end(),
                             match.group(3) + match.group(2) + match.group(1))


@kind("appeal-period", "DAT-03")
def appeal_period(text, rng):
    """a period of appeal that the law does not know"""
    notice = re.compile(r"不服本(?:判决|裁定)[^。]{0,40}(?:第二日起|之日起)(十五|十|五)日内")
    match = list(notice.finditer(text))[-1:]  # the document's own; an earlier one is recited
    match = match[0] if match and match[0].start() > text.rfind("如下：") else None
    if not match or not TITLE.search(text[:400]):
        return None
    wrong = rng.choice([d for d in ("十五", "五", "七", "二十", "三十", "十") if d != match.group(1)])
    return replace(text, match.start(1), match.end(1), wrong)


@kind("signature-day-in-figures", "DAT-04")
def figures(text, rng):
    """2017年12月27日 under a judgment"""
    match = SIGNED.search(text)
    year = signed_year(text)
    if not match or not TITLE.search(text[:400]) or text[match.end():match.end() + 1] not in ("\n", ""):
        return None
    values = {numbers.chinese_number(n): n for n in range(1, 32)}
    month, day = values.get(match.group(2)), values.get(match.group(3))
    return month and day and replace(text, match.start(), match.end(), f"{year}年{month}月{day}日")


@near("capital-without-zero", "AMT-01")
def loose_capital(text, rng):
    """正 for 整, 圆 for 元, sums that end with 角, a zero left out behind 万"""
    match = plain_sum(text, rng)
    if not match:
        return None
    value = int(match.group(1))
    if rng.random() < 0.5:
        capital = numbers.capital(value).replace("整", rng.choice(("正", "整")))
        words = f"{value}元（大写：{capital}）"
    else:
        jiao = rng.randint(1, 9)
        words = f"{value}.{jiao}元（大写：{numbers.capital(value, jiao).removesuffix('整')}）"
    return replace(text, match.start(), match.end(), words)


@near("sum-with-jiao-left-out", "AMT-02")
def decimals(text, rng):
    """items with and without decimals whose total is right"""
    match = right_total(text, rng)
    if not match:
        return None
    item = rng.choice(list(MONEY.finditer(text, match.start(1), match.end(1))))
    words = numbers.plain((fen(item.group(1)) + 50) / 100)
    total = numbers.plain((fen(match.group(2)) + 50) / 100)
    twin = text[:match.start(2)] + total + text[match.end(2):]
    return replace(twin, item.start(1), item.end(1), words)


@near("rate-cut-by-the-court", "AMT-04")
def cut(text, rng):
    """a loan of 2016 at 24 % and more, of which the court grants 24 %"""
    match = choose(rng, RATE.finditer(text))
    if not match or not re.search(r"借款|借条", text):
        return None
    words = "2016年3月1日，双方约定借款年利率为36%，超过年利率24%的部分本院不予支持。"
    at = text.find("。", match.end()) + 1
    if at <= 0:
        return None
    return Fault(text[:at] + words + text[at:], at, at + len(words), text)


@near("due-day-in-the-future", "DAT-02")
def due(text, rng):
    """a day of payment behind the day of the document"""
    match = re.search(r"判决如下：\n", text)
    if not match or not signed_year(text):
        return None
    words = f"罚金限于{signed_year(text) + 1}年6月30日前缴纳。"
    return Fault(text[:match.end()] + words + text[match.end():], match.end(),
                 match.end() + len(words), text)
