#compdef ktln2
# Completion for zsh. What fits is asked of the program itself: ktln2 --complete WORD...
_ktln2() {
  local -a found open whole
  found=("${(@f)$("${words[1]}" --complete "${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  found=("${(@)found%%$'\t'*}")
  found=("${(@)found:#}")
  if ((!$#found)); then
    _files
    return
  fi
  open=("${(@M)found:#*[:=]}")
  whole=("${(@)found:#*[:=]}")
  (($#open)) && compadd -S '' -- "${open[@]}"
  (($#whole)) && compadd -- "${whole[@]}"
}
_ktln2 "$@"
