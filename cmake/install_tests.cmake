# Tests of what is installed, and of mubody as a part of another project.
set(prefix ${PROJECT_BINARY_DIR}/prefix)
add_test(NAME install.prefix COMMAND ${CMAKE_COMMAND} -D BUILD=${PROJECT_BINARY_DIR} -D PREFIX=${prefix}
                                     -P ${PROJECT_SOURCE_DIR}/tests/installed/prefix.cmake)
set_tests_properties(install.prefix PROPERTIES FIXTURES_SETUP mubody_prefix)

# Configures tests/outside with the mubody that lies under PREFIX, builds and runs its programs, or only those that are
# named.
function(outside_test name prefix fixture)
  add_test(NAME ${name} COMMAND ${CMAKE_COMMAND} -D SOURCE=${PROJECT_SOURCE_DIR}/tests/outside -D PREFIX=${prefix}
                                -D FOLDER=${PROJECT_BINARY_DIR}/${name} -D GENERATOR=${CMAKE_GENERATOR}
                                -D COMPILER=${CMAKE_CXX_COMPILER} -D "PROGRAMS=${ARGN}"
                                -P ${PROJECT_SOURCE_DIR}/tests/installed/outside.cmake)
  set_tests_properties(${name} PROPERTIES FIXTURES_REQUIRED ${fixture} TIMEOUT 1200)
endfunction()
outside_test(install.outside ${prefix} mubody_prefix)

find_program(PKG_CONFIG pkg-config)
if(PKG_CONFIG)
  add_test(NAME install.pkg_config COMMAND ${CMAKE_COMMAND} -D PREFIX=${prefix} -D LIBDIR=${CMAKE_INSTALL_LIBDIR}
                                           -D SOURCE=${PROJECT_SOURCE_DIR}/tests/outside/own_verb.cpp
                                           -D FOLDER=${PROJECT_BINARY_DIR}/install.pkg_config
                                           -D COMPILER=${CMAKE_CXX_COMPILER} -D PKG_CONFIG=${PKG_CONFIG}
                                           -P ${PROJECT_SOURCE_DIR}/tests/installed/pkg_config.cmake)
  set_tests_properties(install.pkg_config PROPERTIES FIXTURES_REQUIRED mubody_prefix)
else()
  message(WARNING "pkg-config is missing: its files are not tested")
endif()

add_test(NAME install.subproject COMMAND ${CMAKE_COMMAND} -D MUBODY=${PROJECT_SOURCE_DIR}
                                         -D FOLDER=${PROJECT_BINARY_DIR}/install.subproject
                                         -D GENERATOR=${CMAKE_GENERATOR} -D COMPILER=${CMAKE_CXX_COMPILER}
                                         -P ${PROJECT_SOURCE_DIR}/tests/installed/subproject.cmake)
