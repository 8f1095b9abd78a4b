# What `cmake --install` copies, and what find_package(ktln2) then reads.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(ktln2_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/ktln2)

set(ktln2_libraries ktln2)
if(KTLN2_BUILD_CERTIFICATE)
  list(APPEND ktln2_libraries ktln2_certificate)
  install(FILES cmake/FindArb.cmake DESTINATION ${ktln2_package_dir})
endif()
install(
  TARGETS ${ktln2_libraries}
  EXPORT ktln2Targets
  INCLUDES
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(
  DIRECTORY include/ktln2 ${PROJECT_BINARY_DIR}/generated/ktln2
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING
  PATTERN "*.hpp")
install(
  EXPORT ktln2Targets
  NAMESPACE ktln2::
  DESTINATION ${ktln2_package_dir})

configure_package_config_file(cmake/ktln2Config.cmake.in ktln2Config.cmake
                              INSTALL_DESTINATION ${ktln2_package_dir})
write_basic_package_version_file(ktln2ConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/ktln2Config.cmake ${PROJECT_BINARY_DIR}/ktln2ConfigVersion.cmake
        DESTINATION ${ktln2_package_dir})

if(KTLN2_BUILD_CLI)
  install(TARGETS ktln2-cli)
  install(
    FILES cli/completion.bash
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
    RENAME ktln2)
endif()
