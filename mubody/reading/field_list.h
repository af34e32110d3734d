#pragma once
// The names of the fields of an element.
#include <vector>

#include "mubody/mechanism/each_field.h"

namespace mubody::io {
/// Collects the fields of an element, so that misspelt keys are found before any value is read.
class FieldList : public EachConstField<FieldList> {
 public:
  std::vector<std::string_view> names;  // names of all fields but the markers
  bool has_i = false, has_j = false;    // markers
  bool needs_i = false;

  template <class T> void each(const Field& f, const T&) { names.push_back(f.name); }
  void each(const Field& f, const Marker&) {
    if (f.name == "i") has_i = true, needs_i = f.required;
    if (f.name == "j") has_j = true;
  }
};

template <class Element> FieldList fields_of(const Element& element) {
  FieldList list;
  show_fields(element, list);
  return list;
}
}  // namespace mubody::io
