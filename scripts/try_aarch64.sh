#!/usr/bin/env bash
# Builds the library for 64-bit ARM, runs it under emulation and holds its digits against those of this
# machine: scripts/try_aarch64.sh. Not a part of ./check.
set -euo pipefail
export LC_ALL=C.UTF-8

cd "$(dirname "$(realpath "$0")")/.."
source scripts/setup.sh
need "${run_packages[@]}" g++-aarch64-linux-gnu qemu-user

# Headers that are the same for every processor, away from this one's own.
headers=$PWD/build/headers
mkdir -p "$headers"
ln -sfn /usr/include/boost "$headers/boost"
ln -sfn /usr/include/Random123 "$headers/Random123"

# entropies_of NAME COMPILER OPTION...: builds the library, and tools/entropies.cpp with it.
entropies_of() {
  local build=build/$1 compiler=$2 module archives=()
  cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE="-O2 -DNDEBUG" \
    -DCMAKE_CXX_COMPILER="$compiler" -DBoost_INCLUDE_DIR="$headers" -DRandom123_INCLUDE_DIR="$headers" \
    -DKTLN2_BUILD_CLI=OFF -DKTLN2_BUILD_ASK=OFF -DKTLN2_BUILD_CERTIFICATE=OFF -DKTLN2_BUILD_TESTS=OFF \
    -DKTLN2_BUILD_MPI=OFF -DKTLN2_BUILD_BENCH=OFF -DKTLN2_INSTALL=OFF -DKTLN2_PARALLEL=OFF \
    -DCMAKE_CXX_FLAGS=-Wno-psabi "${@:3}" >/dev/null
  cmake --build "$build" --target ktln2_core ktln2_format ktln2_distribution ktln2_entropy
  for module in entropy distribution format core; do archives+=("$build/libktln2_$module.a"); done
  "$compiler" -std=c++20 -O2 -Iinclude -I"$build/generated" tools/entropies.cpp "${archives[@]}" \
    -pthread -static -o "$build/entropies"
}

entropies_of aarch64 aarch64-linux-gnu-g++ -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64
entropies_of here g++

for format in p1e0 p3e2 p7e0 p8e8 p11e5 p24e8 p53e11 p64e15 binary16 bfloat16 binary32 binary64 e4m3 e5m2 \
  e2m1 posit16 posit32 q3.4 int8 binary8p4se; do
  for law in normal normal:mu=1,sigma=1e-4 normal:mu=3,sigma=1e-8 student:dof=3,scale=2 student:dof=0.1 \
    uniform:low=-1,high=3 laplace logistic:loc=5 slope:n=10 slope:n=1000000,w=2 sgd:steps=100,w=5 \
    lognormal gamma:shape=0.5 relu:normal mixture:0.9@normal/0.1@normal:sigma=5; do
    echo "$format $law"
  done
done >build/questions
printf '%s\n' "p4e3 pair" "p8e8 pair:sigma_xi=0.01" "p24e8 pair:w=2" "p53e11 pair:sigma_xi=1e-6" \
  "bfloat16 pair" >>build/questions

build/here/entropies <build/questions >build/here/answers
qemu-aarch64 build/aarch64/entropies <build/questions >build/aarch64/answers

# Where two bars do not overlap, one of them is wrong.
paste -d ' ' build/here/answers build/aarch64/answers | awk '
  { off = $3 - $7; if (off < 0) off = -off }
  $3 != $7                      { other += 1; if (off > most) most = off }
  NF != 8 || off > $4 + $8      { print "ktln2: not the same: " $0; bad = 1 }
  END {
    printf "%d entropies, %d of them not to the last digit, by %.2g bits at most\n", NR, other, most
    exit bad || NR == 0
  }'
echo "ktln2: 64-bit ARM says the same."
