#!/usr/bin/env bash
# Runs what is committed here on a bare Debian 12 that is made for it in build/bare, with nothing installed:
# scripts/try_bare.sh root|user [COMMAND], as root or as a user who has sudo. The COMMAND is one for bash, by
# default "./run --version && ./check". Needs root (chroot) and debootstrap. Not a part of ./check.
set -euo pipefail
export LC_ALL=C.UTF-8

cd "$(dirname "$(realpath "$0")")/.."
source scripts/setup.sh
source scripts/bare.sh
who=${1-}
[[ $who == root || $who == user ]] || fail "usage: scripts/try_bare.sh root|user [COMMAND]"
command=${2-./run --version && ./check}
((EUID == 0)) || fail "a chroot needs root"
need debootstrap git
tree=$PWD/build/bare

bare_tree "$tree"
echo "127.0.0.1 localhost $(hostname)" >"$tree/etc/hosts"
home=/root
inside "$tree" apt-get update -qq
if [[ $who == user ]]; then
  home=/home/user
  inside "$tree" apt-get install -qq -y --no-install-recommends sudo >/dev/null
  inside "$tree" useradd --create-home --shell /bin/bash user
  echo "user ALL=(ALL) NOPASSWD: ALL" >"$tree/etc/sudoers.d/user"
fi
# Whom this machine's node trusts beyond the usual: behind the same network the bare one must, too.
trust=()
if [[ -n ${NODE_EXTRA_CA_CERTS-} ]]; then
  cp "$NODE_EXTRA_CA_CERTS" "$tree/etc/extra-ca.pem"
  trust=(NODE_EXTRA_CA_CERTS=/etc/extra-ca.pem)
fi
git clone -q --no-hardlinks . "$tree$home/ktln2"
inside "$tree" chown -R "$who:" "$home/ktln2"
# Not by su: it would ask for a session that is not there. Without a word of this machine's environment.
inside "$tree" setpriv --reuid "$who" --regid "$who" --init-groups \
  env HOME="$home" USER="$who" "${trust[@]}" ${KTLN2_FUZZ_SECONDS:+KTLN2_FUZZ_SECONDS="$KTLN2_FUZZ_SECONDS"} \
  bash -c "cd ~/ktln2 && $command"
echo "ktln2: this works on a bare Debian 12, as $who: $command"
