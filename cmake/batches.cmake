# Sources that are compiled together: most of the time of a source goes into headers that its neighbours read too.
#
# Names in the unnamed namespaces of such sources must differ.

option(MUBODY_BATCHES "compile many sources at a time: the whole in half the time, one of them slower" ON)

# Compiles the SOURCES of TARGET, which may lie in several folders, at once.
function(in_one_batch TARGET NAME SOURCES)
  if(MUBODY_BATCHES)
    set_target_properties(${TARGET} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
    set_source_files_properties(${SOURCES} PROPERTIES UNITY_GROUP ${NAME})
  endif()
endfunction()

# Compiles the SOURCES of TARGET in batches of at most SIZE from one folder each.
function(in_batches TARGET SIZE SOURCES)
  if(NOT MUBODY_BATCHES)
    return()
  endif()
  set_target_properties(${TARGET} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  foreach(source ${SOURCES})
    get_filename_component(folder ${source} DIRECTORY)
    file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${folder})
    string(MAKE_C_IDENTIFIER ${folder} folder)
    string(APPEND count_${folder} "x")
    string(LENGTH ${count_${folder}} number)
    math(EXPR batch "(${number} - 1) / ${SIZE}")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder}_${batch})
  endforeach()
endfunction()
