# SPDX-License-Identifier: Apache-2.0
"""Renders the elements of a case as the model's prompt; the contract is PROMPT.md, byte for byte."""
ELEMENTS, CLAUSE, END, TEXT_END = "<|elements|>", "<|clause|>", "<|end|>", "<|endoftext|>"
CLAUSES = ("借款经过", "履行与催收", "理由")

DELIVERY = {"bank_transfer": "银行转账", "wechat": "微信转账", "alipay": "支付宝转账", "cash": "现金", "mixed": "多种方式"}
ROLE = {"borrower": "借款人", "guarantor": "保证人", "spouse": "借款人配偶"}
WRITTEN = {"iou": "借条", "contract": "借款合同", "none": "无书面凭证"}
GUARANTEE = {"joint": "连带责任保证", "general": "一般保证", "unspecified": "保证方式未约定"}
SPOUSE = {"signed": "共同签字", "ratified": "事后追认", "family": "用于家庭日常生活", "business": "用于共同生产经营"}
BASIS = {"agreed": "按约定", "lpr4": "按合同成立时一年期贷款市场报价利率的四倍", "lpr": "按一年期贷款市场报价利率"}
CLAIM = {"principal": "偿还借款本金", "interest": "支付利息", "joint_liability": "保证人承担连带清偿责任",
         "general_liability": "保证人承担保证责任", "spouse_liability": "配偶共同偿还", "lawyer_fee": "支付律师费",
         "litigation_cost": "承担诉讼费用"}
REPAY = {"principal": "本金", "interest": "利息"}


def date_text(iso):
    """'2024-03-05' -> '2024年3月5日'."""
    year, month, day = iso.split("-")
    return f"{int(year)}年{int(month)}月{int(day)}日"


def sum_text(fen):
    """5000000 -> '50000元', 123450 -> '1234.50元'."""
    return f"{fen // 100}元" if fen % 100 == 0 else f"{fen // 100}.{fen % 100:02d}元"


def rate_text(rate):
    """Shortest decimal: 12.0 -> '12', 3.45 -> '3.45'."""
    return f"{rate:.4f}".rstrip("0").rstrip(".")


def party_kind(party):
    if party["kind"] != "natural":
        return "组织"
    sex = party.get("sex")
    return f"自然人，{sex}" if sex else "自然人"


def element_lines(case):
    """Returns the list of lines in the fixed order, without line feeds."""
    loan = case["loan"]
    lines = ["文书：民事起诉状", "案由：" + case.get("cause", "民间借贷纠纷")]
    for n, party in enumerate(case["plaintiffs"], 1):
        lines.append(f"原告{n}：{party['name']}，{party_kind(party)}")
    for n, party in enumerate(case["defendants"], 1):
        lines.append(f"被告{n}：{party['name']}，{party_kind(party)}，{ROLE[party['role']]}")
    if case.get("relation"):
        lines.append("关系：" + case["relation"])
    lines.append("借款日期：" + date_text(loan["date"]))
    lines.append("借款金额：" + sum_text(loan["amount_fen"]))
    if loan.get("purpose"):
        lines.append("用途：" + loan["purpose"])
    lines.append("凭证：" + WRITTEN[loan["written"]])
    lines.append("交付方式：" + DELIVERY[loan["delivery"]])
    for n, part in enumerate(loan.get("deliveries", []), 1):
        lines.append(f"交付{n}：{date_text(part['date'])}，{DELIVERY[part['delivery']]}，{sum_text(part['amount_fen'])}")
    if loan["rate_agreed"] == "none":
        lines.append("利率：未约定")
    else:
        how = "书面约定" if loan["rate_agreed"] == "written" else "口头约定"
        lines.append(f"利率：年利率{rate_text(loan['rate_year_percent'])}%，{how}")
    lines.append("期限：" + (date_text(loan["term_end"]) + "到期" if loan.get("term_end") else "未约定"))
    if loan.get("extension"):
        ext = loan["extension"]
        lines.append(f"展期：{date_text(ext['date'])}约定延至{date_text(ext['term_end'])}")
    lines += _security_lines(case)
    for n, part in enumerate(case["repayments"], 1):
        lines.append(f"还款{n}：{date_text(part['date'])}，{REPAY[part['kind']]}，{sum_text(part['amount_fen'])}")
    if not case["repayments"]:
        lines.append("还款：无")
    for n, demand in enumerate(case["demands"], 1):
        lines.append(f"催收{n}：{date_text(demand['date'])}，{demand['way']}")
    if not case["demands"]:
        lines.append("催收：无")
    lines += _claim_lines(case)
    return lines


def _security_lines(case):
    guarantee, lines = case.get("guarantee"), []
    if guarantee:
        text = "担保：" + GUARANTEE[guarantee["kind"]]
        if guarantee.get("period"):
            text += "，保证期间为" + guarantee["period"]
        lines.append(text)
    else:
        lines.append("担保：无")
    if case.get("spouse_basis"):
        lines.append("夫妻债务：" + SPOUSE[case["spouse_basis"]])
    return lines


def _claim_lines(case):
    lines = ["尚欠本金：" + sum_text(case["outstanding_fen"])]
    if case.get("interest_from"):
        lines.append("利息起算日：" + date_text(case["interest_from"]))
    if case.get("interest_rate_percent"):
        lines.append(f"主张利率：年利率{rate_text(case['interest_rate_percent'])}%，{BASIS[case['interest_basis']]}")
    claims = []
    for claim in case["claims"]:
        text = CLAIM[claim["kind"]]
        claims.append(text + sum_text(claim["amount_fen"]) if claim["kind"] == "lawyer_fee" else text)
    lines.append("诉请：" + "、".join(claims))
    if case.get("evidence"):
        lines.append("证据：" + "、".join(case["evidence"]))
    return lines


def elements_text(case):
    """The forced head of the sequence, up to the first clause marker."""
    return ELEMENTS + "\n" + "\n".join(element_lines(case)) + "\n"


def document_text(case, clauses):
    """The whole training sequence of a case; `clauses` are the texts in the order of CLAUSES."""
    body = "".join(f"{CLAUSE}{name}\n{text}{END}" for name, text in zip(CLAUSES, clauses, strict=True))
    return elements_text(case) + body + TEXT_END
