# SPDX-License-Identifier: Apache-2.0
# ndsim_module(room SOURCES a.cpp b.cpp DEPENDS ndsim::other third::party)
# One room of the code: target ndsim_<room>, alias ndsim::<room>, included from the repository's root. Presets that are
# for running compile many sources of a room as one, which takes less than half of the time: what a source keeps to
# itself has a name that no other of the room has.
# A room without sources is a set of headers.
function(ndsim_module room)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "" "SOURCES;DEPENDS")
  set(target ndsim_${room})
  if(ARG_SOURCES)
    add_library(${target} STATIC ${ARG_SOURCES})
    set(visibility PUBLIC)
    if(NDSIM_WARNINGS)
      target_compile_options(${target} PRIVATE ${NDSIM_WARNINGS})
    endif()
  else()
    add_library(${target} INTERFACE)
    set(visibility INTERFACE)
  endif()
  add_library(ndsim::${room} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${room})
  target_compile_features(${target} ${visibility} cxx_std_20)
  target_include_directories(${target} ${visibility}
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/ndsim>)
  target_link_libraries(${target} ${visibility} ${ARG_DEPENDS})
  install(TARGETS ${target} EXPORT ndsimTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  install(DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/ndsim/${folder}
    FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h" PATTERN "*.inc" PATTERN "cstdlib")
endfunction()
