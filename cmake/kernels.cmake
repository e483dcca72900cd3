# Kernel objects: every *_tiles.cpp once per instruction set. They take nothing from the preset but
# debug information, so that every preset tests the code that a release runs.
set(kernel_flags -O2 -ffp-contract=off -fno-math-errno -fno-trapping-math -fwrapv -fno-exceptions -fno-rtti
                 $<$<NOT:$<CONFIG:RelWithDebInfo>>:-g0>)

# The sets as name:bytes of a vector:flags.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$" AND NOT EMSCRIPTEN)
  set(gyre_isas "v2:16:-march=x86-64-v2" "v3:32:-march=x86-64-v3"
                "v4:64:-march=x86-64-v4 -mprefer-vector-width=512")
else()
  set(gyre_isas "v2:16:$<$<BOOL:${EMSCRIPTEN}>:-msimd128>")
endif()

# gyre_kernels(<prefix> <variable> <source>...): object libraries <prefix>_v2, ... from *_tiles.cpp;
# the variable gets their objects.
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
