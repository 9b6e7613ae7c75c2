// SPDX-License-Identifier: Apache-2.0
// What the words say that introduce somebody: whose side they are of, and who only speaks for one.
// Internal to extract. Thread-safe.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace zhibi::extract {

// Role of a party to plaintiffs, defendants, third_parties, victims or other.
const std::map<std::string, std::string, std::less<>>& Sides();

// Its side; empty: no role of a party.
std::string SideOf(std::string_view role);

// Roles of contracts and warrants count where the text introduces somebody, not in a story.
bool IsDeclaredRole(std::string_view role);

// 法定代表人, 委托诉讼代理人, 辩护人, ...
bool IsRepresentative(std::string_view role);

}  // namespace zhibi::extract
