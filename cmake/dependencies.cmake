# Libraries that gyre always needs, and the optional ones behind GYRE_* = AUTO | ON | OFF.
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
if(GYRE_TESTS)
  find_package(GTest REQUIRED)
endif()

set(gyre_feature_rows "")     # rows of build_info.cpp
set(gyre_definitions "")      # GYRE_HAS_<NAME>=1
set(gyre_private_libraries "")

# gyre_feature(<NAME> <what it gives> <package to install> FOUND <bool> VERSION <text>
#              [LIBRARIES <target>...] [WHY_NOT <text>])
# Declares the option GYRE_<NAME> and records what was decided and why.
function(gyre_feature name gives package)
  cmake_parse_arguments(PARSE_ARGV 3 arg "" "FOUND;VERSION;WHY_NOT" "LIBRARIES")
  set(GYRE_${name} AUTO CACHE STRING "${gives}: AUTO, ON or OFF")
  set_property(CACHE GYRE_${name} PROPERTY STRINGS AUTO ON OFF)
  if(NOT GYRE_${name} MATCHES "^(AUTO|ON|OFF)$")
    message(FATAL_ERROR "GYRE_${name} is '${GYRE_${name}}'; it must be AUTO, ON or OFF")
  endif()
  if(NOT arg_WHY_NOT)
    set(arg_WHY_NOT "not found (package ${package})")
  endif()
  if(GYRE_${name} STREQUAL "OFF")
    set(arg_FOUND FALSE)
    set(arg_WHY_NOT "switched off when it was built (GYRE_${name}=OFF)")
  elseif(GYRE_${name} STREQUAL "ON" AND NOT arg_FOUND)
    message(FATAL_ERROR "GYRE_${name}=ON (${gives}): ${arg_WHY_NOT}")
  endif()
  if(arg_FOUND)
    list(APPEND gyre_definitions GYRE_HAS_${name}=1)
    list(APPEND gyre_private_libraries ${arg_LIBRARIES})
    string(APPEND gyre_feature_rows "    {\"${name}\", \"${gives}\", true, \"${arg_VERSION}\"},\n")
    message(STATUS "${name}: ${arg_VERSION}")
  else()
    string(APPEND gyre_feature_rows "    {\"${name}\", \"${gives}\", false, \"${arg_WHY_NOT}\"},\n")
    message(STATUS "${name}: ${arg_WHY_NOT}")
  endif()
  foreach(list IN ITEMS gyre_definitions gyre_private_libraries gyre_feature_rows)
    set(${list} "${${list}}" PARENT_SCOPE)
  endforeach()
endfunction()

# What has no sources yet is not looked for, so AUTO leaves it out and ON says so.
foreach(later IN ITEMS "CUDA;kernels on NVIDIA devices" "MPI;training on several machines"
                       "NCCL;training on several NVIDIA devices" "PYTHON;the Python package")
  list(GET later 0 name)
  list(GET later 1 gives)
  gyre_feature(${name} "${gives}" "" FOUND FALSE WHY_NOT "not part of gyre ${PROJECT_VERSION}")
endforeach()
