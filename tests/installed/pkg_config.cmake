# Compiles SOURCE with the flags that pkg-config gives for the mubody under PREFIX, and runs it.
file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER})
set(ENV{PKG_CONFIG_PATH} ${PREFIX}/${LIBDIR}/pkgconfig)
execute_process(COMMAND ${PKG_CONFIG} --cflags --libs mubody-verbs OUTPUT_VARIABLE flags COMMAND_ERROR_IS_FATAL ANY)
separate_arguments(flags UNIX_COMMAND "${flags}")
execute_process(COMMAND ${COMPILER} -std=c++20 ${SOURCE} -o ${FOLDER}/mubody ${flags} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${FOLDER}/mubody --version COMMAND_ERROR_IS_FATAL ANY)
