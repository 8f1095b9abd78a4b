# ktln2_warnings(target): every warning is an error in our own code, and only when ktln2 is the
# project being built. A consumer's compiler may know warnings that we have never seen.
function(ktln2_warnings target)
  if(PROJECT_IS_TOP_LEVEL)
    target_compile_options(
      ${target}
      PRIVATE -Wall
              -Wextra
              -Wpedantic
              -Wshadow
              -Wconversion
              -Wdouble-promotion
              -Wold-style-cast
              -Werror)
  endif()
endfunction()
