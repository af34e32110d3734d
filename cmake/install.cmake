# What is installed: program, libraries, headers, man pages, completion of shells, examples, documentation.
# Its paths are relative, so that the folder may be moved: packages rely on that.
option(MUBODY_INSTALL "install what is built" ${PROJECT_IS_TOP_LEVEL})
if(NOT MUBODY_INSTALL)
  return()
endif()
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# Other projects link the private dependencies of a library by the name of the file that is loaded at run time,
# so that they need neither headers nor CMake files of these.  Sets `names` to the arguments of the linker.
function(hide_private_libraries target names)
  get_target_property(links ${target} INTERFACE_LINK_LIBRARIES)
  set(kept "")
  set(found "")
  foreach(link IN LISTS links)
    if(NOT link MATCHES "^\\$<LINK_ONLY:(.+)>$")
      list(APPEND kept "${link}")
      continue()
    endif()
    set(library ${CMAKE_MATCH_1})
    list(APPEND kept "$<BUILD_INTERFACE:${link}>")
    files_of_library(${library} files)
    foreach(file IN LISTS files)
      list(APPEND kept "$<INSTALL_INTERFACE:${file}>")
    endforeach()
    list(APPEND found ${files})
  endforeach()
  set_target_properties(${target} PROPERTIES INTERFACE_LINK_LIBRARIES "${kept}")
  list(JOIN found " " found)
  set(${names} ${found} PARENT_SCOPE)
endfunction()

# "-l:libsundials_cvode.so.6" for a shared library, the path of a static one, nothing for headers; into OUT.
function(files_of_library library out)
  set(${out} "" PARENT_SCOPE)
  if(NOT TARGET ${library})
    if(EXISTS ${library})
      file_of_path(${library} file)
      set(${out} ${file} PARENT_SCOPE)
    endif()
    return()
  endif()
  get_target_property(kind ${library} TYPE)
  if(kind STREQUAL INTERFACE_LIBRARY)
    # A name that stands for other libraries.
    set(all "")
    get_target_property(links ${library} INTERFACE_LINK_LIBRARIES)
    foreach(link IN LISTS links)
      files_of_library(${link} files)
      list(APPEND all ${files})
    endforeach()
    set(${out} ${all} PARENT_SCOPE)
    return()
  endif()
  get_target_property(configurations ${library} IMPORTED_CONFIGURATIONS)
  list(GET configurations 0 configuration)
  get_target_property(soname ${library} IMPORTED_SONAME_${configuration})
  if(soname)
    set(${out} -l:${soname} PARENT_SCOPE)
  else()
    get_target_property(location ${library} IMPORTED_LOCATION_${configuration})
    if(NOT location)
      get_target_property(location ${library} IMPORTED_LOCATION)
    endif()
    file_of_path(${location} file)
    set(${out} ${file} PARENT_SCOPE)
  endif()
endfunction()

# The same for a library that is known by its path only, as those of MPI.
function(file_of_path path out)
  file(REAL_PATH ${path} file)
  get_filename_component(folder ${file} DIRECTORY)
  get_filename_component(name ${file} NAME)
  if(folder IN_LIST CMAKE_CXX_IMPLICIT_LINK_DIRECTORIES AND name MATCHES "^.*\\.so\\.[0-9]+")
    set(path -l:${CMAKE_MATCH_0})
  endif()
  set(${out} ${path} PARENT_SCOPE)
endfunction()

# Libraries and headers ---------------------------------------------------------------------------------------------
hide_private_libraries(mubody core_libraries)
set(libraries mubody)
set(pkg_config_files mubody)
if(MUBODY_IO)
  hide_private_libraries(mubody_io io_libraries)
  set_target_properties(mubody_io PROPERTIES EXPORT_NAME io)
  list(APPEND libraries mubody_io)
  list(APPEND pkg_config_files mubody-io)
endif()
install(TARGETS ${libraries} EXPORT mubody_targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/mubody DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN *.h)

# A program may add verbs to ours.  The headers of cli/ lie in mubody/cli/ then, and include one another there.
if(MUBODY_PROGRAM)
  hide_private_libraries(mubody_verbs verbs_libraries)
  list(APPEND pkg_config_files mubody-verbs)
  set_target_properties(mubody_verbs PROPERTIES EXPORT_NAME verbs)
  install(TARGETS mubody_verbs EXPORT mubody_targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/cli DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/mubody
          FILES_MATCHING PATTERN *.h PATTERN verbs EXCLUDE)
  install(CODE "set(folder \$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_INCLUDEDIR}/mubody/cli)")
  install(SCRIPT ${PROJECT_SOURCE_DIR}/cmake/move_headers.cmake)
endif()

set(config_folder ${CMAKE_INSTALL_LIBDIR}/cmake/mubody)
install(EXPORT mubody_targets FILE mubody-targets.cmake NAMESPACE mubody:: DESTINATION ${config_folder})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/mubody-config.cmake.in
                              ${PROJECT_BINARY_DIR}/mubody-config.cmake INSTALL_DESTINATION ${config_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/mubody-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/mubody-config.cmake ${PROJECT_BINARY_DIR}/mubody-config-version.cmake
        DESTINATION ${config_folder})
file(RELATIVE_PATH to_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /.)
foreach(name ${pkg_config_files})
  configure_file(${PROJECT_SOURCE_DIR}/cmake/${name}.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

# Documentation -----------------------------------------------------------------------------------------------------
# The studio, if it has been made, where the program looks for it.
install(FILES ${PROJECT_BINARY_DIR}/studio.html DESTINATION ${CMAKE_INSTALL_DATADIR}/mubody OPTIONAL)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples DESTINATION ${CMAKE_INSTALL_DOCDIR} PATTERN *.out EXCLUDE
        PATTERN *.compare EXCLUDE)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs)
install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)

# The program and its documentation ----------------------------------------------------------------------------
if(MUBODY_PROGRAM)
  install(TARGETS mubody_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  if(TARGET mubody_fmu)
    install(TARGETS mubody_fmu LIBRARY DESTINATION lib/mubody)  # where the program looks for it
  endif()
  set(manual ${PROJECT_BINARY_DIR}/manual)
  set(verbs "")
  foreach(source ${verb_sources})
    get_filename_component(verb ${source} NAME_WE)
    list(APPEND verbs ${verb})
  endforeach()
  add_custom_command(OUTPUT ${manual}/stamp
                     COMMAND ${CMAKE_COMMAND} -D PROGRAM=$<TARGET_FILE:mubody_cli> -D FOLDER=${manual} -D "VERBS=${verbs}"
                             -P ${PROJECT_SOURCE_DIR}/cmake/write_manual.cmake
                     DEPENDS mubody_cli ${PROJECT_SOURCE_DIR}/cmake/write_manual.cmake
                     COMMENT "Writing man pages and completion of shells" VERBATIM)
  add_custom_target(mubody_manual ALL DEPENDS ${manual}/stamp)
  install(DIRECTORY ${manual}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR})
  install(FILES ${manual}/mubody.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME mubody)
  install(FILES ${manual}/mubody.zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions RENAME _mubody)
  install(FILES ${manual}/mubody.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()

# Libraries with sanitizers are for programs with sanitizers only.
if(MUBODY_TESTS AND NOT MUBODY_SANITIZE)
  include(cmake/install_tests.cmake)
endif()
