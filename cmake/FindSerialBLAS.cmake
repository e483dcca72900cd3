# SerialBLAS::SerialBLAS: CBLAS and LAPACKE over the OpenBLAS build without threads of its own.
# Debian keeps the serial build in a folder beside the threaded ones; the plain name may be any of
# them, so it is taken only where it says that it is not parallel.
find_library(SerialBLAS_LIBRARY openblas PATH_SUFFIXES openblas-serial)
find_path(SerialBLAS_INCLUDE_DIR cblas.h PATH_SUFFIXES openblas-serial openblas)
find_library(SerialBLAS_LAPACKE_LIBRARY lapacke)
find_path(SerialBLAS_LAPACKE_INCLUDE_DIR lapacke.h PATH_SUFFIXES lapacke)

if(SerialBLAS_LIBRARY AND SerialBLAS_LIBRARY MATCHES "openblas-serial")
  set(SerialBLAS_IS_SERIAL TRUE)
elseif(SerialBLAS_LIBRARY AND NOT CMAKE_CROSSCOMPILING AND NOT DEFINED SerialBLAS_IS_SERIAL)
  include(CheckCXXSourceRuns)
  set(CMAKE_REQUIRED_LIBRARIES "${SerialBLAS_LIBRARY}")
  set(CMAKE_REQUIRED_QUIET TRUE)
  check_cxx_source_runs("extern \"C\" int openblas_get_parallel(); int main() { return openblas_get_parallel(); }"
                        SerialBLAS_IS_SERIAL)
  unset(CMAKE_REQUIRED_LIBRARIES)
endif()
if(SerialBLAS_INCLUDE_DIR AND EXISTS "${SerialBLAS_INCLUDE_DIR}/openblas_config.h")
  file(STRINGS "${SerialBLAS_INCLUDE_DIR}/openblas_config.h" SerialBLAS_VERSION REGEX "OPENBLAS_VERSION")
  string(REGEX MATCH "[0-9]+(\\.[0-9]+)+" SerialBLAS_VERSION "${SerialBLAS_VERSION}")
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(
  SerialBLAS VERSION_VAR SerialBLAS_VERSION
  REQUIRED_VARS SerialBLAS_LIBRARY SerialBLAS_INCLUDE_DIR SerialBLAS_LAPACKE_LIBRARY
                SerialBLAS_LAPACKE_INCLUDE_DIR SerialBLAS_IS_SERIAL)
if(SerialBLAS_FOUND AND NOT TARGET SerialBLAS::SerialBLAS)
  add_library(SerialBLAS::SerialBLAS UNKNOWN IMPORTED)
  set_target_properties(SerialBLAS::SerialBLAS PROPERTIES IMPORTED_LOCATION "${SerialBLAS_LAPACKE_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${SerialBLAS_INCLUDE_DIR};${SerialBLAS_LAPACKE_INCLUDE_DIR}"
    INTERFACE_LINK_LIBRARIES "${SerialBLAS_LIBRARY}")
endif()
mark_as_advanced(SerialBLAS_LIBRARY SerialBLAS_INCLUDE_DIR SerialBLAS_LAPACKE_LIBRARY
                 SerialBLAS_LAPACKE_INCLUDE_DIR)
