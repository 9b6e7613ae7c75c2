# SPDX-License-Identifier: Apache-2.0
"""Random private-lending cases (民间借贷) in the elements schema of the document type civil-complaint.

`make_case` draws independent features (parties, writing, delivery, rate, term, extension, security, spouse, repayments,
demands, claims), so that fact patterns are compositions; `family` names the pattern, and `HELD_OUT` lists the families
that training never sees. Law as in force in 2026: Civil Code, four times LPR cap of the private-lending provisions.
"""
import datetime

from . import names

LPR = [("2019-08-20", 4.25), ("2019-09-20", 4.20), ("2019-11-20", 4.15), ("2020-02-20", 4.05), ("2020-04-20", 3.85),
       ("2021-12-20", 3.80), ("2022-01-20", 3.70), ("2022-08-22", 3.65), ("2023-06-20", 3.55), ("2023-08-21", 3.45),
       ("2024-07-22", 3.35), ("2024-10-21", 3.10), ("2025-05-20", 3.00)]

RELATIONS = ["朋友", "同事", "同学", "亲戚", "邻居", "同乡", "老乡", "战友", "师生", "表兄弟", "堂兄弟", "表亲", "远房亲戚", "同村村民", "大学同学", "高中同学",
             "初中同学", "小学同学", "前同事", "多年好友", "生意伙伴", "合作伙伴", "商业伙伴", "业务伙伴", "叔侄", "舅甥", "姻亲", "姐妹", "兄弟", "兄妹", "恋人",
             "男女朋友", "情侣", "房东与租客", "客户", "供应商与客户", "雇主与雇员", "上下级", "牌友", "球友", "网友", "驴友", "校友", "发小", "街坊", "世交",
             "翁婿", "连襟", "妯娌", "亲家", "棋友", "钓友", "车友", "病友", "室友", "合伙人", "股东与公司", "长期合作单位", "上下游企业", "关联企业",
             "熟人", "普通朋友", "好友", "旧识", "同行", "老同学", "老邻居", "工友", "师徒", "老客户", "相识多年的朋友", "多年朋友", "大学同学兼室友", "朋友及生意伙伴", "原同事", "朋友关系", "同事关系", "亲戚关系", "业务合作关系"]
RELATION_ACTS = ["经人介绍认识", "经朋友介绍认识", "经他人介绍相识", "因业务往来相识", "因工作相识", "通过微信相识", "在牌桌上相识", "通过共同朋友相识",
                 "曾有业务往来", "长期有业务往来", "在同一小区居住", "曾共同经营生意", "因装修房屋相识", "因买卖货物相识", "在同一市场经营", "因租房相识"]
ORG_RELATIONS = ["业务合作关系", "长期合作单位", "供应商与客户", "上下游企业", "关联企业", "业务往来单位", "合作伙伴", "商业伙伴", "客户", "工程分包合作方"]
USE_WHOLE = ["资金周转", "生意周转", "经营周转", "公司经营", "公司资金周转", "短期资金周转", "家庭开支", "家庭急用", "生活困难", "临时周转", "工程垫资", "工程款周转", "子女上学",
             "子女结婚", "儿子结婚", "女儿出国留学", "父亲住院治疗", "母亲手术", "本人治病", "家人治病", "买房首付", "购房资金不足", "偿还银行贷款", "偿还信用卡",
             "过桥资金", "投标保证金", "发放工人工资", "采购货物", "进货", "开店", "扩大经营", "春耕备耕", "购买农资", "承包土地", "店铺装修", "资金紧张", "急需用钱",
             "缴纳税款", "支付房租", "交纳社保", "创业", "还债", "养殖投入", "项目投资", "归还他人借款", "日常消费", "生产经营需要", "资金周转需要", "经营需要", "家庭需要"]
USE_PAIRS = [
    (["购买", "购置", "采购", "租赁", "维修", "更换", "添置"],
     ["房屋", "商铺", "车辆", "货车", "挖掘机", "设备", "原材料", "钢材", "木材", "水泥", "茶叶", "饲料", "化肥", "种苗", "货物", "年货", "海鲜", "水果", "粮食", "生产线",
      "办公用房", "电脑", "服务器", "模具", "电缆", "管材", "石材", "家具", "家电", "建材", "布料", "摊位", "渔船", "收割机", "拖拉机", "出租车", "网约车", "门面房", "仓库", "厂房",
      "二手车", "学区房", "机床", "农机具", "药材", "仔猪", "牛羊", "手机", "空调", "脚手架", "塔吊", "混凝土"]),
    (["支付", "缴纳", "补交", "结清", "垫付", "筹集", "凑"],
     ["工程款", "材料款", "货款", "运费", "人工费", "保证金", "定金", "首付款", "学费", "医疗费", "手术费", "彩礼", "房租", "物业费", "装修款", "投标保证金", "土地出让金", "员工工资",
      "购房尾款", "社保费用", "税款", "加盟费", "转让费", "设计费", "赔偿款", "分期款", "车贷", "房贷", "住院押金", "培训费", "租金", "承包费"]),
    (["经营", "承包", "装修", "投资", "开办", "建设", "扩建", "转让", "入股", "改造"],
     ["鱼塘", "果园", "餐馆", "超市", "服装店", "养猪场", "养鸡场", "砂场", "厂房", "宾馆", "网吧", "美容店", "培训班", "幼儿园", "诊所", "药店", "加油站", "大棚", "冷库", "茶馆", "烧烤店",
      "奶茶店", "理发店", "健身房", "民宿", "农家乐", "洗车店", "快递网点", "项目工程", "水电工程", "土石方工程", "光伏项目", "门店", "养殖场", "公司", "新房", "自建房", "老家房屋"]),
    (["筹办", "举办"], ["婚礼", "葬礼", "寿宴", "展会", "活动", "演出", "婚宴"]),
]
WAYS = ["微信", "电话", "短信", "当面", "上门", "书面催款函", "律师函", "催款通知书", "电子邮件", "邮政特快专递", "微信语音", "微信文字", "支付宝消息", "QQ消息", "钉钉消息",
        "口头", "书面", "当面口头", "电话和微信", "短信和电话", "微信及短信", "委托律师发送律师函", "村委会调解", "人民调解委员会调解", "派出所协调", "居委会调解",
        "挂号信", "对账函", "催收函", "还款通知书", "上门当面", "视频通话", "微信群消息", "公证送达催款函", "EMS邮寄催款函", "抖音私信"]
EVIDENCE = ["借条", "借款合同", "欠条", "收条", "收据", "借据", "银行转账凭证", "银行交易明细", "银行流水", "微信转账记录", "支付宝转账记录", "微信聊天记录", "短信记录",
            "通话录音", "录音光盘", "催款函", "律师函", "邮寄凭证", "保证合同", "担保书", "结婚证复印件", "婚姻登记信息", "身份证复印件", "证人证言", "还款协议", "还款计划书",
            "展期协议", "营业执照复印件", "律师费发票", "委托代理合同", "对账单", "现金支取凭证", "取款凭条", "照片", "视频资料", "户籍信息", "企业信用信息公示报告", "还款凭证"]
PERIODS = ["主债务履行期限届满之日起三年", "主债务履行期限届满之日起两年", "主债务履行期限届满之日起二年", "主债务履行期限届满之日起六个月", "主债务履行期限届满之日起一年",
           "借款到期之日起三年", "借款到期之日起两年", "借款期限届满之日起三年", "自借款到期之日起六个月", "债务履行期届满后三年", "主债务履行期届满之日起三年", "三年", "两年", "六个月", "一年"]

# Families never used in training: the copy metrics are taken on them.
HELD_OUT = [
    {"security": "joint", "spouse": True, "parts": True},
    {"security": "general", "written": "contract", "rate": "over_cap"},
    {"plaintiffs": 2, "borrowers": 2, "extension": True},
    {"security": "unspecified", "rate": "oral"},
    {"written": "none", "spouse": True, "repaid": "both"},
    {"lender": "organisation", "security": "joint", "extension": True},
]


# Pieces of running text that stand in for free text now and then, so that copying is learned and not a list of values.
NOISE = []


def noise(rng, low, high):
    """A random piece of Chinese text of low..high characters, or None without NOISE."""
    for _ in range(8):
        if not NOISE:
            return None
        text = rng.choice(NOISE)
        size, start = rng.randint(low, high), rng.randrange(max(len(text) - high, 1))
        piece = text[start:start + size]
        if len(piece) == size and all("一" <= c <= "鿿" for c in piece) and "原告" not in piece and "被告" not in piece:
            return piece
    return None


def lpr_at(iso):
    """One-year LPR in force on a day, in percent."""
    return [rate for start, rate in LPR if start <= iso][-1]


def _date(rng, low, high):
    span = (high - low).days
    return low + datetime.timedelta(days=int(rng.random() * max(span, 1)))


def _amount(rng):
    """A sum in fen: mostly round, sometimes to the yuan or fen."""
    roll = rng.random()
    if roll < 0.35:
        yuan = rng.randint(1, 99) * 10 ** rng.choice([3, 4, 4, 4, 5])
    elif roll < 0.62:
        yuan = rng.randint(10, 999) * 10 ** rng.choice([2, 3, 3])
    elif roll < 0.86:
        yuan = rng.randint(1000, 9999999)
    else:
        return rng.randint(100000, 999999999)
    return yuan * 100


def _split(rng, total, count):
    """Splits a sum in fen into `count` parts, round where the sum is."""
    unit = 100 if total % 100 == 0 else 1
    for step in (1000000, 100000, 10000):
        if total % step == 0 and total // step >= count * 2 and rng.random() < 0.8:
            unit = step
            break
    units = total // unit
    if units < count:
        return [total]
    cuts = sorted(rng.sample(range(1, units), count - 1)) if units < 10 ** 6 else sorted(
        {rng.randint(1, units - 1) for _ in range(count - 1)})
    edges = [0] + cuts + [units]
    parts = [(b - a) * unit for a, b in zip(edges, edges[1:])]
    parts[-1] += total - sum(parts)
    return parts


def purpose(rng):
    roll = rng.random()
    if roll < 0.07:
        return noise(rng, 2, 9) or rng.choice(USE_WHOLE)
    if roll < 0.5:
        return rng.choice(USE_WHOLE)
    verbs, nouns = rng.choice(USE_PAIRS[:3] if rng.random() < 0.95 else USE_PAIRS)
    text = rng.choice(verbs) + rng.choice(nouns)
    if roll > 0.93:
        text += rng.choice(["和", "及", "、"]) + rng.choice(USE_PAIRS[1][0]) + rng.choice(USE_PAIRS[1][1])
    return text


def _parties(rng, family):
    lender_org = family["lender"] == "organisation"
    borrower_org = family["borrower"] == "organisation"
    plaintiffs = [{"name": n, "kind": "organisation" if lender_org else "natural"}
                  for n in names.names(rng, family["plaintiffs"], names.organisation if lender_org else names.person)]
    people = names.names(rng, 8, names.person)
    people = [n for n in people if all(n != p["name"] for p in plaintiffs)]
    defendants = []
    for i in range(family["borrowers"]):
        org = borrower_org and i == 0
        defendants.append({"name": names.organisation(rng) if org else people.pop(), "role": "borrower",
                           "kind": "organisation" if org else "natural"})
    if family["spouse"]:
        defendants.append({"name": people.pop(), "role": "spouse", "kind": "natural"})
    for _ in range(family["guarantors"]):
        org = rng.random() < 0.2
        defendants.append({"name": names.organisation(rng) if org else people.pop(), "role": "guarantor",
                           "kind": "organisation" if org else "natural"})
    if len(defendants) > 2 and rng.random() < 0.15:
        defendants[1:] = rng.sample(defendants[1:], len(defendants) - 1)
    for party in plaintiffs + defendants:
        if party["kind"] == "natural" and rng.random() < 0.93:
            party["sex"] = rng.choice("男女")
    for party in defendants:
        if party["role"] == "spouse" and "sex" in defendants[0] and "sex" in party:
            party["sex"] = {"男": "女", "女": "男"}[defendants[0]["sex"]]
    return plaintiffs, defendants


def draw_family(rng):
    """Draws the independent features of a fact pattern."""
    lender = "organisation" if rng.random() < 0.12 else "natural"
    borrower = "organisation" if rng.random() < 0.15 else "natural"
    security = rng.choices(["none", "joint", "general", "unspecified"], [58, 26, 8, 8])[0]
    return {
        "lender": lender, "borrower": borrower,
        "plaintiffs": rng.choices([1, 2, 3], [90, 8, 2])[0],
        "borrowers": rng.choices([1, 2, 3], [86, 11, 3])[0],
        "spouse": borrower == "natural" and rng.random() < 0.2,
        "security": security,
        "guarantors": 0 if security == "none" else rng.choices([1, 2, 3], [75, 19, 6])[0],
        "written": rng.choices(["iou", "contract", "none"], [55, 25, 20])[0],
        "parts": rng.random() < 0.18,
        "rate": rng.choices(["agreed", "over_cap", "oral", "none"], [42, 16, 12, 30])[0],
        "term": rng.random() < 0.75,
        "extension": rng.random() < 0.16,
        "repaid": rng.choices(["nothing", "principal", "interest", "both"], [40, 20, 22, 18])[0],
        "demands": rng.random() < 0.78,
    }


def held_out(family):
    """True if the family matches one of HELD_OUT."""
    return any(all(family[key] == value for key, value in pattern.items()) for pattern in HELD_OUT)


def make_case(rng, test=False):
    """Returns (case, family); `test` draws only held-out families, otherwise only others."""
    while True:
        family = draw_family(rng)
        if not family["term"]:
            family["extension"] = False
        if family["repaid"] in ("interest", "both") and family["rate"] == "none":
            family["repaid"] = "principal"
        if family["written"] == "none" and family["rate"] in ("agreed", "over_cap") and rng.random() < 0.85:
            family["rate"] = "oral"
        if test and rng.random() < 0.9:  # force a held-out pattern, then check it is consistent
            family.update(rng.choice(HELD_OUT))
            if family["security"] != "none" and not family["guarantors"]:
                family["guarantors"] = 1
            family["guarantors"] = 0 if family["security"] == "none" else family["guarantors"]
            if family["spouse"]:
                family["borrower"] = "natural"
            if family["extension"]:
                family["term"] = True
            if family["repaid"] == "both" and family["rate"] == "none":
                family["rate"] = "oral"
            if family["written"] == "none" and family["rate"] in ("agreed", "over_cap"):
                family["rate"] = "oral"
        if held_out(family) == test:
            break
    case = _build(rng, family)
    return case, family


def _build(rng, family):
    plaintiffs, defendants = _parties(rng, family)
    date = _date(rng, datetime.date(2021, 1, 1), datetime.date(2026, 6, 30))
    if rng.random() < 0.04:
        date = _date(rng, datetime.date(2019, 9, 1), datetime.date(2020, 12, 31))
    filing = _date(rng, date + datetime.timedelta(days=120), min(date + datetime.timedelta(days=1500), datetime.date(2026, 12, 31)))
    loan = {"date": date.isoformat(), "amount_fen": _amount(rng), "written": family["written"]}
    case = {"plaintiffs": plaintiffs, "defendants": defendants, "loan": loan}
    _relation_and_use(rng, family, case)
    _delivery(rng, family, loan, date)
    _rate(rng, family, loan)
    term = _term(rng, family, loan, date, filing)
    _security(rng, family, case)
    _history(rng, family, case, date, term, filing)
    _interest(rng, family, case, date, term, filing)
    _claims(rng, family, case)
    if rng.random() < 0.85:
        case["evidence"] = _evidence(rng, case)
    return case


def _relation_and_use(rng, family, case):
    orgs = "organisation" in (family["lender"], family["borrower"])
    if rng.random() < 0.8:
        if orgs and rng.random() < 0.95:
            case["relation"] = rng.choice(ORG_RELATIONS)
        else:
            case["relation"] = rng.choice(RELATIONS if rng.random() < 0.78 else RELATION_ACTS)
        if rng.random() < 0.04:
            case["relation"] = noise(rng, 2, 6) or case["relation"]
    if rng.random() < 0.85:
        case["loan"]["purpose"] = purpose(rng)


def _delivery(rng, family, loan, date):
    kinds = ["bank_transfer", "wechat", "alipay", "cash"]
    loan["delivery"] = rng.choices(kinds, [52, 20, 10, 18])[0]
    if not family["parts"]:
        if rng.random() < 0.05:
            loan["delivery"] = "mixed"
        return
    sums = _split(rng, loan["amount_fen"], rng.choices([2, 3, 4, 5], [55, 27, 12, 6])[0])
    if len(sums) < 2:
        return
    day, parts = date, []
    mixed = rng.random() < 0.5
    for value in sums:
        parts.append({"date": day.isoformat(), "delivery": rng.choice(kinds) if mixed else loan["delivery"], "amount_fen": value})
        day += datetime.timedelta(days=rng.choice([0, 1, 2, 5, 10, 30]) if rng.random() < 0.7 else rng.randint(0, 60))
    if len({p["delivery"] for p in parts}) > 1:
        loan["delivery"] = "mixed"
    else:
        loan["delivery"] = parts[0]["delivery"]
    loan["deliveries"] = parts


def _rate(rng, family, loan):
    kind = family["rate"]
    loan["rate_agreed"] = {"agreed": "written", "over_cap": "written", "oral": "oral", "none": "none"}[kind]
    if kind == "none":
        return
    if kind == "over_cap" and rng.random() < 0.2:
        loan["rate_agreed"] = "oral"
    cap = 4 * lpr_at(max(loan["date"], "2019-08-20"))
    if kind == "over_cap":
        loan["rate_year_percent"] = rng.choice([15.6, 16, 18, 18.25, 20, 21.6, 22, 24, 30, 36, 48, 60, 15.5, 17, 19.2, 25, 28.8])
    else:
        options = [r for r in (3, 3.6, 4, 4.35, 4.5, 5, 6, 6.5, 7.2, 8, 8.4, 9, 9.6, 10, 10.8, 11, 12, 12.4, 13, 14, 14.4, 14.8, 15, 15.4) if r <= cap]
        loan["rate_year_percent"] = rng.choice(options) if rng.random() < 0.8 else round(rng.uniform(2, cap), rng.choice([1, 2]))


def _term(rng, family, loan, date, filing):
    """Sets term_end and extension; returns the last due day or None."""
    if not family["term"]:
        return None
    span = max((filing - date).days - 30, 40)
    if rng.random() < 0.6:
        months = rng.choice([1, 2, 3, 6, 6, 12, 12, 12, 18, 24, 36])
        end = date + datetime.timedelta(days=months * 365 // 12)
    else:
        end = _date(rng, date + datetime.timedelta(days=15), date + datetime.timedelta(days=span))
    if end >= filing:
        end = _date(rng, date + datetime.timedelta(days=15), date + datetime.timedelta(days=span))
    if rng.random() < 0.12:
        end = datetime.date(end.year, 12, 31) if datetime.date(end.year, 12, 31) < filing else end
    loan["term_end"] = end.isoformat()
    if family["extension"] and (filing - end).days > 40:
        agreed = end + datetime.timedelta(days=rng.randint(-10, 20))
        later = _date(rng, max(end, agreed) + datetime.timedelta(days=10), filing - datetime.timedelta(days=5))
        loan["extension"] = {"date": agreed.isoformat(), "term_end": later.isoformat()}
        return later
    return end


def _security(rng, family, case):
    if family["security"] != "none" and (family["security"] != "unspecified" or rng.random() < 0.85):
        case["guarantee"] = {"kind": family["security"]}
        if rng.random() < 0.55:
            case["guarantee"]["period"] = rng.choice(PERIODS)
    if family["spouse"] and rng.random() < 0.92:
        case["spouse_basis"] = rng.choice(["signed", "ratified", "family", "business"])


def _history(rng, family, case, date, term, filing):
    loan, kind, parts = case["loan"], family["repaid"], []
    first = datetime.date.fromisoformat(loan["deliveries"][-1]["date"]) if loan.get("deliveries") else date
    first += datetime.timedelta(days=7)
    repaid = 0
    if first < filing - datetime.timedelta(days=3):
        count = rng.choices([1, 2, 3, 4, 6, 8, 12], [38, 26, 15, 9, 6, 4, 2])[0]
        kinds = {"principal": ["principal"], "interest": ["interest"], "both": ["principal", "interest"], "nothing": []}[kind]
        if kinds:
            days = sorted({_date(rng, first, filing) for _ in range(count)})
            budget = int(loan["amount_fen"] * rng.uniform(0.05, 0.8))
            sums = _split(rng, max(budget - budget % 10000, 10000), len(days) + 1)[:len(days)]
            monthly = max(int(loan["amount_fen"] * loan.get("rate_year_percent", 12) / 1200) // 100 * 100, 10000)
            for i, (day, value) in enumerate(zip(days, sums)):
                what = kinds[i % 2] if len(kinds) == 2 and rng.random() < 0.6 else rng.choice(kinds)
                value = monthly if what == "interest" and rng.random() < 0.7 else value
                if what == "principal":
                    value = min(value, loan["amount_fen"] - repaid - 10000)
                    if value <= 0:
                        continue
                    repaid += value
                parts.append({"date": day.isoformat(), "kind": what, "amount_fen": value})
    case["repayments"] = parts
    case["outstanding_fen"] = loan["amount_fen"] - repaid
    case["demands"] = []
    if family["demands"]:
        start = term if term and term < filing else first
        days = sorted({_date(rng, start + datetime.timedelta(days=1), filing) for _ in range(rng.choices([1, 2, 3, 4, 6], [50, 27, 14, 6, 3])[0])})
        case["demands"] = [{"date": d.isoformat(), "way": _way(rng)} for d in days]


def _way(rng):
    roll = rng.random()
    if roll < 0.05:
        return noise(rng, 2, 8) or rng.choice(WAYS)
    return rng.choice(WAYS[:7] if roll < 0.45 else WAYS)


def _interest(rng, family, case, date, term, filing):
    """Which interest is claimed, from when, at what rate."""
    loan, kind = case["loan"], family["rate"]
    rate = loan.get("rate_year_percent")
    if rng.random() < 0.06:
        return
    paid = [p for p in case["repayments"] if p["kind"] == "interest"]
    if kind in ("agreed", "over_cap", "oral") and rng.random() < 0.93:
        cap = round(4 * lpr_at(max(loan["date"], "2019-08-20")), 2)
        case["interest_basis"], case["interest_rate_percent"] = ("lpr4", cap) if rate > cap else ("agreed", rate)
        if case["interest_basis"] == "agreed" and rng.random() < 0.06:
            case["interest_rate_percent"] = round(rate * rng.choice([0.5, 0.8, 0.75, 0.9]), 2)
        start = datetime.date.fromisoformat(paid[-1]["date"]) + datetime.timedelta(days=1) if paid and rng.random() < 0.8 else date
        if rng.random() < 0.15:
            start = _date(rng, date, filing)
    elif kind == "none" and rng.random() < 0.02:
        case["interest_basis"], case["interest_rate_percent"], start = "lpr4", round(4 * lpr_at(max(loan["date"], "2019-08-20")), 2), date
    else:
        case["interest_basis"] = "lpr"
        due = term or (datetime.date.fromisoformat(case["demands"][0]["date"]) if case["demands"] else filing)
        start = min(due + datetime.timedelta(days=1), filing)
        case["interest_rate_percent"] = lpr_at(start.isoformat()) if rng.random() < 0.8 else lpr_at(loan["date"])
    case["interest_from"] = start.isoformat()


def _claims(rng, family, case):
    kinds = ["principal"]
    if case.get("interest_from"):
        kinds.append("interest")
    if any(d["role"] == "spouse" for d in case["defendants"]):
        kinds.append("spouse_liability")
    if family["security"] == "joint":
        kinds.append("joint_liability")
    elif family["security"] != "none":
        kinds.append("general_liability")
    if rng.random() < 0.18:
        kinds.append("lawyer_fee")
    if rng.random() < 0.95:
        kinds.append("litigation_cost")
    case["claims"] = [{"kind": k} for k in kinds]
    for claim in case["claims"]:
        if claim["kind"] == "lawyer_fee":
            claim["amount_fen"] = rng.choice([rng.randint(1, 60) * 100000, rng.randint(1000, 50000) * 100, rng.randint(20, 90) * 10000])


def _evidence(rng, case):
    found = [] if case["loan"]["written"] == "none" else [{"iou": "借条", "contract": "借款合同"}[case["loan"]["written"]]]
    proof = {"bank_transfer": "银行转账凭证", "wechat": "微信转账记录", "alipay": "支付宝转账记录", "cash": "取款凭条", "mixed": "银行交易明细"}
    if rng.random() < 0.9:
        found.append(proof[case["loan"]["delivery"]])
    for _ in range(rng.randint(0, 4)):
        extra = (noise(rng, 3, 8) if rng.random() < 0.06 else None) or rng.choice(EVIDENCE)
        if rng.random() < 0.12:
            extra = extra + rng.choice(["原件", "复印件", "一份", "（复印件）", "截图", "打印件"]) if rng.random() < 0.8 else f"《{extra}》"
        if extra not in found and not (case["loan"]["written"] == "none" and extra in ("借条", "借款合同", "欠条", "借据")):
            found.append(extra)
    return found or ["证人证言"]
