# ktln2_embed(TARGET HEADER NAMESPACE FILE...): makes the text of each file a std::string_view in
# NAMESPACE, named like the file (claims.toml becomes claims_toml), and all of them a list `files`.
# The generated HEADER declares them.
function(ktln2_embed target header namespace)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/embedded)
  set(declarations "")
  set(entries "")
  foreach(file IN LISTS ARGN)
    get_filename_component(path ${file} ABSOLUTE)
    get_filename_component(file_name ${file} NAME)
    string(MAKE_C_IDENTIFIER ${file_name} name)
    string(APPEND declarations "extern const std::string_view ${name};\n")
    string(APPEND entries "    {\"${file_name}\", ${name}},\n")
    set(source ${folder}/${name}.cpp)
    add_custom_command(
      OUTPUT ${source}
      COMMAND ${CMAKE_COMMAND} -DFILE=${path} -DNAME=${name} -DNAMESPACE=${namespace}
              -DHEADER=${header} -DSOURCE=${source} -P ${PROJECT_SOURCE_DIR}/cmake/embed_file.cmake
      DEPENDS ${path} ${PROJECT_SOURCE_DIR}/cmake/embed_file.cmake
      COMMENT "Embedding ${file_name}")
    target_sources(${target} PRIVATE ${source})
    # Longer than a compiler must take; those that we have take it.
    set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS -Wno-overlength-strings)
  endforeach()
  file(CONFIGURE OUTPUT ${folder}/${header} CONTENT
"#pragma once

#include <string_view>
#include <vector>

namespace ${namespace} {

struct file {
  std::string_view name;
  std::string_view text;
};
const std::vector<file>& files();

${declarations}
}  // namespace ${namespace}
")
  file(CONFIGURE OUTPUT ${folder}/files.cpp CONTENT
"#include \"${header}\"

namespace ${namespace} {
const std::vector<file>& files() {
  static const std::vector<file> all = {
${entries}  };
  return all;
}
}  // namespace ${namespace}
")
  target_sources(${target} PRIVATE ${folder}/files.cpp)
  target_include_directories(${target} PRIVATE ${folder})
endfunction()
