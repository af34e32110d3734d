# Runs the program under ROOT with an example of the package, in a folder of its own.
file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER})
set(program ${ROOT}/usr/bin/mubody)
set(model ${ROOT}/usr/share/doc/mubody/examples/four_bar)
execute_process(COMMAND env -i PATH=/usr/bin:/bin ${program} run ${model} --out results WORKING_DIRECTORY ${FOLDER}
                OUTPUT_VARIABLE said COMMAND_ERROR_IS_FATAL ANY)
if(NOT said MATCHES "verdict +good" OR NOT EXISTS ${FOLDER}/results/bodies.csv)
  message(FATAL_ERROR "the run went wrong: ${said}")
endif()
