# A file that needs an optional library says so by its ending and is left out without it.
if(NOT "ICU" IN_LIST gyre_features)
  list(FILTER gyre_sources EXCLUDE REGEX "_icu\\.cpp$")
endif()

set(gyre_compiler "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}")
configure_file("${PROJECT_SOURCE_DIR}/gyre/base/build_info.cpp.in" "${PROJECT_BINARY_DIR}/build_info.cpp" @ONLY)
set(gyre_generated_sources "${PROJECT_BINARY_DIR}/build_info.cpp")
