# SPDX-License-Identifier: Apache-2.0
# Compiles through ccache where that is installed. Paths below the repository are made relative, so that another clone
# finds what this one has compiled; precompiled headers need the two liberties.
find_program(NDSIM_CCACHE ccache DOC "Remembers what has been compiled; empty: not to be used")
if(NDSIM_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1
    CCACHE_SLOPPINESS=pch_defines,time_macros ${NDSIM_CCACHE})
  add_compile_options($<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
endif()
