# Completion for bash. What fits is asked of the program itself: ktln2 --complete WORD...
_ktln2() {
  # By blanks only: bash's own words end at the colon of a law, too.
  local line=${COMP_LINE:0:COMP_POINT} words word before
  read -ra words <<<"$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  word=${words[-1]}
  mapfile -t COMPREPLY < <("${words[0]}" --complete "${words[@]:1}" 2>/dev/null)
  COMPREPLY=("${COMPREPLY[@]%%$'\t'*}")
  [[ ${COMPREPLY[0]-} == *[:=] ]] && compopt -o nospace 2>/dev/null
  # What bash takes for words before this one it has already.
  before=${word%"${word##*["$COMP_WORDBREAKS"]}"}
  COMPREPLY=("${COMPREPLY[@]#"$before"}")
}
complete -o default -F _ktln2 ktln2
