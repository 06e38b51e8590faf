# SPDX-License-Identifier: Apache-2.0
# Makes texts of files part of a program:
#   ndsim_embed(report NAMESPACE ndsim::report kPageScript page.js kPageStyle page.css)
# adds to the target ndsim_report a source that defines these std::string_views. A program that is built does not need
# the files any more.
function(ndsim_embed target)
  cmake_parse_arguments(EMBED "" NAMESPACE "" ${ARGN})
  set(definitions "")
  while(EMBED_UNPARSED_ARGUMENTS)
    list(POP_FRONT EMBED_UNPARSED_ARGUMENTS name file)
    get_filename_component(path ${file} ABSOLUTE)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
    file(READ ${path} text)
    # Where its source before compression is, debuggers would ask for.
    string(REGEX REPLACE "/[/*]# sourceMappingURL=[^\n]*" "" text "${text}")
    string(APPEND definitions "extern const std::string_view ${name};\n"
      "const std::string_view ${name} = R\"embedded(${text})embedded\";\n")
  endwhile()
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${target}_embedded.cpp)
  file(CONFIGURE OUTPUT ${source} @ONLY CONTENT
    "#include <string_view>\nnamespace @EMBED_NAMESPACE@ {\n@definitions@}\n")
  set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS -Wno-overlength-strings)
  target_sources(ndsim_${target} PRIVATE ${source})
endfunction()
