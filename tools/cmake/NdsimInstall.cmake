# SPDX-License-Identifier: Apache-2.0
# Installs what other projects need to use ndsim's rooms: a CMake package (find_package(ndsim), then ndsim::<room>) and
# two pkg-config files: ndsim for whoever simulates, ndsim-program for programs that are simulated. Included last by the
# root file, when all rooms are known.
include(CMakePackageConfigHelpers)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/ndsim)
install(EXPORT ndsimTargets NAMESPACE ndsim:: DESTINATION ${package_folder})
configure_package_config_file(
  ${CMAKE_CURRENT_LIST_DIR}/ndsimConfig.cmake.in ${PROJECT_BINARY_DIR}/ndsimConfig.cmake
  INSTALL_DESTINATION ${package_folder} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/ndsimConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(
  FILES
    ${PROJECT_BINARY_DIR}/ndsimConfig.cmake
    ${PROJECT_BINARY_DIR}/ndsimConfigVersion.cmake
    ${CMAKE_CURRENT_LIST_DIR}/FindSystemC.cmake
  DESTINATION ${package_folder})

# The rooms that are libraries, in `folder` and below, as linker options. `program` is not for whoever simulates: it
# would put its printf and exit in place of the C library's.
function(ndsim_libraries folder result)
  set(libraries)
  get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    get_target_property(room ${target} EXPORT_NAME)
    if(type STREQUAL STATIC_LIBRARY AND room AND NOT room STREQUAL "program")
      list(APPEND libraries -l${target})
    endif()
  endforeach()
  get_property(subfolders DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
  foreach(subfolder IN LISTS subfolders)
    ndsim_libraries(${subfolder} more)
    list(APPEND libraries ${more})
  endforeach()
  set(${result} ${libraries} PARENT_SCOPE)
endfunction()

ndsim_libraries(${PROJECT_SOURCE_DIR} libraries)
list(JOIN libraries " " NDSIM_PC_LIBRARIES)
get_target_property(definitions SystemC::systemc INTERFACE_COMPILE_DEFINITIONS)
set(NDSIM_PC_DEFINITIONS)
if(definitions)
  list(TRANSFORM definitions PREPEND -D)
  list(JOIN definitions " " NDSIM_PC_DEFINITIONS)
endif()

# A property of ndsim::program as flags, with each entry that is like `pattern` replaced.
function(ndsim_program_flags property pattern replacement result)
  get_target_property(flags ndsim_program ${property})
  list(TRANSFORM flags REPLACE "${pattern}" "${replacement}")
  list(JOIN flags " " flags)
  set(${result} "${flags}" PARENT_SCOPE)
endfunction()

# The pkg-config file cannot ask for the compiler, so it is for g++: options on that condition are without it there.
ndsim_program_flags(INTERFACE_COMPILE_DEFINITIONS "^(.+)$" "-D\\1" NDSIM_PC_PROGRAM_DEFINITIONS)
ndsim_program_flags(INTERFACE_COMPILE_OPTIONS "^\\$<\\$<[^>]*>:(.+)>$" "\\1" NDSIM_PC_PROGRAM_OPTIONS)
ndsim_program_flags(INTERFACE_LINK_OPTIONS "^LINKER:" "-Wl," NDSIM_PC_PROGRAM_LINKING)

set(root /)
cmake_path(RELATIVE_PATH root BASE_DIRECTORY /${CMAKE_INSTALL_LIBDIR}/pkgconfig OUTPUT_VARIABLE NDSIM_PC_PREFIX)
foreach(package ndsim ndsim-program)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/${package}.pc.in ${PROJECT_BINARY_DIR}/${package}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${package}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()
