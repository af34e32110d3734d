# The folder is the registry: every header in a folder of elements that defines `static constexpr Info info`
# is one element, and its type is the file's name in CamelCase.  Adding one needs no edit anywhere else.

# The CamelCase type of file name STEM, into OUT.
function(type_of STEM OUT)
  string(REPLACE "_" ";" words ${STEM})
  set(type "")
  foreach(word ${words})
    string(SUBSTRING ${word} 0 1 head)
    string(SUBSTRING ${word} 1 -1 tail)
    string(TOUPPER ${head} head)
    string(APPEND type ${head}${tail})
  endforeach()
  set(${OUT} ${type} PARENT_SCOPE)
endfunction()

# The stems of the element headers in FOLDER, into OUT; without those that `absent_elements` lists as FOLDER/STEM,
# because something that they need is not there.
function(elements_of FOLDER OUT)
  file(GLOB headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/mubody/${FOLDER}/*.h)
  set(stems "")
  foreach(header ${headers})
    file(STRINGS ${header} marks REGEX "^  static constexpr Info info")
    get_filename_component(stem ${header} NAME_WE)
    if(marks AND NOT ${FOLDER}/${stem} IN_LIST absent_elements)
      list(APPEND stems ${stem})
    endif()
  endforeach()
  set(${OUT} ${stems} PARENT_SCOPE)
endfunction()

# One source that lists all elements of FOLDER:  std::span<const ENTRY> FUNCTION();
# HEADER declares both; ENTRY must be constructible by  ENTRY::of<Type>().
function(registry TARGET FOLDER HEADER ENTRY FUNCTION)
  elements_of(${FOLDER} stems)
  set(includes "#include \"mubody/${HEADER}\"\n")
  set(entries "")
  foreach(stem ${stems})
    type_of(${stem} type)
    string(APPEND includes "#include \"mubody/${FOLDER}/${stem}.h\"\n")
    string(APPEND entries "      ${ENTRY}::of<${type}>(),\n")
  endforeach()
  string(REPLACE "/" "_" file ${FOLDER})
  set(out ${PROJECT_BINARY_DIR}/generated/${file}_registry.cpp)
  file(CONFIGURE OUTPUT ${out} CONTENT
"// generated from the headers in mubody/${FOLDER}/
${includes}
namespace mubody {
std::span<const ${ENTRY}> ${FUNCTION}() {
  static const ${ENTRY} all[] = {
${entries}  };
  return all;
}
}  // namespace mubody
")
  target_sources(${TARGET} PRIVATE ${out})
  if(NOT FOLDER STREQUAL treatments)  # of which each is as much work as all others
    in_one_batch(${TARGET} registries ${out})
  endif()
endfunction()

# Writes the source generated/NAME.cpp, which includes HEADER and the elements in ARGN and has the lines of DEFINITION for
# each of them, with STEM and TYPE in place of its file and its type.  Its path goes into OUT.
function(elements_source OUT TARGET FOLDER HEADER NAME DEFINITION)
  set(includes "")
  set(definitions "")
  foreach(stem ${ARGN})
    type_of(${stem} type)
    string(APPEND includes "#include \"mubody/${FOLDER}/${stem}.h\"\n")
    string(REPLACE STEM ${stem} own "${DEFINITION}")
    string(REPLACE TYPE ${type} own "${own}")
    string(APPEND definitions "${own}")
  endforeach()
  set(out ${PROJECT_BINARY_DIR}/generated/${NAME}.cpp)
  file(CONFIGURE OUTPUT ${out} CONTENT
"// generated from headers in mubody/${FOLDER}/
#include \"mubody/${HEADER}\"
${includes}
namespace mubody {
${definitions}}  // namespace mubody
")
  target_sources(${TARGET} PRIVATE ${out})
  set(${OUT} ${out} PARENT_SCOPE)
endfunction()

# Writes the source generated/<FOLDER>_recorded.cpp, which compiles the equations of all elements of FOLDER for recorded
# numbers:  const ENTRY& FUNCTION<Type>().  They run once for each model, so that little is spent on their speed.
function(recorders TARGET FOLDER ENTRY FUNCTION)
  elements_of(${FOLDER} stems)
  elements_source(out ${TARGET} ${FOLDER} system/recorded_elements.h ${FOLDER}_recorded
                  "template <> constexpr bool is_of_any_scalar<TYPE> = true;
template const ${ENTRY}& ${FUNCTION}<TYPE>();
" ${stems})
  in_one_batch(${TARGET} recorded_elements ${out})  # joints and forces share much
endfunction()

# Writes the source generated/<FOLDER>_not_recorded.cpp, which takes the place of that of recorders() where nothing is recorded,
# and adds it to TARGET.  Its path goes into OUT.
function(recorders_left_out OUT TARGET FOLDER ENTRY FUNCTION)
  elements_of(${FOLDER} stems)
  set(definitions "")
  foreach(stem ${stems})
    type_of(${stem} type)
    string(APPEND definitions "struct ${type};\ntemplate <> const ${ENTRY}& ${FUNCTION}<${type}>() { return no_${FOLDER}; }\n")
  endforeach()
  set(out ${PROJECT_BINARY_DIR}/generated/${FOLDER}_not_recorded.cpp)
  file(CONFIGURE OUTPUT ${out} CONTENT
"// generated from the headers in mubody/${FOLDER}/
#include \"mubody/system/registry.h\"

namespace mubody {
namespace {
const ${ENTRY} no_${FOLDER}{nullptr, nullptr, \"equations are not recorded in this library\"};
}
${definitions}}  // namespace mubody
")
  target_sources(${TARGET} PRIVATE ${out})
  set(${OUT} ${out} PARENT_SCOPE)
endfunction()

# The kinds of joints and forces, of which ONE is `joint` or `force`.  What makes their groups runs in every step, and becomes part of
# HOT; what is asked once for each model is one source of COLD, which lists them all:  Kinds<ENTRY> ONE_kinds();
#
# What all groups share takes as long to compile as five of them, so that those that are there when a build folder is made
# come in one source.  One that is added later gets a source of its own, and so does each without batches.
function(registry_of_elements HOT COLD FOLDER ONE ENTRY)
  elements_of(${FOLDER} stems)
  if(MUBODY_BATCHES AND NOT DEFINED mubody_first_${FOLDER})
    set(mubody_first_${FOLDER} ${stems} CACHE INTERNAL "elements of ${FOLDER} that are compiled together")
  endif()
  string(REPLACE Entry Group group ${ENTRY})
  set(groups "template const MakeGroups<${group}>& ${ONE}_groups<TYPE>();\n")
  set(includes "")
  set(definitions "")
  set(entries "")
  set(together "")
  foreach(stem ${stems})
    if(MUBODY_BATCHES AND ${stem} IN_LIST mubody_first_${FOLDER})
      list(APPEND together ${stem})
    else()
      elements_source(out ${HOT} ${FOLDER} system/${ONE}_group.h ${FOLDER}_groups_${stem} "${groups}" ${stem})
    endif()
    type_of(${stem} type)
    string(APPEND includes "#include \"mubody/${FOLDER}/${stem}.h\"\n")
    string(APPEND definitions "template const ${ENTRY}& ${ONE}_entry<${type}>();\n")
    string(APPEND entries "      &${ONE}_entry<${type}>(),\n")
  endforeach()
  if(together)
    elements_source(out ${HOT} ${FOLDER} system/${ONE}_group.h ${FOLDER}_groups "${groups}" ${together})
  endif()
  set(out ${PROJECT_BINARY_DIR}/generated/${FOLDER}_entries.cpp)
  file(CONFIGURE OUTPUT ${out} CONTENT
"// generated from the headers in mubody/${FOLDER}/
#include \"mubody/system/entries.h\"
${includes}
namespace mubody {
${definitions}
Kinds<${ENTRY}> ${ONE}_kinds() {
  static const ${ENTRY}* const all[] = {
${entries}  };
  return Kinds<${ENTRY}>(all);
}
}  // namespace mubody
")
  target_sources(${COLD} PRIVATE ${out})
  in_one_batch(${COLD} entries ${out})  # joints and forces share much
endfunction()
