// SPDX-License-Identifier: Apache-2.0
// The checker of the shipped data, loaded once for all tests of a program.
#pragma once

#include <cstdlib>
#include <utility>

#include <gtest/gtest.h>

#include "rules/checker.h"

namespace zhibi::rules {

inline const Checker& TheChecker() {
  static const Checker* const checker = [] {
    Result<Checker> loaded = Checker::Load(ZHIBI_SOURCE_DIR "/data");
    if (!loaded.ok()) {
      ADD_FAILURE() << loaded.status().message();
      std::abort();
    }
    return new Checker(std::move(*loaded));  // NOLINT(cppcoreguidelines-owning-memory): for all
  }();
  return *checker;
}

}  // namespace zhibi::rules
