# The pages of web/, which the program fills with data when it writes a report.
#
# Where node or npm is missing, or packages cannot be fetched, everything else is built and reports are refused.

find_program(NODE node)
find_program(NPM npm)
set(web_folder ${PROJECT_SOURCE_DIR}/web)
set(web_output ${PROJECT_BINARY_DIR}/web)

# The packages of web/package-lock.json, in the build folder; sets `result` to whether they are there.
function(web_packages result)
  set(${result} FALSE PARENT_SCOPE)
  if(NOT MUBODY_PAGES)
    return()
  endif()
  if(NOT NODE OR NOT NPM)
    message(WARNING "node or npm is missing: mubody will not write reports")
    return()
  endif()
  foreach(file package.json package-lock.json)
    configure_file(${web_folder}/${file} ${web_output}/${file} COPYONLY)
  endforeach()
  set(stamp ${web_output}/node_modules/.mubody-lock)
  file(SHA256 ${web_folder}/package-lock.json wanted)
  set(there "")
  if(EXISTS ${stamp})
    file(READ ${stamp} there)
  endif()
  if(NOT there STREQUAL wanted)
    message(STATUS "fetching the packages of web/")
    execute_process(COMMAND ${NPM} ci --no-audit --no-fund --ignore-scripts --loglevel=error
                    WORKING_DIRECTORY ${web_output} RESULT_VARIABLE code OUTPUT_QUIET ERROR_VARIABLE why)
    if(NOT code EQUAL 0)
      message(WARNING "the packages of web/ cannot be fetched: mubody will not write reports\n${why}")
      return()
    endif()
    file(WRITE ${stamp} ${wanted})
  endif()
  set(${result} TRUE PARENT_SCOPE)
endfunction()

# Adds the pages to a library as one source.  Node looks for packages beside its script, hence the copies.
function(web_pages target)
  web_packages(ready)
  set(MUBODY_WEB ${ready} PARENT_SCOPE)
  if(NOT ready)
    set(source ${web_output}/no_pages.cpp)
    file(CONFIGURE OUTPUT ${source} CONTENT [[
#include "mubody/report/report_template.h"

namespace mubody::io {
std::string_view report_template(std::string_view) { return {}; }
}  // namespace mubody::io
]])
    target_sources(${target} PRIVATE ${source})
    return()
  endif()
  set(source ${web_output}/report_template.cpp)
  file(GLOB_RECURSE inputs CONFIGURE_DEPENDS ${web_folder}/src/*)
  add_custom_command(OUTPUT ${source}
                     COMMAND ${CMAKE_COMMAND} -E rm -rf ${web_output}/src
                     COMMAND ${CMAKE_COMMAND} -E copy_directory ${web_folder}/src ${web_output}/src
                     COMMAND ${CMAKE_COMMAND} -E copy ${web_folder}/build.mjs ${web_folder}/pages.mjs ${web_folder}/template.html
                             ${web_folder}/tsconfig.json ${web_output}
                     COMMAND ${NODE} ${web_output}/build.mjs ${web_output}
                     DEPENDS ${inputs} ${web_folder}/build.mjs ${web_folder}/pages.mjs ${web_folder}/template.html
                             ${web_folder}/tsconfig.json ${web_folder}/package-lock.json
                     COMMENT "Bundling the pages of reports" VERBATIM)
  target_sources(${target} PRIVATE ${source})
  set_source_files_properties(${source} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
endfunction()

# The tests of the pages: units in node, whole reports in a browser.
function(web_tests)
  if(NOT MUBODY_WEB)
    return()
  endif()
  file(GLOB_RECURSE inputs CONFIGURE_DEPENDS ${web_folder}/test/*)
  set(stamp ${web_output}/tests.stamp)
  add_custom_command(OUTPUT ${stamp}
                     COMMAND ${CMAKE_COMMAND} -E rm -rf ${web_output}/test
                     COMMAND ${CMAKE_COMMAND} -E copy_directory ${web_folder}/test ${web_output}/test
                     COMMAND ${CMAKE_COMMAND} -E copy ${web_folder}/test.mjs ${web_output}
                     COMMAND ${CMAKE_COMMAND} -E touch ${stamp}
                     DEPENDS ${inputs} ${web_folder}/test.mjs VERBATIM)
  add_custom_target(mubody_web_tests ALL DEPENDS ${stamp})
  set(environment "MUBODY_PROGRAM=$<TARGET_FILE:mubody_cli>;MUBODY_EXAMPLES=${PROJECT_SOURCE_DIR}/examples/")
  add_test(NAME web_unit COMMAND ${NODE} ${web_output}/test.mjs ${web_output})
  add_test(NAME web_gltf COMMAND ${NODE} --test ${web_output}/test/gltf.mjs)
  set_tests_properties(web_gltf PROPERTIES ENVIRONMENT "${environment}")
  find_program(CHROMIUM NAMES chromium chromium-browser)
  if(NOT CHROMIUM)
    message(WARNING "chromium is missing: reports are not tested in a browser")
    return()
  endif()
  foreach(name end_to_end other_reports odd_results sweep_end_to_end take_away watch)
    add_test(NAME web_${name} COMMAND ${NODE} --test ${web_output}/test/${name}.mjs)
    set_tests_properties(web_${name} PROPERTIES TIMEOUT 600 ENVIRONMENT
                         "${environment};CHROMIUM=${CHROMIUM};SCREENSHOTS=${web_output}/screenshots")
  endforeach()
  # It measures how soon a page shows what was saved.
  set_tests_properties(web_watch PROPERTIES RUN_SERIAL ON)
endfunction()
