# Unpacks the package of VERSION in PACKAGES into the clean folder ROOT, and checks its description and content.
file(GLOB package ${PACKAGES}/mubody_${VERSION}-1_*.deb)
list(LENGTH package count)
if(NOT count EQUAL 1)
  message(FATAL_ERROR "expected one package in ${PACKAGES}, got: ${package}")
endif()
file(REMOVE_RECURSE ${ROOT})
execute_process(COMMAND dpkg-deb -x ${package} ${ROOT} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND dpkg-deb -f ${package} Depends OUTPUT_VARIABLE depends COMMAND_ERROR_IS_FATAL ANY)
foreach(library libc6 libstdc\\+\\+6 libfmt)
  if(NOT depends MATCHES ${library})
    message(FATAL_ERROR "the package does not depend on ${library}: ${depends}")
  endif()
endforeach()
foreach(file bin/mubody lib/libmubody.a lib/libmubody_io.a lib/libmubody_verbs.a include/mubody/model/version.h
             include/mubody/cli/verb.h share/man/man1/mubody.1.gz
             share/man/man1/mubody-sweep.1.gz share/bash-completion/completions/mubody
             share/zsh/vendor-completions/_mubody share/fish/vendor_completions.d/mubody.fish
             share/doc/mubody/copyright share/doc/mubody/changelog.gz share/doc/mubody/changelog.Debian.gz share/doc/mubody/examples/four_bar/model.toml)
  if(NOT EXISTS ${ROOT}/usr/${file})
    message(FATAL_ERROR "/usr/${file} is missing")
  endif()
endforeach()
# Everybody may read it, only root may write it, and nothing is outside of /usr.
execute_process(COMMAND dpkg-deb -c ${package} OUTPUT_VARIABLE listing COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE "\n" ";" lines "${listing}")
foreach(line ${lines})
  if(NOT line MATCHES "^(drwxr-xr-x|-rw-r--r--|-rwxr-xr-x) root/root .* \\./(usr/.*)?$")
    message(FATAL_ERROR "odd entry: ${line}")
  endif()
endforeach()
