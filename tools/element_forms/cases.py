# SPDX-License-Identifier: Apache-2.0
"""The cases of a form. Four come from the examples of the fields: everything filled in, only what must be, a minor
with an individual business, and values missing. A cause adds its own (sums that do not agree, ...)."""
import copy

from .doctype import answer_parts
from .fixtures import PARTIES

_SERVICE = {"address": "某市西城区建设街22号3单元501室", "recipient": "王建国", "phone": "13800000001",
            "electronic": "yes", "electronic_way": "短信13800000001"}
_JURISDICTION = {"agreement": "yes", "terms": "第十二条：由合同签订地人民法院管辖", "preserved": "yes",
                 "court": "某市东城区人民法院", "date": "2026-11-10", "case_number": "（2026）某0101财保15号",
                 "preservation": "no"}
_EVIDENCE = [{"name": "合同", "source": "原告持有", "proves": "双方的权利义务", "pages": 6, "original": "yes"},
             {"name": "银行转账记录", "proves": "款项支付情况"}, {"name": "微信聊天记录"}]


def _example(field):
    return copy.deepcopy(field.example)


def _filled(item, always=False):
    made = {"state": item.state} if item.ask else {}
    if item.ask and item.state != "yes" and not always:
        return made
    made.update({f.key: _example(f) for f in item.fields})
    return made


def _bare(item):
    """What a fact item needs at least; claims are left out."""
    needed = {f.key: _example(f) for f in item.fields if f.required}
    return needed if not item.ask else {}


def _parties(names):
    return [copy.deepcopy(PARTIES[name]) for name in names]


def _merge(base, patch):
    """patch over base: objects are merged, null takes a key away."""
    if not isinstance(base, dict) or not isinstance(patch, dict):
        return copy.deepcopy(patch)
    made = copy.deepcopy(base)
    for key, value in patch.items():
        if value is None:
            made.pop(key, None)
        else:
            made[key] = _merge(made.get(key), value)
    return made


def full_complaint(form):
    made = {"cause": form.cause, "court": "某市东城区人民法院", "plaintiffs": _parties(form.parties["plaintiffs"]),
            "defendants": _parties(form.parties["defendants"]), "third_parties": _parties(["third"]),
            "service": _SERVICE, "claims": {i.key: _filled(i) for i in form.claims}, "jurisdiction": _JURISDICTION,
            "facts": {i.key: _filled(i) for i in form.facts},
            "basis": {"contract": "第三条、第八条", "law": "当地人民法院的收费标准以外无其他补充"},
            "evidence": _EVIDENCE, "mediation": {"knows": "yes", "first": "no"}, "date": "2026-11-30"}
    made["basis"]["law"] = "《中华人民共和国民事诉讼法》第一百二十二条"
    return made


def bare_complaint(form):
    first = next(i for i in form.claims if i.key == form.parties.get("bare_claim", form.claims[0].key))
    claims = {first.key: {"state": "yes", **{f.key: _example(f) for f in first.fields if f.required}}}
    facts = {i.key: _bare(i) for i in form.facts if _bare(i)}
    return {"plaintiffs": _parties(["plain_person"]), "defendants": _parties(["defendant_bare"]), "claims": claims,
            "facts": facts, "date": "2026-11-30"}


def _in_fen(fields, value):
    """The same values with every sum in fen, in lists too."""
    made = {}
    for key, given in value.items():
        field = next((f for f in fields if f.key == key), None)
        if field is not None and field.kind == "money":
            made[field.stored] = round(float(given) * 100)
        elif field is not None and field.kind == "list":
            made[key] = [_in_fen(field.fields, entry) for entry in given]
        else:
            made[key] = given
    return made


def _nothing_missing(form):
    """Paths that the schema misses when no fact is given."""
    return [f"facts.{i.key}.{f.key}" for i in form.facts if not i.ask for f in i.fields if f.required]


def _gaps():
    party = _parties(["child"])[0]
    del party["address"], party["phone"], party["statutory_agent"]["id_number"]
    return [party]


def _case(name, about, elements, expect, **more):
    return {"name": name, "about": about, "elements": elements, **more, "expect": expect}


def complaint_cases(form):
    full = full_complaint(form)
    bare = bare_complaint(form)
    titles = [f"{n}. {i.title}｜" for n, i in enumerate(form.claims, 1)]
    first = next(iter(bare["claims"]))
    claims_no = {i.key: {"state": "no"} for i in form.claims if i.key != first}
    minor = _merge(bare, {"claims": claims_no, "service": {"electronic": "no"},
                          "jurisdiction": {"agreement": "no", "preserved": "no", "preservation": "yes"},
                          "mediation": {"knows": "no", "first": "yes"}})
    minor["plaintiffs"] = _parties(["child"])
    del minor["plaintiffs"][0]["statutory_agent"]["id_number"]
    minor["defendants"] = _parties(["shop", "company"])
    missing = _merge(bare, {"plaintiffs": None})
    missing["plaintiffs"] = [{k: v for k, v in PARTIES["plain_person"].items() if k not in ("id_number", "phone")}]
    cases = {
        "full": _case("各栏都填", "两名以上当事人、组织、代理人、第三人，所有可选栏都有值", full,
                      {"contains": ["民事起诉状", *titles, "☑特别授权" if "full_person" in form.parties["plaintiffs"]
                                    else "☑一般授权", "第三人（自然人）", "对纠纷解决方式的意愿"],
                       "absent": ["此致", "【待填"], "warnings": ["JUR-01"]}),
        "bare": _case("只填必填栏", "可选栏都不填，各行仍在，不写“无”", bare,
                      {"contains": [*titles, "☑未确认", "（未填写）"], "absent": ["第三人（", "【待填"],
                       "warnings": ["CLM-02", "EVI-01"]}),
        "minor": _case("未成年人和个体工商户", "原告未成年，由法定代理人代为诉讼；被告之一是个体工商户；其余请求明确不主张",
                       minor, {"contains": ["法定代理人：孙立", "被告1（个体工商户）", "字号：某市东城区钱多食品店"],
                               "absent": ["【待填"]}),
        "missing": _case("缺原告证件号码和电话", "允许缺项时印【待填】并列出", missing,
                         {"contains": ["民事起诉状"],
                          "missing": ["plaintiffs[0].id_number", "plaintiffs[0].phone"]}, allow_missing=True),
        "no-claim": _case("没有请求", "没有一项确认主张", _merge(bare, {"claims": {first: {"state": "no"}}}),
                          {"errors": ["claims"]}),
    }
    cases["costs-only"] = _case(
        "只主张诉讼费用", "主要请求明确不主张，各项法律依据随之不列",
        _merge(bare, {"claims": {first: {"state": "no"}, "litigation_cost": {"state": "yes"}}}),
        {"contains": ["诉讼费用｜☑是"], "absent": ["【待填"]})
    both = _merge(bare, {})
    both["plaintiffs"] = _parties(["child", "full_person"])
    both["plaintiffs"][0].pop("statutory_agent")
    both["plaintiffs"][1]["agents"][0]["powers"] = []
    both["defendants"] = _parties(["full_person"])
    cases["both-sides"] = _case("当事人的错误", "同一人在两方；未成年人没有法定代理人；特别授权没有逐项写明", both,
                                {"errors": ["plaintiffs"]})
    cases["warned"] = _case("送达和保全没有写全", "同意电子送达而没有方式；诉前保全没有法院和时间",
                            _merge(bare, {"service": {"electronic": "yes"}, "jurisdiction": {"preserved": "yes"}}),
                            {"contains": ["☑是"], "warnings": ["SVC-01", "JUR-02"]})
    cases["unclaimed-sum"] = _case(
        "有金额没有主张", "填了金额而没有确认主张的，不计入总额",
        _merge(bare, {"claims": {"other": {"content": "返还原件", "amount": 500}}}), {"warnings": ["CLM-03"]})
    fen = _merge(full, {"date": None, "total": None, "basis": {"contract": None, "law": None}, "mediation": None,
                        "service": None, "jurisdiction": None})
    fen["claims"] = {i.key: _in_fen(i.fields, _filled(i, always=True)) for i in form.claims}
    fen["facts"] = {i.key: _in_fen(i.fields, _filled(i, always=True)) for i in form.facts}
    fen.update({"basis": {}, "mediation": {}, "service": {}, "jurisdiction": {},
                "plaintiffs": _parties(["ward", "foreigner"]), "defendants": _parties(["hong_kong"])})
    fen["defendants"][0].pop("phone")
    if form.has_total:
        fen["total_fen"] = sum(int(fen["claims"][i.key].get("amount_fen", 0)) for i in form.claims
                               if i.counted and i.state == "yes")
    cases["fen"] = _case("金额以分计，涉外和港澳当事人", "指定代理人；外国人、香港组织；金额以分给出，与以元给出的相同", fen,
                         {"contains": ["指定代理人：李华", "国籍：德意志联邦共和国", "地区：香港特别行政区"],
                          "absent": ["【待填"]})
    empty = _merge(bare, {"claims": {i.key: {} for i in form.claims if i.key != first},
                          "facts": {i.key: {} for i in form.facts}})
    empty["claims"][first].pop("state")
    cases["empty-items"] = _case("各项都是空的", "各项在而没有内容，没有一项主张", empty, {"errors": ["claims"]})
    lists = {i.key: {f.key: [{}] for f in i.fields if f.kind == "list"} for i in form.facts}
    entries = [f"facts.{i.key}.{f.key}[0].{inner.key}" for i in form.facts for f in i.fields if f.kind == "list"
               for inner in f.fields if inner.required]
    cases["groups-empty"] = _case("各项在而没有内容", "请求没有填，事实各项在而没有内容，列表各有一行空的",
                                  {**bare, "claims": {}, "facts": lists},
                                  {"errors": (_nothing_missing(form) + entries) or ["claims"]})
    cases["claim-empty"] = _case("请求没有填金额", "主要请求在而没有内容", {**bare, "claims": {first: {}}, "facts": {}},
                                 {"errors": _nothing_missing(form) or ["claims"]})
    cases["party-gaps"] = _case("当事人缺住所和电话", "原告的住所和电话必填；法定代理人可以不填证件号码",
                                {**bare, "plaintiffs": _gaps()},
                                {"errors": ["plaintiffs[0].address", "plaintiffs[0].phone"]})
    cases["nothing"] = _case("只有当事人", "请求和事实都没有填",
                             {"plaintiffs": bare["plaintiffs"], "defendants": bare["defendants"]},
                             {"errors": _nothing_missing(form) or ["claims"]})
    if form.has_total:
        cases["wrong-total"] = _case("总额不符", "填写的标的总额与各项之和不一致", _merge(full, {"total": 1}),
                                     {"errors": ["total"]})
    for name, about, base, patch, expect in form.cases:
        start = full if base == "full" else bare
        cases[name] = _case(about, about, _merge(start, patch), expect)
    return cases


def answer_cases(form):
    claims, points = answer_parts(form)
    respondents = [copy.deepcopy(p) for p in _parties(form.parties.get("respondents", form.parties["defendants"]))]
    for party in respondents:
        if party["kind"] == "natural" and "id_number" not in party:
            party.update({"id_number": PARTIES["full_person"]["id_number"], "birth_date": "1980-05-12",
                          "phone": "13800000021"})
        if party["kind"] == "organization":
            party.setdefault("phone", "010-80000021")

    def object_to(item):
        made = {"position": "object", "reason": f"原告所称{item.title}与事实不符，详见证据一"}
        return {**made, "amount": 0 if item.key == "total" else 1000} if item.answer_amount else made

    full = {"cause": form.cause, "court": "某市东城区人民法院", "case_number": "（2026）某0101民初1357号",
            "respondents": respondents, "opponents": _parties(form.parties["plaintiffs"]), "served": "2026-11-20",
            "service": _SERVICE,
            "claims": {i.key: object_to(i) if n % 2 == 0 else {"position": "agree"} for n, i in enumerate(claims)},
            "facts": {i.key: {"position": "agree"} if n % 2 == 0 else object_to(i)
                      for n, i in enumerate(form.facts)},
            "points": {i.key: {"position": "object", "reason": f"对{i.title}另有意见，理由见书面申请"} for i in points},
            "basis": {"contract": "第五条", "law": "《中华人民共和国民法典》第一百八十八条"},
            "evidence": _EVIDENCE, "mediation": {"knows": "yes", "first": "yes"}, "date": "2026-11-30"}
    turned = copy.deepcopy(full)
    turned["claims"] = {i.key: {"position": "agree"} if n % 2 == 0 else object_to(i) for n, i in enumerate(claims)}
    turned["facts"] = {i.key: object_to(i) if n % 2 == 0 else {"position": "agree"}
                       for n, i in enumerate(form.facts)}
    turned["points"] = {i.key: {"position": "agree"} for i in points}
    bare = {"case_number": "（2026）某0101民初1357号", "respondents": _parties(["plain_person"]),
            "opponents": _parties(["company_bare"]), "claims": {claims[0].key: {"position": "agree"}},
            "date": "2026-11-30"}
    minor = _merge(bare, {"service": {"electronic": "no"}, "mediation": {"knows": "no", "first": "no"}})
    minor["respondents"] = _parties(["child", "shop"])
    del minor["respondents"][0]["statutory_agent"]["id_number"]
    minor["respondents"][1]["id_number"] = PARTIES["plain_person"]["id_number"]
    minor["respondents"][1].pop("birth_date")
    missing = _merge(bare, {"case_number": None})
    both = _merge(bare, {"served": "2026-12-30"})
    both["respondents"] = _parties(["child", "full_person"])
    both["respondents"][0].pop("statutory_agent")
    both["respondents"][1]["agents"][0]["powers"] = []
    both["opponents"] = _parties(["full_person"])
    titles = [f"{n}. 对{i.title}的意见｜" for n, i in enumerate(claims, 1)]
    fen = {"case_number": "（2026）某0101民初1357号", "respondents": _parties(["ward", "foreigner"]),
           "opponents": _parties(["hong_kong", "full_person"]), "mediation": {}, "service": {}, "basis": {},
           "claims": {i.key: {"amount_fen": 100, "reason": "部分认可"} if i.answer_amount else {"position": "agree"}
                      for i in claims},
           "facts": {i.key: {} for i in form.facts}, "points": {i.key: {} for i in points}}
    fen["claims"][claims[0].key]["position"] = "agree"
    gaps = _gaps()
    return {
        "full": _case("逐项答辩", "几名答辩人，异议与确认相间，各栏都填", full,
                      {"contains": ["民事答辩状", *titles, "☑异议", "（2026）某0101民初1357号"],
                       "absent": ["此致", "【待填"]}),
        "turned": _case("异议与确认对调", "上一例异议的确认、确认的异议", turned,
                        {"contains": [*titles, "☑确认"], "absent": ["【待填"]}),
        "bare": _case("只确认一项", "其余没有表明意见", bare,
                      {"contains": [*titles, "☑未确认"], "warnings": ["ANS-02", "EVI-01"], "absent": ["【待填"]}),
        "minor": _case("未成年人和个体工商户答辩", "答辩人之一未成年，另一人是个体工商户", minor,
                       {"contains": ["法定代理人：孙立", "答辩人2（个体工商户）"], "absent": ["【待填"]}),
        "missing": _case("缺案号", "允许缺项时印【待填】并列出", missing,
                         {"contains": ["【待填：案号】"], "missing": ["case_number"]}, allow_missing=True),
        "late": _case("逾期答辩", "收到起诉状副本超过十五日", _merge(full, {"served": "2026-11-01"}),
                      {"contains": ["民事答辩状"], "warnings": ["DAT-03", "JUR-03"]}),
        "fen": _case("金额以分计，涉外和港澳当事人", "指定代理人；外国人、香港组织；认可的金额以分给出", fen,
                     {"contains": ["指定代理人：李华", "国籍：德意志联邦共和国", "地区：香港特别行政区"], "absent": ["【待填"]}),
        "silent": _case("什么也没有答", "没有对任何一项表明意见", {**bare, "claims": {i.key: {} for i in claims}}, {"errors": ["claims"]}),
        "groups-empty": _case("各组都是空的", "请求、事实、其他意见各组在而没有内容", {**bare, "claims": {}, "facts": {}, "points": {}},
                              {"errors": ["claims"]}),
        "party-gaps": _case("当事人缺住所和电话", "答辩人的住所和电话必填；法定代理人可以不填证件号码", {**bare, "respondents": gaps},
                            {"errors": ["respondents[0].address", "respondents[0].phone"]}),
        "nothing": _case("只有当事人和案号", "请求、事实都没有填", _merge(bare, {"claims": None}), {"errors": ["claims"]}),
        "both-sides": _case("当事人和日期的错误", "同一人在两方；未成年人没有法定代理人；特别授权没有逐项写明；收到日期在后",
                            both, {"errors": ["respondents", "served"]}),
        "warned": _case("同意电子送达而没有方式", "没有填方式和号码", _merge(bare, {"service": {"electronic": "yes"}}),
                        {"contains": ["☑是"], "warnings": ["SVC-01"]}),
        "no-reason": _case("有异议没有理由", "异议须写明事实和理由",
                           _merge(bare, {"claims": {claims[0].key: {"position": "object"}}}),
                           {"errors": [f"claims.{claims[0].key}.reason"]}),
    } | {name: _case(about, about, _merge(full if base == "full" else bare, patch), expect)
         for name, about, base, patch, expect in form.answer_cases}
