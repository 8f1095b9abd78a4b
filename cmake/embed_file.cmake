# Run by ktln2_embed for one file: writes SOURCE, a C++ file that holds the text of FILE.
file(READ ${FILE} text)
# One literal may not be endlessly long, so the text is cut where it can be put together again.
string(LENGTH "${text}" length)
set(literals "")
set(begin 0)
while(begin LESS length)
  string(SUBSTRING "${text}" ${begin} 8000 piece)
  string(APPEND literals "R\"embedded(${piece})embedded\"\n")
  math(EXPR begin "${begin} + 8000")
endwhile()
if(length EQUAL 0)
  set(literals "\"\"")
endif()
file(WRITE ${SOURCE}
"#include \"${HEADER}\"

namespace ${NAMESPACE} {
extern const std::string_view ${NAME} =
${literals};
}  // namespace ${NAMESPACE}
")
