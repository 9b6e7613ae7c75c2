# SPDX-License-Identifier: Apache-2.0
"""物业服务合同纠纷."""
from ..fields import (Form, amount, as_of, choice, claim, contract_facts, date, fact, formula, litigation_cost, money,
                      other_claim, other_facts, percent, text, until_paid)

FORM = Form(
    key="property-service", cause="物业服务合同纠纷", title_en="property service", scope="物业服务合同纠纷案件",
    parties={"plaintiffs": ["property_company", "full_person"], "defendants": ["plain_person", "wife"],
             "respondents": ["plain_person", "company_bare"]},
    claims=[
        claim("fee", "物业费", [as_of(), amount("尚欠物业费", "5184.00"),
                            formula("108平方米×2元/平方米/月×24个月")]),
        claim("penalty", "违约金", [as_of(), amount("违约金", "620.50"), formula("以每期欠费为基数，按日万分之三分段计算"),
                               until_paid()]),
        litigation_cost(), other_claim("请求支付公共水电分摊费")],
    facts=[
        contract_facts("前期物业服务合同", "物2022-031", "某市东城区", "2022-06-01"),
        fact("parties", "签订主体", [
            text("service", "物业服务人", "某市安居物业服务有限公司", "合同上的物业服务人", required=True),
            text("owner", "业主或者建设单位", "某市置业开发有限公司", "前期合同由建设单位签订，对业主具有法律约束力（民法典第九百三十九条）",
                 required=True)]),
        fact("project", "物业项目情况", [
            text("place", "坐落位置", "某市东城区和平路8号2栋302室", "小区、楼栋、房号", required=True),
            text("area", "建筑面积", "108平方米", "计费的面积"),
            text("owner", "所有权人", "李建业、陈雨·阿依", "登记的所有权人")]),
        fact("standard", "约定的物业费标准", [
            text("standard", "标准", "住宅每月每平方米2元", "单价和计费单位", required=True),
            text("approval", "依据", "合同第六条；经业主大会决定", "政府指导价、业主大会决定或者合同条款")]),
        fact("term", "约定的物业服务期限", [
            date("start", "起始日", "2022-06-01", "服务期限的第一天"), date("end", "届满日", "2027-05-31", "服务期限的最后一天")]),
        fact("payment", "约定的物业费支付方式", [
            choice("way", "方式", {"month": "按月", "quarter": "按季", "half": "按半年", "year": "按年", "other": "其他"}, "year",
                   "支付的周期"),
            text("due", "支付期限", "每年6月30日前", "每期的最后期限")]),
        fact("penalty_standard", "约定的逾期支付物业费违约金标准", [
            text("standard", "标准", "按日万分之三", "合同约定的标准"),
            percent("year_percent", "折合年利率", "10.95", "折合的年利率，便于核对是否过高")]),
        fact("arrears", "被告欠付物业费数额及计算方式", [
            date("from", "欠费起始日", "2024-06-01", "从哪一天起欠费"), date("to", "欠费截止日", "2026-05-31", "欠费计算到哪一天"),
            money("sum", "欠费数额", "5184.00", "欠付的物业费", required=True),
            text("formula", "计算方式", "108平方米×2元×24个月", "面积、单价、月数")]),
        fact("penalty_due", "被告应付违约金数额及计算方式", [
            money("sum", "违约金数额", "620.50", "应付的违约金"), text("formula", "计算方式", "分两期分段计算", "基数、标准、天数")]),
        fact("dunning", "催缴情况", [
            text("details", "时间、方式", "2026-06-10书面催告，限三十日内支付", "物业服务人可以催告其在合理期限内支付（民法典第九百四十四条）")],
            "是否催缴", ask=True),
        other_facts("小区没有成立业主委员会")],
    checks=[
        {"id": "AMT-12", "level": "warning", "path": "facts.arrears.sum",
         "when": "claims.fee.state == 'yes' and claims.fee.amount_fen is number and facts.arrears.sum_fen is number and "
                 "claims.fee.amount_fen != facts.arrears.sum_fen",
         "zh": "请求的物业费与所填欠费数额不一致", "en": "the claim and the arrears differ"},
        {"id": "PSV-01", "level": "warning", "path": "facts.dunning",
         "when": "claims.fee.state == 'yes' and facts.dunning.state != 'yes'",
         "zh": "没有填写催缴；物业服务人起诉以前可以催告业主在合理期限内支付（民法典第九百四十四条）", "en": "no reminder is stated"},
        {"id": "DAT-02", "level": "error", "path": "facts.arrears.to",
         "when": "facts.arrears.from and facts.arrears.to and facts.arrears.to < facts.arrears.from",
         "zh": "欠费截止日早于起始日", "en": "the arrears end before they begin"}],
    citations=[
        ("civil-code", 509, "true", "全面履行"),
        ("civil-code", 577, "claims.penalty.state == 'yes'", "违约责任"),
        ("civil-code", 585, "claims.penalty.state == 'yes'", "违约金"),
        ("civil-code", 937, "claims.fee.state == 'yes'", "物业服务合同定义"),
        ("civil-code", 939, "claims.fee.state == 'yes'", "前期物业服务合同的效力"),
        ("civil-code", 944, "claims.fee.state == 'yes'", "支付物业费")],
    cases=[
        ("no-reminder", "没有催缴，请求与欠费数额不一致", "full",
         {"claims": {"fee": {"amount": 5000}}, "facts": {"dunning": {"state": "no", "details": None}}},
         {"contains": ["物业"], "warnings": ["AMT-12", "PSV-01"]}),
        ("turned-days", "欠费截止日早于起始日", "full", {"facts": {"arrears": {"to": "2023-01-01"}}},
         {"errors": ["facts.arrears.to"]})],
    answer_citations=[("civil-code", 942, "facts.arrears.position == 'object'", "物业服务人的主要义务")],
)
