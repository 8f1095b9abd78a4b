# Completion for bash: commands, options and the names of laws, read off the program's own help.
_ktln2() {
  local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} choices
  if ((COMP_CWORD == 1)); then
    choices=$(ktln2 --help 2>/dev/null | sed -nE '/^Commands/,/^$/s/^  ([a-z]+) .*/\1/p')
  elif [[ $word == -* ]]; then
    choices=$(ktln2 "$command" --help 2>/dev/null | grep -oE -- '--[a-z][a-z0-9-]*')
  else
    choices=$(ktln2 "$command" --help 2>/dev/null |
      sed -nE 's/^  ([a-z]+:)[a-z_]+=.*/\1/p; /^Kinds/,/^$/s/^  ([a-z]+) .*/\1/p')
    compopt -o nospace 2>/dev/null
  fi
  mapfile -t COMPREPLY < <(compgen -W "$choices" -- "$word")
}
complete -F _ktln2 ktln2
