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
endfunction()

# As registry(), but in several sources, so that touching one element compiles few others anew: each defines
# const ENTRY& entry_<FOLDER>_<stem>()  of some elements, and one more source lists them.  Which source has an
# element is a matter of its name alone, so that a new one moves no other.  Sources with about four elements
# take a third of the time that a source for each would.
function(registry_in_parts TARGET FOLDER HEADER ENTRY FUNCTION)
  set(last_part 5)
  elements_of(${FOLDER} stems)
  string(REPLACE "_kinds" "_entry" entry_function ${FUNCTION})
  set(declarations "")
  set(entries "")
  foreach(stem ${stems})
    type_of(${stem} type)
    string(SHA1 hash ${stem})
    string(SUBSTRING ${hash} 0 4 hash)
    math(EXPR part "0x${hash} % (${last_part} + 1)")
    string(APPEND includes_${part} "#include \"mubody/${FOLDER}/${stem}.h\"\n")
    string(APPEND definitions_${part} "template const ${ENTRY}& ${entry_function}<${type}>();\n"
           "const ${ENTRY}& entry_${FOLDER}_${stem}() { return ${entry_function}<${type}>(); }\n")
    string(APPEND declarations "const ${ENTRY}& entry_${FOLDER}_${stem}();\n")
    string(APPEND entries "      &entry_${FOLDER}_${stem}(),\n")
  endforeach()
  foreach(part RANGE ${last_part})
    set(out ${PROJECT_BINARY_DIR}/generated/${FOLDER}_${part}.cpp)
    file(CONFIGURE OUTPUT ${out} CONTENT
"// generated from headers in mubody/${FOLDER}/
#include \"mubody/${HEADER}\"
${includes_${part}}
namespace mubody {
${definitions_${part}}}  // namespace mubody
")
    target_sources(${TARGET} PRIVATE ${out})
  endforeach()
  set(out ${PROJECT_BINARY_DIR}/generated/${FOLDER}_registry.cpp)
  get_filename_component(folder_of_header ${HEADER} DIRECTORY)
  file(CONFIGURE OUTPUT ${out} CONTENT
"// generated from the headers in mubody/${FOLDER}/
#include \"mubody/${folder_of_header}/registry.h\"

namespace mubody {
${declarations}
Kinds<${ENTRY}> ${FUNCTION}() {
  static const ${ENTRY}* const all[] = {
${entries}  };
  return Kinds<${ENTRY}>(all);
}
}  // namespace mubody
")
  target_sources(${TARGET} PRIVATE ${out})
endfunction()
