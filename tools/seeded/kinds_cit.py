# SPDX-License-Identifier: Apache-2.0
"""Faults in citations of laws.

The judgments of the corpus are of 2012 to 2020 and the table of statutes knows the articles of
today's laws, so most kinds move a document to 2026 first: its own day, all years and case numbers of
the text by the same number of years, and its basis becomes one of today's law. Twin and fault share
that.
"""
import re

from . import numbers
from .fault import Fault, kind, near, replace
from .kinds_amounts import signed_year
from .kinds_cases import SIGNED, TITLE
from .kinds_form import whole

BASIS = re.compile(r"(?:依照|依据|根据)《[^。\n“”]*?(?=(?:判决|裁定)如下：)")
TODAY = {
    "刑事": "依照《中华人民共和国刑法》第二百六十四条、第六十七条第三款的规定，",
    "民事": "依照《中华人民共和国民事诉讼法》第二百一十五条第一款的规定，",
}


def own_basis(text):
    """The basis of the document's own decision, the last one: others are recited."""
    found = list(BASIS.finditer(text))
    return found[-1] if found and text.find("如下：", found[-1].end() + 5) < 0 else None


def branch_of(text):
    title = TITLE.search(text[:400])
    return title.group(1) if title else ""


def moved(text):
    """The document as of 2026, and where its basis stands; None: it does not lend itself."""
    branch, year = branch_of(text), signed_year(text)
    if not whole(text) or branch not in TODAY or not year or len(BASIS.findall(text)) != 1:
        return None
    if len(re.findall(r"如下：", text)) != 1:
        return None
    shift = 2026 - year

    def later(match):
        return f"{match.group(1)}{int(match.group(2)) + shift}{match.group(3)}"

    text = re.sub(r"(?<!\d)()((?:19|20)\d\d)(年)", later, text)
    text = re.sub(r"([（〔\[])((?:19|20)\d\d)([）〕\]])", later, text)
    signed = SIGNED.search(text)
    text = text[:signed.start(1)] + "二〇二六" + text[signed.end(1):]
    basis = BASIS.search(text)
    text = text[:basis.start()] + TODAY[branch] + text[basis.end():]
    return text, basis.start(), basis.start() + len(TODAY[branch]), branch


def change(text, old, new, branch=None):
    """In the basis of the moved document `old` is written `new`; the fault is where `new` stands."""
    made = moved(text)
    if not made or (branch and made[3] != branch):
        return None
    twin, start, end, _ = made
    at = twin.find(old, start, end)
    return None if at < 0 else replace(twin, at, at + len(old), new)


@kind("law-repealed", "CIT-08")
def repealed(text, rng):
    """a decision of 2026 on facts of these years rests on a law that is repealed"""
    law, article = rng.choice((("合同法", 60), ("担保法", 18), ("物权法", 39), ("侵权责任法", 6),
                               ("民法通则", 84), ("民法总则", 176)))
    words = f"《中华人民共和国{law}》第{numbers.chinese_number(article)}条、《中华人民共和国民事诉讼法》"
    fault = change(text, "《中华人民共和国民事诉讼法》", words, "民事")
    if fault:
        fault.end = fault.start + words.index("、")
    return fault


@kind("law-of-the-future", "CIT-09")
def future(text, rng):
    """a decision before 2021 rests on the civil code or its interpretations"""
    year = signed_year(text)
    basis = own_basis(text)
    if not whole(text) or not year or year > 2019 or branch_of(text) != "民事" or not basis:
        return None
    words = rng.choice(("《中华人民共和国民法典》第五百七十七条", "《中华人民共和国民法典》第六百七十五条",
                        "《最高人民法院关于适用〈中华人民共和国民法典〉有关担保制度的解释》第二十五条"))
    at = text.index("《", basis.start())
    return Fault(text[:at] + words + "、" + text[at:], at, at + len(words), text)


@kind("no-such-article", "CIT-06")
def no_article(text, rng):
    """an article behind the last one of the law"""
    branch = branch_of(text)
    if branch == "刑事":
        return change(text, "第二百六十四条", f"第{numbers.chinese_number(rng.randint(453, 960))}条", branch)
    return change(text, "第二百一十五条第一款",
                  f"第{numbers.chinese_number(rng.randint(307, 800))}条", branch)


@kind("no-such-paragraph", "CIT-07")
def no_paragraph(text, rng):
    """a paragraph that the article lacks"""
    wrong = rng.choice("四五六七八")
    if branch_of(text) == "刑事":
        return change(text, "第六十七条第三款", f"第六十七条第{wrong}款", "刑事")
    return change(text, "第二百一十五条第一款", f"第二百一十五条第{wrong}款", "民事")


@kind("regulation-in-a-criminal-basis", "CIT-05")
def level(text, rng):
    """an administrative regulation as the basis of a criminal decision"""
    # With a civil action attached a regulation may be cited: 法释〔2009〕14号 art. 3 and 4.
    if re.search(r"附带民事(?!判决|裁定|调解)", text[:max(text.find("一案"), 400)]) or re.search(
            r"附带民事(?!判决|裁定|调解)|民事部分|赔偿", text[text.rfind("如下："):]):
        return None
    words = rng.choice(("《中华人民共和国道路交通安全法实施条例》第六十二条", "《危险化学品安全管理条例》第三条",
                        "《工伤保险条例》第十四条"))
    fault = change(text, "第六十七条第三款", "第六十七条第三款、" + words, "刑事")
    if fault:
        fault.start += len("第六十七条第三款、")
    return fault


@kind("interpretation-before-law", "CIT-04")
def order(text, rng):
    """the interpretation is cited before the law"""
    if branch_of(text) == "刑事":
        words = "《最高人民法院关于适用〈中华人民共和国刑事诉讼法〉的解释》第一条、《中华人民共和国刑法》"
        return change(text, "《中华人民共和国刑法》", words, "刑事")
    words = "《最高人民法院关于适用〈中华人民共和国民事诉讼法〉的解释》第九十条、《中华人民共和国民事诉讼法》"
    return change(text, "《中华人民共和国民事诉讼法》", words, "民事")


@kind("name-without-marks", "CIT-01")
def no_marks(text, rng):
    """a law without 《》"""
    name = {"刑事": "刑法", "民事": "民事诉讼法"}.get(branch_of(text), "")
    return change(text, f"《中华人民共和国{name}》", f"中华人民共和国{name}") if name else None


@kind("law-without-article", "CIT-02")
def no_number(text, rng):
    """the basis names the law and no article"""
    if branch_of(text) == "刑事":
        fault = change(text, "《中华人民共和国刑法》第二百六十四条、第六十七条第三款", "《中华人民共和国刑法》")
        return fault
    return change(text, "《中华人民共和国民事诉讼法》第二百一十五条第一款", "《中华人民共和国民事诉讼法》")


@kind("name-one-character", "CIT-03")
def misspelt(text, rng):
    """one character of the law's name is another"""
    name = {"刑事": "中华人民共和国刑法", "民事": "中华人民共和国民事诉讼法"}.get(branch_of(text), "")
    if not name:
        return None
    if name.endswith("刑法"):
        wrong = rng.choice(("中华人民共和国型法", "中华人民共合国刑法", "中华人名共和国刑法"))
    else:
        wrong = rng.choice(("中华人民共和国民事诉论法", "中华人民共和国民是诉讼法", "中华人民共和国名事诉讼法"))
    return change(text, f"《{name}》", f"《{wrong}》")


@near("last-article", "CIT-06")
def last_article(text, rng):
    """the last article of the law"""
    if branch_of(text) == "刑事":
        return change(text, "第二百六十四条", "第四百五十二条", "刑事")
    return change(text, "第二百一十五条第一款", "第三百零六条", "民事")


@near("inserted-article", "CIT-06")
def inserted(text, rng):
    """第一百三十三条之一"""
    return change(text, "第二百六十四条", "第一百三十三条之一", "刑事")


@near("law-before-interpretation", "CIT-04")
def right_order(text, rng):
    """the law is cited before the interpretation"""
    words = "第二百一十五条第一款、《最高人民法院关于适用〈中华人民共和国民事诉讼法〉的解释》第九十条"
    return change(text, "第二百一十五条第一款", words, "民事")


@near("old-law-in-its-time", "CIT-08")
def old_law(text, rng):
    """the contract law in a decision before 2021"""
    year = signed_year(text)
    basis = own_basis(text)
    if not whole(text) or not year or year > 2019 or branch_of(text) != "民事" or not basis:
        return None
    words = "《中华人民共和国合同法》第六十条"
    at = text.index("《", basis.start())
    return Fault(text[:at] + words + "、" + text[at:], at, at + len(words), text)
