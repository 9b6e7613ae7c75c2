# SPDX-License-Identifier: Apache-2.0
"""金融借款合同纠纷."""
from ..fields import (Form, amount, as_of, choice, claim, collection_cost, contract_facts, date, fact, formula,
                      litigation_cost, money, other_claim, other_facts, paragraph, percent, rows, security_claim,
                      security_facts, text, tri, until_paid)

FORM = Form(
    key="financial-loan", cause="金融借款合同纠纷", title_en="financial loan", scope="金融借款合同纠纷案件",
    parties={"plaintiffs": ["bank", "full_person"], "defendants": ["plain_person", "wife", "company_bare"],
             "respondents": ["plain_person", "company_bare"]},
    claims=[
        claim("principal", "本金", [as_of(), amount("尚欠本金", 250000)]),
        claim("interest", "利息、罚息、复利", [
            as_of(), amount("利息、罚息、复利合计", "18250.50"),
            money("interest", "其中利息", "15000", "尚欠的期内利息"),
            money("penalty", "其中罚息", "3000", "逾期罚息"),
            money("compound", "其中复利", "250.50", "对欠付利息计收的复利"),
            formula("以尚欠本金为基数，逾期部分按合同利率上浮50%计算"), until_paid()]),
        claim("termination", "提前还款或者解除合同", [
            choice("kind", "种类", {"early": "提前还款", "terminate": "解除合同"}, "early", "宣布提前到期还是解除合同"),
            date("on", "到期或者解除日", "2026-09-01", "主张提前到期或者解除的日期"),
            paragraph("reason", "依据的事实", "连续三期没有足额还款", "符合合同哪一条的约定")], counted=False),
        security_claim(), collection_cost(), litigation_cost(), other_claim("请求确认原告对保证金账户内资金优先受偿")],
    facts=[
        contract_facts("个人购房借款合同", "某银个贷字2024第0188号"),
        fact("parties", "签订主体", [
            text("lender", "贷款人", "某某银行股份有限公司某市东城支行", "合同上的贷款人", required=True),
            text("borrower", "借款人", "李建业、陈雨·阿依", "合同上的借款人", required=True),
            text("security", "担保人", "某市宏达建材有限公司", "合同上的担保人")]),
        fact("amount", "借款金额", [
            money("agreed", "约定金额", 300000, "合同载明的金额", required=True),
            money("delivered", "实际发放金额", 300000, "贷款人实际发放的金额", required=True),
            text("purpose", "借款用途", "购买住房", "合同载明的用途")]),
        fact("term", "借款期限", [
            tri("due", "是否到期", "no", "借款期限是否届满"),
            date("start", "起始日", "2024-03-01", "约定期限的第一天"),
            date("end", "届满日", "2034-02-28", "约定期限的最后一天")]),
        fact("rate", "借款利率", [
            percent("year_percent", "合同年利率", "4.35", "合同成立时的年利率", required=True),
            choice("kind", "利率种类", {"fixed": "固定利率", "floating": "浮动利率"}, "floating", "固定还是浮动"),
            text("adjustment", "浮动方式", "每年3月1日按一年期LPR加90个基点调整", "调整日和加减基点"),
            percent("overdue_percent", "逾期年利率", "6.525", "罚息利率"),
            text("clause", "合同条款", "第四条、第十一条", "约定利率的条款号")]),
        fact("delivery", "借款发放时间", [
            rows("deliveries", "各次发放", [
                date("date", "日期", "2024-03-05", "发放日期", required=True),
                money("sum", "金额", 300000, "发放的金额", required=True),
                text("account", "收款账户", "借款人尾号8899账户", "转入的账户")],
                [{"date": "2024-03-05", "sum": 200000, "account": "借款人尾号8899账户"},
                 {"date": "2024-04-05", "sum": 100000}], "每次发放一行")]),
        fact("repayment", "还款方式", [
            choice("way", "方式", {"equal_installment": "等额本息", "equal_principal": "等额本金", "once": "到期一次性还本付息",
                                 "monthly": "按月付息、到期还本", "quarterly": "按季付息、到期还本",
                                 "yearly": "按年付息、到期还本", "other": "其他"}, "equal_installment", "约定的还款方式"),
            text("other", "其他还款方式", "按合同附件的还款计划", "上一栏为其他的，写明")]),
        fact("repaid", "还款情况", [
            money("principal", "已还本金", 50000, "已经偿还的本金；没有还的填0", zero=True),
            money("interest", "已还利息", 26000, "已经支付的利息、罚息、复利；没有付的填0", zero=True),
            date("paid_to", "还息至", "2026-05-31", "利息付到哪一天")]),
        fact("overdue", "逾期还款", [
            date("from", "逾期时间", "2026-06-01", "从哪一天起逾期"),
            text("notice", "催收情况", "2026-07-02书面催收，2026-08-15发出提前到期通知", "催收和宣布到期的时间、方式")],
            "是否存在逾期还款", ask=True),
        *security_facts(), other_facts()],
    derived=[{"name": "interest_parts",
              "value": "(claims.interest.interest_fen if claims.interest.interest_fen is number else 0) + "
                       "(claims.interest.penalty_fen if claims.interest.penalty_fen is number else 0) + "
                       "(claims.interest.compound_fen if claims.interest.compound_fen is number else 0)"}],
    checks=[
        {"id": "AMT-02b", "level": "error", "path": "claims.interest.amount",
         "when": "claims.interest.amount_fen is number and derived.interest_parts > 0 and "
                 "derived.interest_parts != claims.interest.amount_fen",
         "zh": "利息、罚息、复利之和{{ derived.interest_parts | yuan }}与合计不一致", "en": "interest, penalty and compound interest do not add up"},
        {"id": "AMT-09", "level": "error", "path": "claims.principal.amount",
         "when": "claims.principal.amount_fen is number and facts.amount.delivered_fen is number and "
                 "claims.principal.amount_fen > facts.amount.delivered_fen",
         "zh": "尚欠本金大于实际发放的金额", "en": "more principal is claimed than was lent"},
        {"id": "AMT-10", "level": "error", "path": "facts.delivery.deliveries",
         "when": "facts.delivery.deliveries and facts.amount.delivered_fen is number and "
                 "(facts.delivery.deliveries | map(attribute='sum_fen') | sum) != facts.amount.delivered_fen",
         "zh": "各次发放之和不等于实际发放的金额", "en": "the payments do not add up"},
        {"id": "DAT-04", "level": "warning", "path": "claims.termination",
         "when": "claims.principal.state == 'yes' and facts.term.due == 'no' and claims.termination.state != 'yes'",
         "zh": "借款尚未到期，请求返还全部本金的，须同时主张提前还款或者解除合同",
         "en": "the loan is not due and no early repayment is claimed"},
        {"id": "DAT-02", "level": "error", "path": "facts.contract.date", "when": "facts.contract.date > derived.date",
         "zh": "合同签订时间晚于具状日期", "en": "the contract is dated after the complaint"}],
    citations=[
        ("civil-code", 667, "claims.principal.state == 'yes'", "借款合同定义"),
        ("civil-code", 674, "claims.interest.state == 'yes'", "支付利息的期限"),
        ("civil-code", 675, "claims.principal.state == 'yes'", "返还借款的期限"),
        ("civil-code", 676, "claims.interest.state == 'yes' and facts.overdue.state == 'yes'", "逾期利息"),
        ("civil-code", 577, "claims.termination.state == 'yes'", "违约责任"),
        ("civil-code", 688, "facts.guarantee.state == 'yes' and facts.guarantee.kind == 'joint'", "连带责任保证"),
        ("civil-code", 687, "facts.guarantee.state == 'yes' and facts.guarantee.kind == 'general'", "一般保证"),
        ("civil-code", 394, "claims.security.state == 'yes' and facts.property_security.state == 'yes' and "
                            "facts.property_security.kind == 'mortgage'", "抵押权"),
        ("civil-code", 691, "claims.collection_cost.state == 'yes' and facts.guarantee.state == 'yes'", "保证范围")],
    cases=[
        ("not-due", "借款没有到期而只请求还本；一般保证", "full",
         {"claims": {"termination": {"state": "no", "kind": None, "on": None, "reason": None}},
          "facts": {"guarantee": {"kind": "general"}}}, {"contains": ["☑一般保证"], "warnings": ["DAT-04"]}),
        ("sums-differ", "尚欠本金大于发放金额；各次发放之和不符；合同签订在后", "full",
         {"claims": {"principal": {"amount": 400000}},
          "facts": {"contract": {"date": "2027-01-01"}, "delivery": {"deliveries": [{"date": "2024-03-05", "sum": 1}]}}},
         {"errors": ["claims.principal.amount", "facts.delivery.deliveries", "facts.contract.date"]}),
        ("parts-differ", "利息、罚息、复利之和与合计不一致", "full", {"claims": {"interest": {"penalty": 1}}},
         {"errors": ["claims.interest.amount"]})],
)
