# Unity builds: host files of a folder and its subfolders are compiled in groups, since most of their
# compile time is spent on shared headers. Private names must be distinct within a group.
# -DGYRE_UNITY=OFF compiles every file alone, as editors do. Large groups suit builds of everything; small
# ones compile sooner after a change.
option(GYRE_UNITY "Compile the files of a folder together (unity builds)" ON)
set(GYRE_UNITY_FILES 24 CACHE STRING "Files in a group of a unity build")

# gyre_unity(<target> <source>...): groups these sources of the target; others are compiled alone.
function(gyre_unity target)
  if(NOT GYRE_UNITY)
    return()
  endif()
  foreach(source IN LISTS ARGN)
    cmake_path(GET source PARENT_PATH folder)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY "${PROJECT_SOURCE_DIR}")
    if(folder MATCHES "^gyre/((ops|hyperbolic)/)?[^/]+")
      set(folder "${CMAKE_MATCH_0}")
    endif()
    if(target MATCHES "_tests$" AND folder MATCHES "^gyre/(ops|hyperbolic)")  # fewer files than the library
      set(folder "${CMAKE_MATCH_0}")
    endif()
    string(MAKE_C_IDENTIFIER "${folder}" group)
    if(NOT DEFINED count_${group})
      set(count_${group} 0)
    endif()
    math(EXPR part "${count_${group}} / ${GYRE_UNITY_FILES}")
    math(EXPR count_${group} "${count_${group}} + 1")
    string(REPLACE "/" "_" name "${folder}_${part}")
    set_source_files_properties("${source}" PROPERTIES UNITY_GROUP ${name})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()
