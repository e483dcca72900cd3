# Built-in features, and why others are missing, for `gyre devices`.
set(gyre_compiler "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}")
configure_file("${PROJECT_SOURCE_DIR}/gyre/base/build_info.cpp.in" "${PROJECT_BINARY_DIR}/build_info.cpp" @ONLY)
set(gyre_generated_sources "${PROJECT_BINARY_DIR}/build_info.cpp")
