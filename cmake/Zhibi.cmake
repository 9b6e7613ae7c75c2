# SPDX-License-Identifier: Apache-2.0
# The two functions that every folder of src/ and tests/ uses.

# zhibi_library(NAME [DEPS ...]): static library zhibi_NAME of all .cc files of the calling folder (not of subfolders).
function(zhibi_library name)
  cmake_parse_arguments(ARG "" "" "DEPS;EXTRA_SOURCES" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cc)
  add_library(zhibi_${name} STATIC ${sources} ${ARG_EXTRA_SOURCES})
  target_include_directories(zhibi_${name} PUBLIC ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include
                                                  ${PROJECT_BINARY_DIR}/generated)
  target_link_libraries(zhibi_${name} PUBLIC ${ARG_DEPS} PRIVATE zhibi_warnings)
  set_property(GLOBAL APPEND PROPERTY ZHIBI_LIBRARIES zhibi_${name})
endfunction()

# zhibi_test(FOLDER [DEPS ...]): one GoogleTest program FOLDER_test of all *_test.cc files of the calling folder.
function(zhibi_test name)
  cmake_parse_arguments(ARG "" "" "DEPS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*_test.cc)
  if(NOT sources)
    return()
  endif()
  add_executable(${name}_test ${sources})
  target_include_directories(${name}_test PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_compile_definitions(${name}_test PRIVATE ZHIBI_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_link_libraries(${name}_test PRIVATE ${ARG_DEPS} zhibi_warnings GTest::gtest GTest::gmock GTest::gtest_main)
  add_test(NAME ${name} COMMAND ${name}_test)
  set_tests_properties(${name} PROPERTIES LABELS fast)
endfunction()
