# SPDX-License-Identifier: Apache-2.0
"""From a form to doctype.json: clauses, derived sums, checks, citations, structure."""
from dataclasses import dataclass

from . import templates
from .fields import Item

VERSION = "2026-12-01"
_NOTES = ("@note 填表说明：\n"
          "@note 1. 本表供{scope}使用，请如实填写；与案件无关的项目可以填“无”或者不填，表内容纳不下的可以另附页。\n"
          "@note 2. 勾选项在对应的方框内打“√”；“未确认”表示填表时还不能确定，不等于没有。\n"
          "@note 3. {third}\n"
          "@note 4. 当事人应当遵循诚信原则；虚假诉讼、恶意诉讼、滥用诉权的，依法承担责任。\n")


def _count(items):
    """Sum over the claims that are asserted and whose amount is known, as a Jinja expression."""
    return " + ".join(f"(claims.{i.key}.amount_fen if claims.{i.key}.state == 'yes' and "
                      f"claims.{i.key}.amount_fen is number else 0)" for i in items)


def _formula(items):
    parts = ", ".join(f"('{i.title}' ~ (claims.{i.key}.amount_fen | yuan)) if claims.{i.key}.state == 'yes' and "
                      f"claims.{i.key}.amount_fen is number else ''" for i in items)
    return f"[{parts}] | select | join('＋')"


def _any(items, condition):
    return " or ".join(f"claims.{i.key}.state {condition}" for i in items)


def _names_in(items, test):
    parts = ", ".join(f"'{i.title}' if {test.format(i.key)} else ''" for i in items)
    return f"{{{{ [{parts}] | select | join('、') }}}}"


def _minor(side):
    """Indices do not stand in a check's path: the side is named."""
    return (f"{side} | selectattr('kind', 'equalto', 'natural') | selectattr('birth_date', 'defined') | "
            f"rejectattr('statutory_agent', 'defined') | selectattr('birth_date', 'gt', derived.adult_line) | list")


def _common_checks(own, other, label):
    return [
        {"id": "ENT-03", "level": "error", "path": own,
         "when": f"{own} | map(attribute='name') | select('in', {other} | map(attribute='name') | list) | list",
         "zh": f"同一姓名既是{label[0]}又是{label[1]}", "en": "the same name stands on both sides"},
        {"id": "ENT-12", "level": "error", "path": own, "when": _minor(own),
         "zh": f"{label[0]}未满十八周岁，应当填写法定代理人（民事诉讼法第六十条）",
         "en": "a party under 18 needs a statutory agent"},
        {"id": "POA-01", "level": "error", "path": own,
         "when": f"{own} | map(attribute='agents') | select('defined') | sum(start=[]) | "
                 "selectattr('authority', 'equalto', 'special') | rejectattr('powers') | list",
         "zh": "特别授权应当逐项写明授权事项（民事诉讼法第六十二条、民诉法解释第八十九条）",
         "en": "special powers have to be named one by one"},
        {"id": "SVC-01", "level": "warning", "path": "service.electronic_way",
         "when": "service.electronic == 'yes' and not service.electronic_way",
         "zh": "同意电子送达，但没有填写方式和号码", "en": "electronic service is accepted but no way is given"},
        {"id": "EVI-01", "level": "warning", "path": "evidence", "when": "not evidence",
         "zh": "没有填写证据", "en": "no evidence is listed"},
    ]


def _jurisdiction_checks():
    return [
        {"id": "JUR-01", "level": "warning", "path": "jurisdiction.agreement",
         "when": "jurisdiction.agreement == 'yes'",
         "zh": "有仲裁或者管辖约定，请核对法院有无管辖权（民事诉讼法第三十五条、第一百二十七条）",
         "en": "there is an agreement on arbitration or jurisdiction"},
        {"id": "JUR-02", "level": "warning", "path": "jurisdiction.court",
         "when": "jurisdiction.preserved == 'yes' and not (jurisdiction.court and jurisdiction.date)",
         "zh": "已经诉前保全，但没有填写保全法院或者时间；裁定后三十日内应当起诉（民事诉讼法第一百零四条）",
         "en": "preserved before suit, but court or date is missing"},
    ]


def _sections(rows):
    return {"sections": [{"id": key, "title": title, "pattern": pattern, "required": True, "level": level}
                         for key, title, pattern, level in rows],
            "forbidden": [{"id": "addressee", "pattern": "^[\\s　]*此致", "zh": "要素式表格没有“此致”一栏",
                           "basis": "法〔2025〕82号所附示范文本"}]}


def _head(form, kind, title, english):
    return {"format": 1, "id": f"element-form.{form.key}-{kind}", "title": f"要素式{title}（{form.cause}）",
            "title_en": f"element-style {english} ({form.title_en})", "version": VERSION, "layout": "form",
            "branch": "civil", "instance": "first", "schema": "elements.schema.json", "macros": ["element_form"]}


def _table(key, title, columns=(26, 74)):
    return {"id": key, "title": title, "template": f"{key}.jinja",
            "table": {"columns": list(columns), "header_rows": 1}}


_EVIDENCE = ("evidence", "证据清单", (8, 30, 36, 26))


def complaint(form):
    counted = [i for i in form.claims if i.counted]
    made = _head(form, "complaint", "民事起诉状", "civil complaint")
    made["derived"] = [
        {"name": "date", "value": "date if date else today"},
        # Born after this day is under 18 on the day of the document.
        {"name": "adult_line", "value": "((derived.date[:4] | int) - 18) ~ derived.date[4:]"}]
    if form.has_total:
        made["derived"] += [{"name": "total_fen", "value": _count(counted)},
                            {"name": "formula", "value": _formula(counted)}]
    made["derived"] += form.derived
    checks = _common_checks("plaintiffs", "defendants", ("原告", "被告")) + _jurisdiction_checks()
    checks += [
        {"id": "CLM-01", "level": "error", "path": "claims", "when": "not (" + _any(form.claims, "== 'yes'") + ")",
         "zh": "没有任何一项确认主张的诉讼请求", "en": "no claim is asserted"},
        {"id": "CLM-02", "level": "warning", "path": "claims", "when": _any(form.claims, "== 'unknown'"),
         "zh": "还没有确认是否主张：" + _names_in(form.claims, "claims.{}.state == 'unknown'"),
         "en": "claims that are neither asserted nor dropped"},
        {"id": "CLM-03", "level": "warning", "path": "claims",
         "when": " or ".join(f"(claims.{i.key}.state != 'yes' and claims.{i.key}.amount_fen is defined)"
                             for i in counted) or "false",
         "zh": "填了金额但没有确认主张，不计入总额：" +
               _names_in(counted, "claims.{0}.state != 'yes' and claims.{0}.amount_fen is defined"),
         "en": "a sum is given for a claim that is not asserted"}]
    if form.has_total:
        checks.append({"id": "AMT-02", "level": "error", "path": "total",
                       "when": "total_fen is number and total_fen != derived.total_fen",
                       "zh": "标的总额与各项之和{{ derived.total_fen | yuan }}不一致",
                       "en": "the total is not the sum of the claims"})
    made["checks"] = checks + form.checks
    made["citations"] = [{"statute": s, "article": a, "when": w, "topic": t} for s, a, w, t in form.citations]
    made["from_case"] = {**_from_case("plaintiffs", "plaintiff", "defendants", "defendant"),
                         "third_parties": "case.parties | selectattr('role', 'equalto', 'third_party') | list",
                         "date": "case.filing_date", **form.from_case}
    made["structure"] = _sections([
        ("title", "标题", "^民事起诉状$", 1), ("parties", "当事人信息", "^当事人信息｜", 1),
        ("claims", "诉讼请求", "^诉讼请求｜", 1), ("jurisdiction", "约定管辖和诉讼保全", "^约定管辖和诉讼保全｜", 1),
        ("facts", "事实与理由", "^事实与理由｜", 1), ("evidence", "证据清单", "^序号｜证据名称｜", 1),
        ("mediation", "对纠纷解决方式的意愿", "^对纠纷解决方式的意愿｜", 1), ("closing", "具状人签章", "^具状人（", 1)])
    made["clauses"] = [
        {"id": "title", "title": "标题", "template": "title.jinja"},
        {"id": "notes", "title": "填表说明", "style": "note", "template": "notes.jinja"},
        _table("parties", "当事人信息"), _table("claims", "诉讼请求"),
        _table("jurisdiction", "约定管辖和诉讼保全"), _table("facts", "事实与理由"), _table(*_EVIDENCE),
        _table("mediation", "对纠纷解决方式的意愿"), {"id": "closing", "title": "签章", "template": "closing.jinja"}]
    return made


def _from_case(own, own_role, other, other_role):
    return {own: f"case.parties | selectattr('role', 'equalto', '{own_role}') | list",
            other: f"case.parties | selectattr('role', 'equalto', '{other_role}') | list",
            "court": "case.court", "evidence": "case.evidence"}


def complaint_skeleton(form):
    head = templates.HEAD
    court = "{% if court %}\n受诉法院｜{{ court | cell }}\n{% endif %}\n"
    return {
        "title.jinja": f"{head}@title 民事起诉状\n@title （{{{{ cause }}}}）\n",
        "notes.jinja": head + _NOTES.format(scope=form.scope, third="起诉时应当按照被告人数提交副本，"
                                            "并提交证明当事人身份的材料和证据。"),
        "parties.jinja": head + "当事人信息｜内容\n{{ form_party_rows('原告', plaintiffs) -}}\n"
                         "{{ form_party_rows('被告', defendants) -}}\n{{ form_party_rows('第三人', third_parties) -}}\n"
                         "{{ form_agent_row(plaintiffs) -}}\n{{ form_service_row(service) -}}\n",
        "claims.jinja": templates.claims(form),
        "jurisdiction.jinja": head + "约定管辖和诉讼保全｜内容\n{{ form_jurisdiction_rows(jurisdiction) -}}\n" + court,
        "facts.jinja": templates.facts(form),
        "evidence.jinja": head + "序号｜证据名称｜证明目的｜来源\n{{ form_evidence_rows(evidence) -}}\n",
        "mediation.jinja": head + "对纠纷解决方式的意愿｜内容\n{{ form_mediation_rows(mediation) -}}\n",
        "closing.jinja": head + "{{ form_signature('具状人', plaintiffs, derived.date) -}}\n"}


@dataclass
class Points:
    """What an answer may raise beyond the items of the complaint."""
    total = Item("total", "标的总额", [], answer_amount=True)
    jurisdiction = Item("jurisdiction", "管辖", [])
    limitation = Item("limitation", "诉讼时效", [])
    other = Item("other_points", "其他事项", [])


def answer_parts(form):
    claims = form.claims + ([Points.total] if form.has_total else [])
    points = [Points.jurisdiction, Points.limitation] + form.answer_points + [Points.other]
    return claims, points


def answer(form):
    claims, points = answer_parts(form)
    made = _head(form, "answer", "民事答辩状", "civil answer")
    every = ([f"claims.{i.key}" for i in claims] + [f"facts.{i.key}" for i in form.facts])
    made["derived"] = [
        {"name": "date", "value": "date if date else today"},
        {"name": "adult_line", "value": "((derived.date[:4] | int) - 18) ~ derived.date[4:]"},
        {"name": "days_since_service", "value": "(served | days(derived.date)) if served else none"}]
    open_items = ", ".join(f"'{i.title}' if claims.{i.key}.position == 'unknown' else ''" for i in claims)
    made["checks"] = _common_checks("respondents", "opponents", ("答辩人", "被答辩人")) + [
        {"id": "ANS-01", "level": "error", "path": "claims",
         "when": " and ".join(f"{path}.position == 'unknown'" for path in every),
         "zh": "没有对任何一项请求或者事实表明意见", "en": "the answer answers nothing"},
        {"id": "ANS-02", "level": "warning", "path": "claims",
         "when": " or ".join(f"claims.{i.key}.position == 'unknown'" for i in claims),
         "zh": f"还没有表明意见的诉讼请求：{{{{ [{open_items}] | select | join('、') }}}}",
         "en": "claims that are not answered"},
        {"id": "DAT-02", "level": "error", "path": "served",
         "when": "derived.days_since_service is number and derived.days_since_service < 0",
         "zh": "答辩日期早于收到起诉状副本的日期", "en": "the answer is dated before the complaint was served"},
        {"id": "DAT-03", "level": "warning", "path": "served",
         "when": "derived.days_since_service is number and derived.days_since_service > 15",
         "zh": "已超过收到起诉状副本之日起十五日的答辩期（民事诉讼法第一百二十八条），期间末日逢节假日的顺延",
         "en": "more than 15 days since the complaint was served"},
        {"id": "JUR-03", "level": "warning", "path": "points.jurisdiction",
         "when": "points.jurisdiction.position == 'object' and derived.days_since_service is number and "
                 "derived.days_since_service > 15",
         "zh": "管辖权异议应当在提交答辩状期间提出（民事诉讼法第一百三十条）",
         "en": "an objection to jurisdiction is due within the time for the answer"}]
    made["citations"] = [{"statute": s, "article": a, "when": w, "topic": t} for s, a, w, t in form.answer_citations]
    made["from_case"] = {**_from_case("respondents", "defendant", "opponents", "plaintiff"),
                         "case_number": "case.case_number"}
    made["structure"] = _sections([
        ("title", "标题", "^民事答辩状$", 1), ("parties", "当事人信息", "^当事人信息｜", 1),
        ("claims", "对诉讼请求的意见", "^对诉讼请求的意见｜", 1), ("facts", "对事实与理由的意见", "^对事实与理由的意见｜", 1),
        ("points", "其他答辩意见", "^其他答辩意见｜", 1), ("evidence", "证据清单", "^序号｜证据名称｜", 1),
        ("mediation", "对纠纷解决方式的意愿", "^对纠纷解决方式的意愿｜", 1), ("closing", "答辩人签章", "^答辩人（", 1)])
    made["clauses"] = [
        {"id": "title", "title": "标题", "template": "title.jinja"},
        {"id": "notes", "title": "填表说明", "style": "note", "template": "notes.jinja"},
        _table("parties", "当事人信息"), _table("claims", "对诉讼请求的意见"), _table("facts", "对事实与理由的意见"),
        _table("points", "其他答辩意见"), _table(*_EVIDENCE), _table("mediation", "对纠纷解决方式的意愿"),
        {"id": "closing", "title": "签章", "template": "closing.jinja"}]
    return made


def answer_skeleton(form):
    head = templates.HEAD
    claims, points = answer_parts(form)
    basis = (f"{len(points) + 1}. 答辩依据｜{{{{ lines([\n  line('合同约定', basis.contract | cell) if basis.contract else '',\n"
             "  line('法律规定', citations ~ ('；' ~ (basis.law | cell) if basis.law else '')) if citations else\n"
             "  (line('法律规定', basis.law | cell) if basis.law else '')\n]) }}\n")
    return {
        "title.jinja": f"{head}@title 民事答辩状\n@title （{{{{ cause }}}}）\n@caseno {{{{ case_number }}}}\n",
        "notes.jinja": head + _NOTES.format(scope=form.scope, third="答辩应当在收到起诉状副本之日起十五日内提出，"
                                            "对各项请求和事实逐项表明确认或者异议；有异议的写明事实和理由。"),
        "parties.jinja": head + "当事人信息｜内容\n{% if court %}\n受理法院｜{{ court | cell }}\n{% endif %}\n"
                         "{{ form_party_rows('答辩人', respondents) -}}\n"
                         "{{ form_party_rows('被答辩人', opponents) -}}\n"
                         "{{ form_agent_row(respondents) -}}\n{{ form_service_row(service) -}}\n",
        "claims.jinja": templates.answer_rows("对诉讼请求的意见", claims, "claims"),
        "facts.jinja": templates.answer_rows("对事实与理由的意见", form.facts, "facts"),
        "points.jinja": templates.answer_rows("其他答辩意见", points, "points") + basis,
        "evidence.jinja": head + "序号｜证据名称｜证明目的｜来源\n{{ form_evidence_rows(evidence) -}}\n",
        "mediation.jinja": head + "对纠纷解决方式的意愿｜内容\n{{ form_mediation_rows(mediation) -}}\n",
        "closing.jinja": head + "{{ form_signature('答辩人', respondents, derived.date) -}}\n"}
