#pragma once
// Fills the fields of an element from a table of a model file.
#include "mubody/joints/coupled.h"
#include "mubody/reading/curves.h"
#include "mubody/reading/data_file.h"
#include "mubody/reading/field_list.h"
#include "mubody/reading/values.h"

namespace mubody::io {
/// An element is filled in by fill() alone, so that no mistake is passed over.
class FieldReader : private EachField<FieldReader> {
 public:
  /// Messages about a missing key point to `owner`.
  FieldReader(const Node& table, const Mark& owner, Scope scope, const Known& known)
      : table_(table), owner_(owner), scope_(std::move(scope)), known_(known) {}

  /// Supplies the markers, which are read from several keys, see markers.h.
  FieldReader& with(const MarkerPair& markers) {
    markers_ = markers;
    return *this;
  }
  /// Supplies the units of fields that have none of their own.
  FieldReader& with(CurveUnits units) {
    units_ = std::move(units);
    return *this;
  }

  /// Fills in the fields of an element.  All that is wrong with them is told at once.
  template <class T> void fill(T& element) {
    element.fields(*this);
    throw_together(std::move(wrong_));
  }

  int dim() const final { return static_cast<int>(known_.dim); }
  template <class T> void each(const Field& f, T& value) {
    const Node* node = table_.find(f.name);
    try {
      if (node)
        read(*node, scope_ / f.name, f, value);
      else if (f.required)
        missing(f, words_of(value));
    } catch (ModelError& e) {
      wrong_.push_back(std::move(e));
    }
  }
  void each(const Field& f, Marker& value) { value = f.name == "i" ? markers_.i : markers_.j; }

 private:
  friend EachField<FieldReader>;
  void read(const Node&, const Scope&, const Field&, double&) const;
  void read(const Node&, const Scope&, const Field&, int&) const;
  void read(const Node&, const Scope&, const Field&, bool&) const;
  void read(const Node&, const Scope&, const Field&, std::string&) const;
  void read(const Node&, const Scope&, const Field&, Choice&) const;
  void read(const Node&, const Scope&, const Field&, Vec<3>&) const;
  void read(const Node&, const Scope&, const Field&, std::vector<double>&) const;
  void read(const Node&, const Scope&, const Field&, std::vector<std::string>&) const;
  void read(const Node&, const Scope&, const Field&, Data&) const;
  void read(const Node&, const Scope&, const Field&, std::vector<Coupled>&) const;
  void read(const Node&, const Scope&, const Field&, Function&) const;
  void read(const Node&, const Scope&, const Field&, std::vector<Function>&) const;
  void read(const Node&, const Scope&, const Field&, Signal&) const;
  void read(const Node&, const Scope&, const Field&, std::vector<Signal>&) const;
  void read(const Node&, const Scope&, const Field&, Law&) const;
  void read(const Node&, const Scope&, const Field&, std::optional<double>&) const;
  void read(const Node&, const Scope&, const Field&, std::optional<Function>&) const;
  void read(const Node&, const Scope&, const Field&, std::optional<Law>&) const;
  void read(const Node&, const Scope&, const Field&, ContactLaw&) const;
  void read(const Node&, const Scope&, const Field&, std::optional<Friction>&) const;
  void read(const Node&, const Scope&, const Field&, BodyCurve&) const;
  void read(const Node&, const Scope&, const Field&, Nested&) const;

  std::string unit_of(const Field&) const;
  std::string unit_of_number(const Field&, std::size_t k, std::size_t count) const;
  std::vector<std::string> column_units(const Field&) const;
  template <class T> static std::string words_of(const T&) { return ""; }
  static std::string words_of(const Choice& choice) { return " (" + one_of(choice.words) + ")"; }
  [[noreturn]] void missing(const Field&, const std::string& words) const;

  const Node& table_;
  const Mark& owner_;
  Scope scope_;
  const Known& known_;
  MarkerPair markers_;
  CurveUnits units_;
  std::vector<ModelError> wrong_;
};

/// Runs a check of an element read from the table; an error is reported at the place of the field.
template <class Check>
void with_places(const Node& table, const Mark& owner, const Scope& scope, const Check& check) {
  try {
    check();
  } catch (const FieldError& e) {
    const Node* at = table.find(e.field);
    if (at && e.item && *e.item < at->items.size()) at = &at->items[*e.item];
    (e.field.empty() ? scope : scope / e.field).fail(at ? at->mark : owner, e.what());
  }
}
}  // namespace mubody::io
