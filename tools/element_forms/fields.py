# SPDX-License-Identifier: Apache-2.0
"""The words in which a cause's form is described: fields, items (rows of the form) and the form itself.

An item is one numbered row. A claim item, and a fact item with ask=True, starts with the three-state mark
是/否/未确认 under the key "state"; its fields say more. Every field has a Chinese title, a help text and an example;
the example goes into the schema and into the case that fills in everything.
"""
from dataclasses import dataclass, field


@dataclass
class Field:
    key: str
    title: str
    kind: str  # text paragraph money date percent integer choice tri list
    example: object
    help: str
    required: bool = False
    options: dict = field(default_factory=dict)  # of a choice: value -> label
    fields: list = field(default_factory=list)  # of a list
    human_only: bool = False
    zero: bool = False  # a sum of money that may be 0

    @property
    def stored(self):
        """The key under which templates find the value."""
        return self.key + "_fen" if self.kind == "money" else self.key


def _make(kind):
    def make(key, title, example, help, **more):
        return Field(key, title, kind, example, help, **more)
    return make


text = _make("text")
paragraph = _make("paragraph")
money = _make("money")
date = _make("date")
percent = _make("percent")
integer = _make("integer")


def choice(key, title, options, example, help, **more):
    return Field(key, title, "choice", example, help, options=options, **more)


def tri(key, title, example, help, **more):
    return Field(key, title, "tri", example, help, **more)


def rows(key, title, fields, example, help, **more):
    return Field(key, title, "list", example, help, fields=fields, **more)


@dataclass
class Item:
    key: str
    title: str
    fields: list
    help: str = ""
    ask: bool = False  # starts with 是/否/未确认
    counted: bool = False  # a claim whose amount is part of the total
    answer_amount: bool = False  # an answer may admit a sum
    state: str = "yes"  # in the case that fills in everything


def claim(key, title, fields, help="", counted=True, **more):
    """A claim: three-state, its sum (field "amount") counts in the total."""
    return Item(key, title, fields, help or f"是否请求{title}", ask=True, counted=counted,
                answer_amount=counted, **more)


def fact(key, title, fields, help="", ask=False, **more):
    return Item(key, title, fields, help or title, ask=ask, **more)


@dataclass
class Form:
    key: str  # private-lending
    cause: str  # 民间借贷纠纷
    title_en: str
    scope: str  # which cases the form is made for
    claims: list
    facts: list
    citations: list  # (statute, article, when, topic) of the complaint
    parties: dict  # names of the fixtures: {"plaintiffs": [...], "defendants": [...]}
    has_total: bool = True
    derived: list = field(default_factory=list)
    checks: list = field(default_factory=list)
    answer_citations: list = field(default_factory=list)
    answer_points: list = field(default_factory=list)  # further items of the answer
    cases: list = field(default_factory=list)  # further cases of the complaint
    answer_cases: list = field(default_factory=list)
    from_case: dict = field(default_factory=dict)


# Rows that several causes share.

def amount(title, example, help="", required=True, **more):
    return money("amount", title, example, help or f"{title}，单位元", required=required, **more)


def as_of(example="2026-10-31"):
    return date("as_of", "计算截止日", example, "金额计算到哪一天")


def until_paid():
    return tri("until_paid", "是否请求支付至实际清偿之日", "yes", "截止日以后的部分是否一并请求")


def formula(example):
    return text("formula", "计算方式", example, "基数、利率或者标准、起止日期")


def litigation_cost():
    return claim("litigation_cost", "诉讼费用", [], "诉讼费用是否请求由对方负担", counted=False)


def other_claim(example="请求被告向原告返还借据以外的全部证明材料原件"):
    return claim("other", "其他请求", [
        paragraph("content", "内容", example, "本表没有列出的请求；有金额的填在下一栏", required=True),
        amount("金额", 1000, "其他请求的金额，没有的不填", required=False)], "有无其他请求")


def security_claim(example="就抵押房屋折价或者拍卖、变卖所得价款优先受偿"):
    return claim("security", "担保权利", [
        paragraph("content", "内容", example, "对哪一担保物、哪一担保人主张何种权利", required=True)],
        "是否主张担保物权或者保证责任", counted=False)


def collection_cost(example="律师费8000元，有委托代理合同和发票"):
    return claim("collection_cost", "实现债权的费用", [
        amount("费用金额", 8000),
        text("details", "费用明细", example, "律师费、公证费等各项的金额和凭据")], "是否请求实现债权的费用")


def security_facts():
    """Pledge, mortgage and guarantee: the same rows on the forms of loans and of sales."""
    return [
        fact("property_security", "物的担保", [
            date("date", "签订时间", "2024-03-01", "抵押或者质押合同的签订日期"),
            text("provider", "担保人", "李建业", "抵押人或者出质人"),
            text("collateral", "担保物", "某市东城区和平路8号2栋302室房屋", "名称、位置、权属证号"),
            choice("kind", "担保方式", {"mortgage": "抵押", "pledge": "质押", "other": "其他"}, "mortgage", "物的担保的种类"),
        ], "是否签订物的担保合同", ask=True),
        fact("ceiling", "最高额担保", [
            date("fixed_on", "债权确定时间", "2026-02-28", "最高额担保的债权何时确定"),
            money("limit", "担保额度", 300000, "最高债权额"),
        ], "是否最高额担保", ask=True),
        fact("registration", "抵押、质押登记", [
            choice("kind", "登记种类", {"formal": "正式登记", "preliminary": "预告登记"}, "formal", "正式登记还是预告登记"),
            date("date", "登记时间", "2024-03-05", "登记簿记载的日期"),
        ], "是否办理抵押、质押登记", ask=True),
        fact("guarantee", "保证合同", [
            date("date", "签订时间", "2024-03-01", "保证合同或者保证条款的签订日期"),
            text("guarantor", "保证人", "周正", "保证人姓名或者名称"),
            text("content", "主要内容", "对全部借款本息承担保证责任", "保证的范围、期间"),
            choice("kind", "保证方式", {"general": "一般保证", "joint": "连带责任保证", "unspecified": "没有约定"},
                   "joint", "没有约定或者约定不明确的为一般保证（民法典第六百八十六条）"),
        ], "是否签订保证合同", ask=True),
        fact("other_security", "其他担保方式", [
            text("content", "内容", "保证金账户质押", "其他担保的形式"),
            date("date", "签订时间", "2024-03-02", "其他担保的签订日期"),
        ], "有无其他担保方式", ask=True),
    ]


def other_facts(example="双方曾于2026年6月就还款计划协商，未达成一致"):
    return fact("other", "其他需要说明的内容", [
        paragraph("content", "内容", example, "表内没有列出而与本案有关的事实，可以另附页")])


def contract_facts(name="借款合同", number="借2024-018", place="某市东城区", day="2024-03-01"):
    return fact("contract", "合同签订情况", [
        text("name", "合同名称", name, "合同或者凭证的名称，例如借条", required=True),
        text("number", "合同编号", number, "没有编号的不填"),
        date("date", "签订时间", day, "合同签订日期", required=True),
        text("place", "签订地点", place, "合同签订地点"),
    ])
