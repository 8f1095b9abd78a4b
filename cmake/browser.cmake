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

# What the page goes without: web/engine/absent.cpp refuses it.
set_property(
  SOURCE src/core/file_text.cpp
         src/cost/inference.cpp
         src/cost/internal.cpp
         src/cost/internal_bill.cpp
         src/cost/many_prediction.cpp
         src/data/expand.cpp
         src/data/posix_source.cpp
         src/distribution/custom_law.cpp
         src/distribution/custom_law_builder.cpp
         src/distribution/estimate_mixtures.cpp
         src/distribution/sum_law.cpp
         src/entropy/stochastic_entropy.cpp
         src/measure/row_bound.cpp
         src/scaling/choices.cpp
         src/scaling/many_choices.cpp
         ask/internal.cpp
         ask/internal_table_file.cpp
  PROPERTY HEADER_FILE_ONLY ON)
add_compile_definitions(KTLN2_WITHOUT_CUSTOM_LAWS)

add_library(ktln2_headers INTERFACE)
target_include_directories(ktln2_headers SYSTEM INTERFACE ${headers})
# Without locales, streams and numbers that are no double, which no page needs.
target_compile_definitions(ktln2_headers INTERFACE FMT_HEADER_ONLY "FMT_STATIC_THOUSANDS_SEPARATOR=','"
                                                   FMT_USE_FLOAT=0 FMT_USE_LONG_DOUBLE=0 JSON_NO_IO)
add_library(fmt::fmt ALIAS ktln2_headers)
add_library(nlohmann_json::nlohmann_json ALIAS ktln2_headers)

# web/engine/boost_errors.cpp has them.
foreach(error DOMAIN POLE OVERFLOW EVALUATION ROUNDING)
  add_compile_definitions(BOOST_MATH_${error}_ERROR_POLICY=user_error)
endforeach()

# An eighth of the page would be what tidies up while an exception flies by. Only sources that catch one
# know of exceptions: in all others one flies through, and leaves behind what they had in hand. The
# page starts the engine anew after each mistake.
add_link_options(-fwasm-exceptions)
file(GLOB_RECURSE browser_sources CONFIGURE_DEPENDS ask/*.cpp src/*.cpp)
foreach(source IN LISTS browser_sources)
  file(STRINGS ${source} catching REGEX "catch \\(" LIMIT_COUNT 1)
  if(catching)
    set_property(SOURCE ${source} PROPERTY COMPILE_OPTIONS -fwasm-exceptions)
    set_property(SOURCE ${source} PROPERTY SKIP_PRECOMPILE_HEADERS ON)
  endif()
endforeach()
