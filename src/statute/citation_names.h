// SPDX-License-Identifier: Apache-2.0
// Names of statutes as citations write them: what stands between 《 and 》, what of the name stands
// outside of the marks, and the brackets behind it. Private to the parser.
#pragma once

#include <string>
#include <string_view>

#include "statute/citation.h"
#include "statute/citation_cursor.h"

namespace zhibi::statute {

struct ReadName {
  std::size_t end = 0;  // byte behind 》
  std::string name;
  bool unclosed = false;  // a mark inside was not closed
};

// `at`: the byte of 《. end 0: no name within the limit.
ReadName ReadMarkedName(std::string_view text, std::size_t at);

// Takes what stands in front of 《 and belongs to the name: 最高人民法院《关于…》, and both sides
// of 关于适用《…法》的解释. `floor`: where the citation before ends. Moves citation.span.begin and
// the cursor behind.
void WidenName(std::string_view text, std::size_t floor, bool unclosed, Cursor& cursor,
               Citation& citation);

// Brackets behind a name: （2018修正）, （法释〔2020〕17号）, （一）, （以下简称…）, and 以下简称
// without brackets. A short name is given back in `definition` (empty: none).
void TakeSuffixes(Cursor& cursor, Citation& citation, Definition& definition);

// Moves （2018修正） from the end of the name to the version.
void SplitVersion(Citation& citation);

// Does `text` end with it, blanks at the end left out? The byte where it begins, npos if not.
std::size_t EndsWith(std::string_view text, std::string_view word);

}  // namespace zhibi::statute
