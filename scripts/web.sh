#!/usr/bin/env bash
# scripts/web.sh: builds the explorer: build/web/site, a folder for any web server, and build/web/ktln2.html,
# one file that opens by itself. What is built already and up to date is left alone.
set -euo pipefail
cd "$(dirname "$(realpath "$0")")/.."

# Where emscripten finds what Debian's node brings along, whoever's node it is.
export NODE_PATH=/usr/share/nodejs
[[ build/engine/build.ninja -nt CMakePresets.json ]] || emcmake cmake --preset engine
cmake --build --preset engine

cd web
if [[ ! node_modules/.package-lock.json -nt package-lock.json ]]; then
  npm ci --no-audit --no-fund
fi
made=../build/web/ktln2.html
if [[ -e $made ]] && [[ -z $(find . ../build/engine/{engine,packer,unpacker}.wasm \
  -path ./node_modules -prune -o -path ./tests -prune -o -newer "$made" -print -quit) ]]; then
  echo "the page is up to date"
else
  npm run build
fi
