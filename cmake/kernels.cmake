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

set(gyre_kernel_objects "")
if(gyre_tiles)
  foreach(row IN LISTS gyre_isas)
    string(REGEX MATCH "^([^:]*):([^:]*):(.*)$" row "${row}")
    set(kernels gyre_kernels_${CMAKE_MATCH_1})
    separate_arguments(isa_flags UNIX_COMMAND "${CMAKE_MATCH_3}")
    add_library(${kernels} OBJECT ${gyre_tiles})
    target_include_directories(${kernels} PRIVATE "${PROJECT_SOURCE_DIR}")
    target_compile_definitions(${kernels} PRIVATE GYRE_ISA=${CMAKE_MATCH_1} GYRE_VBYTES=${CMAKE_MATCH_2})
    target_compile_options(${kernels} PRIVATE ${kernel_flags} ${isa_flags})
    target_link_libraries(${kernels} PRIVATE gyre_warnings)
    list(APPEND gyre_kernel_objects "$<TARGET_OBJECTS:${kernels}>")
  endforeach()
endif()
