# Configures a project that contains the source MUBODY: only libraries are built, nothing is fetched, nothing is
# written into the source.

# The files of the source with their times, into OUT.
function(state_of_source out)
  file(GLOB_RECURSE files LIST_DIRECTORIES true ${MUBODY}/cli/* ${MUBODY}/cmake/* ${MUBODY}/docs/* ${MUBODY}/mubody/*
       ${MUBODY}/tests/* ${MUBODY}/tools/* ${MUBODY}/web/*)
  file(GLOB top ${MUBODY}/*)
  list(FILTER top EXCLUDE REGEX "/build[^/]*$")
  set(state "")
  foreach(file ${files} ${top})
    file(TIMESTAMP ${file} time "%s")
    list(APPEND state "${file} ${time}")
  endforeach()
  set(${out} "${state}" PARENT_SCOPE)
endfunction()

# Programs that leave a mark if they are called.
file(REMOVE_RECURSE ${FOLDER})
foreach(tool npm node)
  file(WRITE ${FOLDER}/tools/${tool} "#!/bin/sh\ntouch ${FOLDER}/called\nexit 1\n")
  file(CHMOD ${FOLDER}/tools/${tool} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
endforeach()
set(ENV{PATH} "${FOLDER}/tools:$ENV{PATH}")

state_of_source(before)
execute_process(COMMAND ${CMAKE_COMMAND} -S ${MUBODY}/tests/subproject -B ${FOLDER}/build -G ${GENERATOR}
                        -D CMAKE_CXX_COMPILER=${COMPILER} -D MUBODY=${MUBODY}
                OUTPUT_VARIABLE said COMMAND_ERROR_IS_FATAL ANY)
state_of_source(after)
if(NOT before STREQUAL after)
  message(FATAL_ERROR "the source has changed")
endif()
if(EXISTS ${FOLDER}/called)
  message(FATAL_ERROR "npm or node was called")
endif()
if(NOT said MATCHES "targets of mubody: ([^\n]*)")
  message(FATAL_ERROR "no targets: ${said}")
endif()
foreach(target ${CMAKE_MATCH_1})
  if(NOT target MATCHES "^mubody(_io|_io_hot|_cold|_headers|_cold_headers)?$")
    message(FATAL_ERROR "a part of another project needs no ${target}")
  endif()
endforeach()
