# SPDX-License-Identifier: Apache-2.0
"""建设工程施工合同纠纷."""
from ..fields import (Form, amount, as_of, choice, claim, collection_cost, contract_facts, date, fact, formula,
                      litigation_cost, money, other_claim, other_facts, paragraph, rows, text, tri, until_paid)

FORM = Form(
    key="construction", cause="建设工程施工合同纠纷", title_en="construction contract", scope="建设工程施工合同纠纷案件",
    parties={"plaintiffs": ["company", "full_person"], "defendants": ["company_bare", "plain_person"],
             "respondents": ["company_bare", "plain_person"]},
    claims=[
        claim("price", "工程款", [as_of(), amount("尚欠工程款", 1200000), formula("结算价5200000元减去已付4000000元")]),
        claim("interest", "利息", [as_of(), amount("尚欠利息", "36000.00"), formula("以1200000元为基数，自交付之日起按一年期LPR计算"),
                                 until_paid()]),
        claim("penalty", "违约金或者停工、窝工损失", [amount("金额", 50000), text("details", "明细", "停工20日，机械和人工费", "项目和计算")]),
        claim("warranty_money", "质量保证金", [amount("金额", 156000), text("details", "返还条件", "缺陷责任期于2026-06-30届满", "期限和比例")]),
        claim("quality", "质量修复或者减少价款", [amount("金额", 30000), paragraph("content", "内容", "屋面渗漏的修复费用", "由发包人主张")],
              state="no"),
        claim("priority", "建设工程价款优先受偿权", [
            paragraph("content", "内容", "就案涉工程折价或者拍卖的价款优先受偿", "范围不含利息、违约金、损害赔偿金（建工解释（一）第四十条）"),
            date("due", "应当给付工程款之日", "2025-09-01", "自该日起最长十八个月内行使（建工解释（一）第四十一条）")],
            "与发包人订立合同的承包人可以主张", counted=False),
        claim("termination", "继续履行或者解除合同", [
            choice("kind", "种类", {"perform": "继续履行", "terminate": "解除合同"}, "terminate", "请求继续履行还是解除"),
            paragraph("reason", "依据的事实", "经催告后在合理期限内仍未支付工程款", "符合哪一解除条件")], counted=False),
        collection_cost(), litigation_cost(), other_claim("请求交付竣工图纸")],
    facts=[
        contract_facts("建设工程施工合同", "GF-2023-0077", "某市东城区", "2023-03-01"),
        fact("parties", "签订主体", [
            text("owner", "发包人", "某市宏达建材有限公司", "合同上的发包人", required=True),
            text("contractor", "承包人", "某市恒远商贸有限公司", "合同上的承包人", required=True),
            text("qualification", "承包人资质", "建筑工程施工总承包三级", "资质等级；没有资质的写明"),
            tri("tender", "是否招标投标", "no", "必须招标而未招标或者中标无效的，合同无效（建工解释（一）第一条）")]),
        fact("project", "工程概况", [
            text("name", "工程名称", "二号仓库新建工程", "工程名称", required=True),
            text("place", "工程地点", "某市北城区环城路9号", "不动产所在地法院专属管辖", required=True),
            text("scope", "承包范围", "土建、安装", "承包的范围和方式"),
            text("permit", "规划和施工许可", "已取得建设工程规划许可证", "证号、日期；没有取得的写明")]),
        fact("price", "工程价款", [
            choice("form", "计价方式", {"lump": "固定总价", "unit": "固定单价", "adjustable": "可调价", "cost": "成本加酬金"}, "unit",
                   "合同约定的计价方式"),
            money("agreed", "合同价", 5000000, "合同约定的价款"),
            text("changes", "变更、签证", "签证单三份，增加200000元", "设计变更和签证的金额")]),
        fact("payment_terms", "付款方式与时间", [paragraph("content", "约定", "按月进度支付80%，竣工验收合格后支付至97%，余3%为质量保证金",
                                                "合同条款")]),
        fact("period", "工期", [
            date("start", "开工日期", "2023-04-01", "实际开工日期"), date("end", "竣工日期", "2024-06-30", "实际竣工日期"),
            text("agreed", "约定工期", "450日历天", "合同工期和顺延情况")]),
        fact("quality", "质量标准", [text("standard", "标准", "合格", "合同约定的质量标准"),
                                   text("dispute", "质量争议", "被告提出屋面渗漏", "有无质量争议")]),
        fact("acceptance", "竣工验收和交付", [
            date("accepted", "验收日期", "2024-07-15", "竣工验收合格的日期"),
            date("delivered", "交付日期", "2024-07-20", "实际交付或者发包人擅自使用的日期"),
            text("result", "验收结论", "合格", "验收结论")], "是否竣工验收", ask=True),
        fact("settlement", "结算", [
            date("submitted", "提交结算文件日期", "2024-09-01", "承包人提交竣工结算文件的日期"),
            date("settled", "结算日期", "2025-08-31", "双方确认结算的日期"),
            money("sum", "结算价", 5200000, "确认的结算价")], "是否办理结算", ask=True),
        fact("paid", "已付款", [
            money("sum", "已付工程款", 4000000, "已经支付的总额；没有付的填0", required=True, zero=True),
            rows("payments", "各笔付款", [date("date", "日期", "2024-01-20", "付款日期", required=True),
                                      money("sum", "金额", 2500000, "付款金额", required=True),
                                      text("way", "方式", "银行转账", "付款方式")],
                 [{"date": "2024-01-20", "sum": 2500000, "way": "银行转账"}, {"date": "2024-10-10", "sum": 1500000}], "每笔一行")]),
        fact("subcontract", "分包、转包", [
            text("kind", "情形", "劳务分包", "转包、违法分包、挂靠、合法分包"),
            text("who", "分包人、实际施工人", "杨帆", "姓名或者名称"),
            text("content", "内容", "钢筋和模板作业", "分包的内容和价款")], "有无分包、转包、挂靠", ask=True),
        fact("defects", "质量保证金和保修", [
            money("sum", "质量保证金", 156000, "扣留的数额"), date("until", "缺陷责任期届满日", "2026-06-30", "届满的日期")]),
        other_facts("双方对停工天数另有会议纪要")],
    derived=[{"name": "balance",
              "value": "(facts.settlement.sum_fen - facts.paid.sum_fen) if facts.settlement.sum_fen is number and "
                       "facts.paid.sum_fen is number else none"},
             {"name": "priority_days",
              "value": "(claims.priority.due | days(derived.date)) if claims.priority.due else none"}],
    checks=[
        {"id": "AMT-13", "level": "warning", "path": "claims.price.amount",
         "when": "derived.balance is number and claims.price.amount_fen is number and claims.price.amount_fen > derived.balance",
         "zh": "请求的工程款多于结算价减去已付款的余额{{ derived.balance | yuan if derived.balance >= 0 else '（已超付）' }}",
         "en": "more is claimed than the settlement leaves"},
        {"id": "AMT-10", "level": "error", "path": "facts.paid.payments",
         "when": "facts.paid.payments and facts.paid.sum_fen is number and "
                 "(facts.paid.payments | map(attribute='sum_fen') | sum) != facts.paid.sum_fen",
         "zh": "各笔付款之和不等于已付工程款", "en": "the payments do not add up"},
        {"id": "CON-01", "level": "warning", "path": "claims.priority.due",
         "when": "claims.priority.state == 'yes' and derived.priority_days is number and derived.priority_days > 547",
         "zh": "自应当给付工程款之日起已逾十八个月，优先受偿权可能消灭（建工解释（一）第四十一条）",
         "en": "more than eighteen months since the price was due"},
        {"id": "CON-02", "level": "warning", "path": "facts.parties.tender",
         "when": "facts.parties.tender != 'yes' and claims.penalty.state == 'yes'",
         "zh": "没有招标投标的，请先核对合同是否必须招标；合同无效的，违约金的请求不受支持",
         "en": "check whether a tender was obligatory"},
        {"id": "JUR-04", "level": "warning", "path": "court",
         "when": "not court", "zh": "建设工程施工合同纠纷由不动产所在地法院专属管辖，请填写受诉法院（民诉法解释第二十八条）",
         "en": "the court of the place of the building has exclusive jurisdiction"},
        {"id": "DAT-02", "level": "error", "path": "facts.period.end",
         "when": "facts.period.start and facts.period.end and facts.period.end < facts.period.start",
         "zh": "竣工日期早于开工日期", "en": "the works end before they begin"}],
    citations=[
        ("civil-code", 577, "claims.penalty.state == 'yes'", "违约责任"),
        ("civil-code", 579, "claims.price.state == 'yes'", "金钱债务的履行"),
        ("civil-code", 788, "claims.price.state == 'yes'", "建设工程合同定义"),
        ("civil-code", 799, "claims.price.state == 'yes' and facts.acceptance.state == 'yes'", "竣工验收"),
        ("civil-code", 807, "claims.priority.state == 'yes'", "工程价款优先受偿"),
        ("civil-code", 563, "claims.termination.state == 'yes' and claims.termination.kind == 'terminate'", "法定解除"),
        ("civil-code", 801, "claims.quality.state == 'yes'", "质量责任"),
        ("construction-interpretation", 26, "claims.interest.state == 'yes'", "工程款利息"),
        ("construction-interpretation", 27, "claims.interest.state == 'yes'", "利息起算"),
        ("construction-interpretation", 41, "claims.priority.state == 'yes'", "优先受偿权的期限")],
    cases=[
        ("owner", "发包人主张质量修复；继续履行；没有结算、验收；优先受偿权已逾期", "full",
         {"claims": {"quality": {"state": "yes", "amount": 30000, "content": "屋面渗漏的修复费用"},
                     "termination": {"kind": "perform"}, "priority": {"due": "2024-09-01"}},
          "facts": {"acceptance": {"state": "no", "accepted": None, "delivered": None, "result": None},
                    "settlement": {"state": "no", "submitted": None, "settled": None, "sum": None},
                    "parties": {"tender": "yes"}}},
         {"contains": ["☑继续履行"], "warnings": ["CON-01"]}),
        ("overclaimed", "请求多于结算余额；没有招标", "full", {"claims": {"price": {"amount": 1300000}}, "court": None},
         {"contains": ["建设工程"], "warnings": ["AMT-13", "CON-02", "JUR-04"]}),
        ("sums-differ", "各笔付款之和不符；竣工早于开工", "full",
         {"facts": {"paid": {"sum": 3000000}, "period": {"end": "2023-01-01"}}},
         {"errors": ["facts.paid.payments", "facts.period.end"]})],
)
