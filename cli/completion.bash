# Completion for bash: commands, options, the names of laws and the labels of the paper, read off the
# program's own help.
_ktln2() {
  local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} choices before=
  if ((COMP_CWORD == 1)); then
    choices=$(ktln2 --help 2>/dev/null | sed -nE '/^Commands/,/^$/s/^  ([a-z]+) .*/\1/p')
  elif [[ $word == -* ]]; then
    choices=$(ktln2 "$command" --help 2>/dev/null | grep -oE -- '--[a-z][a-z0-9-]*')
  elif [[ $command == explain ]]; then
    choices=$(ktln2 explain --csv 2>/dev/null | sed -n '2,$s/,.*//p')
    # bash takes the colon of a label for the end of a word
    word=$(IFS= && echo "${COMP_WORDS[*]:2:COMP_CWORD-1}")
    [[ $word == *:* ]] && before=${word%%:*}:
  else
    choices=$(ktln2 "$command" --help 2>/dev/null |
      sed -nE 's/^  ([a-z0-9]+:)[^ ]+$/\1/p; /^Kinds/,/^$/s/^  ([a-z]+) .*/\1/p')
    compopt -o nospace 2>/dev/null
  fi
  mapfile -t COMPREPLY < <(compgen -W "$choices" -- "$word")
  COMPREPLY=("${COMPREPLY[@]#"$before"}")
}
complete -F _ktln2 ktln2
