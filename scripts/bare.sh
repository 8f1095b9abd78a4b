# Sourced by scripts/try_package.sh and scripts/try_bare.sh: a bare Debian 12 to try things in. Needs root
# (chroot) and debootstrap.
# shellcheck shell=bash

# bare_tree TREE: makes TREE a bare Debian 12, from where this machine has its own packages. A copy of one
# that is kept in build/debian, so that what was tried before has left nothing behind.
bare_tree() {
  local kept=$PWD/build/debian site
  if [[ ! -e $kept/.bare ]]; then
    rm -rf "$kept"
    site=$(apt-get indextargets --format '$(SITE)' | grep -v security | head -n 1)
    debootstrap --variant=minbase bookworm "$kept" "$site"
    touch "$kept/.bare"
  fi
  # What is mounted would be removed with the rest.
  ! grep -q " $1/" /proc/mounts || fail "something is still mounted in $1"
  rm -rf "$1"
  cp -a "$kept" "$1"
  cp /etc/resolv.conf "$1/etc/"
  mkdir -p "$1/etc/apt/apt.conf.d"
  cp /etc/apt/apt.conf.d/* "$1/etc/apt/apt.conf.d/" 2>/dev/null || true
}

# inside TREE COMMAND...: runs it there as root, with the file systems of the kernel, which are gone with it.
inside() {
  local tree=$1
  shift
  unshare --mount sh -c '
    tree=$1
    shift
    mount -t proc proc "$tree/proc"
    mount -t tmpfs tmpfs "$tree/dev/shm"
    mount -t devpts -o newinstance,ptmxmode=0666 devpts "$tree/dev/pts"
    exec chroot "$tree" /usr/bin/env -i HOME=/tmp PATH=/usr/sbin:/usr/bin:/sbin:/bin \
      DEBIAN_FRONTEND=noninteractive "$@"' sh "$tree" "$@"
}
