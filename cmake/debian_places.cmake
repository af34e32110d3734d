# Moves files to the places that Debian prescribes, before CPack closes the package.
find_program(GZIP gzip REQUIRED)
set(share ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr/share)
# Debian's zsh looks here, and leaves site-functions to /usr/local.
file(MAKE_DIRECTORY ${share}/zsh/vendor-completions)
file(RENAME ${share}/zsh/site-functions/_mubody ${share}/zsh/vendor-completions/_mubody)
file(REMOVE_RECURSE ${share}/zsh/site-functions)
file(RENAME ${share}/doc/mubody/CHANGELOG.md ${share}/doc/mubody/changelog)
execute_process(COMMAND ${GZIP} -9nf ${share}/doc/mubody/changelog COMMAND_ERROR_IS_FATAL ANY)
