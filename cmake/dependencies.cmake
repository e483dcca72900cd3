# Required libraries.
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(ZLIB REQUIRED)
find_package(CLI11 REQUIRED)
if(GYRE_TESTS)
  find_package(GTest REQUIRED)
endif()

# Optional libraries: GYRE_<name> is AUTO, ON (fails if it is missing) or OFF.
set(gyre_feature_rows "")  # rows of build_info.cpp
set(GYRE_BLAS AUTO CACHE STRING "Decompositions and solvers by OpenBLAS: AUTO, ON or OFF")

# The serial build: gyre runs it on its own threads.
find_library(GYRE_OPENBLAS NAMES openblas PATH_SUFFIXES openblas-serial)
find_path(GYRE_CBLAS_INCLUDE cblas.h PATH_SUFFIXES openblas-serial openblas)
find_path(GYRE_LAPACK_INCLUDE lapack.h)
mark_as_advanced(GYRE_OPENBLAS GYRE_CBLAS_INCLUDE GYRE_LAPACK_INCLUDE)
set(gyre_blas FALSE)
if(GYRE_BLAS STREQUAL "OFF")
  set(why_not "GYRE_BLAS=OFF")
elseif(GYRE_OPENBLAS AND GYRE_CBLAS_INCLUDE AND GYRE_LAPACK_INCLUDE)
  set(gyre_blas TRUE)
  set(why_not "OpenBLAS and LAPACKE")
else()
  set(why_not "libopenblas-serial-dev or liblapacke-dev not found at build time")
  if(GYRE_BLAS STREQUAL "ON")
    message(FATAL_ERROR "GYRE_BLAS=ON: ${why_not}")
  endif()
endif()
string(TOLOWER "${gyre_blas}" built)
string(APPEND gyre_feature_rows "    {\"BLAS\", \"decompositions and solvers\", ${built}, \"${why_not}\"},\n")

# Features without sources: reported by `gyre devices` and refused with GYRE_<name>=ON.
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
