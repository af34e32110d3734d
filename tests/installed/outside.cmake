# Configures, builds and tests the project SOURCE in FOLDER with the mubody under PREFIX: all of it, or PROGRAMS alone.
file(REMOVE_RECURSE ${FOLDER})
# Without a build type: neither optimized nor with what a debugger reads, which together take most of the time.
execute_process(COMMAND ${CMAKE_COMMAND} -S ${SOURCE} -B ${FOLDER} -G ${GENERATOR} -D CMAKE_BUILD_TYPE=None
                        -D CMAKE_CXX_COMPILER=${COMPILER} -D CMAKE_PREFIX_PATH=${PREFIX}
                        -D CMAKE_DISABLE_FIND_PACKAGE_SUNDIALS=ON -D CMAKE_DISABLE_FIND_PACKAGE_nlohmann_json=ON
                COMMAND_ERROR_IS_FATAL ANY)
file(STRINGS ${FOLDER}/CMakeCache.txt found REGEX "^mubody_DIR:")
if(NOT found MATCHES "=${PREFIX}/")
  message(FATAL_ERROR "another mubody was found: ${found}")
endif()
set(targets all)
set(tests "")
if(PROGRAMS)
  set(targets ${PROGRAMS})
  list(JOIN PROGRAMS "|" tests)
endif()
execute_process(COMMAND ${CMAKE_COMMAND} --build ${FOLDER} --target ${targets} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_CTEST_COMMAND} --test-dir ${FOLDER} --output-on-failure --no-tests=error -R "^(${tests})"
                COMMAND_ERROR_IS_FATAL ANY)
