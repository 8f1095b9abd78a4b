#!/usr/bin/env bash
# Builds and runs the consumer: run.sh find_package|add_subdirectory SOURCE_DIR BUILD_DIR
set -euo pipefail

way=$1 source=$2 build=$3
work=$build/package/$way

configure=(cmake -S "$source/tests/package" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=Release)
case $way in
  find_package)
    rm -rf "$work" # a header left over from an older install could hide a missing one
    cmake --install "$build" --prefix "$work/prefix" >/dev/null
    "${configure[@]}" -DCMAKE_PREFIX_PATH="$work/prefix"
    ;;
  add_subdirectory)
    # the whole library once more, so not optimized
    "${configure[@]}" -DKTLN2_SOURCE_DIR="$source" -DCMAKE_CXX_FLAGS_RELEASE=-O0
    ;;
esac
cmake --build "$work/build"
"$work/build/consumer"
