# A text file as a constant of the library:  embed_text(TARGET FILE SYMBOL)  makes a source in the build folder that
# defines  const std::string_view SYMBOL,  a name with its namespaces, and adds it to TARGET.

if(CMAKE_SCRIPT_MODE_FILE)
  # The step of the build: cmake -D FILE=... -D SYMBOL=... -D OUT=... -P embed.cmake
  file(READ ${FILE} text)
  string(REGEX MATCH "^(.*)::([^:]+)$" ignored ${SYMBOL})
  file(WRITE ${OUT} "#include <string_view>

namespace ${CMAKE_MATCH_1} {
extern const std::string_view ${CMAKE_MATCH_2};
constinit const std::string_view ${CMAKE_MATCH_2} = R\"embedded(${text})embedded\";
}  // namespace ${CMAKE_MATCH_1}
")
  return()
endif()

set(embed_script ${CMAKE_CURRENT_LIST_FILE})

function(embed_text TARGET FILE SYMBOL)
  string(REPLACE "::" "_" name ${SYMBOL})
  set(out ${PROJECT_BINARY_DIR}/generated/${name}.cpp)
  add_custom_command(OUTPUT ${out}
                     COMMAND ${CMAKE_COMMAND} -D FILE=${PROJECT_SOURCE_DIR}/${FILE} -D SYMBOL=${SYMBOL} -D OUT=${out}
                             -P ${embed_script}
                     DEPENDS ${PROJECT_SOURCE_DIR}/${FILE} ${embed_script}
                     COMMENT "Embedding ${FILE}" VERBATIM)
  target_sources(${TARGET} PRIVATE ${out})
  set_source_files_properties(${out} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
endfunction()
