# Completion for fish. What fits is asked of the program itself: ktln2 --complete WORD...
function __ktln2_complete
    set -l before (commandline -opc)
    set -l word (commandline -ct)
    set -l found (command $before[1] --complete $before[2..-1] "$word" 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\n' $found
    else
        __fish_complete_path "$word"
    end
end
complete -c ktln2 -f -a '(__ktln2_complete)'
