# SPDX-License-Identifier: Apache-2.0
"""Values that the planted texts need, computed here and not by the program under test."""
CITIZEN_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
CITIZEN_CHECK = "10X98765432"
CREDIT_SIGNS = "0123456789ABCDEFGHJKLMNPQRTUWXY"
CAPITALS = "零壹贰叁肆伍陆柒捌玖"
DIGITS = "〇一二三四五六七八九"


def citizen_number(region: str, birth: str, order: int) -> str:
    body = f"{region}{birth}{order:03d}"
    total = sum(weight * int(digit) for weight, digit in zip(CITIZEN_WEIGHTS, body))
    return body + CITIZEN_CHECK[total % 11]


def credit_code(rng) -> str:
    organisation = "".join(rng.choice("0123456789ABCDEFGHJKLMNPQRTUWXY") for _ in range(8))
    signs = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    total = sum(w * signs.index(c) for w, c in zip((3, 7, 9, 10, 5, 8, 4, 2), organisation))
    check = 11 - total % 11
    organisation += "X" if check == 10 else "0" if check == 11 else str(check)
    body = "91" + rng.choice(("320500", "110105", "440300", "330100")) + organisation
    total = sum(CREDIT_SIGNS.index(c) * pow(3, i, 31) for i, c in enumerate(body))
    return body + CREDIT_SIGNS[(31 - total % 31) % 31]


def section(value: int) -> str:
    """Four digits in capitals, without leading zeros."""
    text, zero = "", False
    for unit, name in ((1000, "仟"), (100, "佰"), (10, "拾"), (1, "")):
        digit = value // unit % 10
        if digit == 0:
            zero = zero or bool(text)
            continue
        text += ("零" if zero else "") + CAPITALS[digit] + name
        zero = False
    return text


def capital(yuan: int, jiao: int = 0, fen: int = 0) -> str:
    """Amount in capital characters, below a trillion; ends with 整 unless fen are named."""
    parts = []
    for unit, name in ((10**8, "亿"), (10**4, "万"), (1, "")):
        value = yuan // unit % 10**4
        if value:
            gap = parts and (value < 1000 or yuan // unit % 10**5 == 0)
            parts.append(("零" if gap else "") + section(value) + name)
    text = "".join(parts) + "元" if yuan else ""
    if jiao == 0 and fen == 0:
        return text + "整"
    if jiao:
        text += CAPITALS[jiao] + "角"
    elif yuan:
        text += "零"
    return text + (CAPITALS[fen] + "分" if fen else "整")


def court_fee(yuan: int) -> float:
    """诉讼费用交纳办法 13(1), of a property case."""
    if yuan <= 10000:
        return 50.0
    fee, lower = 50.0, 10000
    steps = ((100000, 2.5), (200000, 2), (500000, 1.5), (1000000, 1), (2000000, 0.9),
             (5000000, 0.8), (10000000, 0.7), (20000000, 0.6), (10**13, 0.5))
    for upper, percent in steps:
        fee += (min(yuan, upper) - lower) * percent / 100
        if yuan <= upper:
            break
        lower = upper
    return round(fee, 2)


def plain(value: float) -> str:
    return str(int(value)) if value == int(value) else f"{value:.2f}"


def chinese_number(value: int) -> str:
    """1 to 9999 as in article numbers."""
    text, zero = "", False
    for unit, name in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit = value // unit % 10
        if digit == 0:
            zero = zero or bool(text)
            continue
        text += ("零" if zero else "") + DIGITS[digit] + name
        zero = False
    return text[1:] if text.startswith("一十") else text
