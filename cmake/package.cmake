# 'make package': what is installed, as a package for Debian and its relatives.
find_program(DPKG_DEB dpkg-deb)
if(NOT MUBODY_INSTALL OR NOT MUBODY_PROGRAM OR NOT DPKG_DEB)
  return()
endif()
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME mubody)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_OUTPUT_FILE_PREFIX ${PROJECT_BINARY_DIR}/package)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
                                                WORLD_READ WORLD_EXECUTE)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/debian_places.cmake)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE gzip)  # takes a fifth of the time of xz
set(MUBODY_MAINTAINER "The mubody authors <mubody@localhost>" CACHE STRING "who answers for the package")
set(CPACK_DEBIAN_PACKAGE_MAINTAINER ${MUBODY_MAINTAINER})
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "multibody dynamics from a text file, in the plane and in space
Bodies, joints and forces in a text file become motion, joint reactions,
energies and a verdict on their accuracy.

The package holds the program mubody, the static libraries mubody,
mubody_io and mubody_verbs with their headers for C++20, man pages,
examples and documents.")

# What the program loads at run time is found by dpkg-shlibdeps.  Programs that use the library link files that
# the program itself may not need; the headers they need are not dependencies of the package.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(owners "")
separate_arguments(files UNIX_COMMAND "${core_libraries} ${io_libraries} ${verbs_libraries}")
foreach(file ${files})
  string(REPLACE "-l:" "*/" pattern ${file})
  execute_process(COMMAND dpkg-query -S ${pattern} OUTPUT_VARIABLE found ERROR_QUIET)
  if(found MATCHES "^([^:,]+)")
    list(APPEND owners ${CMAKE_MATCH_1})
  endif()
endforeach()
list(REMOVE_DUPLICATES owners)
list(JOIN owners ", " CPACK_DEBIAN_PACKAGE_DEPENDS)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "g++, cmake, pkg-config, libeigen3-dev (>= 3.4), libfmt-dev")
include(CPack)
if(TARGET mubody_python)
  include(cmake/python_package.cmake)
endif()

if(MUBODY_TESTS AND NOT MUBODY_SANITIZE)
  include(cmake/package_tests.cmake)
endif()
