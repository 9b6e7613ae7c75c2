// SPDX-License-Identifier: Apache-2.0
// `zhibi statutes`: what the table knows of a statute on a day, the texts that a user has
// installed, and the statutes that the user added. Texts and rows of the user lie in one folder
// (statute/local.h) and are shown as theirs: 本地.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "zhibi/status.h"

namespace zhibi::cli {

struct StatutesOptions {
  std::vector<std::string> files;  // import; "-" reads standard input
  std::string file;                // add
  std::string name;                // show: the statute; import of one text, add: instead of its own
  std::string article;             // show: 第五百七十七条, 577, 133-1; empty: none
  std::string words;               // search
  std::string date;                // YYYY-MM-DD. show: the day asked for; empty: today
  std::string published;           // import of one text, add: adopted or published on
  std::string from;                // import of one text, add: in force from
  std::string kind;                // add: 地方性法规, ...; empty: that of the row of this name
  std::string adopted_by;          // add
  std::string number;              // add: document number
  std::string dir;                 // the user's folder; empty: statute::LocalDir()
  std::size_t limit = 20;          // search
  bool json = false;
};

// Each prints to standard output; what was passed over goes to standard error.
Status RunStatutesImport(const StatutesOptions& options);
Status RunStatutesAdd(const StatutesOptions& options);
// kNotFound: the name is not in the table; the message offers the nearest names.
Status RunStatutesShow(const StatutesOptions& options);
Status RunStatutesSearch(const StatutesOptions& options);
Status RunStatutesList(const StatutesOptions& options);

}  // namespace zhibi::cli
