# Installs the package for find_package(gyre), target gyre::gyre.
include(CMakePackageConfigHelpers)
set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/gyre")

install(TARGETS gyre gyre_shared EXPORT gyreTargets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
                                                    LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
if(TARGET gyre_command)
  set_target_properties(gyre_command PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
  install(TARGETS gyre_command RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/gyre" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
        FILES_MATCHING PATTERN "*.h" PATTERN "*.def" PATTERN "test_*.h" EXCLUDE)

configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/gyreConfig.cmake.in"
                              "${PROJECT_BINARY_DIR}/gyreConfig.cmake" INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/gyreConfigVersion.cmake"
                                 COMPATIBILITY SameMinorVersion)
install(EXPORT gyreTargets NAMESPACE gyre:: DESTINATION "${package_dir}")
install(FILES "${PROJECT_BINARY_DIR}/gyreConfig.cmake" "${PROJECT_BINARY_DIR}/gyreConfigVersion.cmake"
        DESTINATION "${package_dir}")
