# The shared library that 'mubody fmu' puts into archives: the functions of FMI over the library, whole in one file.
# It needs libc and libm alone, so that it runs on any machine of its kind that is not older than this one.
cmake_dependent_option(MUBODY_FMU "build the shared library of FMUs" ${PROJECT_IS_TOP_LEVEL} MUBODY_IO OFF)
if(NOT MUBODY_FMU OR MUBODY_FUZZ OR NOT CMAKE_EXECUTABLE_FORMAT STREQUAL ELF)
  return()
endif()

file(GLOB fmu_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/fmu/*.cpp)
add_library(mubody_fmu MODULE ${fmu_sources})
recorders_left_out(fmu_joints mubody_fmu joints JointRecorders joint_recorders)
recorders_left_out(fmu_forces mubody_fmu forces ForceRecorders force_recorders)
set_target_properties(mubody_fmu PROPERTIES PREFIX "" LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin NO_SONAME ON)
target_include_directories(mubody_fmu PRIVATE ${PROJECT_SOURCE_DIR})
target_precompile_headers(mubody_fmu REUSE_FROM mubody_cold_headers)
target_compile_definitions(mubody_fmu PRIVATE $<TARGET_PROPERTY:fmt::fmt,INTERFACE_COMPILE_DEFINITIONS>)
target_compile_options(mubody_fmu PRIVATE ${cold})
harden_cold(mubody_fmu)
# What stands for fmt's library must not meet headers that were read before.
set(fmu_fmt ${PROJECT_SOURCE_DIR}/fmu/fmt_library.cpp)
list(REMOVE_ITEM fmu_sources ${fmu_fmt})
set_source_files_properties(${fmu_fmt} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
in_one_batch(mubody_fmu fmu "${fmu_sources};${fmu_joints};${fmu_forces}")

# The archives themselves, since their targets bring shared libraries along.
add_dependencies(mubody_fmu mubody_io mubody)
target_link_libraries(mubody_fmu PRIVATE $<TARGET_FILE:mubody_io> $<TARGET_FILE:mubody>)
set_target_properties(mubody_fmu PROPERTIES LINK_DEPENDS
  "$<TARGET_FILE:mubody_io>;$<TARGET_FILE:mubody>;${PROJECT_SOURCE_DIR}/fmu/exported.map")
target_include_directories(mubody_fmu PRIVATE $<TARGET_PROPERTY:Eigen3::Eigen,INTERFACE_INCLUDE_DIRECTORIES>)
if(SUNDIALS_FOUND)
  foreach(library cvode nvecserial sunnonlinsolfixedpoint generic)
    if(TARGET SUNDIALS::${library}_static)
      target_link_libraries(mubody_fmu PRIVATE $<TARGET_FILE:SUNDIALS::${library}_static>)
    elseif(TARGET SUNDIALS::${library})
      message(STATUS "SUNDIALS has no static ${library}: FMUs will need its shared library where they run")
      target_link_libraries(mubody_fmu PRIVATE $<TARGET_FILE:SUNDIALS::${library}>)
    endif()
  endforeach()
endif()
target_link_libraries(mubody_fmu PRIVATE m)
target_link_options(mubody_fmu PRIVATE LINKER:--version-script,${PROJECT_SOURCE_DIR}/fmu/exported.map LINKER:--gc-sections
                                       LINKER:--strip-all LINKER:-z,relro,-z,now -static-libstdc++ -static-libgcc)
if(NOT MUBODY_SANITIZE)  # whose functions come from the program
  target_link_options(mubody_fmu PRIVATE LINKER:-z,defs)
endif()
