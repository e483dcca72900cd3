# Kernel objects: every *_tiles.cpp once per instruction set. The preset changes only debug
# information, so every preset tests the kernels of a release.
set(kernel_flags -O2 -ffp-contract=off -fno-math-errno -fno-trapping-math -fwrapv -fno-exceptions -fno-rtti
                 $<$<NOT:$<CONFIG:RelWithDebInfo>>:-g0>)

# Instruction sets as name:vector bytes:flags.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$" AND NOT EMSCRIPTEN)
  set(gyre_isas "v2:16:-march=x86-64-v2" "v3:32:-march=x86-64-v3"
                "v4:64:-march=x86-64-v4 -mprefer-vector-width=512")
else()
  set(gyre_isas "v2:16:$<$<BOOL:${EMSCRIPTEN}>:-msimd128>")
endif()

# GYRE_ISAS=all, a list (v3;v4), or native: the best of this CPU only, which compiles faster and
# needs a CPU with that instruction set.
set(GYRE_ISAS all CACHE STRING "Instruction sets that kernels are compiled for: all, native or a list of v2, v3, v4")
set(wanted "${GYRE_ISAS}")
list(LENGTH gyre_isas known)
if(wanted STREQUAL "native" AND known GREATER 1)
  if(NOT DEFINED GYRE_NATIVE_ISA)
    try_run(ran compiled SOURCE_FROM_CONTENT native_isa.cpp [[
#include <cstdio>
int main() {
  const bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                  __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
  const bool v4 = v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                  __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                  __builtin_cpu_supports("avx512vl");
  std::fputs(v4 ? "v4" : v3 ? "v3" : "v2", stdout);
}
]] RUN_OUTPUT_VARIABLE said)
    if(NOT compiled OR NOT ran EQUAL 0)
      message(FATAL_ERROR "GYRE_ISAS=native: cannot detect the instruction set of this CPU; set v2, v3 or v4")
    endif()
    set(GYRE_NATIVE_ISA "${said}" CACHE INTERNAL "instruction set of this CPU")
  endif()
  set(wanted "${GYRE_NATIVE_ISA}")
elseif(wanted MATCHES "^(all|native)$")
  set(wanted "v2;v3;v4")
endif()
foreach(level IN LISTS wanted)
  if(NOT level MATCHES "^v[234]$")
    message(FATAL_ERROR "GYRE_ISAS: expected all, native or a list of v2, v3 and v4, got \"${GYRE_ISAS}\"")
  endif()
endforeach()
string(REPLACE ";" "|" wanted "${wanted}")
list(FILTER gyre_isas INCLUDE REGEX "^(${wanted}):")
if(NOT gyre_isas)
  message(FATAL_ERROR "GYRE_ISAS=${GYRE_ISAS}: this CPU supports none of them")
endif()
set(gyre_isa_mask 0)  # bit i: Isa(i)
foreach(row IN LISTS gyre_isas)
  string(SUBSTRING "${row}" 1 1 level)
  math(EXPR gyre_isa_mask "${gyre_isa_mask} | 1 << (${level} - 2)")
endforeach()

# gyre_kernels(<prefix> <variable> <source>...): object libraries <prefix>_v2, ... from *_tiles.cpp;
# sets the variable to their objects.
function(gyre_kernels prefix variable)
  set(objects "")
  foreach(row IN LISTS gyre_isas)
    string(REGEX MATCH "^([^:]*):([^:]*):(.*)$" row "${row}")
    set(kernels ${prefix}_${CMAKE_MATCH_1})
    separate_arguments(isa_flags UNIX_COMMAND "${CMAKE_MATCH_3}")
    add_library(${kernels} OBJECT ${ARGN})
    target_include_directories(${kernels} PRIVATE "${PROJECT_SOURCE_DIR}")
    target_compile_definitions(${kernels} PRIVATE GYRE_ISA=${CMAKE_MATCH_1} GYRE_VBYTES=${CMAKE_MATCH_2})
    target_compile_options(${kernels} PRIVATE ${kernel_flags} ${isa_flags})
    target_link_libraries(${kernels} PRIVATE gyre_warnings)
    list(APPEND objects "$<TARGET_OBJECTS:${kernels}>")
  endforeach()
  set(${variable} "${objects}" PARENT_SCOPE)
endfunction()

set(gyre_kernel_objects "")
if(gyre_tiles)
  gyre_kernels(gyre_kernels gyre_kernel_objects ${gyre_tiles})
endif()
