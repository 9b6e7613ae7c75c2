# SPDX-License-Identifier: Apache-2.0
"""机动车交通事故责任纠纷. Shares of responsibility are outcome fields: a person enters them."""
from ..fields import (Form, amount, choice, claim, date, fact, integer, litigation_cost, money, other_claim, other_facts,
                      paragraph, percent, rows, text, tri)


def _item(key, title, example, how, help_text, *more):
    return claim(key, title, [amount("金额", example), *more, text("details", "计算方式", how, "单据、天数、标准")], help_text)


FORM = Form(
    key="traffic-accident", cause="机动车交通事故责任纠纷", title_en="traffic accident", scope="机动车交通事故责任纠纷案件",
    parties={"plaintiffs": ["full_person", "company"], "defendants": ["plain_person", "company_bare", "insurer"],
             "respondents": ["plain_person", "insurer"]},
    claims=[
        _item("medical", "医疗费", "35680.50", "住院和门诊收费票据共12张", "按医疗机构的收款凭证（人身损害赔偿解释第六条）"),
        _item("nursing", "护理费", 9000, "60日×150元", "原则上一人（人身损害赔偿解释第八条）"),
        _item("nutrition", "营养费", 2700, "90日×30元", "参照医疗机构的意见（人身损害赔偿解释第十一条）"),
        _item("meals", "住院伙食补助费", 1500, "15日×100元", "参照当地国家机关一般工作人员出差伙食补助标准"),
        _item("lost_wages", "误工费", 24000, "120日×200元", "误工时间×收入（人身损害赔偿解释第七条）"),
        _item("transport", "交通费", 800, "就医交通票据", "与就医的地点、时间、人数、次数相符（人身损害赔偿解释第九条）"),
        _item("disability", "残疾赔偿金", 108000, "54000元×20年×10%", "受诉法院所在地上一年度城镇居民人均可支配收入×年数×系数",
              money("base", "上一年度城镇居民人均可支配收入", 54000, "受诉法院所在地统计部门公布的数"),
              integer("years", "年数", 20, "定残之日起二十年；六十周岁以上每增加一岁减少一年，七十五周岁以上五年"),
              percent("coefficient", "伤残系数", 10, "按伤残等级，百分数")),
        _item("device", "残疾辅助器具费", 5000, "配制机构意见", "普通适用器具的合理费用"),
        _item("dependants", "被扶养人生活费", 18000, "36000元×10年×10%÷2人", "计入残疾赔偿金或者死亡赔偿金（人身损害赔偿解释第十六条）"),
        claim("death", "死亡赔偿金", [amount("金额", 1080000), text("details", "计算方式", "54000元×20年", "标准×年数")],
              "没有死亡的不主张（人身损害赔偿解释第十五条）", state="no"),
        claim("funeral", "丧葬费", [amount("金额", 54000), money("monthly", "上一年度职工月平均工资", 9000, "受诉法院所在地的数，以六个月总额计算")],
              "上一年度职工月平均工资×6（人身损害赔偿解释第十四条）", state="no"),
        _item("mental", "精神损害抚慰金", 5000, "构成十级伤残", "可以请求在交强险内优先赔偿"),
        _item("property", "财产损失", 3200, "车辆维修费发票", "维修、施救、重置等（道路交通事故赔偿解释第十二条）"),
        claim("order", "赔偿顺序", [paragraph("content", "内容", "先由保险公司在交强险限额内赔偿，不足部分由商业三者险赔偿，仍不足的由侵权人赔偿",
                                       "民法典第一千二百一十三条")], counted=False),
        litigation_cost(), other_claim("请求赔偿鉴定费")],
    facts=[
        fact("accident", "交通事故发生情况", [
            date("date", "时间", "2026-01-10", "事故发生的日期", required=True),
            text("place", "地点", "某市东城区和平路与建设街交叉口", "事故发生的地点", required=True),
            paragraph("course", "经过", "被告驾驶小型轿车左转弯时与直行的原告所骑电动自行车相撞", "事故的经过", required=True),
            text("injury", "受伤和治疗情况", "左胫骨骨折，住院15日", "伤情、住院和门诊")]),
        fact("liability", "交通事故责任认定", [
            text("authority", "认定机关", "某市公安局交通警察支队东城大队", "制作事故认定书的机关"),
            text("number", "认定书编号", "第110120260010号", "事故认定书的编号"),
            rows("holders", "各方的责任", [
                text("who", "姓名或者名称", "李建业", "当事人", required=True),
                choice("degree", "认定的责任", {"full": "全部责任", "main": "主要责任", "equal": "同等责任", "minor": "次要责任",
                                           "none": "无责任", "unclear": "无法认定"}, "main", "认定书的结论", required=True),
                percent("share", "主张的责任比例", 70, "由当事人填写，不由程序推算", human_only=True)],
                [{"who": "李建业", "degree": "main", "share": 70}, {"who": "王建国", "degree": "minor", "share": 30},
                 {"who": "杨帆", "degree": "none"}], "认定书列出的每个当事人一行")]),
        fact("vehicles", "机动车投保情况", [
            rows("vehicles", "各机动车", [
                text("plate", "车辆", "小型轿车（车牌号见认定书）", "车辆和驾驶人", required=True),
                text("driver", "驾驶人", "李建业", "事故时的驾驶人", required=True),
                text("owner", "所有人、管理人", "某市宏达建材有限公司", "登记的所有人；出租、出借、挂靠的写明"),
                tri("compulsory", "是否投保交强险", "yes", "没有投保的，由投保义务人在限额内先行赔偿"),
                text("compulsory_insurer", "交强险保险公司", "某某财产保险股份有限公司某市分公司", "承保公司全称"),
                tri("commercial", "是否投保商业三者险", "yes", "有无商业第三者责任保险"),
                text("commercial_insurer", "商业险保险公司", "某某财产保险股份有限公司某市分公司", "承保公司全称"),
                money("limit", "商业三者险限额", 1000000, "保险限额")],
                [{"plate": "小型轿车", "driver": "李建业", "owner": "某市宏达建材有限公司", "compulsory": "yes",
                  "compulsory_insurer": "某某财产保险股份有限公司某市分公司", "commercial": "yes",
                  "commercial_insurer": "某某财产保险股份有限公司某市分公司", "limit": 1000000},
                 {"plate": "小型客车", "driver": "杨帆", "compulsory": "no", "commercial": "no"}], "每辆机动车一行")]),
        fact("assessment", "伤残鉴定", [
            text("institution", "鉴定机构", "某市司法鉴定中心", "鉴定机构"),
            date("date", "鉴定时间", "2026-07-20", "鉴定意见书的日期"),
            text("grade", "伤残等级", "十级", "鉴定意见"),
            text("periods", "误工期、护理期、营养期", "误工120日、护理60日、营养90日", "鉴定意见")], "是否进行伤残鉴定", ask=True),
        fact("victim", "受害人情况", [
            integer("age", "定残或者死亡时的年龄", 46, "周岁"),
            text("work", "工作和收入", "某市第一机械厂工程师，事故前月平均收入6000元", "收入和减少的证明"),
            text("dependants", "被扶养人", "女儿王小雨，2014年8月8日出生", "姓名、出生日期、扶养人数")]),
        fact("advanced", "已垫付情况", [
            rows("advances", "各笔垫付", [text("who", "垫付人", "李建业", "谁垫付", required=True),
                                      money("sum", "金额", 10000, "垫付的金额", required=True),
                                      text("what", "用途", "医疗费", "垫付的项目")],
                 [{"who": "李建业", "sum": 10000, "what": "医疗费"}, {"who": "保险公司", "sum": 5000}], "每笔垫付一行")]),
        other_facts("原告另案主张工伤待遇")],
    derived=[
        {"name": "disability_computed",
         "value": "(claims.disability.base_fen * claims.disability.years * claims.disability.coefficient / 100) | round | int "
                  "if claims.disability.base_fen is number and claims.disability.years is number and "
                  "claims.disability.coefficient is number else none"},
        {"name": "shares",
         "value": "(facts.liability.holders | map(attribute='share') | select('number') | sum) if facts.liability.holders else 0"}],
    checks=[
        {"id": "AMT-05", "level": "warning", "path": "claims.disability.amount",
         "when": "derived.disability_computed is number and claims.disability.amount_fen is number and "
                 "claims.disability.amount_fen != derived.disability_computed",
         "zh": "残疾赔偿金与收入×年数×系数复算的{{ derived.disability_computed | yuan }}不一致",
         "en": "compensation for disability is not income times years times coefficient"},
        {"id": "AMT-06", "level": "warning", "path": "claims.funeral.amount",
         "when": "claims.funeral.state == 'yes' and claims.funeral.amount_fen is number and claims.funeral.monthly_fen is number and "
                 "claims.funeral.amount_fen != claims.funeral.monthly_fen * 6",
         "zh": "丧葬费与职工月平均工资六个月总额{{ (claims.funeral.monthly_fen * 6) | yuan }}不一致",
         "en": "the funeral sum is not six monthly wages"},
        {"id": "TRA-01", "level": "error", "path": "facts.liability.holders",
         "when": "derived.shares > 100", "zh": "责任比例之和超过百分之百", "en": "the shares exceed 100 per cent"},
        {"id": "TRA-02", "level": "warning", "path": "facts.liability.holders",
         "when": "derived.shares > 0 and derived.shares < 100", "zh": "责任比例之和不足百分之百，请核对", "en": "the shares do not reach 100 per cent"},
        {"id": "TRA-03", "level": "error", "path": "claims.death",
         "when": "claims.death.state == 'yes' and claims.disability.state == 'yes'",
         "zh": "同一受害人不能同时主张残疾赔偿金和死亡赔偿金", "en": "disability and death exclude each other"},
        {"id": "TRA-04", "level": "warning", "path": "facts.assessment",
         "when": "claims.disability.state == 'yes' and facts.assessment.state != 'yes'",
         "zh": "主张残疾赔偿金而没有填写伤残鉴定", "en": "disability is claimed without an assessment"},
        {"id": "TRA-05", "level": "warning", "path": "defendants",
         "when": "facts.vehicles.vehicles | default([]) | map(attribute='compulsory_insurer') | select('defined') | "
                 "reject('in', defendants | map(attribute='name') | list) | list",
         "zh": "承保交强险的保险公司不在被告之列（道路交通事故赔偿解释第二十二条）", "en": "the compulsory insurer is not sued"},
        {"id": "DAT-02", "level": "error", "path": "facts.accident.date", "when": "facts.accident.date > derived.date",
         "zh": "事故时间晚于具状日期", "en": "the accident is dated after the complaint"}],
    citations=[
        ("civil-code", 1179, "true", "人身损害赔偿范围"),
        ("civil-code", 1183, "claims.mental.state == 'yes'", "精神损害赔偿"),
        ("civil-code", 1184, "claims.property.state == 'yes'", "财产损失计算"),
        ("civil-code", 1208, "true", "机动车交通事故责任"),
        ("civil-code", 1213, "claims.order.state == 'yes'", "赔偿顺序"),
        ("road-traffic", 76, "true", "交通事故的赔偿责任")],
    cases=[
        ("death", "受害人死亡；责任比例不足百分之百；丧葬费与复算不符", "full",
         {"claims": {"death": {"state": "yes", "amount": 1080000, "details": "54000元×20年"},
                     "funeral": {"state": "yes", "amount": 50000, "monthly": 9000},
                     "disability": {"state": "no", "amount": None, "base": None, "years": None, "coefficient": None,
                                    "details": None}},
          "defendants": [{"kind": "natural", "name": "李建业", "address": "某市东城区和平路8号2栋302室"}],
          "facts": {"liability": {"holders": [{"who": "李建业", "degree": "main", "share": 70}]}}},
         {"contains": ["死亡赔偿金｜☑是"], "warnings": ["TRA-02", "TRA-05", "AMT-06"]}),
        ("no-assessment", "没有伤残鉴定；残疾赔偿金与复算不符", "full",
         {"claims": {"disability": {"amount": 100000}}, "facts": {"assessment": {
             "state": "no", "institution": None, "date": None, "grade": None, "periods": None}}},
         {"contains": ["伤残鉴定｜☐是　☑否"], "warnings": ["AMT-05", "TRA-04"]}),
        ("impossible", "责任比例过百；残疾与死亡并列；事故在后", "full",
         {"claims": {"death": {"state": "yes", "amount": 1}},
          "facts": {"accident": {"date": "2027-01-01"}, "liability": {"holders": [
              {"who": "李建业", "degree": "full", "share": 100}, {"who": "王建国", "degree": "minor", "share": 10}]}}},
         {"errors": ["facts.liability.holders", "claims.death", "facts.accident.date"]})],
    answer_citations=[("civil-code", 1173, "facts.liability.position == 'object'", "与有过失")],
)
