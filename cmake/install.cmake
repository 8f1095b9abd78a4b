# What `cmake --install` copies, and what find_package(ktln2) and pkg-config then read. Two components:
# the program, and what who builds on the library needs. cmake/package.cmake makes Debian packages of
# them.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME library)

set(ktln2_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/ktln2)
set(ktln2_pkgconfig_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# The certificates are a component apart, with targets of their own: who does not ask for them needs
# no Arb.
install(
  TARGETS ktln2_core ktln2_format ktln2_distribution ktln2_entropy ktln2_cost ktln2_scaling
          ktln2_mismatch ktln2_simulation ktln2_library
  EXPORT ktln2Targets
  INCLUDES
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(
  EXPORT ktln2Targets
  NAMESPACE ktln2::
  DESTINATION ${ktln2_package_dir})
install(
  DIRECTORY include/ktln2 ${PROJECT_BINARY_DIR}/generated/ktln2
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING
  PATTERN "*.hpp"
  PATTERN "certificate" EXCLUDE
  PATTERN "data" EXCLUDE
  PATTERN "measure" EXCLUDE)

if(KTLN2_BUILD_CERTIFICATE)
  install(
    TARGETS ktln2_certificate
    EXPORT ktln2CertificateTargets
    INCLUDES
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(
    EXPORT ktln2CertificateTargets
    NAMESPACE ktln2::
    DESTINATION ${ktln2_package_dir})
  install(DIRECTORY include/ktln2/certificate DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/ktln2)
  install(FILES cmake/FindArb.cmake DESTINATION ${ktln2_package_dir})
endif()

configure_package_config_file(cmake/ktln2Config.cmake.in ktln2Config.cmake
                              INSTALL_DESTINATION ${ktln2_package_dir})
write_basic_package_version_file(ktln2ConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/ktln2Config.cmake ${PROJECT_BINARY_DIR}/ktln2ConfigVersion.cmake
        DESTINATION ${ktln2_package_dir})

file(RELATIVE_PATH ktln2_pkgconfig_prefix /prefix/${ktln2_pkgconfig_dir} /prefix)
set(ktln2_pkgconfig_requires "")
if(KTLN2_PARALLEL)
  set(ktln2_pkgconfig_requires tbb)
endif()
configure_file(cmake/ktln2.pc.in ktln2.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/ktln2.pc DESTINATION ${ktln2_pkgconfig_dir})
if(KTLN2_BUILD_CERTIFICATE)
  cmake_path(GET Arb_LIBRARY PARENT_PATH ktln2_arb_dir)
  cmake_path(GET Arb_LIBRARY STEM ktln2_arb_name)
  string(REGEX REPLACE "^lib" "" ktln2_arb_name ${ktln2_arb_name})
  configure_file(cmake/ktln2-certificate.pc.in ktln2-certificate.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/ktln2-certificate.pc DESTINATION ${ktln2_pkgconfig_dir})
endif()

if(KTLN2_BUILD_CLI)
  install(TARGETS ktln2-cli COMPONENT program)
  install(
    FILES cli/completion.bash
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
    RENAME ktln2
    COMPONENT program)
  install(
    FILES cli/completion.zsh
    DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions
    RENAME _ktln2
    COMPONENT program)
  install(
    FILES cli/completion.fish
    DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d
    RENAME ktln2.fish
    COMPONENT program)
  install(FILES ${PROJECT_BINARY_DIR}/ktln2.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1
          COMPONENT program)
  install(FILES LICENSE README.md CITATION.cff CHANGELOG.md paper/report/math_font.LICENSE
          DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
  install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
endif()
