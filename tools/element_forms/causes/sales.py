# SPDX-License-Identifier: Apache-2.0
"""买卖合同纠纷: the seller asks for the price, the buyer for repair, return or damages."""
from ..fields import (Form, amount, as_of, choice, claim, collection_cost, contract_facts, date, fact, formula,
                      litigation_cost, money, other_claim, other_facts, paragraph, rows, security_claim, security_facts,
                      text, until_paid)

FORM = Form(
    key="sales", cause="买卖合同纠纷", title_en="sales contract", scope="买卖合同纠纷案件",
    parties={"plaintiffs": ["company", "full_person"], "defendants": ["company_bare", "plain_person"],
             "respondents": ["company_bare", "plain_person"]},
    claims=[
        claim("price", "给付价款", [as_of(), amount("尚欠价款", 186000), formula("货款总额386000元减去已付200000元")]),
        claim("interest", "迟延给付价款的利息或者违约金", [
            as_of(), amount("金额", "7254.00"), formula("以186000元为基数，自2026年2月1日起按合同约定的日万分之二计算"), until_paid()]),
        claim("damages", "赔偿违约造成的损失", [
            amount("金额", 12000), choice("type", "违约类型", {"late": "迟延履行", "none": "不履行", "other": "其他"}, "late",
                                        "对方违约的类型"),
            text("details", "损失明细", "停工待料损失，见损失清单", "各项损失和依据")]),
        claim("defects", "标的物的瑕疵责任", [
            choice("kind", "方式", {"repair": "修理", "remake": "重作", "replace": "更换", "return": "退货", "reduce": "减少价款",
                                   "other": "其他"}, "replace", "民法典第五百八十二条"),
            paragraph("content", "内容", "更换第二批不合格的法兰20件", "标的物、数量、金额")], counted=False),
        claim("deposit", "定金", [amount("金额", 40000), choice("kind", "种类", {"double": "双倍返还", "keep": "不予返还", "return": "返还"},
                                                        "return", "民法典第五百八十七条"),
                               text("details", "定金情况", "2025-10-10交付定金40000元", "交付的时间和数额")]),
        claim("termination", "继续履行或者解除合同", [
            choice("kind", "种类", {"perform": "继续履行", "terminate": "解除合同"}, "terminate", "请求继续履行还是解除"),
            paragraph("reason", "履行的义务或者解除的依据", "经催告后在合理期限内仍未履行主要债务", "符合哪一解除条件")], counted=False),
        security_claim("就质押设备折价或者拍卖、变卖所得价款优先受偿"), collection_cost(), litigation_cost(), other_claim("请求开具增值税专用发票")],
    facts=[
        contract_facts("设备买卖合同", "HY-2025-1001", "某市东城区", "2025-10-01"),
        fact("parties", "签订主体", [text("seller", "出卖人", "某市恒远商贸有限公司", "合同上的出卖人", required=True),
                                   text("buyer", "买受人", "某市宏达建材有限公司", "合同上的买受人", required=True)]),
        fact("goods", "买卖标的物情况", [
            rows("goods", "标的物", [text("name", "名称", "法兰", "标的物的名称", required=True),
                                  text("spec", "规格、质量", "DN150，国标", "规格、型号、质量标准"),
                                  text("quantity", "数量", "200件", "数量和单位", required=True),
                                  money("price", "价款", 386000, "这一项的价款")],
                 [{"name": "法兰", "spec": "DN150，国标", "quantity": "200件", "price": 300000}, {"name": "阀门", "quantity": "10台"}],
                 "每种标的物一行")]),
        fact("price", "合同约定的价格及支付方式", [
            money("total", "合同总价", 386000, "合同约定的总价", required=True),
            choice("way", "支付方式", {"transfer": "转账", "cash": "现金", "bill": "票据", "other": "其他"}, "transfer", "约定的支付方式"),
            choice("times", "支付安排", {"once": "一次性", "instalments": "分期"}, "instalments", "一次性还是分期"),
            text("terms", "支付时间", "交货后三个月内付清", "分期的写明各期")]),
        fact("delivery", "约定的交货时间、地点、方式、风险承担、安装、调试、验收", [
            paragraph("content", "约定", "2025-10-31前送货至被告仓库，签收时风险转移，无须安装", "合同条款")]),
        fact("inspection", "约定的质量标准及检验方式、质量异议期限", [
            text("standard", "质量标准", "国家标准", "约定的标准"),
            text("period", "检验期限", "收货后十五日内", "没有约定的，适用民法典第六百二十一条")]),
        fact("penalty", "约定的违约金、定金", [
            text("penalty", "违约金", "逾期付款按日万分之二", "合同条款"), text("deposit", "定金", "40000元", "不超过主合同标的额的百分之二十（民法典第五百八十六条）")]),
        fact("performance", "价款支付及标的物交付情况", [
            money("paid", "已付价款", 200000, "已经支付的总额；没有付的填0", required=True, zero=True),
            rows("shipments", "各次交付", [date("date", "日期", "2025-10-28", "交付日期", required=True),
                                       text("what", "标的物和数量", "法兰120件", "交付的内容", required=True),
                                       text("proof", "签收情况", "送货单由仓库管理员签收", "凭据")],
                 [{"date": "2025-10-28", "what": "法兰120件", "proof": "送货单由仓库管理员签收"},
                  {"date": "2025-11-02", "what": "法兰80件、阀门10台"}], "每次交付一行")]),
        fact("delay", "迟延履行", [
            date("from", "迟延起始日", "2026-02-01", "从哪一天起迟延"),
            choice("what", "迟延的义务", {"payment": "付款", "delivery": "交货"}, "payment", "哪一项义务")], "是否存在迟延履行", ask=True),
        fact("dunning", "催促履行", [text("details", "时间、方式", "2026-03-01、2026-05-10微信催款，2026-08-08发函", "催促的时间、方式")],
             "是否催促过履行", ask=True),
        fact("quality", "质量争议", [
            paragraph("content", "争议内容", "第二批法兰20件密封面有砂眼", "质量、规格不符合约定的情况"),
            date("notified", "提出异议的时间", "2025-11-10", "通知出卖人的日期")], "标的物有无质量争议", ask=True),
        fact("talks", "就质量问题协商", [text("details", "时间和结果", "2025-11-20协商更换，未达成一致", "协商的情况")],
             "是否曾就质量问题协商", ask=True),
        fact("due", "被告应当支付的利息、违约金、赔偿金", [
            money("interest", "利息", 0, "应付利息；没有的填0", zero=True), money("penalty", "违约金", "7254.00", "应付违约金"),
            money("damages", "赔偿金", 12000, "应付赔偿金"), text("formula", "计算方式", "186000元×0.02%×195日", "基数、标准、天数")]),
        *security_facts(), other_facts()],
    derived=[{"name": "balance", "value": "facts.price.total_fen - facts.performance.paid_fen if facts.price.total_fen is number "
                                          "and facts.performance.paid_fen is number else none"}],
    checks=[
        {"id": "AMT-13", "level": "warning", "path": "claims.price.amount",
         "when": "derived.balance is number and claims.price.amount_fen is number and claims.price.amount_fen > derived.balance",
         "zh": "请求的价款多于合同总价减去已付的余额", "en": "more is claimed than the price leaves"},
        {"id": "SAL-01", "level": "warning", "path": "claims.deposit",
         "when": "claims.deposit.state == 'yes' and claims.deposit.amount_fen is number and facts.price.total_fen is number and "
                 "claims.deposit.kind != 'double' and claims.deposit.amount_fen * 5 > facts.price.total_fen",
         "zh": "定金超过主合同标的额的百分之二十，超过部分不产生定金的效力（民法典第五百八十六条）", "en": "the earnest money is above 20 per cent"},
        {"id": "SAL-02", "level": "warning", "path": "claims.damages",
         "when": "claims.deposit.state == 'yes' and claims.deposit.kind != 'return' and claims.interest.state == 'yes'",
         "zh": "既约定违约金又约定定金的，只能选择适用其一（民法典第五百八十八条）", "en": "penalty and earnest money exclude each other"},
        {"id": "SAL-03", "level": "warning", "path": "facts.quality",
         "when": "claims.defects.state == 'yes' and facts.quality.state != 'yes'",
         "zh": "主张瑕疵责任而没有填写质量争议", "en": "defects are claimed without facts"},
        {"id": "DAT-02", "level": "error", "path": "facts.contract.date", "when": "facts.contract.date > derived.date",
         "zh": "合同签订时间晚于具状日期", "en": "the contract is dated after the complaint"}],
    citations=[
        ("civil-code", 577, "true", "违约责任"),
        ("civil-code", 579, "claims.price.state == 'yes'", "金钱债务的履行"),
        ("civil-code", 582, "claims.defects.state == 'yes'", "瑕疵履行的补救"),
        ("civil-code", 584, "claims.damages.state == 'yes'", "损失赔偿"),
        ("civil-code", 585, "claims.interest.state == 'yes'", "违约金"),
        ("civil-code", 587, "claims.deposit.state == 'yes'", "定金罚则"),
        ("civil-code", 563, "claims.termination.state == 'yes' and claims.termination.kind == 'terminate'", "法定解除"),
        ("civil-code", 595, "claims.price.state == 'yes'", "买卖合同定义"),
        ("civil-code", 617, "claims.defects.state == 'yes'", "质量瑕疵的责任"),
        ("civil-code", 626, "claims.price.state == 'yes'", "支付价款的数额和方式"),
        ("civil-code", 628, "claims.price.state == 'yes'", "支付价款的时间"),
        ("civil-code", 688, "facts.guarantee.state == 'yes' and facts.guarantee.kind == 'joint'", "连带责任保证")],
    cases=[
        ("buyer", "买受人请求双倍返还定金；继续履行；请求多于余额；没有质量争议", "full",
         {"claims": {"price": {"amount": 200000}, "deposit": {"kind": "double"}, "termination": {"kind": "perform"}},
          "facts": {"quality": {"state": "no", "content": None, "notified": None}, "guarantee": {"kind": "general"}}},
         {"contains": ["☑双倍返还"], "warnings": ["AMT-13", "SAL-02", "SAL-03"]}),
        ("big-deposit", "定金超过百分之二十", "full", {"claims": {"deposit": {"amount": 100000, "kind": "keep"}}},
         {"contains": ["☑不予返还"], "warnings": ["SAL-01"]}),
        ("future", "合同签订时间晚于具状日期", "full", {"facts": {"contract": {"date": "2027-01-01"}}},
         {"errors": ["facts.contract.date"]})],
    answer_citations=[("civil-code", 621, "facts.quality.position == 'object'", "质量异议的通知")],
)
