#pragma once
// Which fields an element has.
#include <vector>

#include "mubody/mechanism/each_field.h"

namespace mubody::io {
/// Notes which fields an element has, so that misspelt keys are found before any value is read.
class FieldList : public EachConstField<FieldList> {
 public:
  std::vector<std::string_view> names;  // all but the markers
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
