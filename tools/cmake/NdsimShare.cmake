# SPDX-License-Identifier: Apache-2.0
# Installs what goes with the command: the library of scenarios, the pages, the Python package, the manual, completion for
# shells.
include(GNUInstallDirs)

# The command looks for scenarios of the library beside the folder that it is in, also where it has been built.
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/share/ndsim)
file(CREATE_LINK ${PROJECT_SOURCE_DIR}/scenarios/library ${PROJECT_BINARY_DIR}/share/ndsim/scenarios SYMBOLIC)
install(DIRECTORY scenarios/library/ DESTINATION ${CMAKE_INSTALL_DATADIR}/ndsim/scenarios FILES_MATCHING PATTERN "*.json")
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)

# Where Debian's Python looks, whatever its version. The package finds the command from there (command.py).
install(DIRECTORY tools/python/ndsim DESTINATION lib/python3/dist-packages
  FILES_MATCHING PATTERN "*.py" PATTERN "py.typed" PATTERN "__pycache__" EXCLUDE)

# help_page(FILE FOLDER WORDS...): what the command prints about itself with these words, as a file to install.
function(help_page file folder)
  set(path ${PROJECT_BINARY_DIR}/help/${file})
  add_custom_command(OUTPUT ${path} COMMAND ndsim ${ARGN} > ${path} DEPENDS ndsim VERBATIM)
  install(FILES ${path} DESTINATION ${folder})
  set(help_pages ${help_pages} ${path} PARENT_SCOPE)
endfunction()
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/help)
set(help_pages)
help_page(ndsim.1 ${CMAKE_INSTALL_MANDIR}/man1 manual)
help_page(ndsim ${CMAKE_INSTALL_DATADIR}/bash-completion/completions completion bash)
help_page(_ndsim ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions completion zsh)
add_custom_target(ndsim_help ALL DEPENDS ${help_pages})

# tools/package makes a Debian package of all that is installed.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME ndsim)
set(CPACK_PACKAGE_CONTACT "The authors of ndsim")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# For programs against the libraries, to look at waveforms, and for scripts.
set(CPACK_DEBIAN_PACKAGE_SUGGESTS
  "g++, cmake, pkg-config, libsystemc-dev, libspdlog-dev, libfmt-dev, gtkwave, python3, python3-pandas, python3-matplotlib")
include(CPack)
