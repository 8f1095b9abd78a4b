#!/usr/bin/env bash
# Builds the Debian packages and tries them in a bare Debian 12 that is made for it in build/bare:
# scripts/try_package.sh. Needs root (chroot) and debootstrap. Not a part of ./check.
set -euo pipefail
export LC_ALL=C.UTF-8

cd "$(dirname "$(realpath "$0")")/.."
source scripts/setup.sh
source scripts/bare.sh
need "${run_packages[@]}" debootstrap dpkg-dev
((EUID == 0)) || fail "a chroot needs root"
tree=$PWD/build/bare

cmake --preset release -DKTLN2_BUILD_PYTHON=OFF >/dev/null
cmake --build --preset release --target ktln2-cli ktln2_library ktln2_certificate
(cd build/release && rm -f ./*.deb && cpack >/dev/null)

bare_tree "$tree"
mkdir "$tree/packages"
cp build/release/*.deb "$tree/packages/"
inside "$tree" apt-get update -qq
inside "$tree" sh -c 'apt-get install -qq -y --no-install-recommends /packages/ktln2_*.deb' >/dev/null
inside "$tree" ktln2 --version
inside "$tree" ktln2 entropy bfloat16 normal:sigma=0.02
inside "$tree" sh -c 'cd /tmp && ktln2 paper --quick --only fig:profit_ex --out out && ls out'
# With pictures
inside "$tree" apt-get install -qq -y --no-install-recommends python3-matplotlib >/dev/null
inside "$tree" sh -c 'cd /tmp && ktln2 paper --quick --only fig:profit_ex --out out && ls out/figures'
# And the library
inside "$tree" sh -c 'apt-get install -qq -y --no-install-recommends g++ pkg-config /packages/libktln2-dev_*.deb' >/dev/null
inside "$tree" sh -c 'cat > /tmp/try.cpp && c++ -std=c++20 /tmp/try.cpp $(pkg-config --cflags --libs ktln2) -o /tmp/try && /tmp/try' <<'END'
#include <cstdio>
#include <ktln2/ktln2.hpp>

int main() {
  using namespace ktln2;
  std::printf("%.6f bits\n", exact_entropy(float_format(24, 8), normal{0, 1}).value.value());
}
END

# Shared libraries, for who asks for them, installed and linked with here.
cmake --preset release -B build/shared -DBUILD_SHARED_LIBS=ON -DKTLN2_BUILD_TESTS=OFF -DKTLN2_BUILD_BENCH=OFF \
  -DKTLN2_BUILD_MPI=OFF -DKTLN2_BUILD_PYTHON=OFF >/dev/null
cmake --build build/shared
tests/package/run.sh find_package "$PWD" "$PWD/build/shared"
"$PWD"/build/shared/package/find_package/prefix/bin/ktln2 --version
echo "ktln2: the packages work on a bare Debian 12, and the library works as a shared one."
