# Compiler flags. `gyre_host_flags` applies to everything but kernel objects, which have their own
# flags (kernels.cmake) and are the same in every preset.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS ON)
set(CMAKE_CXX_SCAN_FOR_MODULES OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release or RelWithDebInfo" FORCE)
endif()
if(PROJECT_IS_TOP_LEVEL)
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
endif()

option(GYRE_TESTS "Build the tests" ${PROJECT_IS_TOP_LEVEL})
option(GYRE_PYTHON "Build the Python extension module (needs nanobind)" OFF)
option(GYRE_WERROR "Treat warnings as errors" ${PROJECT_IS_TOP_LEVEL})
option(GYRE_COVERAGE "Count executed lines (gcov)" OFF)
set(GYRE_SANITIZE "" CACHE STRING "Sanitizers of host code, for example address,undefined or thread")

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CCACHE_PROGRAM}")
endif()

# Not when cross-compiling: Emscripten has its own linker.
find_program(MOLD_PROGRAM mold)
find_program(LLD_PROGRAM ld.lld)
if(NOT CMAKE_CROSSCOMPILING AND MOLD_PROGRAM)
  add_link_options(-fuse-ld=mold)
elseif(NOT CMAKE_CROSSCOMPILING AND LLD_PROGRAM)
  add_link_options(-fuse-ld=lld)
endif()

add_library(gyre_warnings INTERFACE)
target_compile_options(gyre_warnings INTERFACE -Wall -Wextra $<$<BOOL:${GYRE_WERROR}>:-Werror>)

# FMA contraction would break compensated sums and bitwise reproducibility across devices. Aligned
# functions: otherwise the time of a small call depends by 10 % on the length of the code before it.
add_library(gyre_host_flags INTERFACE)
target_link_libraries(gyre_host_flags INTERFACE gyre_warnings)
target_compile_options(gyre_host_flags INTERFACE -ffp-contract=off $<$<CONFIG:Release>:-falign-functions=64>)
# The presets compile kernel objects of a Debug build with release flags, so that ccache shares them;
# only host code is debugged.
if(PROJECT_IS_TOP_LEVEL)
  define_property(TARGET PROPERTY GYRE_DEBUG_LEVEL BRIEF_DOCS "-O of a Debug build; g when it is not set")
  set(level $<TARGET_PROPERTY:GYRE_DEBUG_LEVEL>)
  target_compile_options(gyre_host_flags INTERFACE
                         $<$<CONFIG:Debug>:-O$<IF:$<STREQUAL:${level},>,g,${level}>;-g1;-UNDEBUG>)
endif()
if(GYRE_SANITIZE)
  # Without the checks of pointers before an access: AddressSanitizer checks the access itself, and TensorImpl::bytes
  # the alignment of elements. This is a third less to compile. The preset fuzz checks all that parsers read.
  set(unchecked null,object-size,pointer-overflow)
  if(NOT GYRE_SANITIZE MATCHES "fuzzer")
    string(APPEND unchecked ",alignment")
  endif()
  set(sanitize -fsanitize=${GYRE_SANITIZE} -fno-sanitize=${unchecked} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_compile_options(gyre_host_flags INTERFACE ${sanitize})
  target_link_options(gyre_host_flags INTERFACE ${sanitize})
endif()
if(GYRE_COVERAGE)
  target_compile_options(gyre_host_flags INTERFACE --coverage -fprofile-update=atomic)
  target_link_options(gyre_host_flags INTERFACE --coverage)
endif()
