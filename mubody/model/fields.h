#pragma once
// One visitor describes the parameters of every element: the readers, `mubody list`, the tables of the
// docs, and the property tests all come from it.
//
//   void fields(Fields& f) {
//     f.required("radius", radius, "m", "of the pitch circle");
//     f.optional("phase", phase, "rad", "angle at t = 0");            // default: the member's own
//     f.optional("length", length, "m", "of the link", "as at the start");   // default: in words
//   }
//
// Values reach an element in SI units; `unit` is what a number without a unit means.  A constant element is shown to
// visitors that change nothing by show_fields().
#include <algorithm>
#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mubody/model/marker.h"

namespace mubody {
class Function;    // a function of time, functions/function.h
class Law;         // a force from deflection and rate, forces/laws/law.h
class Signal;      // a function of time and state, functions/signal.h
class ContactLaw;  // a normal force from depth and rate, contact/laws/contact_law.h
class Friction;    // a tangential force, contact/friction/friction.h
class Nested;      // below
struct Coupled;    // a coordinate of a joint, joints/coupled.h
class BodyCurve;   // a curve fixed in a body, joints/curves/body_curve.h

/// Name and one sentence, shown by `mubody list` and in the docs.
struct Info {
  std::string_view name, summary;
  std::string_view also = "";  // what other books and programs call it, with blanks between

  bool is_also(std::string_view word) const {
    for (std::size_t at = 0; at < also.size();) {
      const std::size_t end = std::min(also.find(' ', at), also.size());
      if (also.substr(at, end - at) == word) return true;
      at = end + 1;
    }
    return false;
  }
};

/// The values that a number usually has; others are possible, and are remarked.
enum class Usual {
  any,
  not_negative,
  not_negative_diagonal  // in a list that is a diagonal or a whole matrix, row by row
};

struct Field {
  std::string_view name, unit, meaning;
  bool required = false;
  std::string_view fallback = "";  // the default in words, where the member's own value is not it
  std::string_view over = "s";     // unit of the argument of a Function
  bool of_time = true;             // that argument is the time t, else a length x
  Usual usual = Usual::any;
};

/// One word out of a few, kept as its index so that evaluation compares no strings.
struct Choice {
  std::vector<std::string_view> words;
  int index = 0;
  std::string_view word() const { return words[index]; }
};

/// Rows of numbers, written in the model file or read from a CSV file; column 0 comes first.
struct Data {
  std::vector<std::vector<double>> columns;
};

class Fields {
 public:
  virtual ~Fields() = default;
  /// The dimension of the model, on which some units and numbers of columns depend.
  virtual int dim() const { return 2; }
  virtual void visit(const Field&, double&) = 0;
  virtual void visit(const Field&, int&) = 0;
  virtual void visit(const Field&, bool&) = 0;
  virtual void visit(const Field&, std::string&) = 0;
  virtual void visit(const Field&, Choice&) = 0;
  virtual void visit(const Field&, Vec<3>&) = 0;  // 2 numbers in the plane
  virtual void visit(const Field&, std::vector<double>&) = 0;
  virtual void visit(const Field&, std::vector<std::string>&) = 0;  // names
  virtual void visit(const Field&, Data&) = 0;
  virtual void visit(const Field&, Marker&) = 0;
  virtual void visit(const Field&, std::vector<Coupled>&) = 0;  // named by their joints
  virtual void visit(const Field&, Function&) = 0;
  virtual void visit(const Field&, std::vector<Function>&) = 0;
  virtual void visit(const Field&, Signal&) = 0;
  virtual void visit(const Field&, std::vector<Signal>&) = 0;  // one per direction: 2 or 3
  virtual void visit(const Field&, Law&) = 0;
  virtual void visit(const Field&, std::optional<double>&) = 0;  // absent: the element's default
  virtual void visit(const Field&, std::optional<Function>&) = 0;
  virtual void visit(const Field&, std::optional<Law>&) = 0;
  virtual void visit(const Field&, ContactLaw&) = 0;
  virtual void visit(const Field&, std::optional<Friction>&) = 0;
  virtual void visit(const Field&, BodyCurve&) = 0;
  virtual void visit(const Field&, Nested&) = 0;  // a table with fields of its own

  template <class T>
  void required(std::string_view name, T& value, std::string_view unit, std::string_view meaning,
                Usual usual = Usual::any) {
    visit(Field{.name = name, .unit = unit, .meaning = meaning, .required = true, .usual = usual}, value);
  }
  template <class T>
  void optional(std::string_view name, T& value, std::string_view unit, std::string_view meaning,
                std::string_view fallback = "") {
    visit(Field{name, unit, meaning, false, fallback}, value);
  }
  template <class T>
  void optional(std::string_view name, T& value, std::string_view unit, std::string_view meaning, Usual usual) {
    visit(Field{.name = name, .unit = unit, .meaning = meaning, .usual = usual}, value);
  }
  /// A table within the element: a struct with fields() and check(), or an optional one.
  template <class T> void table(std::string_view name, T& value, std::string_view meaning);

  /// A function that is not one of time; `over` is the unit of its argument.
  template <class F>
  void curve(std::string_view name, F& value, std::string_view unit, std::string_view over,
             std::string_view meaning, std::string_view fallback = "") {
    visit(Field{name, unit, meaning, false, fallback, over, false}, value);
  }
};

/// A table with fields of its own, whatever its type.
class Nested {
 public:
  virtual ~Nested() = default;
  virtual bool optional() const = 0;
  /// Marks the table as present: an optional one has a value from here on.
  virtual void begin() = 0;
  virtual void fields(Fields&) = 0;
  virtual void check() const = 0;
};

template <class T> class NestedOf final : public Nested {
 public:
  explicit NestedOf(T& value) : value_(value) {}
  bool optional() const override { return false; }
  void begin() override {}
  void fields(Fields& f) override { value_.fields(f); }
  void check() const override { value_.check(); }

 private:
  T& value_;
};
template <class T> class NestedOf<std::optional<T>> final : public Nested {
 public:
  explicit NestedOf(std::optional<T>& value) : value_(value) {}
  bool optional() const override { return true; }
  void begin() override { value_.emplace(); }
  void fields(Fields& f) override { value_->fields(f); }
  void check() const override { value_->check(); }

 private:
  std::optional<T>& value_;
};

/// A visitor that takes all fields as constants; `EachConstField` is one.
template <class Visitor>
concept ReadsFields = std::derived_from<Visitor, Fields> && Visitor::changes_nothing;

/// Shows the fields of an element that must not change.  An element writes `fields` once, for visitors that set values
/// and for those that read them; only here is it called on a constant.
template <class Element, ReadsFields Visitor> void show_fields(const Element& element, Visitor& visitor) {
  const_cast<Element&>(element).fields(visitor);
}

template <class T> void Fields::table(std::string_view name, T& value, std::string_view meaning) {
  NestedOf<T> nested(value);
  visit(Field{name, "", meaning, false}, nested);
}
}  // namespace mubody
