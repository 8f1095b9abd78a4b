#!/usr/bin/env bash
# Builds and runs a stranger's project: run.sh WAY SOURCE_DIR BUILD_DIR, where WAY is how it finds
# the library: find_package, find_package_certificate, pkg_config or add_subdirectory.
set -euo pipefail

way=$1 source=$2 build=$3
work=$build/package/$way
consumer=$source/tests/package

install_afresh() {
  rm -rf "$work" # a header left over from an older install could hide a missing one
  cmake --install "$build" --prefix "$work/prefix" >/dev/null
}

# by_cmake OPTION...: configures the project with CMake.
by_cmake() {
  cmake -S "$consumer" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=Release "$@"
}

# build_and_run PROGRAM...
build_and_run() {
  local program
  cmake --build "$work/build" --target "$@"
  for program in "$@"; do "$work/build/$program"; done
}

# The umbrella header includes all that is installed, but for itself and the certificates.
umbrella_is_complete() {
  cd "$work/prefix/include"
  diff <(find ktln2 -name '*.hpp' ! -path 'ktln2/certificate/*' ! -path ktln2/ktln2.hpp | sort) \
    <(sed -n 's/^#include "\(.*\)"$/\1/p' ktln2/ktln2.hpp | sort)
}

# by_hand PACKAGE SOURCE PROGRAM FLAG...: compiles and runs one source with what pkg-config says.
by_hand() {
  local package=$1 from=$consumer/$2 program=$work/build/$3 flags
  read -ra flags < <(pkg-config --cflags --libs "$package")
  "${CXX:-c++}" -std=c++20 "${@:4}" "$from" "${flags[@]}" -o "$program"
  "$program"
}

case $way in
  find_package)
    install_afresh
    umbrella_is_complete
    # The proof that Arb is not needed: there is none to be found.
    by_cmake -DCMAKE_PREFIX_PATH="$work/prefix" -DCMAKE_DISABLE_FIND_PACKAGE_Arb=ON
    build_and_run consumer one_module
    ;;
  find_package_certificate)
    install_afresh
    by_cmake -DCMAKE_PREFIX_PATH="$work/prefix" -DCERTIFICATE=ON
    build_and_run consumer one_module
    ;;
  pkg_config)
    install_afresh
    mkdir -p "$work/build"
    PKG_CONFIG_PATH=$(dirname "$(find "$work/prefix" -name ktln2.pc)")
    export PKG_CONFIG_PATH
    by_hand ktln2 consumer.cpp consumer
    if [[ -e $PKG_CONFIG_PATH/ktln2-certificate.pc ]]; then
      by_hand ktln2-certificate consumer.cpp certified -DHAS_CERTIFICATE
    fi
    ;;
  add_subdirectory)
    by_cmake -DKTLN2_SOURCE_DIR="$source" -DCMAKE_CXX_FLAGS_RELEASE=-O0
    cmake --build "$work/build" --target consumer
    build_and_run one_module
    ;;
esac
