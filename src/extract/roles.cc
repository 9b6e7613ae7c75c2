// SPDX-License-Identifier: Apache-2.0
#include "extract/roles.h"

namespace zhibi::extract {
namespace {

struct SideRow {
  std::string_view role;
  const char* side;
};
constexpr SideRow kSides[] = {
    {"原告", "plaintiffs"},
    {"原告人", "plaintiffs"},
    {"反诉被告", "plaintiffs"},
    {"原审原告", "plaintiffs"},
    {"一审原告", "plaintiffs"},
    {"上诉人", "plaintiffs"},
    {"二审上诉人", "plaintiffs"},
    {"再审申请人", "plaintiffs"},
    {"申请人", "plaintiffs"},
    {"申诉人", "plaintiffs"},
    {"申请执行人", "plaintiffs"},
    {"自诉人", "plaintiffs"},
    {"起诉人", "plaintiffs"},
    {"复议申请人", "plaintiffs"},
    {"异议人", "plaintiffs"},
    {"赔偿请求人", "plaintiffs"},
    {"附带民事诉讼原告人", "plaintiffs"},
    {"附带民事诉讼原告", "plaintiffs"},
    {"原审附带民事诉讼原告人", "plaintiffs"},
    {"债权人", "plaintiffs"},
    {"甲方", "plaintiffs"},
    {"出借人", "plaintiffs"},
    {"被告", "defendants"},
    {"被告人", "defendants"},
    {"反诉原告", "defendants"},
    {"原审被告", "defendants"},
    {"一审被告", "defendants"},
    {"原审被告人", "defendants"},
    {"被告单位", "defendants"},
    {"原审被告单位", "defendants"},
    {"被上诉人", "defendants"},
    {"二审被上诉人", "defendants"},
    {"被申请人", "defendants"},
    {"再审被申请人", "defendants"},
    {"被申诉人", "defendants"},
    {"被执行人", "defendants"},
    {"附带民事诉讼被告人", "defendants"},
    {"附带民事诉讼被告", "defendants"},
    {"原审附带民事诉讼被告人", "defendants"},
    {"债务人", "defendants"},
    {"罪犯", "defendants"},
    {"犯罪嫌疑人", "defendants"},
    {"被起诉人", "defendants"},
    {"乙方", "defendants"},
    {"答辩人", "defendants"},
    {"被答辩人", "plaintiffs"},
    {"购电人", "plaintiffs"},
    {"售电人", "defendants"},
    {"第三人", "third_parties"},
    {"原审第三人", "third_parties"},
    {"一审第三人", "third_parties"},
    {"案外人", "third_parties"},
    {"利害关系人", "third_parties"},
    {"被害人", "victims"},
    {"原审其他当事人", "other"},
    {"丙方", "other"},
    {"借款人", "other"},
    {"贷款人", "other"},
    {"出租人", "other"},
    {"承租人", "other"},
    {"出卖人", "other"},
    {"买受人", "other"},
    {"保证人", "other"},
    {"抵押人", "other"},
    {"抵押权人", "other"},
    {"担保人", "other"},
    {"发包人", "other"},
    {"承包人", "other"},
    {"委托人", "other"},
    {"受托人", "other"},
    {"男方", "other"},
    {"女方", "other"},
    {"转让人", "other"},
    {"受让人", "other"},
    {"转让方", "other"},
    {"受让方", "other"},
    {"受委托人", "other"},
    {"证人", "other"},
};

}  // namespace

const std::map<std::string, std::string, std::less<>>& Sides() {
  static const std::map<std::string, std::string, std::less<>> kMap = [] {
    std::map<std::string, std::string, std::less<>> map;
    for (const SideRow& row : kSides) map.emplace(row.role, row.side);
    return map;
  }();
  return kMap;
}

std::string SideOf(std::string_view role) {
  const auto side = Sides().find(role);
  return side == Sides().end() ? std::string() : side->second;
}

bool IsDeclaredRole(std::string_view role) {
  const auto side = Sides().find(role);
  return side != Sides().end() && side->second == "other";
}

bool IsRepresentative(std::string_view role) {
  for (const std::string_view word : {"代表人", "代理人", "辩护人", "负责人", "经营者", "投资人",
                                      "监护人", "执行事务合伙人", "值班律师"}) {
    if (role.ends_with(word)) return true;
  }
  return false;
}

}  // namespace zhibi::extract
