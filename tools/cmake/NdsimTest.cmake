# SPDX-License-Identifier: Apache-2.0
include(Catch)

# Tests are half of a build, and spend their time in the library: the compiler need not do its best for them.
set(NDSIM_TEST_OPTIONS $<$<CONFIG:Release>:-O0>)

# ndsim_quick(a.cpp b.cpp): sources of tests that calculate a lot, so that it is worth the compiler's time.
function(ndsim_quick)
  set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS $<$<CONFIG:Release>:-O2> SKIP_PRECOMPILE_HEADERS ON)
endfunction()

# ndsim_test_support(a.cpp sc_main.cpp): what all test executables share: doubles, the main program, and the headers
# that are slow to compile, as a precompiled one.
function(ndsim_test_support)
  add_library(ndsim_test_support OBJECT ${ARGN})
  target_link_libraries(ndsim_test_support PUBLIC ndsim::ports Catch2::Catch2)
  set_target_properties(ndsim_test_support PROPERTIES UNITY_BUILD OFF)
  target_precompile_headers(ndsim_test_support PRIVATE ${PROJECT_SOURCE_DIR}/tests/support/catch.hpp <systemc>)
  # Assertions without an exception handler each, which take a tenth of the time to compile.
  target_compile_definitions(ndsim_test_support PUBLIC CATCH_CONFIG_FAST_COMPILE)
  # The main program wants more of Catch than the precompiled header has. In its regular expressions GCC 12 sees
  # something uninitialized that is not, if it builds for AddressSanitizer; so it does in the tests that have some.
  set_source_files_properties(support/sc_main.cpp PROPERTIES
    SKIP_PRECOMPILE_HEADERS ON COMPILE_OPTIONS "$<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>")
  target_compile_options(ndsim_test_support PRIVATE ${NDSIM_WARNINGS} ${NDSIM_TEST_OPTIONS})
endfunction()

# ndsim_test(folder [SOURCES a_test.cpp b.cpp] DEPENDS ndsim::room)
# The tests of a folder below this one, by default all of its *_test.cpp, as one executable: test_<folder>. Every
# TEST_CASE becomes a test of its own, in its own process; those tagged [throws], [own_libc] and [long] get that
# label, and hidden ones ([.]) run only by name. What a file keeps to itself is in a namespace of the file's name, as
# several files are compiled as one.
function(ndsim_test folder)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "" "SOURCES;DEPENDS")
  if(NOT ARG_SOURCES)
    file(GLOB ARG_SOURCES CONFIGURE_DEPENDS ${folder}/*_test.cpp)
  endif()
  if(NOT ARG_SOURCES)
    return()
  endif()
  string(REPLACE "/" "_" target test_${folder})
  add_executable(${target} ${ARG_SOURCES})
  target_link_libraries(${target} PRIVATE ${ARG_DEPENDS} ndsim_test_support)
  target_precompile_headers(${target} REUSE_FROM ndsim_test_support)
  # GCC 12 sees an overflow in std::string's operator+ that is not there, where it inlines all of it.
  target_compile_options(${target} PRIVATE ${NDSIM_WARNINGS} ${NDSIM_TEST_OPTIONS}
    $<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds> $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow>
    $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized> $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  catch_discover_tests(${target} TEST_SPEC "~[throws]~[own_libc]~[long]~[.]")
  catch_discover_tests(${target} TEST_SPEC "[throws]~[long]" PROPERTIES LABELS throws)
  catch_discover_tests(${target} TEST_SPEC "[own_libc]" PROPERTIES LABELS own_libc)
  catch_discover_tests(${target} TEST_SPEC "[long]" PROPERTIES LABELS long)
endfunction()
