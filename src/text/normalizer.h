// SPDX-License-Identifier: Apache-2.0
// Unicode normalization form C. Nearly all text is NFC already, so a quick check at a load a
// character comes first and only the rare rest is decomposed, ordered and composed. Why not ICU:
// its data would double the program's size (ADR 0021); tests compare both over every code point.
// Source: Unicode Standard Annex 15. Thread-safe.
#pragma once

#include <string>
#include <string_view>

namespace zhibi::text {

// Both take valid UTF-8.
// false may also mean "could not tell without composing"; true is certain.
bool IsCertainlyNfc(std::string_view text);
std::string ToNfc(std::string_view text);

}  // namespace zhibi::text
