# `cpack` in the build makes ktln2_*.deb, the program, and libktln2-dev_*.deb, the library to build on.
set(CPACK_GENERATOR DEB)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL program library)
set(CPACK_PACKAGE_CONTACT "the authors of ktln2 <ktln2@example.invalid>")

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(CPACK_COMPONENT_PROGRAM_DESCRIPTION
    "What a computation on floating-point registers must cost at the least, in bits erased and in joules")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME ktln2)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
# Pictures are drawn by Python; all else goes without.
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS python3-matplotlib)

set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "Headers and static libraries of ktln2")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libktln2-dev)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_DEPENDS "libtbb-dev, libflint-arb-dev")
include(CPack)
