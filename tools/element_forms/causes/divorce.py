# SPDX-License-Identifier: Apache-2.0
"""离婚纠纷. Property is asked for item by item; there is no total."""
from ..fields import (Form, amount, choice, claim, date, fact, litigation_cost, money, other_claim, other_facts,
                      paragraph, rows, text, tri)

_CHILD = [text("name", "姓名", "王小雨", "子女姓名", required=True),
          choice("to", "直接抚养人", {"plaintiff": "原告", "defendant": "被告"}, "plaintiff", "请求由谁直接抚养", required=True)]
_KINDS = {"house": "房屋", "car": "汽车", "deposit": "存款", "equity": "股权", "fund": "住房公积金", "other": "其他"}

FORM = Form(
    key="divorce", cause="离婚纠纷", title_en="divorce", scope="离婚纠纷案件", has_total=False,
    parties={"plaintiffs": ["full_person"], "defendants": ["wife"], "bare_claim": "dissolve"},
    claims=[
        claim("dissolve", "解除婚姻关系", [paragraph("content", "内容", "请求判令原告与被告离婚", "具体主张")], counted=False),
        claim("property", "夫妻共同财产", [
            rows("shares", "分割请求", [
                choice("kind", "种类", _KINDS, "house", "财产的种类", required=True),
                text("about", "名称", "某市西城区建设街22号3单元501室", "位置、权属证号、车牌、账户末四位", required=True),
                choice("to", "归属", {"plaintiff": "归原告", "defendant": "归被告", "sell": "变价分割", "other": "其他"},
                       "plaintiff", "请求如何分割", required=True),
                money("pay", "补偿款", 600000, "取得财产的一方向对方支付的补偿"),
                text("other", "其他方式", "双方各占百分之五十", "归属为其他的，写明")],
                [{"kind": "house", "about": "某市西城区建设街22号3单元501室", "to": "plaintiff", "pay": 600000},
                 {"kind": "car", "about": "小型轿车一辆", "to": "defendant"},
                 {"kind": "deposit", "about": "原告名下存款200000元", "to": "other", "other": "双方各100000元"}],
                "每项财产一行")], counted=False),
        claim("debts", "夫妻共同债务", [paragraph("content", "承担主张", "购房贷款余额由取得房屋的一方清偿", "各项债务由谁承担")],
              counted=False),
        claim("custody", "子女直接抚养", [rows("children", "各子女", _CHILD,
              [{"name": "王小雨", "to": "plaintiff"}, {"name": "王小雪", "to": "defendant"}], "每个子女一行")], counted=False),
        claim("support", "子女抚养费", [
            choice("payer", "承担人", {"plaintiff": "原告", "defendant": "被告"}, "defendant", "由谁支付"),
            money("monthly", "每月金额", 2000, "每月抚养费", required=True),
            date("from", "起付日", "2026-12-01", "从哪一天起支付"),
            text("until", "支付至", "子女年满十八周岁之日", "一般至子女年满十八周岁"),
            text("way", "支付方式", "每月5日前转账", "支付的时间和方式")], counted=False),
        claim("visits", "探望权", [
            choice("who", "探望人", {"plaintiff": "原告", "defendant": "被告"}, "defendant", "不直接抚养子女的一方"),
            text("way", "行使方式", "每月第一、三个周末探望，寒暑假各共同生活十日", "时间、地点、接送")], counted=False),
        claim("compensation", "离婚损害赔偿、经济补偿、经济帮助", [
            choice("kind", "种类", {"damages": "离婚损害赔偿", "compensation": "离婚经济补偿", "help": "离婚经济帮助"},
                   "compensation", "损害赔偿见民法典第一千零九十一条，补偿见第一千零八十八条，帮助见第一千零九十条", required=True),
            amount("金额", 50000)], "是否请求损害赔偿、经济补偿或者经济帮助"),
        litigation_cost(), other_claim("请求判令被告协助办理房屋变更登记")],
    facts=[
        fact("marriage", "婚姻关系基本情况", [
            date("date", "结婚时间", "2012-05-20", "登记日期", required=True),
            text("office", "登记机关", "某市西城区民政局", "办理结婚登记的机关"),
            rows("children", "生育子女情况", [
                text("name", "姓名", "王小雨", "子女姓名", required=True),
                choice("sex", "性别", {"male": "男", "female": "女"}, "female", "子女性别"),
                date("birth_date", "出生日期", "2014-08-08", "子女出生日期", required=True)],
                [{"name": "王小雨", "sex": "female", "birth_date": "2014-08-08"},
                 {"name": "王小雪", "birth_date": "2018-02-02"}], "每个子女一行"),
            paragraph("life", "双方生活情况", "2024年3月起分居", "共同生活、分居的情况"),
            date("separated", "分居起始日", "2024-03-01", "没有分居的不填"),
            choice("cause", "离婚事由", {"bigamy": "重婚或者与他人同居", "violence": "家庭暴力或者虐待、遗弃家庭成员",
                                      "vice": "有赌博、吸毒等恶习屡教不改", "separation": "因感情不和分居满二年",
                                      "other": "其他导致感情破裂的情形"}, "separation", "民法典第一千零七十九条第三款"),
            paragraph("reason", "离婚事由的具体事实", "因性格不合长期争吵，分居两年有余", "具体经过"),
            tri("before", "之前有无提起过离婚诉讼", "yes", "判决不准离婚的，没有新情况、新理由，六个月内原告不得再起诉（民事诉讼法第一百二十七条）"),
            text("before_result", "之前诉讼的情况", "2025-06-01某市西城区人民法院判决不准离婚", "法院、案号、结果、日期")]),
        fact("assets", "夫妻共同财产情况", [
            rows("assets", "各项财产", [
                choice("kind", "种类", _KINDS, "house", "财产的种类", required=True),
                text("about", "名称", "某市西城区建设街22号3单元501室", "位置、账户、数量", required=True),
                date("acquired", "取得时间", "2015-01-10", "取得或者登记的日期"),
                text("holder", "登记在", "原告", "登记或者存放在谁名下"),
                money("value", "价值", 1500000, "现值或者余额")],
                [{"kind": "house", "about": "某市西城区建设街22号3单元501室", "acquired": "2015-01-10", "holder": "原告、被告",
                  "value": 1500000}, {"kind": "deposit", "about": "原告名下存款"}], "每项财产一行")]),
        fact("debts", "夫妻共同债务情况", [
            rows("loans", "各项债务", [
                text("creditor", "债权人", "某某银行某市分行", "债权人", required=True),
                money("sum", "金额", 350000, "尚欠金额", required=True),
                text("basis", "形成原因", "购房贷款", "共同签名、日常生活需要、共同经营（民法典第一千零六十四条）")],
                [{"creditor": "某某银行某市分行", "sum": 350000, "basis": "购房贷款"}, {"creditor": "李某", "sum": 20000}],
                "每项债务一行")]),
        fact("custody", "子女直接抚养情况", [
            choice("with", "现随谁生活", {"plaintiff": "原告", "defendant": "被告", "other": "其他人"}, "plaintiff", "子女目前随谁生活"),
            paragraph("reason", "由一方直接抚养的理由", "子女自出生随原告生活，学校在原告住处附近", "对子女最有利的情况"),
            text("wish", "子女意愿", "长女表示愿随原告生活", "已满八周岁的子女，应当尊重其真实意愿（民法典第一千零八十四条）")]),
        fact("support", "子女抚养费情况", [
            money("income", "支付方月总收入", 8000, "不直接抚养一方的月收入"),
            text("needs", "子女实际需要", "学费和生活费每月约4000元", "教育、医疗、生活费用")]),
        fact("visits", "子女探望权情况", [paragraph("content", "内容", "分居期间被告每月探望一次", "探望的现状和安排的理由")]),
        fact("compensation", "赔偿、补偿、经济帮助相关情况", [
            paragraph("content", "内容", "原告抚育子女、照料老人负担较多义务", "符合损害赔偿、经济补偿、经济帮助条件的事实")]),
        other_facts("双方没有婚前财产约定")],
    derived=[
        {"name": "child_count", "value": "facts.marriage.children | length if facts.marriage.children else 0"},
        {"name": "support_share",
         "value": "(claims.support.monthly_fen * 100 / facts.support.income_fen) if claims.support.monthly_fen is number "
                  "and facts.support.income_fen is number and facts.support.income_fen > 0 else none"}],
    checks=[
        {"id": "FAM-01", "level": "warning", "path": "claims.support.monthly",
         "when": "derived.support_share is number and derived.child_count < 2 and "
                 "(derived.support_share < 20 or derived.support_share > 30)",
         "zh": "固定收入的抚养费一般为月总收入的百分之二十至三十（婚姻家庭编解释（一）第四十九条），现约为{{ derived.support_share | round(1) }}%",
         "en": "maintenance for one child is usually 20 to 30 per cent of the income"},
        {"id": "FAM-02", "level": "warning", "path": "claims.support.monthly",
         "when": "derived.support_share is number and derived.child_count > 1 and derived.support_share > 50",
         "zh": "两个以上子女的抚养费一般不超过月总收入的百分之五十（婚姻家庭编解释（一）第四十九条）",
         "en": "maintenance for several children is usually at most half of the income"},
        {"id": "FAM-03", "level": "warning", "path": "claims.custody",
         "when": "derived.child_count > 0 and claims.dissolve.state == 'yes' and claims.custody.state != 'yes'",
         "zh": "有子女而没有请求确定直接抚养人", "en": "there are children but custody is not claimed"},
        {"id": "DAT-02", "level": "error", "path": "facts.marriage.date", "when": "facts.marriage.date > derived.date",
         "zh": "结婚时间晚于具状日期", "en": "the marriage is dated after the complaint"},
        {"id": "FAM-04", "level": "warning", "path": "facts.marriage.separated",
         "when": "facts.marriage.cause == 'separation' and (not facts.marriage.separated or "
                 "(facts.marriage.separated | days(derived.date)) < 730)",
         "zh": "以分居满二年为由，分居起始日至具状日应当满二年", "en": "two years of separation are not shown"}],
    citations=[
        ("civil-code", 1079, "claims.dissolve.state == 'yes'", "诉讼离婚"),
        ("civil-code", 1084, "claims.custody.state == 'yes'", "子女抚养"),
        ("civil-code", 1085, "claims.support.state == 'yes'", "抚养费"),
        ("civil-code", 1086, "claims.visits.state == 'yes'", "探望权"),
        ("civil-code", 1087, "claims.property.state == 'yes'", "共同财产分割"),
        ("civil-code", 1089, "claims.debts.state == 'yes'", "共同债务清偿"),
        ("civil-code", 1088, "claims.compensation.state == 'yes' and claims.compensation.kind == 'compensation'", "经济补偿"),
        ("civil-code", 1090, "claims.compensation.state == 'yes' and claims.compensation.kind == 'help'", "经济帮助"),
        ("civil-code", 1091, "claims.compensation.state == 'yes' and claims.compensation.kind == 'damages'", "损害赔偿")],
    cases=[
        ("one-child", "一个子女，抚养费高于三成；经济帮助；分居不满二年", "full",
         {"claims": {"compensation": {"kind": "help"}, "support": {"monthly": 3000}},
          "facts": {"marriage": {"children": [{"name": "王小雨", "birth_date": "2014-08-08"}], "separated": "2026-01-01"}}},
         {"contains": ["☑离婚经济帮助"], "warnings": ["FAM-01", "FAM-04"]}),
        ("damages", "损害赔偿；两个子女的抚养费超过一半；没有请求抚养", "full",
         {"claims": {"compensation": {"kind": "damages"}, "support": {"monthly": 5000},
                     "custody": {"state": "no", "children": None}},
          "facts": {"marriage": {"cause": "violence"}}},
         {"contains": ["☑离婚损害赔偿", "☑家庭暴力"], "warnings": ["FAM-02", "FAM-03"]}),
        ("future", "结婚时间晚于具状日期", "full", {"facts": {"marriage": {"date": "2027-01-01"}}},
         {"errors": ["facts.marriage.date"]})],
)
