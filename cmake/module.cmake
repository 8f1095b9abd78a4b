# The modules of the library, and who sees whom. Every module's headers are reached through a folder
# of its own that holds nothing but a link to them, and a target is given only the folders of what it
# depends on: an #include that the derivation forbids does not compile, and a call that it forbids
# does not link.

# Where NAME's headers are found: modules/NAME/public/ktln2/NAME and modules/NAME/internal/NAME.
set(KTLN2_MODULES_DIR ${PROJECT_BINARY_DIR}/modules)

# ktln2_link_folder(FROM TO): makes FROM a link to the folder TO.
function(ktln2_link_folder from to)
  cmake_path(GET from PARENT_PATH parent)
  file(MAKE_DIRECTORY ${parent})
  file(CREATE_LINK ${to} ${from} SYMBOLIC)
endfunction()

# ktln2_sees_internals(TARGET MODULE...): lets TARGET include the headers in src/MODULE, as
# "MODULE/name.hpp". They are not installed.
function(ktln2_sees_internals target)
  foreach(module IN LISTS ARGN)
    target_include_directories(${target} PRIVATE ${KTLN2_MODULES_DIR}/${module}/internal)
  endforeach()
endfunction()

# ktln2_without_casts(TARGET FOLDER...): half of the sanitizers' time would go into what has nothing to find.
# Where no pointer comes out of a cast (the test "casts" sees to it), all are aligned, and null and what lies
# beyond an object are seen by the address sanitizer.
function(ktln2_without_casts target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Sanitize>:-fno-sanitize=null,alignment,object-size>)
  set_property(GLOBAL APPEND PROPERTY ktln2_folders_without_casts ${ARGN})
endfunction()

# ktln2_module(NAME [CASTS] [COMPUTES] [INSIDE] [DEPENDS MODULE...] [INTERNALS MODULE...]): the sources src/NAME with
# the headers include/ktln2/NAME, as the target ktln2::NAME. It sees the public headers of the modules that it
# depends on, and of the private ones its own, those of core and those of INTERNALS. With
# BUILD_SHARED_LIBS it is a shared library, unless it is INSIDE the program and not installed. One that CASTS
# makes pointers of others, and one that COMPUTES reads nothing that a user wrote.
function(ktln2_module name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "CASTS;COMPUTES;INSIDE" "" "DEPENDS;INTERNALS")
  set(target ktln2_${name})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cpp)
  set(kind "")
  if(arg_INSIDE)
    set(kind STATIC)
  endif()
  add_library(${target} ${kind} ${sources})
  add_library(ktln2::${name} ALIAS ${target})
  # Before 1.0 another minor version may be another interface. Shared libraries lie together.
  set_target_properties(
    ${target}
    PROPERTIES EXPORT_NAME ${name} VERSION ${PROJECT_VERSION}
               SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} INSTALL_RPATH "$ORIGIN")
  ktln2_target(${target})
  ktln2_compile_together(${target})
  # Here the time goes when the tests run; all else is quicker compiled than run.
  target_compile_options(${target} PRIVATE $<$<CONFIG:Sanitize>:-O1>)
  if(NOT arg_CASTS)
    ktln2_without_casts(${target} src/${name} include/ktln2/${name})
  endif()
  # A fuzzer is led by the way that its input takes through what reads it.
  if(arg_COMPUTES)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Sanitize>:-fno-sanitize=fuzzer-no-link>)
  endif()

  set(folder ${KTLN2_MODULES_DIR}/${name})
  ktln2_link_folder(${folder}/public/ktln2/${name} ${PROJECT_SOURCE_DIR}/include/ktln2/${name})
  ktln2_link_folder(${folder}/internal/${name} ${PROJECT_SOURCE_DIR}/src/${name})
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${folder}/public>)
  ktln2_sees_internals(${target} ${name} ${arg_INTERNALS} core)

  list(TRANSFORM arg_DEPENDS PREPEND ktln2::)
  target_link_libraries(${target} PUBLIC ${arg_DEPENDS})
  target_include_directories(
    ${target} SYSTEM PRIVATE ${Boost_INCLUDE_DIRS} ${Random123_INCLUDE_DIR})

  # Kernels that run only after a check of the processor.
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    list(FILTER sources INCLUDE REGEX "_avx2\\.cpp$")
    set_source_files_properties(${sources} PROPERTIES COMPILE_OPTIONS "-mavx2;-mfma")
  endif()
endfunction()

# ktln2_umbrella(MODULE...): the target ktln2::ktln2, all these modules, and the header
# ktln2/ktln2.hpp, which includes all their headers.
function(ktln2_umbrella)
  set(includes "#include \"ktln2/core/version.hpp\"\n")
  foreach(module IN LISTS ARGN)
    file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/include
         ${PROJECT_SOURCE_DIR}/include/ktln2/${module}/*.hpp)
    foreach(header IN LISTS headers)
      string(APPEND includes "#include \"${header}\"\n")
    endforeach()
  endforeach()
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/ktln2/ktln2.hpp
       CONTENT "#pragma once\n\n${includes}")

  # `ninja ktln2_library` builds all of it; plain "ktln2" is the file name of the program.
  add_library(ktln2_library INTERFACE ${PROJECT_BINARY_DIR}/generated/ktln2/ktln2.hpp)
  add_library(ktln2::ktln2 ALIAS ktln2_library)
  set_target_properties(ktln2_library PROPERTIES EXPORT_NAME ktln2)
  foreach(module IN LISTS ARGN)
    target_link_libraries(ktln2_library INTERFACE ktln2::${module})
    add_dependencies(ktln2_library ktln2_${module})
  endforeach()
endfunction()

# ktln2_room(NAME SOURCE...): a part of the program whose headers and sources lie together in NAME/
# and are included as "NAME/header.hpp": the target ktln2::NAME.
function(ktln2_room name)
  set(target ktln2_${name})
  add_library(${target} STATIC ${ARGN})
  add_library(ktln2::${name} ALIAS ${target})
  ktln2_target(${target})
  ktln2_without_casts(${target} ${name})
  ktln2_sees_internals(${target} core)
  string(REGEX REPLACE "_native$" "" room ${name})
  set(folder ${KTLN2_MODULES_DIR}/${room})
  ktln2_link_folder(${folder}/${room} ${PROJECT_SOURCE_DIR}/${room})
  target_include_directories(${target} PUBLIC ${folder})
endfunction()
