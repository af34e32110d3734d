# The program and its verbs.  The folder is the registry: every cli/verbs/NAME.cpp defines  Verb NAME_verb().

# Writes one source that lists the verbs; its path goes into OUT.
function(verbs_registry OUT)
  set(declarations "")
  set(entries "")
  foreach(source ${ARGN})
    get_filename_component(stem ${source} NAME_WE)
    string(APPEND declarations "Verb ${stem}_verb();\n")
    string(APPEND entries "      ${stem}_verb(),\n")
  endforeach()
  set(out ${PROJECT_BINARY_DIR}/generated/verbs_registry.cpp)
  file(CONFIGURE OUTPUT ${out} CONTENT
"// generated from the sources in cli/verbs/
#include \"cli/verb.h\"

namespace mubody::cli {
${declarations}
std::span<const Verb> verbs() {
  static const Verb all[] = {
${entries}  };
  return all;
}
}  // namespace mubody::cli
")
  set(${OUT} ${out} PARENT_SCOPE)
endfunction()

file(GLOB verb_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cli/verbs/*.cpp)
file(GLOB cli_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cli/*.cpp ${PROJECT_SOURCE_DIR}/cli/compare/*.cpp)
list(FILTER cli_sources EXCLUDE REGEX "/main\\.cpp$")
verbs_registry(registry_source ${verb_sources})

# Everything but main(), so that tests can look at the declarations and other programs can add verbs of their own.
add_library(mubody_verbs STATIC ${cli_sources} ${verb_sources} ${registry_source} $<TARGET_OBJECTS:mubody_problems>
                           $<TARGET_OBJECTS:mubody_measures>)
add_library(mubody::verbs ALIAS mubody_verbs)
target_link_libraries(mubody_verbs PUBLIC mubody_io)
target_precompile_headers(mubody_verbs REUSE_FROM mubody_cold_headers)
target_compile_options(mubody_verbs PRIVATE ${cold})
harden_cold(mubody_verbs)
embed_text(mubody_verbs docs/glossary.md mubody::cli::glossary_text)
# The models of 'compare --suite'.
foreach(model four_bar five_bar_pendulum spatial_slider_crank iltis_suspension)
  embed_text(mubody_verbs examples/${model}/model.toml mubody::cli::${model}_model)
endforeach()
in_one_batch(mubody_verbs cli "${cli_sources};${verb_sources}")
if(MPI_CXX_FOUND)
  # Only one file of the program needs MPI.
  target_link_libraries(mubody_verbs PRIVATE MPI::MPI_CXX)
  set_source_files_properties(cli/team.cpp PROPERTIES COMPILE_DEFINITIONS MUBODY_HAS_MPI SKIP_PRECOMPILE_HEADERS ON)
endif()

# The program is called mubody; so is the library, hence the name of the target.
add_executable(mubody_cli cli/main.cpp)
set_target_properties(mubody_cli PROPERTIES OUTPUT_NAME mubody)
target_link_libraries(mubody_cli PRIVATE mubody_verbs)
harden(mubody_cli)
harden_program(mubody_cli)
