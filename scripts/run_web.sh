# Sourced by ./run.
# shellcheck shell=bash

# run_web ROOT [--no-serve]: builds the explorer and serves it to this machine alone.
run_web() {
  local root=$1 option=${2-}
  if (($# > 2)) || [[ -n $option && $option != --no-serve ]]; then
    echo "ktln2: web: expected nothing or --no-serve, got '${*:2}'" >&2
    exit 2
  fi
  need "${web_packages[@]}"
  mkdir -p "$root/build"
  (
    flock 9
    cd "$root"
    drop_moved_builds "$root"
    scripts/web.sh
  ) 9>"$root/build/.lock" >&2 </dev/null || fail "the build failed; the reason stands above."
  echo "One file, to open or to give away: $root/build/web/ktln2.html"
  [[ $option != --no-serve ]] || return 0
  exec /usr/bin/python3 "$root/scripts/serve.py" "$root/build/web/site"
}
