# SPDX-License-Identifier: Apache-2.0
"""Invented parties of the cases. Identity numbers and credit codes carry right check digits and belong to nobody:
the district codes are those of no district that registers people."""


def citizen_number(district, birth, serial):
    head = f"{district}{birth.replace('-', '')}{serial:03d}"
    weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]
    return head + "10X98765432"[sum(int(d) * w for d, w in zip(head, weights)) % 11]


_ALPHABET = "0123456789ABCDEFGHJKLMNPQRTUWXY"


def credit_code(head, body):
    """head: authority, kind and district (8), body: the first 8 of the organisation's own code."""
    organisation = [3, 7, 9, 10, 5, 8, 4, 2]
    digit = 11 - sum(int(c, 36) * w for c, w in zip(body, organisation)) % 11
    code = head + body + {10: "X", 11: "0"}.get(digit, str(digit))
    total = sum(_ALPHABET.index(c) * pow(3, i, 31) for i, c in enumerate(code))
    return code + _ALPHABET[(31 - total % 31) % 31]


def person(name, sex, birth, serial, **more):
    return {"kind": "natural", "name": name, "sex": sex, "birth_date": birth, "ethnicity": "汉族",
            "id_number": citizen_number("119901", birth, serial), **more}


PARTIES = {
    # Everything a form can hold about a person.
    "full_person": person("王建国", "男", "1980-05-12", 113, employer="某市第一机械厂", occupation="工程师",
                          phone="13800000001", id_type="居民身份证", domicile="某市东城区和平路8号",
                          address="某市西城区建设街22号3单元501室",
                          agents=[{"name": "赵明", "firm": "北京某某律师事务所", "post": "律师", "phone": "13800000011",
                                   "authority": "special",
                                   "powers": ["代为承认、放弃、变更诉讼请求", "进行和解", "提起反诉或者上诉"]}]),
    "plain_person": person("李建业", "男", "1982-11-03", 215, phone="13800000002", address="某市东城区和平路8号2栋302室"),
    "wife": person("陈雨·阿依", "女", "1984-07-21", 222, phone="13800000003", address="某市西城区建设街22号3单元501室"),
    "defendant_bare": {"kind": "natural", "name": "周正", "sex": "男", "address": "某市南城区新华路1号"},
    "child": person("孙小满", "女", "2017-09-01", 342, phone="13800000004", address="某市北城区育才路3号",
                    statutory_agent={"name": "孙立", "relation": "父亲",
                                     "id_number": citizen_number("119901", "1988-02-14", 411)}),
    "company": {"kind": "organization", "name": "某市恒远商贸有限公司", "address": "某市东城区工业路66号",
                "domicile": "某市东城区工业路66号", "org_type": "有限责任公司",
                "credit_code": credit_code("91990101", "MA7K3L9X"), "representative": "吴建新",
                "representative_post": "执行董事", "phone": "010-80000001",
                "agents": [{"name": "郑洁", "firm": "某市恒远商贸有限公司", "post": "法务专员", "phone": "13800000012",
                            "authority": "general", "powers": []}]},
    "company_bare": {"kind": "organization", "name": "某市宏达建材有限公司", "address": "某市北城区环城路9号",
                     "credit_code": credit_code("91990101", "MA8B2C4D"), "representative": "冯涛",
                     "phone": "010-80000002"},
    "bank": {"kind": "organization", "name": "某某银行股份有限公司某市东城支行", "address": "某市东城区金融街1号",
             "org_type": "股份有限公司", "credit_code": credit_code("91990101", "MA5E6F7G"), "representative": "何静",
             "representative_post": "行长", "phone": "010-80000003",
             "agents": [{"name": "郑洁", "firm": "某某银行股份有限公司某市东城支行", "post": "职员",
                         "phone": "13800000012", "authority": "general", "powers": []}]},
    "property_company": {"kind": "organization", "name": "某市安居物业服务有限公司", "address": "某市东城区安居路5号",
                         "org_type": "有限责任公司", "credit_code": credit_code("91990101", "MA9H1J2K"),
                         "representative": "徐丽", "representative_post": "经理", "phone": "010-80000004"},
    "insurer": {"kind": "organization", "name": "某某财产保险股份有限公司某市分公司", "address": "某市中心区保险大厦",
                "org_type": "股份有限公司", "credit_code": credit_code("91990101", "MA3L4M5N"), "representative": "马超",
                "representative_post": "负责人", "phone": "010-80000005"},
    "shop": {"kind": "individual_business", "name": "钱多", "trade_name": "某市东城区钱多食品店",
             "address": "某市东城区早市街15号", "phone": "13800000006", "sex": "男", "birth_date": "1979-01-30",
             "credit_code": credit_code("92990101", "MA2P3Q4R")},
    # What only some parties have: an agent and a statutory agent with everything, a foreigner, somebody from Hong Kong.
    "ward": person("李晓", "女", "1966-06-16", 544, phone="13800000007", address="某市北城区育才路5号", id="ward",
                   original_role="原审原告",
                   agents=[{"name": "李华", "relation": "弟弟", "phone": "13800000013", "sex": "男", "licence": "无",
                            "birth_date": "1970-01-02", "id_type": "居民身份证", "address": "某市北城区育才路5号",
                            "id_number": citizen_number("119901", "1970-01-02", 611)}, {"name": "孙某"}],
                   statutory_agent={"name": "李华", "relation": "监护人", "kind": "指定代理人", "sex": "男", "ethnicity": "汉族",
                                    "birth_date": "1970-01-02", "id_type": "居民身份证",
                                    "id_number": citizen_number("119901", "1970-01-02", 611),
                                    "address": "某市北城区育才路5号", "phone": "13800000013"}),
    "foreigner": {"kind": "natural", "name": "Anna Schmidt", "sex": "女", "birth_date": "1985-03-03", "nationality": "德意志联邦共和国",
                  "id_type": "护照", "id_number": "C01X00T47", "address": "某市中心区友谊路2号", "phone": "13800000008"},
    "hong_kong": {"kind": "organization", "name": "香港某某贸易有限公司", "region": "香港特别行政区", "address": "香港九龙某道1号",
                  "domicile": "香港中环某街2号", "representative": "何家明", "representative_post": "董事",
                  "phone": "+852 20000000", "org_type": "其他",
                  "credit_code": credit_code("91990101", "MA6Q7R8T")},
    "third": {"kind": "natural", "name": "杨帆", "sex": "女", "birth_date": "1990-10-10", "address": "某市南城区河滨路7号"},
}
