# SPDX-License-Identifier: Apache-2.0
# What only the tests need: whoever has none of it can still build ndsim. Sets NDSIM_TEST_PACKAGES_MISSING.
find_package(Catch2 QUIET)
find_package(rapidcheck QUIET)
find_package(Python3 QUIET COMPONENTS Interpreter)

set(NDSIM_TEST_PACKAGES_MISSING "")
foreach(package Catch2 rapidcheck Python3)
  if(NOT ${package}_FOUND)
    list(APPEND NDSIM_TEST_PACKAGES_MISSING ${package})
  endif()
endforeach()
