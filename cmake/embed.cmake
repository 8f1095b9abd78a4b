# ktln2_embed(target NAME file): makes the text of a file part of the target, as the constant
# ktln2::embedded::NAME, a std::string_view declared in "embedded/NAME.hpp". It follows the file.
function(ktln2_embed target name file)
  cmake_path(ABSOLUTE_PATH file NORMALIZE)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/embedded)
  set(source ${folder}/${name}.cpp)
  file(CONFIGURE OUTPUT ${folder}/${name}.hpp CONTENT
"#pragma once

#include <string_view>

namespace ktln2::embedded {
extern const std::string_view @name@;
}
" @ONLY)
  add_custom_command(
    OUTPUT ${source}
    COMMAND ${CMAKE_COMMAND} -D NAME=${name} -D FILE=${file} -D OUTPUT=${source} -P
            ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/embed_file.cmake
    DEPENDS ${file} ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/embed_file.cmake
    VERBATIM)
  target_sources(${target} PRIVATE ${source})
  target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR})
endfunction()
