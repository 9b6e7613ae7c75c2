# SPDX-License-Identifier: Apache-2.0
"""民间借贷纠纷."""
from ..fields import (Form, amount, as_of, choice, claim, collection_cost, contract_facts, date, fact, formula, integer,
                      litigation_cost, money, other_claim, other_facts, paragraph, percent, rows, security_claim,
                      security_facts, text, tri, until_paid)

_RATE = "claims.interest.rate_percent if claims.interest.rate_percent is number else none"
_CAP = "(facts.contract.date | lpr) * 4 if facts.contract.date >= '2020-08-20' and (facts.contract.date | lpr) else none"

FORM = Form(
    key="private-lending", cause="民间借贷纠纷", title_en="private lending", scope="民间借贷纠纷案件",
    parties={"plaintiffs": ["full_person", "company"], "defendants": ["plain_person", "defendant_bare", "company_bare"],
             "respondents": ["plain_person", "company_bare"]},
    claims=[
        claim("principal", "本金", [as_of(), amount("尚欠本金", 100000)]),
        claim("interest", "利息", [
            as_of(), amount("尚欠利息", "20021.92"), formula("以100000元为基数，自2025年3月1日起按年利率12%计算，一年按365日"),
            percent("rate_percent", "年利率", 12, "主张的年利率，填了可以复算并与四倍LPR核对"),
            date("from", "起算日", "2025-03-01", "利息从哪一天起算"), until_paid()]),
        claim("termination", "提前还款或者解除合同", [
            choice("kind", "种类", {"early": "提前还款", "terminate": "解除合同"}, "early", "请求提前还款还是解除合同"),
            paragraph("reason", "依据的事实", "连续两期没有支付利息", "何种违约使提前还款或者解除的条件成就")],
            counted=False),
        security_claim(), collection_cost(), litigation_cost(), other_claim()],
    facts=[
        contract_facts("借条"),
        fact("parties", "签订主体", [
            text("lender", "出借人", "王建国", "合同或者凭证上的出借人", required=True),
            text("borrower", "借款人", "李建业、周正", "合同或者凭证上的借款人", required=True),
            text("security", "担保人", "某市宏达建材有限公司", "合同或者凭证上的担保人")]),
        fact("amount", "借款金额", [
            money("agreed", "约定金额", 200000, "合同或者凭证载明的金额", required=True),
            money("delivered", "实际提供金额", 200000, "实际交付的金额；预先扣除利息的，以实际交付的为本金", required=True)]),
        fact("term", "借款期限", [
            tri("due", "是否到期", "yes", "借款期限是否届满"),
            date("start", "起始日", "2024-03-01", "约定期限的第一天"),
            date("end", "届满日", "2025-02-28", "约定期限的最后一天")]),
        fact("rate", "借款利率", [
            tri("agreed", "是否约定利率", "yes", "没有约定的，视为没有利息（民法典第六百八十条）"),
            percent("year_percent", "约定的年利率", 12, "折算为年利率"),
            text("period", "计息周期", "按月计息", "按年、按季、按月计息"),
            text("clause", "合同条款", "第三条", "约定利率的条款号")]),
        fact("delivery", "借款提供时间", [
            rows("deliveries", "各次交付", [
                date("date", "日期", "2024-03-01", "交付日期", required=True),
                money("sum", "金额", 120000, "交付的金额", required=True),
                text("way", "方式", "银行转账", "银行转账、微信、支付宝、现金")],
                [{"date": "2024-03-01", "sum": 120000, "way": "银行转账"}, {"date": "2024-03-05", "sum": 80000}],
                "每次交付一行")]),
        fact("repayment", "还款方式", [
            choice("way", "方式", {"once": "到期一次性还本付息", "equal_installment": "等额本息", "equal_principal": "等额本金",
                                 "monthly": "按月计息、到期还本", "quarterly": "按季计息、到期还本",
                                 "yearly": "按年计息、到期还本", "other": "其他"}, "monthly", "约定的还款方式"),
            text("other", "其他还款方式", "前三个月不还款，其后按月还本", "上一栏为其他的，写明")]),
        fact("repaid", "还款情况", [
            money("principal", "已还本金", 100000, "已经偿还的本金；没有还的填0", zero=True),
            money("interest", "已还利息", 24000, "已经支付的利息；没有付的填0", zero=True),
            date("paid_to", "还息至", "2025-02-28", "利息付到哪一天")]),
        fact("overdue", "逾期还款", [
            date("from", "逾期时间", "2025-03-01", "从哪一天起逾期"),
            integer("days", "至今已逾期天数", 610, "至具状日的天数")], "是否存在逾期还款", ask=True),
        *security_facts(), other_facts()],
    derived=[
        {"name": "cap_percent", "value": _CAP},
        {"name": "interest_computed",
         "value": "(claims.principal.amount_fen | interest(claims.interest.rate_percent, claims.interest.from, "
                  "claims.interest.as_of)) if claims.principal.amount_fen is number and "
                  "claims.interest.rate_percent is number and claims.interest.from and claims.interest.as_of else none"}],
    checks=[
        {"id": "AMT-04", "level": "warning", "path": "claims.interest.rate_percent",
         "when": "derived.cap_percent and claims.interest.state == 'yes' and claims.interest.rate_percent is number and "
                 "claims.interest.rate_percent > derived.cap_percent",
         "zh": "主张的年利率{{ claims.interest.rate_percent | rate }}%超过合同成立时一年期LPR的四倍（{{ derived.cap_percent | rate }}%），超过部分不受支持",
         "en": "the claimed rate is above four times the LPR at the time of the contract"},
        {"id": "AMT-05", "level": "warning", "path": "claims.interest.amount",
         "when": "derived.interest_computed is number and claims.interest.amount_fen is number and "
                 "claims.interest.amount_fen > derived.interest_computed + 100",
         "zh": "主张的利息多于以尚欠本金按所填利率复算的{{ derived.interest_computed | yuan }}（一年按365日），请核对",
         "en": "more interest is claimed than the given rate yields"},
        {"id": "INT-01", "level": "warning", "path": "facts.contract.date", "when": "facts.contract.date < '2020-08-20'",
         "zh": "借款成立于2020年8月20日以前，利率上限须分段适用（民间借贷规定第三十一条）",
         "en": "the loan was made before 2020-08-20: the cap of interest applies in segments"},
        {"id": "AMT-08", "level": "warning", "path": "facts.amount.delivered",
         "when": "facts.amount.delivered_fen is number and facts.amount.agreed_fen is number and "
                 "facts.amount.delivered_fen < facts.amount.agreed_fen",
         "zh": "实际提供的金额少于约定金额，以实际提供的为本金（民法典第六百七十条）",
         "en": "less was delivered than agreed"},
        {"id": "AMT-09", "level": "error", "path": "claims.principal.amount",
         "when": "claims.principal.amount_fen is number and facts.amount.delivered_fen is number and "
                 "claims.principal.amount_fen > facts.amount.delivered_fen",
         "zh": "尚欠本金大于实际提供的金额", "en": "more principal is claimed than was delivered"},
        {"id": "AMT-10", "level": "error", "path": "facts.delivery.deliveries",
         "when": "facts.delivery.deliveries and facts.amount.delivered_fen is number and "
                 "(facts.delivery.deliveries | map(attribute='sum_fen') | sum) != facts.amount.delivered_fen",
         "zh": "各次交付之和不等于实际提供的金额", "en": "the deliveries do not add up"},
        {"id": "AMT-11", "level": "warning", "path": "claims.interest",
         "when": "claims.interest.state == 'yes' and facts.rate.agreed == 'no' and facts.term.due != 'yes'",
         "zh": "没有约定利率的借款视为没有利息；逾期的，只能主张逾期利息",
         "en": "interest is claimed though none was agreed"},
        {"id": "DAT-02", "level": "error", "path": "facts.contract.date", "when": "facts.contract.date > derived.date",
         "zh": "合同签订时间晚于具状日期", "en": "the contract is dated after the complaint"}],
    citations=[
        ("civil-code", 667, "claims.principal.state == 'yes'", "借款合同定义"),
        ("civil-code", 674, "claims.interest.state == 'yes' and facts.rate.agreed == 'yes'", "支付利息的期限"),
        ("civil-code", 675, "claims.principal.state == 'yes'", "返还借款的期限"),
        ("civil-code", 676, "claims.interest.state == 'yes' and facts.overdue.state == 'yes'", "逾期利息"),
        ("civil-code", 688, "facts.guarantee.state == 'yes' and facts.guarantee.kind == 'joint'", "连带责任保证"),
        ("civil-code", 687, "facts.guarantee.state == 'yes' and facts.guarantee.kind == 'general'", "一般保证"),
        ("civil-code", 686, "facts.guarantee.state == 'yes' and facts.guarantee.kind == 'unspecified'", "保证方式"),
        ("civil-code", 394, "claims.security.state == 'yes' and facts.property_security.state == 'yes' and "
                            "facts.property_security.kind == 'mortgage'", "抵押权"),
        ("civil-code", 691, "claims.collection_cost.state == 'yes' and facts.guarantee.state == 'yes'", "保证范围"),
        ("private-lending", 25, "claims.interest.state == 'yes' and facts.contract.date >= '2020-08-20'", "利率上限")],
    cases=[
        ("above-cap", "利率超过四倍LPR，借期内先扣利息，2020年8月20日以前成立的另有提示", "full",
         {"claims": {"interest": {"rate_percent": 18}}, "facts": {"amount": {"delivered": 190000},
          "delivery": {"deliveries": [{"date": "2024-03-01", "sum": 190000}]}}},
         {"contains": ["借款金额"], "warnings": ["AMT-04", "AMT-08"]}),
        ("old-loan", "借款成立于2020年8月20日以前，没有约定利率", "full",
         {"facts": {"contract": {"date": "2019-03-01"}, "rate": {"agreed": "no"}, "term": {"due": "no"},
                    "guarantee": {"kind": "general"}, "repayment": {"way": "once", "other": None}}},
         {"contains": ["☑一般保证"], "warnings": ["INT-01", "AMT-11"]}),
        ("guarantee-unspecified", "保证方式没有约定", "full", {"facts": {"guarantee": {"kind": "unspecified"}}},
         {"contains": ["☑没有约定"]}),
        ("too-much-interest", "主张的利息多于按利率复算的数", "full", {"claims": {"interest": {"amount": 60000}}},
         {"contains": ["尚欠利息：60000元"], "warnings": ["AMT-05"]}),
        ("too-much-principal", "尚欠本金大于实际提供的金额，交付之和不符，签订在后", "full",
         {"claims": {"principal": {"amount": 300000}}, "facts": {"contract": {"date": "2027-01-01"},
          "delivery": {"deliveries": [{"date": "2024-03-01", "sum": 1}]}}},
         {"errors": ["claims.principal.amount", "facts.delivery.deliveries", "facts.contract.date"]})],
    answer_citations=[("private-lending", 25, "claims.interest.position == 'object'", "利率上限")],
)
