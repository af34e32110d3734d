# Unpacks the package of VERSION in PACKAGES into the clean folder ROOT, and checks its description and content.
include(${CMAKE_CURRENT_LIST_DIR}/package.cmake)
set(files bin/mubody lib/libmubody.a lib/libmubody_io.a lib/libmubody_verbs.a include/mubody/model/version.h
          include/mubody/cli/verb.h share/man/man1/mubody.1.gz
          share/man/man1/mubody-sweep.1.gz share/bash-completion/completions/mubody
          share/zsh/vendor-completions/_mubody share/fish/vendor_completions.d/mubody.fish
          share/doc/mubody/copyright share/doc/mubody/changelog.gz share/doc/mubody/changelog.Debian.gz share/doc/mubody/examples/four_bar/model.toml)
unpack(mubody "libc6;libstdc\\+\\+6;libfmt" "${files}")
if(EXISTS ${ROOT}/usr/lib/python3)
  message(FATAL_ERROR "the Python module is a package of its own")
endif()
