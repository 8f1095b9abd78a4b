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

# by_cmake OPTION...: configures and builds the project with CMake.
by_cmake() {
  cmake -S "$consumer" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=Release "$@"
  cmake --build "$work/build"
}

# The umbrella header includes all that is installed, but for itself and the certificates.
umbrella_is_complete() {
  cd "$work/prefix/include"
  diff <(find ktln2 -name '*.hpp' ! -path 'ktln2/certificate/*' ! -path ktln2/ktln2.hpp | sort) \
    <(sed -n 's/^#include "\(.*\)"$/\1/p' ktln2/ktln2.hpp | sort)
}

case $way in
  find_package)
    install_afresh
    umbrella_is_complete
    # The proof that Arb is not needed: there is none to be found.
    by_cmake -DCMAKE_PREFIX_PATH="$work/prefix" -DCMAKE_DISABLE_FIND_PACKAGE_Arb=ON
    ;;
  find_package_certificate)
    install_afresh
    by_cmake -DCMAKE_PREFIX_PATH="$work/prefix" -DCERTIFICATE=ON
    ;;
  pkg_config)
    install_afresh
    mkdir -p "$work/build"
    PKG_CONFIG_PATH=$(dirname "$(find "$work/prefix" -name ktln2.pc)")
    export PKG_CONFIG_PATH
    read -ra flags < <(pkg-config --cflags --libs ktln2)
    "${CXX:-c++}" -std=c++20 "$consumer/consumer.cpp" "${flags[@]}" -o "$work/build/consumer"
    "${CXX:-c++}" -std=c++20 "$consumer/one_module.cpp" "${flags[@]}" -o "$work/build/one_module"
    if [[ -e $PKG_CONFIG_PATH/ktln2-certificate.pc ]]; then
      read -ra flags < <(pkg-config --cflags --libs ktln2-certificate)
      "${CXX:-c++}" -std=c++20 -DHAS_CERTIFICATE "$consumer/consumer.cpp" "${flags[@]}" \
        -o "$work/build/certified"
      "$work/build/certified"
    fi
    ;;
  add_subdirectory)
    # the whole library once more, so not optimized
    by_cmake -DKTLN2_SOURCE_DIR="$source" -DCMAKE_CXX_FLAGS_RELEASE=-O0
    ;;
esac
"$work/build/consumer"
"$work/build/one_module"
