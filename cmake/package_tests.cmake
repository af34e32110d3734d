# Tests of the package: its content, and that it works where nothing else of mubody is present.
set(package ${PROJECT_BINARY_DIR}/package)
add_test(NAME package.build COMMAND ${CMAKE_CPACK_COMMAND} --config ${PROJECT_BINARY_DIR}/CPackConfig.cmake)
set_tests_properties(package.build PROPERTIES FIXTURES_SETUP mubody_package TIMEOUT 600)
add_test(NAME package.unpack COMMAND ${CMAKE_COMMAND} -D PACKAGES=${package} -D ROOT=${package}/root
                                     -D VERSION=${PROJECT_VERSION}
                                     -P ${PROJECT_SOURCE_DIR}/tests/installed/unpack.cmake)
set_tests_properties(package.unpack PROPERTIES FIXTURES_REQUIRED mubody_package FIXTURES_SETUP mubody_root)
add_test(NAME package.runs COMMAND ${CMAKE_COMMAND} -D ROOT=${package}/root -D FOLDER=${PROJECT_BINARY_DIR}/package.runs
                                   -P ${PROJECT_SOURCE_DIR}/tests/installed/runs.cmake)
set_tests_properties(package.runs PROPERTIES FIXTURES_REQUIRED mubody_root)
if(TARGET mubody_python)
  add_test(NAME package.python_build COMMAND ${CMAKE_CPACK_COMMAND} --config ${PROJECT_BINARY_DIR}/CPackPython.cmake)
  set_tests_properties(package.python_build PROPERTIES FIXTURES_SETUP mubody_python_package TIMEOUT 600)
  add_test(NAME package.python COMMAND ${CMAKE_COMMAND} -D PACKAGES=${package} -D ROOT=${package}/python_root
                                       -D VERSION=${PROJECT_VERSION} -D MODEL=${PROJECT_SOURCE_DIR}/examples/four_bar
                                       -P ${PROJECT_SOURCE_DIR}/tests/installed/python.cmake)
  set_tests_properties(package.python PROPERTIES FIXTURES_REQUIRED mubody_python_package)
endif()
# What install.outside compiles would compile with the package too, since the headers are the same.
add_test(NAME package.headers COMMAND ${CMAKE_COMMAND} -D PREFIX=${prefix} -D OTHER=${package}/root/usr
                                      -P ${PROJECT_SOURCE_DIR}/tests/installed/headers.cmake)
set_tests_properties(package.headers PROPERTIES FIXTURES_REQUIRED "mubody_prefix;mubody_root")
outside_test(package.outside ${package}/root/usr mubody_root version own_verb)
