# Flags that turn a mistake with memory into a clean end of the program.  They hold for our own objects and programs alone:
# what links the installed libraries chooses its own.
#
#   stack protector   a function that writes beyond its arrays ends the program instead of returning
#   fortify           copies into buffers of a known size are checked
#   assertions        an index beyond a container ends the program, in code that runs once per model
#   pie, relro, now   code lies at random addresses, and tables of addresses cannot be written once the program runs
option(MUBODY_HARDENING "harden release builds against mistakes with memory" ${PROJECT_IS_TOP_LEVEL})
# Sanitizers see all of that, and more.
if(MUBODY_SANITIZE)
  set(MUBODY_HARDENING OFF)
endif()
if(MUBODY_HARDENING)
  include(CheckCXXCompilerFlag)
  check_cxx_compiler_flag(-fstack-protector-strong MUBODY_HAS_STACK_PROTECTOR)
endif()

# Flags of objects, which targets that share a precompiled header must share.
function(harden TARGET)
  if(NOT MUBODY_HARDENING)
    return()
  endif()
  if(MUBODY_HAS_STACK_PROTECTOR)
    target_compile_options(${TARGET} PRIVATE -fstack-protector-strong)
  endif()
  # Some distributions define it already; it needs an optimized build.
  target_compile_options(${TARGET} PRIVATE $<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE>
                                           $<$<NOT:$<CONFIG:Debug>>:-D_FORTIFY_SOURCE=2>)
endfunction()

# Code that runs once per model checks the indices of containers too; in every step that would be felt.
function(harden_cold TARGET)
  harden(${TARGET})
  if(MUBODY_HARDENING)
    target_compile_definitions(${TARGET} PRIVATE _GLIBCXX_ASSERTIONS)
  endif()
endfunction()

# A source that has arrays on the stack in every right-hand side, where the stack protector would take more than all other
# flags together.  A precompiled header would bring it back.
function(unprotected_stack SOURCE)
  if(MUBODY_HARDENING AND MUBODY_HAS_STACK_PROTECTOR)
    set_source_files_properties(${SOURCE} PROPERTIES COMPILE_OPTIONS -fno-stack-protector SKIP_PRECOMPILE_HEADERS ON)
  endif()
endfunction()

# Flags of programs.
function(harden_program TARGET)
  if(NOT MUBODY_HARDENING)
    return()
  endif()
  include(CheckPIESupported)
  check_pie_supported(LANGUAGES CXX)
  set_target_properties(${TARGET} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  if(CMAKE_EXECUTABLE_FORMAT STREQUAL ELF)
    target_link_options(${TARGET} PRIVATE LINKER:-z,relro,-z,now)
  endif()
endfunction()
