# SPDX-License-Identifier: Apache-2.0
# Sanitizers and coverage for every target of the tree, from ZHIBI_SANITIZE and ZHIBI_COVERAGE.
option(ZHIBI_COVERAGE "clang source-based coverage" OFF)
if(ZHIBI_SANITIZE)
  string(REPLACE "," ";" sanitizers "${ZHIBI_SANITIZE}")
  set(flags -fsanitize=${ZHIBI_SANITIZE} -fno-omit-frame-pointer)
  if("undefined" IN_LIST sanitizers)
    # A finding ends the program: a test must not pass over it.
    list(APPEND flags -fno-sanitize-recover=all)
  endif()
  add_compile_options(${flags})
  add_link_options(-fsanitize=${ZHIBI_SANITIZE})
  add_compile_definitions(ZHIBI_SANITIZED=1)
endif()
if(ZHIBI_FUZZERS)
  # Instrumentation for the libraries; the fuzzers themselves also link libFuzzer's main.
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
if(ZHIBI_COVERAGE)
  add_compile_options(-fprofile-instr-generate -fcoverage-mapping)
  add_link_options(-fprofile-instr-generate -fcoverage-mapping)
endif()
