# Installs BUILD under PREFIX, and checks that the required files are there.
file(REMOVE_RECURSE ${PREFIX})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${PREFIX} OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
foreach(file bin/mubody include/mubody/model/version.h include/mubody/cli/verb.h share/man/man1/mubody.1.gz share/man/man1/mubody-run.1.gz
             share/bash-completion/completions/mubody share/zsh/site-functions/_mubody
             share/fish/vendor_completions.d/mubody.fish share/doc/mubody/examples/four_bar/model.toml
             share/doc/mubody/copyright share/doc/mubody/docs/index.md)
  if(NOT EXISTS ${PREFIX}/${file})
    message(FATAL_ERROR "${file} is missing")
  endif()
endforeach()
# No file refers to the build folder.
file(GLOB_RECURSE texts ${PREFIX}/*.cmake ${PREFIX}/*.pc ${PREFIX}/*.h)
foreach(text ${texts})
  file(STRINGS ${text} lines REGEX "${BUILD}")
  if(lines)
    message(FATAL_ERROR "${text} names the build folder: ${lines}")
  endif()
endforeach()
