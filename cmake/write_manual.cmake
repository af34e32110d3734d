# Makes PROGRAM write its man pages and the completion of shells into FOLDER; VERBS are its verbs.
find_program(GZIP gzip)

# Writes the answer of the program to the words into a file.
function(answer file)
  execute_process(COMMAND ${PROGRAM} ${ARGN} OUTPUT_FILE ${file} RESULT_VARIABLE code)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "'mubody ${ARGN}' failed")
  endif()
endfunction()

function(page name)
  set(file ${FOLDER}/man1/${name}.1)
  answer(${file} help --format man ${ARGN})
  if(GZIP)
    execute_process(COMMAND ${GZIP} -9nf ${file} COMMAND_ERROR_IS_FATAL ANY)
  endif()
endfunction()

file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER}/man1)
page(mubody)
foreach(verb ${VERBS})
  page(mubody-${verb} ${verb})
endforeach()
foreach(shell bash zsh fish)
  answer(${FOLDER}/mubody.${shell} completion ${shell})
endforeach()
file(TOUCH ${FOLDER}/stamp)
