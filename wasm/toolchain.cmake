# Debian's clang for WebAssembly, with C++ exceptions in the encoding that every browser and node since 18 understand.
#
#   cmake --preset wasm
#
# Headers of libraries for the host, such as Eigen's, come through links in the build folder (packages.cmake), for those of
# the host's libc must not be seen.
set(CMAKE_SYSTEM_NAME WASI)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
list(APPEND CMAKE_MODULE_PATH ${CMAKE_CURRENT_LIST_DIR}/platform)

set(clang_version 22)
set(CMAKE_CXX_COMPILER clang++-${clang_version})
set(CMAKE_CXX_COMPILER_TARGET wasm32-wasi)
# It cannot write an index of such archives, so that wasm/CMakeLists.txt links objects.
find_program(CMAKE_AR ar)
find_program(CMAKE_RANLIB ranlib)
# A program can be linked only with the run-time library of this folder.
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)

# libcxx/ turns on <filesystem> and <fstream>, which Debian's libc++ leaves out; runtime/file_system.cpp is what they call.
set(CMAKE_CXX_FLAGS_INIT "-isystem ${CMAKE_CURRENT_LIST_DIR}/libcxx -fwasm-exceptions -mllvm -wasm-use-legacy-eh=true")
# The names of g++'s warnings and the old name of the target are nothing to warn about.
string(APPEND CMAKE_CXX_FLAGS_INIT " -Wno-unknown-warning-option -Wno-deprecated -Xclang -fno-pch-timestamp")
