#pragma once
// Visitors of fields that treat all types by one template.
#include <vector>

#include "mubody/forces/laws/law.h"
#include "mubody/functions/signal.h"
#include "mubody/model/fields.h"

namespace mubody::io {
/// Hands every field to  template <class T> void Derived::each(const Field&, T&).
template <class Derived> class EachField : public Fields {
 public:
  void visit(const Field& f, double& v) final { self().each(f, v); }
  void visit(const Field& f, int& v) final { self().each(f, v); }
  void visit(const Field& f, bool& v) final { self().each(f, v); }
  void visit(const Field& f, std::string& v) final { self().each(f, v); }
  void visit(const Field& f, Choice& v) final { self().each(f, v); }
  void visit(const Field& f, Vec<3>& v) final { self().each(f, v); }
  void visit(const Field& f, std::vector<double>& v) final { self().each(f, v); }
  void visit(const Field& f, Data& v) final { self().each(f, v); }
  void visit(const Field& f, Marker& v) final { self().each(f, v); }
  void visit(const Field& f, Function& v) final { self().each(f, v); }
  void visit(const Field& f, std::vector<Function>& v) final { self().each(f, v); }
  void visit(const Field& f, Signal& v) final { self().each(f, v); }
  void visit(const Field& f, std::vector<Signal>& v) final { self().each(f, v); }
  void visit(const Field& f, Law& v) final { self().each(f, v); }
  void visit(const Field& f, std::optional<double>& v) final { self().each(f, v); }
  void visit(const Field& f, std::optional<Function>& v) final { self().each(f, v); }
  void visit(const Field& f, std::optional<Law>& v) final { self().each(f, v); }

 private:
  Derived& self() { return static_cast<Derived&>(*this); }
};

/// Notes which fields an element has, so that misspelt keys are found before any value is read.
class FieldList : public EachField<FieldList> {
 public:
  std::vector<std::string_view> names;  // all but the markers
  bool has_i = false, has_j = false;    // markers
  bool needs_i = false;

  template <class T> void each(const Field& f, T&) { names.push_back(f.name); }
  void each(const Field& f, Marker&) {
    if (f.name == "i") has_i = true, needs_i = f.required;
    if (f.name == "j") has_j = true;
  }
};

template <class Element> FieldList fields_of(Element& element) {
  FieldList list;
  element.fields(list);
  return list;
}
}  // namespace mubody::io
