# Sourced by ./run and ./check: what they need from the system, and how they get it.
# shellcheck shell=bash

run_packages=(
  cmake g++ ninja-build pkg-config
  libboost-dev libflint-arb-dev libfmt-dev libmd4c-dev libmuparser-dev librandom123-dev libtbb-dev
  libtomlplusplus-dev libzip-dev libzstd-dev nlohmann-json3-dev python3-matplotlib
)
# For ./run python.
python_packages=("${run_packages[@]}" pybind11-dev python3-dev python3-numpy)
# For ./run web: the browser's compiler and the libraries that are headers alone.
web_packages=(cmake emscripten libboost-dev libfmt-dev ninja-build nlohmann-json3-dev python3)
# A node of another origin brings its own npm, which Debian's would not stand beside.
command -v npm >/dev/null || web_packages+=(nodejs npm)
check_packages=(
  "${python_packages[@]}" "${web_packages[@]}" chromium
  clang clang-format clang-tidy libclang-rt-14-dev lld python3
  libbenchmark-dev libcsv-dev libgtest-dev libmpfr-dev libopenmpi-dev librapidcheck-dev man-db openmpi-bin
  python3-dask python3-distributed python3-ipykernel python3-mpi4py python3-mypy python3-nbconvert python3-nbformat
  python3-pip python3-pytest python3-scipy python3-venv
)

fail() {
  echo "ktln2: $*" >&2
  exit 1
}

# drop_moved_builds ROOT: removes builds that were configured where the tree no longer is. CMake would
# refuse them, or go on working in the old place.
drop_moved_builds() {
  local build
  for build in "$1"/build/{release,asan,clang,engine}; do
    [[ -e $build/CMakeCache.txt ]] || continue
    grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$1" "$build/CMakeCache.txt" || rm -rf "$build"
  done
}

# need PACKAGE...: installs the packages that are missing, with apt. Silent when none is.
need() {
  command -v dpkg-query >/dev/null || return 0 # another system: CMake names what it misses
  local package missing=()
  for package in "$@"; do
    [[ $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) == installed ]] ||
      missing+=("$package")
  done
  ((${#missing[@]})) || return 0

  command -v apt-get >/dev/null ||
    fail "these Debian packages are missing, and there is dpkg but no apt-get to install them: ${missing[*]}"
  local as_root=()
  if ((EUID != 0)); then
    command -v sudo >/dev/null ||
      fail "cannot install without root or sudo. As root: apt-get install --no-install-recommends ${missing[*]}"
    as_root=(sudo)
  fi
  echo "ktln2: installing ${missing[*]}" >&2
  {
    "${as_root[@]}" apt-get update -qq &&
      "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -qq -y -o Dpkg::Use-Pty=0 --no-install-recommends "${missing[@]}"
  } </dev/null >&2 || fail "apt could not install what is missing: ${missing[*]}."
}
