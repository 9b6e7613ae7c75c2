// SPDX-License-Identifier: Apache-2.0
// Where the program finds what ships with it (data/, models/) and where it may keep what it builds.
// The shared folder is looked for in ZHIBI_SHARE_DIR, beside the program (a bundle), in
// ../share/zhibi (an installed program) and in the source tree that the program was built from.
// Thread rule: thread-safe, no state.
#pragma once

#include <string>
#include <vector>

#include "zhibi/status.h"

namespace zhibi::base {

// Folder of the running program, without trailing slash; "." where the system does not say.
std::string ProgramDir();

// The folders that ShareDir tries, in order.
std::vector<std::string> ShareDirCandidates();

// The first candidate that holds data/. kNotFound names every folder tried and the switch that sets
// one.
Result<std::string> ShareDir();

// ShareDir() + "/" + relative, checked to exist. kNotFound names the path.
Result<std::string> SharePath(const std::string& relative);

// ZHIBI_CACHE_DIR, else $XDG_CACHE_HOME/zhibi, else ~/.cache/zhibi, else a per-user folder under
// the system's temporary directory. Not created here.
std::string CacheDir();

// What users install and would miss, unlike a cache: ZHIBI_USER_DIR, else $XDG_DATA_HOME/zhibi,
// else ~/.local/share/zhibi. Not created here. kNotFound: none of them is set.
Result<std::string> UserDir();

}  // namespace zhibi::base
