# ktln2_target(TARGET): how every target of ours is compiled.
#
# A fused multiply-add rounds once where the formula rounds twice, so there is none, whatever the
# machine has: the digits are the same everywhere. Private: a consumer's code is the consumer's.
#
# Every warning is an error, but only when ktln2 is the project being built. A consumer's compiler
# may know warnings that we have never seen. What a name hides is GNU's business: clang looks at larger
# groups of sources, in which a local name may meet that of a stranger.
function(ktln2_target target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  # A library need not wait for those that it uses before its sources are compiled.
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON
                                             OPTIMIZE_DEPENDENCIES ON)
  target_compile_options(
    ${target} PRIVATE $<$<CXX_COMPILER_ID:GNU,Clang,AppleClang>:-ffp-contract=off>)
  # Or Boost.Math computes in long double: eight times as slow, and other digits on another machine.
  target_compile_definitions(${target} PRIVATE BOOST_MATH_PROMOTE_DOUBLE_POLICY=false)
  if(PROJECT_IS_TOP_LEVEL)
    target_compile_options(
      ${target}
      PRIVATE -Wall
              -Wextra
              -Wpedantic
              $<$<CXX_COMPILER_ID:GNU>:-Wshadow>
              -Wconversion
              -Wdouble-promotion
              -Wold-style-cast
              -Werror)
  endif()
  if(EMSCRIPTEN)
    # Addresses have 32 bits there; what would not fit into one would not fit into memory.
    target_compile_options(${target} PRIVATE -Wno-shorten-64-to-32)
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  endif()
endfunction()

# ktln2_compile_together(TARGET): its sources are compiled a dozen at a time. Most of the time goes into
# the headers of others, which are then read once. -DKTLN2_TOGETHER=OFF for who changes one at a time.
option(KTLN2_TOGETHER "Compile sources in groups: quicker from nothing, slower after a small change" ON)
set(KTLN2_GROUP 12 CACHE STRING "How many sources a group has at most: more where less is optimized")
function(ktln2_compile_together target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${KTLN2_TOGETHER}
                                             UNITY_BUILD_BATCH_SIZE ${KTLN2_GROUP})
endfunction()
