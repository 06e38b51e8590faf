# SPDX-License-Identifier: Apache-2.0
# Finds SystemC and offers it as SystemC::systemc: its own CMake package first, else pkg-config (Debian).
# SystemC's link symbol names the C++ standard that the library was built with. Debian's is C++17, so code in
# C++20 says SC_CPLUSPLUS=201703L to ask for that symbol.
find_package(SystemCLanguage CONFIG QUIET)
if(SystemCLanguage_FOUND)
  set(SystemC_FOUND TRUE)
else()
  find_package(PkgConfig QUIET)
  if(PkgConfig_FOUND)
    pkg_check_modules(PC_SYSTEMC QUIET IMPORTED_TARGET systemc)
  endif()
  include(FindPackageHandleStandardArgs)
  find_package_handle_standard_args(SystemC
    REQUIRED_VARS PC_SYSTEMC_FOUND
    VERSION_VAR PC_SYSTEMC_VERSION
    REASON_FAILURE_MESSAGE "install libsystemc-dev, or set SystemCLanguage_DIR to your own SystemC")
  if(SystemC_FOUND AND NOT TARGET SystemC::systemc)
    add_library(SystemC::systemc INTERFACE IMPORTED)
    target_link_libraries(SystemC::systemc INTERFACE PkgConfig::PC_SYSTEMC)
    target_compile_definitions(SystemC::systemc INTERFACE SC_CPLUSPLUS=201703L)
  endif()
endif()
