# Checks that the headers below PREFIX and OTHER are the same.

# The headers with their contents, into OUT.
function(headers_of out prefix)
  file(GLOB_RECURSE files RELATIVE ${prefix}/include ${prefix}/include/*.h)
  set(all "")
  foreach(file ${files})
    file(SHA256 ${prefix}/include/${file} sum)
    list(APPEND all "${file} ${sum}")
  endforeach()
  set(${out} "${all}" PARENT_SCOPE)
endfunction()

headers_of(one ${PREFIX})
headers_of(two ${OTHER})
if(NOT one OR NOT one STREQUAL two)
  message(FATAL_ERROR "the headers differ:\n${one}\n${two}")
endif()
