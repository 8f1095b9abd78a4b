# What the browser's build has in the place of installed packages. emscripten must not see the system's
# headers, so those of each library that is headers alone are reached through a folder of links.
set(headers ${PROJECT_BINARY_DIR}/headers)
file(MAKE_DIRECTORY ${headers})
foreach(header boost/version.hpp fmt/format.h nlohmann/json.hpp)
  cmake_path(GET header PARENT_PATH library)
  find_path(${library}_INCLUDE_DIR ${header} PATHS /usr/include /usr/local/include
            NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH REQUIRED)
  file(CREATE_LINK ${${library}_INCLUDE_DIR}/${library} ${headers}/${library} SYMBOLIC)
endforeach()
set(Boost_INCLUDE_DIRS ${headers})

add_library(ktln2_headers INTERFACE)
target_include_directories(ktln2_headers SYSTEM INTERFACE ${headers})
target_compile_definitions(ktln2_headers INTERFACE FMT_HEADER_ONLY)
add_library(fmt::fmt ALIAS ktln2_headers)
add_library(nlohmann_json::nlohmann_json ALIAS ktln2_headers)
