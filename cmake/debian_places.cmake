# Moves files to the places that Debian prescribes, before CPack closes the package.
find_program(GZIP gzip REQUIRED)
set(share ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr/share)
# Debian's zsh looks here, and leaves site-functions to /usr/local.
if(EXISTS ${share}/zsh)
  file(MAKE_DIRECTORY ${share}/zsh/vendor-completions)
  file(RENAME ${share}/zsh/site-functions/_mubody ${share}/zsh/vendor-completions/_mubody)
  file(REMOVE_RECURSE ${share}/zsh/site-functions)
endif()
# The changes of mubody, and those of the package.
set(doc ${share}/doc/${CPACK_PACKAGE_NAME})
file(RENAME ${doc}/CHANGELOG.md ${doc}/changelog)
string(TIMESTAMP now "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(WRITE ${doc}/changelog.Debian
     "${CPACK_PACKAGE_NAME} (${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) unstable; urgency=low\n\n  * See changelog.gz.\n\n"
     " -- ${CPACK_DEBIAN_PACKAGE_MAINTAINER}  ${now}\n")
execute_process(COMMAND ${GZIP} -9nf ${doc}/changelog ${doc}/changelog.Debian COMMAND_ERROR_IS_FATAL ANY)
