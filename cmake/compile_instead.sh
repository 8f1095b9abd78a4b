#!/bin/sh
# compile_instead.sh COMPILER OTHER WORD...: compiles with COMPILER what the build would give to OTHER.
compiler=$1
shift 2
# To compile a header, clang would read what was made of it before.
for word; do
  case $word in *.gch) rm -f "$word" ;; esac
done
exec "$compiler" "$@"
