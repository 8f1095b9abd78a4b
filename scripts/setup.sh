# Sourced by ./run and ./check: what they need from the system, and how they get it.
# shellcheck shell=bash

run_packages=(
  cmake g++ ninja-build
  libboost-dev libcli11-dev libfmt-dev nlohmann-json3-dev
)
check_packages=(
  "${run_packages[@]}"
  clang-format clang-tidy python3
  libbenchmark-dev libgtest-dev librapidcheck-dev
)

fail() {
  echo "ktln2: $*" >&2
  exit 1
}

# need PACKAGE...: installs the packages that are missing, with apt. Silent when none is.
need() {
  command -v apt-get dpkg-query >/dev/null || return 0 # another system: CMake names what it misses
  local package missing=()
  for package in "$@"; do
    [[ $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) == installed ]] ||
      missing+=("$package")
  done
  ((${#missing[@]})) || return 0

  local as_root=()
  ((EUID == 0)) || as_root=(sudo)
  echo "ktln2: installing ${missing[*]}" >&2
  {
    "${as_root[@]}" apt-get update -q &&
      "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -q -y --no-install-recommends "${missing[@]}"
  } </dev/null >&2 || fail "apt could not install what is missing: ${missing[*]}."
}
