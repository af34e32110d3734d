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

# Writes one source that lists the models that 'mubody new' copies, cli/templates/NAME.toml, each as a constant
# NAME_template; its path goes into OUT.
function(templates_registry OUT)
  set(declarations "")
  set(entries "")
  foreach(file ${ARGN})
    get_filename_component(stem ${file} NAME_WE)
    string(APPEND declarations "extern const std::string_view ${stem}_template;\n")
    string(APPEND entries "      {\"${stem}\", ${stem}_template},\n")
  endforeach()
  set(out ${PROJECT_BINARY_DIR}/generated/templates_registry.cpp)
  file(CONFIGURE OUTPUT ${out} CONTENT
"// generated from the models in cli/templates/
#include \"cli/templates/templates.h\"

namespace mubody::cli {
${declarations}
std::span<const Template> templates() {
  static const Template all[] = {
${entries}  };
  return all;
}
}  // namespace mubody::cli
")
  set(${OUT} ${out} PARENT_SCOPE)
endfunction()

file(GLOB template_files CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/cli/templates/*.toml)
templates_registry(templates_source ${template_files})
file(GLOB verb_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cli/verbs/*.cpp)
file(GLOB cli_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cli/*.cpp ${PROJECT_SOURCE_DIR}/cli/compare/*.cpp ${PROJECT_SOURCE_DIR}/cli/serve/*.cpp ${PROJECT_SOURCE_DIR}/cli/templates/*.cpp
     ${PROJECT_SOURCE_DIR}/cli/sweep/*.cpp)
list(FILTER cli_sources EXCLUDE REGEX "/main\\.cpp$")
verbs_registry(registry_source ${verb_sources})

# Everything but main(), so that tests can look at the declarations and other programs can add verbs of their own.
add_library(mubody_verbs STATIC ${cli_sources} ${verb_sources} ${registry_source} ${templates_source} $<TARGET_OBJECTS:mubody_problems>
                           $<TARGET_OBJECTS:mubody_measures>)
add_library(mubody::verbs ALIAS mubody_verbs)
target_link_libraries(mubody_verbs PUBLIC mubody_io)
target_precompile_headers(mubody_verbs REUSE_FROM mubody_cold_headers)
target_compile_options(mubody_verbs PRIVATE ${cold})
harden_cold(mubody_verbs)
embed_text(mubody_verbs docs/glossary.md mubody::cli::glossary_text)
foreach(file ${template_files})
  get_filename_component(stem ${file} NAME_WE)
  embed_text(mubody_verbs ${file} mubody::cli::${stem}_template)
endforeach()
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
