# SPDX-License-Identifier: Apache-2.0
# Target zhibi_headers: one translation unit a header, which includes nothing else. Included after src/, so that the
# include folders of all libraries are known.
file(GLOB_RECURSE headers RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*.h
                                                                           ${PROJECT_SOURCE_DIR}/include/*.h)
set(units)
foreach(header ${headers})
  # Kernel headers of one instruction set compile only with that set's flags, in their own translation units.
  if(header MATCHES "_(avx2|avx512[a-z0-9_]*)\\.h$")
    continue()
  endif()
  string(REGEX REPLACE "^(src|include)/" "" name ${header})
  string(REPLACE "/" "_" unit ${name})
  set(path ${PROJECT_BINARY_DIR}/header_check/${unit}.cc)
  file(CONFIGURE OUTPUT ${path} CONTENT "#include \"${name}\"\n")
  list(APPEND units ${path})
endforeach()
add_library(zhibi_headers OBJECT EXCLUDE_FROM_ALL ${units})
get_property(libraries GLOBAL PROPERTY ZHIBI_LIBRARIES)
target_link_libraries(zhibi_headers PRIVATE ${libraries} zhibi_warnings)
target_compile_options(zhibi_headers PRIVATE -O0)
