// SPDX-License-Identifier: Apache-2.0
#include "entity/numbers.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/status_macros.h"
#include "entity/data_file.h"
#include "legal/identity.h"

namespace zhibi::entity {
namespace {

struct Source {
  Kind kind;
  const char* pattern;  // \K and lookarounds leave the number alone as the match
};

// In order of strength: what an earlier rule took, a later one can't. Lookbehinds that need more
// than a fixed length are written as words followed by \K.
constexpr Source kSources[] = {
    {Kind::kContractNumber,
     R"((?:(?:合同|协议书?|借据|借条|保险?单|订单|发票|票据|凭证|工单|运单|提单|批准|公告|登记|汇票|支票)(?:编号|号码|号)|(?<![件证])编号)\s{0,2}(?:[为是：:]|均为)?\s{0,2}\K(?:\p{Han}{0,8}[A-Za-z0-9（）()〔〕\[\]_/－—.-]{0,24}){0,3}?\d[A-Za-z0-9（）()〔〕\[\]_/－—.-]{2,30}(?:[字第号][A-Za-z0-9-]{0,16}){0,3})"},
    {Kind::kPropertyCertificate,
     R"([（(]\d{4}[)）]\p{Han}{1,12}(?:不动产权|不动产证明)第\s?\d+号|(?:\p{Han}{0,8})(?:房权证|房地证|房地产权证|土地使用证|国用|集用|林权证|房产证|他项权证|房他证)\p{Han}{0,8}(?:[（(]\d{4}[)）])?\p{Han}{0,6}(?:字|证)?第?\s?[A-Za-z]{0,3}\d[\d-]{3,20}号)"},
    {Kind::kEmail,
     R"((?<![A-Za-z0-9._%+-])[A-Za-z0-9][A-Za-z0-9._%+-]{0,63}@(?:[A-Za-z0-9-]{1,63}\.){1,4}[A-Za-z]{2,12}(?![A-Za-z]))"},
    {Kind::kCitizenNumber,
     R"((?<![0-9A-Za-z])[1-9]\d{5}(?:18|19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dXx](?![0-9A-Za-z]))"},
    {Kind::kCitizenNumber,
     R"((?<![0-9A-Za-z])[1-9]\d{5}[ -](?:18|19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])[ -]\d{3}[\dXx](?![0-9A-Za-z]))"},
    {Kind::kCitizenNumber,
     R"((?:身份证|身份号码|证件)\p{Han}{0,8}[：:为是]?\s{0,2}\K[1-9]\d{5}\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}(?![0-9A-Za-z]))"},
    {Kind::kCitizenNumber,
     R"((?:身份证|身份号码)\p{Han}{0,8}[：:为是]?\s{0,2}\K[1-9]\d{16}[\dXx](?![0-9A-Za-z]))"},
    {Kind::kCreditCode,
     R"((?<![0-9A-Za-z])[1-9ANY][0-9A-HJ-NP-RT-UW-Y]\d{6}[0-9A-HJ-NP-RT-UW-Y]{9}[0-9A-HJ-NP-RT-UW-Y](?![0-9A-Za-z]))"},
    {Kind::kVin, R"((?<![0-9A-Za-z])(?=[A-Z0-9]{0,16}[A-Z])[A-HJ-NPR-Z0-9]{17}(?![0-9A-Za-z]))"},
    {Kind::kImei, R"((?:IMEI|imei|串号|串码)\p{Han}{0,3}[：:为是]?\s{0,2}\K\d{15}(?!\d))"},
    {Kind::kBankCard,
     R"((?<![0-9A-Za-z.])(?:62|4\d|5[1-5]|3[47]|9[0-9]|60|35)\d{2}(?:[ -]?\d{4}){2,3}(?:[ -]?\d{1,4}){0,2}(?![0-9A-Za-z]|\.\d|[元万份股]))"},
    {Kind::kAccount,
     R"((?:账号|帐号|账户|帐户|卡号|银行卡|存折|尾号为?|开户行[^，。；\n]{0,30}账号|账户号|公积金号|社保号|支付宝(?:账[号户])?|财付通)(?:\p{Han}{0,6})?[（(：:为是]{0,2}\s{0,2}\K\d(?:[\d *×＊-]{2,28})[\d](?![0-9A-Za-z]|\.\d|[年月元万份股]))"},
    {Kind::kMobile,
     R"((?<![0-9A-Za-z.])(?:\+?86[- ]?)?\K1[3-9]\d[ -]?\d{4}[ -]?\d{4}(?![0-9A-Za-z]|\.\d|[元万亿份股吨]))"},
    {Kind::kLandline,
     R"((?<![0-9A-Za-z.-])(?:[（(]0\d{2,3}[)）]|0(?:10|2\d|[3-9]\d{2})[- —－]?)[2-9]\d{6,7}(?:-\d{1,6})?(?![0-9A-Za-z]|\.\d|[元万份]))"},
    {Kind::kLandline,
     R"((?:电话|传真|座机)\p{Han}{0,4}[：:为是]?\s{0,2}\K[2-9]\d{6,7}(?![0-9A-Za-z]))"},
    // Behind the label whatever has the length of a number: without a dash, of abroad.
    {Kind::kLandline,
     R"(电话(?:号码)?[：:为是]?\s{0,2}\K(?:\+|[（(])?\d[\d（）() -]{5,18}\d(?![0-9A-Za-z]|\.\d|[元万份]))"},
    {Kind::kLandline, R"((?<![0-9A-Za-z.-])400[- ]?\d{3}[- ]?\d{4}(?![0-9A-Za-z]|[元万]))"},
    {Kind::kPassport, R"(护照\p{Han}{0,6}[：:为是]?\s{0,2}\K[A-Za-z]{0,2}\d{7,9}(?![0-9A-Za-z]))"},
    {Kind::kPassport, R"((?<![0-9A-Za-z])(?:E[A-HJ-NP-Z]\d{7}|[EGDSPH]\d{8})(?![0-9A-Za-z]))"},
    {Kind::kPermit,
     R"((?:通行证|台胞证|回乡证|居民居住证|居留证|军官证|士兵证|驾驶证|执业证|社会保障)\p{Han}{0,8}[：:为是]?\s{0,2}\K[A-Za-z]?[\d（）()字第]{6,18}号?(?![0-9A-Za-z]))"},
    {Kind::kPermit,
     R"((?:证件|证照|护照|身份证明)号码?[：:为是]?\s{0,2}\K[A-Za-z0-9][A-Za-z0-9（）()-]{5,19}(?![0-9A-Za-z]))"},
    {Kind::kPermit, R"((?<![0-9A-Za-z])[HM]\d{8}(?:\d{2})?(?![0-9A-Za-z]))"},
    {Kind::kPlate,
     R"([京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼][A-HJ-NP-Z][·• .-]?(?:(?:[DF]\d{5}|[A-HJ-NP-Z0-9]\d{4}[DF])|[A-HJ-NP-Z0-9]{4}(?:[挂学警港澳领试超]|[A-HJ-NP-Z0-9]))(?![0-9A-Za-z]))"},
    {Kind::kPlate,
     R"([京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼][A-HJ-NP-Z]?[·•.]?(?=[A-Za-z0-9]{0,5}[×＊*Xx])[A-Za-z0-9×＊*]{4,7}(?=号|\p{Han}{0,4}(?:车|挂)))"},
    {Kind::kWechat,
     R"((?:微信号?|微信账号|WeChat|wechat|weixin)(?:名|ID|id)?[：:为是]?\s{0,2}\K[A-Za-z][-_A-Za-z0-9]{5,19}(?![-_A-Za-z0-9]))"},
    {Kind::kQq, R"((?:QQ|qq|Qq)\p{Han}{0,3}[：:为是]?\s{0,2}\K[1-9]\d{4,10}(?!\d))"},
    {Kind::kIp,
     R"((?<![\d.])(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?![\d.]))"},
};

std::string Digits(std::string_view text) {
  std::string digits;
  for (const char c : text) {
    if (c >= '0' && c <= '9') digits += c;
  }
  return digits;
}

bool HasMark(std::string_view text) {
  return text.find("×") != std::string_view::npos || text.find("＊") != std::string_view::npos ||
         text.find('*') != std::string_view::npos;
}

std::string WithoutBlanks(std::string_view text) {
  std::string kept;
  for (const char c : text) {
    if (c != ' ' && c != '-') kept += c;
  }
  return kept;
}

// The words in front say what the number is: 36 bytes, twelve characters.
bool ContextHas(std::string_view text, std::size_t at, std::string_view word) {
  const std::size_t from = at > 36 ? at - 36 : 0;
  return text.substr(from, at - from).find(word) != std::string_view::npos;
}

}  // namespace

bool PassesLuhn(std::string_view digits) {
  int sum = 0;
  bool twice = false;
  for (std::size_t i = digits.size(); i-- > 0;) {
    int digit = digits[i] - '0';
    if (twice) digit = digit > 4 ? 2 * digit - 9 : 2 * digit;
    sum += digit;
    twice = !twice;
  }
  return !digits.empty() && sum % 10 == 0;
}

bool PassesVin(std::string_view vin) {
  // A to Z; 0 stands for I, O, Q, which a VIN never holds.
  constexpr std::string_view kValues = "12345678012345070923456789";
  constexpr std::array<int, 17> kWeights = {8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2};
  if (vin.size() != kWeights.size()) return false;
  int sum = 0;
  for (std::size_t i = 0; i < vin.size(); ++i) {
    const char c = vin[i];
    int value = 0;
    if (c >= '0' && c <= '9') {
      value = c - '0';
    } else if (c >= 'A' && c <= 'Z') {
      value = kValues[static_cast<std::size_t>(c - 'A')] - '0';
    } else {
      return false;
    }
    sum += value * kWeights[i];
  }
  const int check = sum % 11;
  return vin[8] == (check == 10 ? 'X' : static_cast<char>('0' + check));
}

Result<Numbers> Numbers::Create(const std::vector<std::string>& provinces) {
  Numbers numbers;
  for (const Source& source : kSources) {
    ZB_ASSIGN_OR_RETURN(Pattern pattern, Pattern::Compile(source.pattern));
    numbers.rules_.push_back({source.kind, std::move(pattern)});
  }
  const std::string province = Alternatives(provinces);
  numbers.provinces_ = provinces;
  // An address after the words that announce one: everything to the end of the clause.
  const std::string body =
      R"((?:[\p{Han}A-Za-z0-9×＊*#·—－-]|[（(][\p{Han}A-Za-z0-9×＊*#·—－-]{1,20}[)）]){3,60})";
  const std::string announced =
      R"((?:住所地?|住址|户籍所在地|户籍地址?|户籍(?!所在地)|经常居住地|现住地?址?|暂住地?址?|居住地址?|家住|通讯地址|送达地址|邮寄地址|注册地址?|登记地址?|营业地址?|经营场所|地址|居住于|居住在|(?<![居暂])住(?![院宿房持址所户]))(?:[（(][^（）()\n]{1,20}[)）]|[)）])?(?:[为是系在于：:]|位于){0,2}\s{0,2}\K)";
  ZB_ASSIGN_OR_RETURN(Pattern first,
                      Pattern::Compile(announced + "(?=[^，。；,;\\n]{0,40}?(?:" + province +
                                       "|[省市区县旗镇乡村路街巷州]))" + body));
  numbers.addresses_.push_back(std::move(first));
  // One without such words: from a county or town down to a house number.
  ZB_ASSIGN_OR_RETURN(
      Pattern second,
      Pattern::Compile(
          "(?:" + province +
          R"()?(?:\p{Han}{2,9}?(?:市|区|县|旗|州)){0,3}(?:\p{Han}{1,9}?(?:镇|乡|街道|村|社区|开发区)){0,3}\p{Han}{1,10}?(?:路|街|大道|巷|弄|胡同|村|小区|花园|公寓|大厦|新村|苑|里|组|屯)\p{Han}{0,6}[A-Za-z]?(?:\d{1,5}|[×＊*xX]{1,4}|[一二三四五六七八九十]{1,4})[-—－]?\d{0,4}(?:号|弄|栋|幢|座|单元|室|楼|组|户|层)(?:\p{Han}{0,6}?(?:[A-Za-z]?\d{1,5}|[×＊*xX]{1,4})[-—－]?\d{0,4}(?:号楼|号|栋|幢|座|单元|室|楼|户|层|房)){0,5}(?:[-—－]?\d{1,5})?)"));
  numbers.addresses_.push_back(std::move(second));
  ZB_ASSIGN_OR_RETURN(
      Pattern county,
      Pattern::Compile(
          "\\A(?:" + province +
          R"()?(?:[^镇乡村路街道号组庄弄巷\d，。\s]{1,9}?(?:自治州|地区|盟|市|州(?!市)))?(?:[^镇乡村路街道号组庄弄巷\d，。\s]{1,8}?(?:自治县|自治旗|新区|矿区|林区|开发区|县|(?<![小社园厂校片城])区|旗|市(?![镇乡])))?)"));
  numbers.county_.push_back(std::move(county));
  return numbers;
}

std::size_t Numbers::CountyLength(std::string_view address) const {
  Match match;
  return county_[0].MatchAt(address, 0, &match) ? match.end() : 0;
}

// The value, and whether the check digits stand behind it; false: not of this kind after all.
bool Numbers::Accept(Kind kind, std::string_view text, Entity& entity) const {
  const std::string_view span = text.substr(entity.begin, entity.end - entity.begin);
  entity.value = std::string(span);
  switch (kind) {
    case Kind::kCitizenNumber: {
      entity.value = WithoutBlanks(span);
      if (entity.value.size() == 15) {
        entity.flags |= kOldForm;
        return true;
      }
      const Result<legal::CitizenNumber> parsed = legal::ParseCitizenNumber(entity.value);
      if (parsed.ok()) {
        entity.value = parsed->text;
        return true;
      }
      // Digits only, and the other check fits: a credit code, not a wrong citizen number.
      if (legal::ParseCreditCode(entity.value).ok()) return false;
      entity.flags |= kUnverified;
      return true;
    }
    case Kind::kCreditCode: {
      if (legal::ParseCreditCode(entity.value).ok()) return true;
      entity.flags |= kUnverified;
      return ContextHas(text, entity.begin, "信用代码");
    }
    case Kind::kVin:
      if (!PassesVin(span)) entity.flags |= kUnverified;
      return PassesVin(span) || ContextHas(text, entity.begin, "车架") ||
             ContextHas(text, entity.begin, "识别代") || ContextHas(text, entity.begin, "VIN");
    case Kind::kBankCard: {
      entity.value = Digits(span);
      if (entity.value.size() < 13 || entity.value.size() > 19) return false;
      if (PassesLuhn(entity.value)) return true;
      entity.flags |= kUnverified;
      return ContextHas(text, entity.begin, "卡") || ContextHas(text, entity.begin, "账") ||
             ContextHas(text, entity.begin, "户");
    }
    case Kind::kAccount:
      if (HasMark(span)) entity.flags |= kMasked;
      entity.value = WithoutBlanks(span);
      return Digits(span).size() >= 4 || HasMark(span);
    case Kind::kMobile:
    case Kind::kLandline:
    case Kind::kQq:
    case Kind::kImei:
      entity.value = Digits(span);
      if (kind == Kind::kImei && !PassesLuhn(entity.value)) entity.flags |= kUnverified;
      return true;
    case Kind::kPlate:
      if (HasMark(span) || span.find('x') != std::string_view::npos) entity.flags |= kMasked;
      return true;
    default:
      return true;
  }
}

void Numbers::Find(std::string_view text, Spans& spans) const {
  for (const Rule& rule : rules_) {
    ForEach(rule.pattern, text, [&](const Match& match) {
      if (match.begin() == match.end()) return;
      Entity entity;
      entity.kind = rule.kind;
      entity.begin = match.begin();
      entity.end = match.end();
      if (Accept(rule.kind, text, entity)) spans.AddExclusive(std::move(entity));
    });
  }
  FindAddresses(text, spans);
}

namespace {

// 被告人张某在安阳市平原路12号: the address begins behind the last word that is no part of a name
// of a place, at the province where there is one.
std::size_t AddressStart(std::string_view span, const std::vector<std::string>& provinces) {
  for (const std::string& province : provinces) {
    const std::size_t at = span.find(province);
    if (at != std::string_view::npos) return at;
  }
  std::size_t head = span.size();
  for (const std::string_view part : {"市", "区", "县", "旗", "镇", "乡", "村", "路", "街", "巷"}) {
    head = std::min(head, span.find(part));
  }
  std::size_t start = 0;
  for (const std::string_view word :
       {"在", "于", "至", "到", "住", "的", "从", "沿", "由", "往", "是", "系", "为", "将",
        "与", "和", "了", "内", "处", "向", "经", "人", "，", "址", "地", "来", "入", "某"}) {
    for (std::size_t at = span.find(word); at < head; at = span.find(word, at + word.size())) {
      start = std::max(start, at + word.size());
    }
  }
  return start;
}

}  // namespace

void Numbers::FindAddresses(std::string_view text, Spans& spans) const {
  std::vector<std::pair<std::size_t, std::size_t>> found;
  for (const Pattern& pattern : addresses_) {
    Match match;
    for (std::size_t at = 0; pattern.Search(text, at, &match); at = match.end()) {
      bool inside = false;
      for (const auto& [begin, end] : found) inside |= match.begin() < end && begin < match.end();
      if (inside || spans.Taken(match.begin(), match.end())) continue;
      found.emplace_back(match.begin(), match.end());
      Entity entity;
      entity.kind = Kind::kAddress;
      const bool announced = &pattern == &addresses_.front();
      entity.begin =
          match.begin() + (announced ? 0 : AddressStart(match.Text(text, 0), provinces_));
      entity.end = match.end();
      const std::string_view span = text.substr(entity.begin, entity.end - entity.begin);
      if (span.empty()) continue;
      entity.value = std::string(span.substr(0, CountyLength(span)));
      if (HasMark(span)) entity.flags |= kMasked;
      spans.AddExclusive(std::move(entity));
    }
  }
}

}  // namespace zhibi::entity
