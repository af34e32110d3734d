# Unpacks the package of the Python module into the clean folder ROOT, and runs an example with what lies there.
include(${CMAKE_CURRENT_LIST_DIR}/package.cmake)
set(there lib/python3/dist-packages)
unpack(python3-mubody "libc6;libstdc\\+\\+6;libfmt;python3 \\(>=;python3-numpy"
       "${there}/mubody/__init__.py;${there}/mubody/__init__.pyi;${there}/mubody/py.typed;share/doc/python3-mubody/copyright;share/doc/python3-mubody/changelog.gz;share/doc/python3-mubody/changelog.Debian.gz")
set(program "import mubody; r = mubody.read('${MODEL}').run(); print(mubody.__file__, r.verdict, r['crank.angle'][-1])")
execute_process(COMMAND env -i PATH=/usr/bin:/bin PYTHONPATH=${ROOT}/usr/${there} /usr/bin/python3 -B -W ignore -c "${program}"
                OUTPUT_VARIABLE said COMMAND_ERROR_IS_FATAL ANY)
if(NOT said MATCHES "^${ROOT}/usr/${there}/mubody/__init__.py good")
  message(FATAL_ERROR "the run went wrong: ${said}")
endif()
