# The Python module: build/python/mubody, a package of Python files around one extension.
#
# The python3 that comes first on the path may be one without numpy and without headers.
option(MUBODY_PYTHON "build the Python module, with pybind11" OFF)
if(NOT MUBODY_PYTHON)
  return()
endif()
if(NOT DEFINED SKBUILD AND NOT DEFINED Python_EXECUTABLE AND EXISTS /usr/bin/python3)
  set(Python_EXECUTABLE /usr/bin/python3)
endif()
find_package(Python REQUIRED COMPONENTS Interpreter Development.Module)
find_package(pybind11 2.10 REQUIRED)

set(python_folder ${PROJECT_BINARY_DIR}/python/mubody)
file(GLOB python_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/python/*.cpp)
pybind11_add_module(mubody_python MODULE NO_EXTRAS ${python_sources})
set_target_properties(mubody_python PROPERTIES OUTPUT_NAME _core LIBRARY_OUTPUT_DIRECTORY ${python_folder}
                                               CXX_VISIBILITY_PRESET hidden)
target_link_libraries(mubody_python PRIVATE mubody_io)
target_include_directories(mubody_python PRIVATE ${PROJECT_SOURCE_DIR})
# What crosses over to Python is not where the time goes.
target_compile_options(mubody_python PRIVATE ${cold})
target_link_options(mubody_python PRIVATE LINKER:--exclude-libs,ALL)
harden_cold(mubody_python)
in_one_batch(mubody_python python "${python_sources}")

# The files in Python, beside the extension.
file(GLOB python_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/python/mubody/*.py ${PROJECT_SOURCE_DIR}/python/mubody/py.typed)
set(copies "")
foreach(file ${python_files})
  get_filename_component(name ${file} NAME)
  add_custom_command(OUTPUT ${python_folder}/${name} COMMAND ${CMAKE_COMMAND} -E copy ${file} ${python_folder}/${name}
                     DEPENDS ${file} VERBATIM)
  list(APPEND copies ${python_folder}/${name})
endforeach()
# Type stubs come from the list of elements, as the classes do.
add_custom_command(OUTPUT ${python_folder}/__init__.pyi
                   COMMAND ${CMAKE_COMMAND} -E env PYTHONPATH=${PROJECT_BINARY_DIR}/python ${Python_EXECUTABLE} -B -m mubody._stubs
                           ${python_folder}/__init__.pyi
                   DEPENDS mubody_python ${copies} COMMENT "Writing type stubs for Python" VERBATIM)
add_custom_target(mubody_python_files ALL DEPENDS ${copies} ${python_folder}/__init__.pyi)

# A wheel carries the libraries that it loads, but for those that every system has.
if(SKBUILD)
  set_target_properties(mubody_python PROPERTIES INSTALL_RPATH "$ORIGIN")
  install(TARGETS mubody_python RUNTIME_DEPENDENCY_SET python_libraries LIBRARY DESTINATION mubody COMPONENT python)
  install(RUNTIME_DEPENDENCY_SET python_libraries PRE_EXCLUDE_REGEXES "^lib(c|m|dl|rt|pthread|stdc\\+\\+|gcc_s|gomp)\\." "^ld-linux"
          DESTINATION mubody COMPONENT python)
  install(FILES ${copies} ${python_folder}/__init__.pyi DESTINATION mubody COMPONENT python)
  # Beside the module, where it looks for it.
  if(TARGET mubody_fmu)
    install(TARGETS mubody_fmu LIBRARY DESTINATION mubody COMPONENT python)
  elseif(EXISTS ${MUBODY_INSTALLED}/lib/mubody/mubody_fmu.so)
    install(PROGRAMS ${MUBODY_INSTALLED}/lib/mubody/mubody_fmu.so DESTINATION mubody COMPONENT python)
  endif()
endif()

if(MUBODY_TESTS AND MUBODY_PROGRAM)
  add_test(NAME python COMMAND ${Python_EXECUTABLE} -B -m pytest -q -p no:cacheprovider ${PROJECT_SOURCE_DIR}/tests/python)
  set_tests_properties(python PROPERTIES
    ENVIRONMENT "MUBODY_PROGRAM=$<TARGET_FILE:mubody_cli>;MUBODY_PYTHON=${PROJECT_BINARY_DIR}/python")
endif()
