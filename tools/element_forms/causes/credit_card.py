# SPDX-License-Identifier: Apache-2.0
"""信用卡纠纷."""
from ..fields import (Form, amount, as_of, claim, collection_cost, date, fact, formula, litigation_cost, money,
                      other_claim, other_facts, paragraph, security_claim, security_facts, text, until_paid)

FORM = Form(
    key="credit-card", cause="信用卡纠纷", title_en="credit card", scope="信用卡纠纷案件",
    parties={"plaintiffs": ["bank", "full_person"], "defendants": ["plain_person", "company_bare"],
             "respondents": ["plain_person", "company_bare"]},
    claims=[
        claim("principal", "透支本金", [as_of(), amount("尚欠透支本金", "48000.00")]),
        claim("interest", "利息、罚息、复利、滞纳金、违约金、手续费", [
            as_of(), amount("合计", "6520.80"),
            money("interest_part", "其中利息", 4200, "透支利息、罚息、复利"),
            money("penalty_part", "其中违约金", "1800.80", "违约金或者滞纳金"),
            money("fee_part", "其中手续费", 520, "分期手续费等"),
            formula("透支利息按日利率万分之五，违约金按最低还款额未还部分的5%"), until_paid()]),
        security_claim("对保证人主张连带保证责任"), collection_cost(), litigation_cost(),
        other_claim("请求解除信用卡领用合约")],
    facts=[
        fact("card", "信用卡办理情况", [
            text("holder", "持卡人", "李建业", "领用合约上的持卡人", required=True),
            text("card_number", "卡号", "6225************99", "写明首尾数字即可，避免泄露"),
            date("date", "办理时间", "2023-05-10", "核发或者激活日期", required=True),
            text("branch", "办卡机构", "某某银行股份有限公司某市东城支行", "办理的分支机构")]),
        fact("terms", "信用卡合约的主要约定", [
            money("limit", "透支额度", 50000, "核定的信用额度"),
            paragraph("standards", "利息、罚息、复利、滞纳金、违约金、手续费的计算标准", "日利率万分之五，按月计收复利；违约金为最低还款额未还部分的5%",
                      "合约的条款和标准"),
            paragraph("liability", "违约责任", "逾期的，停止免息期待遇，全部欠款到期", "合约的条款号和内容"),
            text("termination", "解除条件", "连续三期未还最低还款额", "合约的条款号和内容")]),
        fact("notice", "对主要条款的提示注意、说明", [
            text("details", "方式和时间", "申请表首页以加粗字体提示，持卡人抄写确认", "以什么方式提示、说明的")],
            "是否对持卡人就主要条款提示注意、说明（民法典第四百九十六条）", ask=True),
        fact("repaid", "已还款金额", [
            money("sum", "已还款总额", 12000, "持卡人已经偿还的总额；没有还的填0", zero=True),
            text("details", "还款情况", "最后一笔还款为2026-03-20的2000元", "还款的时间、金额")]),
        fact("unpaid", "逾期未还款金额", [
            date("as_of", "截止日", "2026-10-31", "欠款计算到哪一天"),
            date("from", "逾期时间", "2026-04-21", "从哪一天起逾期"),
            money("principal", "逾期本金", 48000, "逾期未还的透支本金"),
            money("other", "逾期息费", "6520.80", "逾期未还的利息、违约金、手续费")]),
        fact("dunning", "通知和催收", [
            text("details", "时间、方式", "2026-05至2026-09短信催收五次，2026-09-20邮寄催收函", "催收的时间、方式、内容")],
            "是否向被告通知和催收", ask=True),
        *security_facts(), other_facts()],
    derived=[{"name": "interest_parts",
              "value": "(claims.interest.interest_part_fen if claims.interest.interest_part_fen is number else 0) + "
                       "(claims.interest.penalty_part_fen if claims.interest.penalty_part_fen is number else 0) + "
                       "(claims.interest.fee_part_fen if claims.interest.fee_part_fen is number else 0)"}],
    checks=[
        {"id": "AMT-02b", "level": "error", "path": "claims.interest.amount",
         "when": "claims.interest.amount_fen is number and derived.interest_parts > 0 and "
                 "derived.interest_parts != claims.interest.amount_fen",
         "zh": "利息、违约金、手续费之和{{ derived.interest_parts | yuan }}与合计不一致", "en": "the parts do not add up"},
        {"id": "CLM-05", "level": "warning", "path": "facts.notice",
         "when": "claims.interest.state == 'yes' and facts.notice.state != 'yes'",
         "zh": "主张息费，但没有确认已就主要条款提示注意、说明；没有提示的，持卡人可以主张条款不成为合同内容",
         "en": "fees are claimed without a statement that the terms were pointed out"},
        {"id": "DAT-02", "level": "error", "path": "facts.card.date", "when": "facts.card.date > derived.date",
         "zh": "办卡时间晚于具状日期", "en": "the card was issued after the complaint"}],
    citations=[
        ("civil-code", 509, "true", "全面履行"),
        ("civil-code", 577, "true", "违约责任"),
        ("civil-code", 674, "claims.interest.state == 'yes'", "支付利息的期限"),
        ("civil-code", 675, "claims.principal.state == 'yes'", "返还借款的期限"),
        ("civil-code", 676, "claims.interest.state == 'yes'", "逾期利息"),
        ("civil-code", 688, "facts.guarantee.state == 'yes' and facts.guarantee.kind == 'joint'", "连带责任保证")],
    cases=[("no-notice", "没有确认提示说明，合计与各部分不符", "full",
            {"facts": {"notice": {"state": "no", "details": None}, "guarantee": {"kind": "general"}},
             "claims": {"interest": {"fee_part": None, "penalty_part": None, "interest_part": None}}},
            {"contains": ["☑一般保证"], "warnings": ["CLM-05"]}),
           ("future", "办卡时间晚于具状日期", "full", {"facts": {"card": {"date": "2027-01-01"}}}, {"errors": ["facts.card.date"]}),
           ("parts-differ", "息费各部分之和与合计不一致", "full", {"claims": {"interest": {"fee_part": 1}}},
            {"errors": ["claims.interest.amount"]})],
    answer_citations=[("civil-code", 496, "facts.notice.position == 'object'", "格式条款的提示说明")],
)
