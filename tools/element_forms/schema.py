# SPDX-License-Identifier: Apache-2.0
"""From a form to the JSON schema of its elements."""

COMMON = "common.schema.json#/$defs/"


def _money(field, properties):
    properties[field.key] = {"title": field.title, "description": field.help, "type": ["string", "number"],
                             "x-kind": "money", "x-into": field.stored, "examples": [field.example]}
    properties[field.stored] = {"title": f"{field.title}（分）", "type": "integer", "minimum": 0 if field.zero else 1,
                                "maximum": 99999999999999}


def _property(field):
    words = {"title": field.title, "description": field.help}
    if field.human_only:
        words["x-human-only"] = True
    words["examples"] = [field.example]
    if field.kind == "text":
        return {**words, "type": "string", "minLength": 1, "maxLength": 200}
    if field.kind == "paragraph":
        return {**words, "type": "string", "minLength": 1, "maxLength": 2000, "x-kind": "paragraph"}
    if field.kind == "date":
        return {**words, "type": "string", "x-kind": "date"}
    if field.kind == "percent":
        return {**words, "type": ["number", "string"], "minimum": 0, "maximum": 1000, "x-kind": "percent"}
    if field.kind == "integer":
        return {**words, "type": "integer", "minimum": 0, "maximum": 1000000}
    if field.kind == "choice":
        listed = "，".join(f"{value} {label}" for value, label in field.options.items())
        words["description"] = f"{field.help}（{listed}）"
        return {**words, "type": "string", "enum": list(field.options)}
    if field.kind == "tri":
        words["description"] = f"{field.help}（yes 是，no 否，unknown 未确认；没有填不等于没有）"
        return {**words, "type": "string", "enum": ["yes", "no", "unknown"], "default": "unknown"}
    if field.kind == "list":
        inner = _object(field.title, field.fields)
        inner.pop("title")
        return {**words, "type": "array", "maxItems": 60, "items": inner}
    raise ValueError(f"{field.key}: no kind {field.kind}")


def _required(fields):
    """The rules that make fields obligatory; a sum may come in yuan or in fen."""
    rules = {}
    plain = [f.key for f in fields if f.required and f.kind != "money"]
    if plain:
        rules["required"] = plain
    sums = [f for f in fields if f.required and f.kind == "money"]
    if sums:
        rules["allOf"] = [{"anyOf": [{"required": [f.key], "properties": {f.key: {"title": f.title}}},
                                     {"required": [f.stored]}]} for f in sums]
    return rules


def _object(title, fields):
    properties = {}
    for field in fields:
        if field.kind == "money":
            _money(field, properties)
        else:
            properties[field.key] = _property(field)
    return {"title": title, "type": "object", "additionalProperties": False, **_required(fields),
            "properties": properties}


def _defaults(fields):
    return {f.key: "unknown" for f in fields if f.kind == "tri"}


def _item(item):
    made = _object(item.title, item.fields)
    default = _defaults(item.fields)
    if item.ask:
        made["properties"] = {
            "state": {"title": f"{item.title}：是、否或者未确认",
                      "description": f"{item.help}（yes 是，no 否，unknown 未确认；没有填不等于没有）",
                      "type": "string", "enum": ["yes", "no", "unknown"], "default": "unknown"},
            **made["properties"]}
        default = {"state": "unknown", **default}
        rules = {key: made.pop(key) for key in ("required", "allOf") if key in made}
        if rules:
            named = {f.key: {"title": f.title} for f in item.fields if f.required}
            made["if"] = {"properties": {"state": {"const": "yes"}}, "required": ["state"]}
            made["then"] = {**rules, "properties": named}
    return {**made, "description": item.help, "default": default}


def _group(title, help_text, items):
    properties = {item.key: _item(item) for item in items}
    return {"title": title, "description": help_text, "type": "object", "additionalProperties": False,
            "properties": properties, "default": {key: value["default"] for key, value in properties.items()}}


def _side(title, help_text, **more):
    return {"title": title, "description": help_text, "type": "array", "maxItems": 30,
            "items": {"$ref": COMMON + "party"}, **more}


# What the plaintiff must give about himself (民诉法 124, 立案), and about whom he sues (so that he can be told apart).
_NATURAL = {"if": {"properties": {"kind": {"enum": ["natural", "individual_business"]}}, "required": ["kind"]}}
_ORGANIZATION = {"if": {"properties": {"kind": {"const": "organization"}}, "required": ["kind"]}}
_TITLES = {"sex": "性别", "birth_date": "出生日期", "ethnicity": "民族", "id_number": "证件号码", "phone": "联系电话",
           "address": "住所", "representative": "法定代表人或者主要负责人", "credit_code": "统一社会信用代码"}


def _must(condition, keys):
    return {**condition, "then": {"required": keys, "properties": {key: {"title": _TITLES[key]} for key in keys}}}


def _strict(side, rules):
    return {"properties": {side: {"items": {"allOf": rules}}}}


def _own_side(side):
    return _strict(side, [_must(_NATURAL, ["id_number", "phone", "address"]),
                          _must(_ORGANIZATION, ["credit_code", "representative", "phone", "address"])])


def _other_side(side):
    return _strict(side, [_must(_NATURAL, ["address"]), _must(_ORGANIZATION, ["address"])])


def _service():
    return {
        "title": "送达地址", "description": "除另行书面变更外，适用于案件的全部程序", "type": "object",
        "additionalProperties": False, "default": {"electronic": "unknown"},
        "properties": {
            "address": {"$ref": COMMON + "address", "title": "送达地址", "description": "能够收到邮件的地址"},
            "recipient": {"$ref": COMMON + "name", "title": "收件人", "description": "收件人姓名"},
            "phone": {"$ref": COMMON + "phone", "title": "收件人电话", "description": "收件人的联系电话"},
            "electronic": {"$ref": COMMON + "bool3", "title": "是否接受电子送达", "default": "unknown",
                           "description": "判决书、裁定书、调解书电子送达也须同意（民事诉讼法第九十条）"},
            "electronic_way": {"title": "电子送达方式", "description": "短信、电子邮箱、微信等及其号码", "type": "string",
                               "minLength": 1, "maxLength": 120}}}


def _mediation():
    return {
        "title": "对纠纷解决方式的意愿", "description": "是否了解、是否愿意先行调解", "type": "object",
        "additionalProperties": False, "default": {"knows": "unknown", "first": "unknown"},
        "properties": {
            "knows": {"$ref": COMMON + "bool3", "title": "是否了解调解作为纠纷解决方式", "default": "unknown",
                      "description": "调解不收取或者减半收取诉讼费用，达成协议可以申请司法确认或者出具调解书"},
            "first": {"$ref": COMMON + "bool3", "title": "是否考虑先行调解", "default": "unknown",
                      "description": "同意的，法院可以在立案前委派调解"}}}


def _jurisdiction():
    return {
        "title": "约定管辖和诉讼保全", "description": "仲裁、管辖的约定和保全措施", "type": "object",
        "additionalProperties": False,
        "default": {"agreement": "unknown", "preserved": "unknown", "preservation": "unknown"},
        "properties": {
            "agreement": {"$ref": COMMON + "bool3", "title": "有无仲裁、法院管辖约定", "default": "unknown",
                          "description": "有仲裁协议的，法院不予受理（民事诉讼法第一百二十七条）"},
            "terms": {"title": "约定的条款及内容", "description": "合同条款号和约定的机构", "type": "string",
                      "minLength": 1, "maxLength": 300},
            "preserved": {"$ref": COMMON + "bool3", "title": "是否已经诉前保全", "default": "unknown",
                          "description": "起诉前已经申请财产保全的"},
            "court": {"$ref": COMMON + "court", "title": "保全法院", "description": "作出诉前保全裁定的法院"},
            "date": {"$ref": COMMON + "date", "title": "保全时间", "description": "诉前保全裁定的日期"},
            "case_number": {"$ref": COMMON + "case_number", "title": "保全案号", "description": "诉前保全裁定的案号"},
            "preservation": {"$ref": COMMON + "bool3", "title": "是否申请诉讼保全", "default": "unknown",
                             "description": "诉讼中申请财产保全的，另交申请书"}}}


def _evidence():
    return {"title": "证据清单", "description": "逐项列明，可以另附页", "type": "array", "maxItems": 100, "default": [],
            "items": {"$ref": COMMON + "evidence"}}


def _last(day_title, day_help):
    return {"date": {"$ref": COMMON + "date", "title": day_title, "description": day_help}}


def complaint(form):
    basis = {"title": "请求依据", "description": "合同约定的条款；法律规定由程序按请求列出，可以补充", "type": "object",
             "additionalProperties": False, "default": {},
             "properties": {
                 "contract": {"title": "合同约定", "description": "条款号和内容", "type": "string", "minLength": 1,
                              "maxLength": 1000, "x-kind": "paragraph"},
                 "law": {"title": "补充的法律规定", "description": "程序列出的以外，另外主张适用的规定", "type": "string",
                         "minLength": 1, "maxLength": 500}}}
    properties = {
        "doctype": {"title": "文书类型", "const": f"element-form.{form.key}-complaint"},
        "cause": {"title": "案由", "description": "民事案件案由规定中的名称", "type": "string", "enum": [form.cause],
                  "default": form.cause},
        "court": {"$ref": COMMON + "court", "title": "受诉法院", "description": "准备向哪个法院起诉，全称"},
        "plaintiffs": _side("原告", "起诉的人，可以有几名", minItems=1),
        "defendants": _side("被告", "被诉的人，信息以能与他人区别为限", minItems=1),
        "third_parties": _side("第三人", "与案件处理结果有利害关系的人", default=[]),
        "service": _service(),
        "claims": _group("诉讼请求", "逐项确认是否主张", form.claims)}
    if form.has_total:
        properties["total"] = {"title": "标的总额", "description": "可以不填，由程序相加；填了的，与各项之和核对",
                               "type": ["string", "number"], "x-kind": "money", "x-into": "total_fen"}
        properties["total_fen"] = {"title": "标的总额（分）", "type": "integer", "minimum": 0, "maximum": 99999999999999}
    properties.update({
        "jurisdiction": _jurisdiction(),
        "facts": _group("事实与理由", "逐项填写，与本案无关的可以不填", form.facts),
        "basis": basis, "evidence": _evidence(), "mediation": _mediation(),
        **_last("具状日期", "不填的，为起草之日")})
    return {"$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": f"要素式民事起诉状要素（{form.cause}）", "type": "object", "additionalProperties": False,
            "required": ["plaintiffs", "defendants"], "properties": properties,
            "allOf": [_own_side("plaintiffs"), _other_side("defendants")]}


def answer_item(item, what):
    fields = {
        "position": {"title": f"对{item.title}的意见", "type": "string", "enum": ["agree", "object", "unknown"],
                     "default": "unknown", "description": f"对{what}“{item.title}”（agree 确认，object 异议，unknown 未确认）"}}
    if item.answer_amount:
        fields["amount"] = {"title": f"认可的{item.title}", "description": "部分认可的，填认可的金额，单位元",
                            "type": ["string", "number"], "x-kind": "money", "x-into": "amount_fen"}
        fields["amount_fen"] = {"title": f"认可的{item.title}（分）", "type": "integer", "minimum": 0,
                                "maximum": 99999999999999}
    fields["reason"] = {"title": "事实和理由", "description": "有异议的，写明事实和理由", "type": "string", "minLength": 1,
                        "maxLength": 2000, "x-kind": "paragraph"}
    return {"title": f"对{item.title}的意见", "description": f"对{what}“{item.title}”的答辩", "type": "object",
            "additionalProperties": False, "default": {"position": "unknown"}, "properties": fields,
            "if": {"properties": {"position": {"const": "object"}}, "required": ["position"]},
            "then": {"required": ["reason"], "properties": {"reason": {"title": "事实和理由"}}}}


def _answer_group(title, help_text, items, what):
    properties = {item.key: answer_item(item, what) for item in items}
    return {"title": title, "description": help_text, "type": "object", "additionalProperties": False,
            "properties": properties, "default": {key: {"position": "unknown"} for key in properties}}


def answer(form, claims, points):
    properties = {
        "doctype": {"title": "文书类型", "const": f"element-form.{form.key}-answer"},
        "cause": {"title": "案由", "description": "与起诉状一致", "type": "string", "enum": [form.cause],
                  "default": form.cause},
        "court": {"$ref": COMMON + "court", "title": "受理法院", "description": "受理案件的法院，全称"},
        "case_number": {"$ref": COMMON + "case_number", "title": "案号", "description": "应诉通知书上的案号"},
        "respondents": _side("答辩人", "提出答辩的人，可以有几名", minItems=1),
        "opponents": _side("被答辩人", "起诉的人，与起诉状一致", minItems=1),
        "served": {"$ref": COMMON + "date", "title": "收到起诉状副本的日期",
                   "description": "收到之日起十五日内提出答辩状（民事诉讼法第一百二十八条）"},
        "service": _service(),
        "claims": _answer_group("对诉讼请求的意见", "对起诉状的每一项请求表明确认或者异议", claims, "诉讼请求"),
        "facts": _answer_group("对事实与理由的意见", "对起诉状的每一项事实表明确认或者异议", form.facts, "事实"),
        "points": _answer_group("其他答辩意见", "管辖、时效等", points, "事项"),
        "basis": {"title": "答辩依据", "description": "合同约定和法律规定", "type": "object",
                  "additionalProperties": False, "default": {},
                  "properties": {
                      "contract": {"title": "合同约定", "description": "条款号和内容", "type": "string", "minLength": 1,
                                   "maxLength": 1000, "x-kind": "paragraph"},
                      "law": {"title": "法律规定", "description": "答辩所依据的规定，写全称和条号", "type": "string",
                              "minLength": 1, "maxLength": 500}}},
        "evidence": _evidence(), "mediation": _mediation(), **_last("答辩日期", "不填的，为起草之日")}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": f"要素式民事答辩状要素（{form.cause}）", "type": "object", "additionalProperties": False,
            "required": ["case_number", "respondents", "opponents"], "properties": properties,
            "allOf": [_own_side("respondents")]}
