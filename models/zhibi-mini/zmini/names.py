# SPDX-License-Identifier: Apache-2.0
"""Random names of natural persons and organisations.

All are composed from lists of family names, characters, places and trades; none is taken from a person. Variety matters
more than likelihood: the model must copy a name that it never saw, so a share has rare characters.
"""
SURNAMES = ("王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏"
            "钟汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段漕钱汤尹黎易常武乔贺赖龚文庞樊兰殷施陶洪翟安颜倪严"
            "牛温芦季俞章鲁葛伍韦申尤毕聂丛焦向柳邢路岳齐沿梅莫庄辛管祝左涂谷祁时舒耿牟卜路詹关苗凌费纪靳盛童欧甄项曲成游阳裴席"
            "卫查屈鲍位覃霍翁隋植甘景薄单包司柏宁柯阮桂闵解强柴华车冉房边辜吉饶刁瞿戚丘古米池滕晋苑邬臧畅宫来嵺苟全褚廉简娄盖"
            "符奚木穆党燕郎邸冀谈姬屠连郜晏栾郁商蒙计喻揭窦迟宇敖糜鄢冷卓花仇艾蓝都巩稽井练仲乐虞卞封竺冼原官衣楚佟栗匡宗应台巫鞠僧桑荆谌银扬明沙薄伏岑习胥保和蔺")
COMPOUND = ["欧阳", "上官", "司马", "诸葛", "东方", "皇甫", "尉迟", "公孙", "慕容", "令狐", "司徒", "夏侯", "轩辕", "长孙",
            "宇文", "端木", "南宫", "独孤", "闻人", "申屠", "太史", "呼延", "淳于", "百里", "钟离", "澹台", "东郭", "西门"]
GIVEN = ("伟芳娜敏静丽强磊军洋勇艳杰娟涛明超秀霞平刚桂英华玉兰红梅建国志文海波龙飞鹏宇浩然子涵欣怡梓轩雨晨诗琪佳慧俊杰天佑"
         "思远嘉诚凯悦博雅晓东春生冬立新永福德贵长江成林光荣学金宝银山水木火土石云风雪月星辰阳曦曜昊旭晖晗晴昕昱晟景智睿哲翰"
         "翔翊羽耀祥瑞康健安宁泰和顺达发富兴旺昌盛茂松柏竹菊莲荷蓉芬芝茹菲萍萱蕾薇蕊莹琳琴瑶瑾璐瑜珊珍珠玲珂珏玥琪琦琛琨瑞"
         "婷婉媛娇娥娴姣姗妍妮如好妙姝嫣嫒雯霖霏露霜震霆彬彪彤影彦形德徽心忠恒恩悌惠愉意慈慕怀忆恺悦愫成战戎才扬振挺捷"
         "政敬教斌斐方旋日昂昭晋普显晶暄朋朗本朴杏杉杨栋树桐桦梁森楠榕槐模樱欢正武毅民江沁沛河治泉泓泽洁洪津浚浦涌润淑淼清渊"
         "湘源滨满漫潇澄澜激炎炜炳烁烨焕焱煜熙照燕爱牧牛特献玄率玖珅现球理瑛璇璟瓒甜用甲申男畅皓盈直相省眉真知礼祖祺禄福禹秋科"
         "程稳穆立童端筠策简籍米素紫继红纪纯纲练绍经绮维绪缘罡美群义聪肃育胜能腾自致舟良艺节苏若茜草莎莉菁菡萌落蓓蓝蔚"
         "虎虹蝶行衡言誉诺谊谦谨豪贝贤赞超越跃路轩辉辰迅远迪逸道遥邦郁郎都采里量鉴钊钧铁铃铎铭锋锐锦镇长闯闻阔陆随隆雁雄雅集青靖静韬"
         "韵顶领颖风飒香馨骏骥高魁鲁鸣鸿鹤鹰麒麟麦黎默齐龄")
RARE = ("翀昶赟頔垚淦炫煊鑫犇骉猋焜燚堃喆甯浠濛沄洺滢漪潆泠湉珺玘璘璠瓛琮瑀璎姮婳嬿妘娉郦鄞邝郗郄逄乜亓仉佴俎僪儋兖冮劼勍匡卞厍"
        "叕呙咎囡圳埇塬壅夔奭妤宓尕岜岫峤嵘嵬巽帼庹廑弋弢彧徕忻怿恽愔戢挹揆撄攸斓旻昃昪晁晔暹曌朐杳枭柘栩桓棣楷榛槿樾橹欤殳汜汭沅"
        "沚泷洹浥涑淏渌渟湲溆溧滉滏滹漷潏澍濂濯瀚灏炅烜焘煦熹燊牮犍狄猷玚珩琎琬瑄璆璞甄畲皛盱眭砚碁祎祜禛秭穰竑筱箬篁籁糸纭绂绡缙缪羿"
        "翎翯耒聿肸胤舸芃芊苒苡茕荀荃荇莳菀菉萁葳蓁蕤薏藜蘅虓虬蛟袆裘褀觊訾詹谔谡豫贇赪跖踽轲辂逑逯遄邶郯郴鄱醴釉鉏钰铖铠锟镒闳阆陟隗雎"
        "霁霈靓鞅韫颀颢飏馥驎骁骞髦魏鲲鸢鹄麾黾鼐龑")
MINORITY = ["阿卜杜拉", "买买提", "古丽娜尔", "努尔兰", "热依汗古丽", "艾力", "吐尔逊", "阿依古丽", "迪丽努尔", "帕提古丽", "玉素甫", "依明江",
            "库尔班", "沙吾提", "哈斯木", "木合塔尔", "叶尔肯", "巴合提", "赛里克", "阿不都热合曼", "麦麦提", "图尔荪", "艾合买提", "卡德尔",
            "热孜万古丽", "阿迪力", "依力哈木", "米热阿依", "古再丽努尔", "塔依尔", "居马", "别克", "叶尔江", "加娜尔", "达吾列提", "胡安西"]
TIBETAN = ["扎西", "次仁", "卓玛", "多吉", "平措", "旺堆", "央金", "德吉", "尼玛", "巴桑", "洛桑", "格桑", "拉姆", "曲珍", "顿珠", "群培",
           "仁增", "丹增", "白玛", "普布", "索朗", "达瓦", "强巴", "边巴"]
MONGOL = ["巴特尔", "乌云其木格", "斯琴高娃", "呼和", "其其格", "苏日娜", "那日苏", "额尔敦", "阿拉坦", "宝音", "格日勒", "塔娜", "朝鲁", "哈斯",
          "乌日娜", "敖登", "白音", "牧仁", "萨仁", "图雅"]
FOREIGN = ["约翰", "玛丽亚", "迈克尔", "安娜", "彼得罗夫", "史密斯", "威廉姆斯", "伊万", "卡特琳娜", "金正洙", "山本一郎", "陈大卫", "林志豪"]
REGIONS = ["北京", "上海", "天津", "重庆", "深圳", "广州", "杭州", "南京", "苏州", "成都", "武汉", "西安", "青岛", "济南", "厦门", "福州", "长沙", "合肥",
           "郑州", "石家庄", "太原", "沈阳", "大连", "长春", "哈尔滨", "南昌", "南宁", "昆明", "贵阳", "兰州", "银川", "西宁", "乌鲁木齐", "呼和浩特", "海口",
           "拉萨", "宁波", "无锡", "常州", "徐州", "温州", "绍兴", "金华", "泉州", "漳州", "佛山", "东莞", "中山", "珠海", "惠州", "湛江", "洛阳", "襄阳", "宜昌",
           "岳阳", "常德", "株洲", "烟台", "潍坊", "临沂", "淄博", "保定", "唐山", "邯郸", "大同", "包头", "鞍山", "吉林市", "齐齐哈尔", "绵阳", "南充", "遵义",
           "曲靖", "桂林", "柳州", "三亚", "赣州", "九江", "芜湖", "蚌埠", "江苏", "浙江", "广东", "山东", "四川", "湖南", "湖北", "河南", "河北", "安徽", "福建",
           "江西", "陕西", "云南", "贵州", "广西", "甘肃", "辽宁", "黑龙江", "义乌市", "昆山市", "江阴市", "晋江市", "慈溪市", "诸暨市", "余姚市", "如皋市"]
BRAND = ("恒信达鑫瑞丰盛泰安华宏远博宇创联众合兴隆昌顺通捷锐科腾飞翔鹏程伟业嘉诚明德金汇银河海天正大中建国民新东方万里长江南北辰星光"
         "晨曦朝阳启航领先优品佳美乐家福源润泽康健云峰岭溪谷森林木禾穗田园锦绣凯旋尚思维智慧图强力拓展望")
TRADE = ["商贸", "贸易", "科技", "建筑工程", "装饰工程", "物流", "餐饮管理", "投资管理", "实业", "机械制造", "电子", "食品", "服饰", "农业开发", "房地产开发",
         "文化传媒", "信息技术", "建材", "五金制品", "塑料制品", "纺织", "汽车销售服务", "教育咨询", "医疗器械", "生物科技", "环保科技", "新能源", "网络科技",
         "园林绿化", "劳务", "包装材料", "家具", "化工", "养殖", "酒店管理", "供应链管理", "广告", "电力工程", "钢结构", "运输", "石材", "木业", "珠宝", "进出口"]
FORM = ["有限公司"] * 12 + ["有限责任公司"] * 4 + ["股份有限公司", "集团有限公司", "合伙企业（有限合伙）", "厂", "经营部", "商行", "农民专业合作社", "工作室", "超市", "店"]


def gbk_characters(first, last, low):
    """CJK characters of a range of GBK lead bytes, in code order."""
    found = []
    for lead in range(first, last):
        for trail in range(low, 0xFF):
            try:
                char = bytes([lead, trail]).decode("gbk")
            except UnicodeDecodeError:
                continue
            if "一" <= char <= "鿿":
                found.append(char)
    return found


LEVEL1, LEVEL2 = gbk_characters(0xB0, 0xD8, 0xA1), gbk_characters(0xD8, 0xF8, 0xA1)
POOL = LEVEL1 + LEVEL2 + list(RARE)


def _latin(rng):
    return " ".join("".join(chr(rng.randint(65, 90)) for _ in range(rng.randint(3, 7))) for _ in range(2))


def _given(rng, chars, low, high):
    return "".join(rng.choice(chars) for _ in range(rng.randint(low, high)))


def person(rng):
    """A natural person's name, 2 to 12 characters."""
    roll = rng.random()
    if roll < 0.46:
        return rng.choice(SURNAMES) + _given(rng, GIVEN, 1, 2)
    if roll < 0.52:
        return rng.choice(COMPOUND) + _given(rng, GIVEN, 1, 2)
    if roll < 0.76:  # every character with a token of its own must be seen as part of a name
        surname = rng.choice(SURNAMES) if rng.random() < 0.8 else rng.choice(POOL)
        return surname + _given(rng, POOL, 1, 2)
    if roll < 0.80:
        return rng.choice(SURNAMES) + _given(rng, RARE, 1, 2)
    if roll < 0.84:
        return rng.choice(SURNAMES) + "".join(chr(rng.randint(0x4E00, 0x9FA5)) for _ in range(rng.randint(1, 2)))
    if roll < 0.88:
        return rng.choice(MINORITY) + "·" + rng.choice(MINORITY)
    if roll < 0.92:
        return rng.choice(TIBETAN) + rng.choice(TIBETAN)
    if roll < 0.94:
        return rng.choice(MONGOL)
    if roll < 0.965:
        return rng.choice(SURNAMES) + rng.choice(["某", "某某", "某甲", "某乙", "×", "××"])
    if roll < 0.98:
        return rng.choice(SURNAMES) + rng.choice(SURNAMES) + _given(rng, GIVEN, 1, 2)
    if roll < 0.993:
        return rng.choice(FOREIGN) + "·" + rng.choice(FOREIGN)
    return _latin(rng)


def organisation(rng):
    """An organisation's name."""
    brand = _given(rng, BRAND, 2, 3) if rng.random() < 0.8 else "".join(rng.choice(POOL) for _ in range(rng.randint(2, 4)))
    region, trade, form = rng.choice(REGIONS), rng.choice(TRADE), rng.choice(FORM)
    roll = rng.random()
    if roll < 0.75:
        name = region + brand + trade + form
    elif roll < 0.87 and not form.endswith("）"):
        name = brand + f"（{region}）" + trade + form
    else:
        name = region + rng.choice(["", "市"]) + rng.choice(["东城", "西湖", "高新", "新城", "江北", "城南", "滨海"]) + "区" + brand + trade + form
    return name + (rng.choice(["第一分公司", "分公司", f"{rng.choice(REGIONS)}分公司"]) if form == "有限公司" and rng.random() < 0.05 else "")


def names(rng, count, make):
    """`count` different names; one in twelve groups has two that differ in a single character."""
    found = []
    while len(found) < count:
        name = make(rng)
        if found and make is person and rng.random() < 0.08 and len(found[-1]) >= 2:
            name = found[-1][:-1] + rng.choice(GIVEN)
        if not any(name in other or other in name for other in found):
            found.append(name)
    return found
