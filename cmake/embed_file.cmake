# Writes the C++ source that holds the text of FILE as the constant NAME. Compilers limit the length
# of one string literal, so the text is cut into several, which they join.
file(READ ${FILE} hex HEX)
string(LENGTH "${hex}" digits)
set(literals "")
set(at 0)
while(at LESS digits)
  string(SUBSTRING "${hex}" ${at} 64 piece)
  string(REGEX REPLACE "(..)" "\\\\x\\1" piece "${piece}")
  string(APPEND literals "\n    \"${piece}\"")
  math(EXPR at "${at} + 64")
endwhile()
file(SIZE ${FILE} size)
file(WRITE ${OUTPUT}
"#include \"embedded/${NAME}.hpp\"

namespace ktln2::embedded {
const std::string_view ${NAME}{${literals}\n    \"\",
    ${size}};
}
")
