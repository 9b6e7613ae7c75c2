# SPDX-License-Identifier: Apache-2.0
"""劳动争议. Arbitration comes first (劳动争议调解仲裁法 5)."""
from ..fields import (Form, amount, choice, claim, date, fact, litigation_cost, money, other_claim, other_facts,
                      paragraph, text, tri)


def _pay(key, title, example, how, help_text):
    return claim(key, title, [amount("金额", example), text("details", "明细", how, "期间、基数、倍数或者天数")], help_text)


FORM = Form(
    key="labour", cause="劳动争议", title_en="labour dispute", scope="劳动争议案件",
    parties={"plaintiffs": ["full_person", "plain_person"], "defendants": ["company", "company_bare"]},
    claims=[
        _pay("wages", "工资", 16000, "2026年5月、6月工资，每月8000元", "是否请求支付拖欠的工资"),
        _pay("double_wages", "未签订书面劳动合同二倍工资", 88000, "2024-04-01至2025-02-28共11个月", "最多十一个月（劳动合同法第八十二条、实施条例第七条）"),
        _pay("overtime", "加班费", 12000, "休息日加班40日，按200%计算", "是否请求支付加班费"),
        _pay("leave", "未休年休假工资", "3678.16", "2025年5日，按300%扣除已付部分", "是否请求支付未休年休假工资报酬"),
        _pay("insurance", "未依法缴纳社会保险费造成的经济损失", 5000, "医疗费不能报销部分", "补缴本身由行政机关处理，法院只审理不能补办造成的损失"),
        _pay("severance", "解除、终止劳动合同经济补偿", 20000, "月工资8000元×2.5个月", "每满一年支付一个月工资（劳动合同法第四十七条）"),
        claim("unlawful", "违法解除劳动合同赔偿金", [amount("金额", 40000), text("details", "明细", "8000元×2.5个月×2", "经济补偿标准的二倍")],
              "与经济补偿不能就同一次解除同时主张（劳动合同法实施条例第二十五条）", state="no"),
        litigation_cost(), other_claim("请求被告出具解除劳动合同证明")],
    facts=[
        fact("contract", "劳动合同签订情况", [
            tri("signed", "是否签订书面劳动合同", "yes", "没有签订的，从用工之日起满一个月的次日起可以主张二倍工资"),
            text("name", "合同名称", "劳动合同书", "合同名称"),
            date("date", "签订时间", "2025-03-01", "签订日期"),
            text("place", "签订地点", "某市东城区", "签订地点"),
            text("employer", "用人单位", "某市恒远商贸有限公司", "合同主体")]),
        fact("performance", "劳动合同履行情况", [
            date("start", "入职时间", "2024-03-01", "用工之日", required=True),
            text("post", "工作岗位", "销售主管", "岗位"),
            text("place", "工作地点", "某市东城区", "实际工作地点"),
            money("wage", "月工资", 8000, "约定的月工资"),
            money("paid_wage", "实际月平均工资", 8000, "解除前十二个月的平均工资"),
            text("parts", "工资构成", "基本工资5000元、岗位工资3000元", "各部分和发放方式"),
            tri("insured", "是否缴纳社会保险", "yes", "用人单位是否依法缴纳"),
            text("insurance", "社会保险缴纳情况", "2024年8月起缴纳", "险种和期间"),
            text("hours", "加班情况", "休息日加班40日，有考勤记录", "时间、依据"),
            text("leave", "年休假情况", "2025年应休5日，未休", "应休、已休天数")]),
        fact("end", "解除或者终止劳动关系情况", [
            date("date", "解除或者终止时间", "2026-06-30", "没有解除的不填"),
            choice("by", "提出一方", {"employer": "用人单位", "worker": "劳动者", "both": "协商一致", "expired": "合同到期"},
                   "employer", "谁提出解除"),
            paragraph("reason", "解除或者终止的原因", "被告以经营困难为由口头通知解除", "通知的内容"),
            money("paid", "已支付的补偿", 0, "已经收到的经济补偿；没有的填0", zero=True)]),
        fact("injury", "工伤情况", [
            date("date", "发生时间", "2025-09-09", "事故或者确诊日期"),
            text("recognition", "工伤认定情况", "2025-11-01认定为工伤", "决定书编号、日期"),
            text("grade", "伤残等级", "十级", "劳动能力鉴定结论"),
            text("cost", "工伤费用", "停工留薪期两个月工资", "各项费用和支付情况")], "是否发生工伤", ask=True),
        fact("arbitration", "劳动仲裁相关情况", [
            text("commission", "仲裁委员会", "某市东城区劳动人事争议仲裁委员会", "全称", required=True),
            date("applied", "申请仲裁时间", "2026-08-01", "申请日期", required=True),
            paragraph("requests", "仲裁请求", "工资、加班费、年休假工资、经济补偿", "申请书写明的各项请求", required=True),
            choice("result", "仲裁结果", {"award": "作出裁决", "refused": "不予受理", "overdue": "逾期未作出决定或者裁决"},
                   "award", "仲裁程序的结果", required=True),
            text("number", "文书编号", "东劳人仲字〔2026〕第321号", "裁决书或者不予受理通知书的编号"),
            date("served", "收到日期", "2026-11-20", "收到裁决书或者通知书的日期，十五日内起诉（劳动争议调解仲裁法第五十条）"),
            paragraph("content", "裁决内容", "支付工资16000元，驳回其他请求", "裁决的各项")]),
        fact("family", "相关诉讼、仲裁", [text("content", "内容", "无其他案件", "与本争议有关的其他诉讼、仲裁")]),
        other_facts("被告没有工会")],
    derived=[{"name": "days_since_award",
              "value": "(facts.arbitration.served | days(derived.date)) if facts.arbitration.served else none"}],
    checks=[
        {"id": "LAB-01", "level": "error", "path": "claims.unlawful",
         "when": "claims.severance.state == 'yes' and claims.unlawful.state == 'yes'",
         "zh": "就同一次解除不能同时主张经济补偿和赔偿金（劳动合同法实施条例第二十五条）",
         "en": "severance and damages for the same dismissal exclude each other"},
        {"id": "LAB-02", "level": "warning", "path": "facts.arbitration.served",
         "when": "derived.days_since_award is number and derived.days_since_award > 15",
         "zh": "收到仲裁裁决书已超过十五日（劳动争议调解仲裁法第五十条），期间末日逢节假日的顺延",
         "en": "more than 15 days since the award was served"},
        {"id": "LAB-03", "level": "warning", "path": "claims.double_wages",
         "when": "claims.double_wages.state == 'yes' and facts.contract.signed == 'yes' and "
                 "facts.contract.date and facts.contract.date <= facts.performance.start",
         "zh": "入职时已经签订书面劳动合同，请核对二倍工资的请求", "en": "double wages are claimed though a contract was signed at the start"},
        {"id": "DAT-02", "level": "error", "path": "facts.arbitration.applied",
         "when": "facts.arbitration.served and facts.arbitration.served < facts.arbitration.applied",
         "zh": "收到仲裁文书的日期早于申请仲裁的日期", "en": "the award is dated before the application"},
        {"id": "DAT-03", "level": "warning", "path": "facts.end.date",
         "when": "facts.end.date and (facts.end.date | days(facts.arbitration.applied)) > 365",
         "zh": "劳动关系终止已逾一年才申请仲裁，请核对仲裁时效（劳动争议调解仲裁法第二十七条）",
         "en": "arbitration was applied for more than a year after the end"}],
    citations=[
        ("labour-contract", 30, "claims.wages.state == 'yes'", "劳动报酬"),
        ("labour-contract", 82, "claims.double_wages.state == 'yes'", "二倍工资"),
        ("labour-contract", 31, "claims.overtime.state == 'yes'", "加班"),
        ("labour-contract", 46, "claims.severance.state == 'yes'", "经济补偿的情形"),
        ("labour-contract", 47, "claims.severance.state == 'yes' or claims.unlawful.state == 'yes'", "经济补偿的计算"),
        ("labour-contract", 48, "claims.unlawful.state == 'yes'", "违法解除的后果"),
        ("labour-contract", 87, "claims.unlawful.state == 'yes'", "赔偿金"),
        ("labour-arbitration", 50, "facts.arbitration.result == 'award'", "不服仲裁裁决"),
        ("labour-arbitration", 29, "facts.arbitration.result != 'award'", "仲裁的受理")],
    cases=[
        ("unlawful", "主张违法解除赔偿金；仲裁委员会不予受理；超过十五日；签约在先", "full",
         {"claims": {"severance": {"state": "no", "amount": None, "details": None},
                     "unlawful": {"state": "yes", "amount": 40000, "details": "8000元×2.5个月×2"}},
          "facts": {"arbitration": {"result": "refused", "served": "2026-11-01"},
                    "contract": {"date": "2024-03-01"}}},
         {"contains": ["☑不予受理"], "warnings": ["LAB-02", "LAB-03"]}),
        ("late-arbitration", "劳动关系终止一年以后申请仲裁", "full", {"facts": {"end": {"date": "2025-06-30"}}},
         {"warnings": ["DAT-03"], "contains": ["仲裁"]}),
        ("both", "同时主张补偿和赔偿；收到裁决在申请之前", "full",
         {"claims": {"unlawful": {"state": "yes", "amount": 40000}}, "facts": {"arbitration": {"served": "2026-07-01"}}},
         {"errors": ["claims.unlawful", "facts.arbitration.applied"]})],
)
