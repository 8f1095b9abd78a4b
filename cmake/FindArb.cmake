# Arb, ball arithmetic in arbitrary precision (Debian: libflint-arb-dev): the target Arb::Arb. Upstream
# calls the library "arb", Debian "flint-arb".
find_path(Arb_INCLUDE_DIR arb.h)
find_path(Arb_FLINT_INCLUDE_DIR flint/flint.h)
find_library(Arb_LIBRARY NAMES flint-arb arb)
find_library(Arb_FLINT_LIBRARY flint)
mark_as_advanced(Arb_INCLUDE_DIR Arb_FLINT_INCLUDE_DIR Arb_LIBRARY Arb_FLINT_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(
  Arb
  REQUIRED_VARS Arb_LIBRARY Arb_FLINT_LIBRARY Arb_INCLUDE_DIR Arb_FLINT_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "Install libflint-arb-dev, or set KTLN2_BUILD_CERTIFICATE=OFF.")

if(Arb_FOUND AND NOT TARGET Arb::Arb)
  add_library(Arb::Arb INTERFACE IMPORTED)
  target_include_directories(Arb::Arb SYSTEM INTERFACE ${Arb_INCLUDE_DIR} ${Arb_FLINT_INCLUDE_DIR})
  target_link_libraries(Arb::Arb INTERFACE ${Arb_LIBRARY} ${Arb_FLINT_LIBRARY})
endif()
