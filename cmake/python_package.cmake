# The Python module as a package of its own, python3-mubody, for the Python that it was built with.  It is a component that
# is installed by its name alone, so that 'make install' leaves the folders of Python to their package manager.
set(python_modules lib/python3/dist-packages/mubody)
install(TARGETS mubody_python LIBRARY DESTINATION ${python_modules} COMPONENT python EXCLUDE_FROM_ALL)
install(FILES ${copies} ${python_folder}/__init__.pyi DESTINATION ${python_modules} COMPONENT python EXCLUDE_FROM_ALL)
set(python_documents share/doc/python3-mubody)
install(FILES ${PROJECT_SOURCE_DIR}/CHANGELOG.md DESTINATION ${python_documents} COMPONENT python EXCLUDE_FROM_ALL)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${python_documents} RENAME copyright COMPONENT python EXCLUDE_FROM_ALL)

math(EXPR after "${Python_VERSION_MINOR} + 1")
set(python_depends "python3 (>= ${Python_VERSION_MAJOR}.${Python_VERSION_MINOR}), python3 (<< ${Python_VERSION_MAJOR}.${after}), python3-numpy")
file(CONFIGURE OUTPUT CPackPython.cmake @ONLY CONTENT [[
include(@PROJECT_BINARY_DIR@/CPackConfig.cmake)
set(CPACK_PACKAGE_NAME python3-mubody)
set(CPACK_PACKAGE_FILE_NAME python3-mubody)
set(CPACK_TOPLEVEL_TAG python)
set(CPACK_INSTALL_CMAKE_PROJECTS "@PROJECT_BINARY_DIR@;mubody;python;/")
set(CPACK_DEBIAN_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "@python_depends@")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "python3-matplotlib, python3-pandas, mubody")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "multibody dynamics in Python
Bodies, joints and forces, built in a program or read from a text file,
become motion, joint reactions, energies and a verdict on their accuracy:
arrays of numpy, simulations that a program advances, sweeps on all cores.

The package holds the module mubody for Python 3.")
]])
