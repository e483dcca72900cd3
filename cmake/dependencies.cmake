# Libraries that gyre always needs.
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
if(GYRE_TESTS)
  find_package(GTest REQUIRED)
endif()

# What has no sources yet: `gyre devices` says so, and so does asking for it with GYRE_<name>=ON.
set(gyre_feature_rows "")  # rows of build_info.cpp
foreach(later IN ITEMS "CUDA;kernels on NVIDIA devices" "MPI;training on several machines"
                       "NCCL;training on several NVIDIA devices")
  list(GET later 0 name)
  list(GET later 1 gives)
  set(why_not "not part of gyre ${PROJECT_VERSION}")
  if(GYRE_${name} STREQUAL "ON")
    message(FATAL_ERROR "GYRE_${name}=ON (${gives}): ${why_not}")
  endif()
  string(APPEND gyre_feature_rows "    {\"${name}\", \"${gives}\", false, \"${why_not}\"},\n")
endforeach()
if(GYRE_PYTHON)
  string(APPEND gyre_feature_rows "    {\"PYTHON\", \"the Python package\", true, \"\"},\n")
else()
  string(APPEND gyre_feature_rows "    {\"PYTHON\", \"the Python package\", false, \"built by pip install .\"},\n")
endif()
