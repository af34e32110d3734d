#pragma once
// The visitor that collects the fields of an element for `mubody list`.
#include <type_traits>

#include <fmt/format.h>

#include "mubody/reading/describe.h"
#include "mubody/reading/field_list.h"
#include "mubody/text/node.h"

namespace mubody::io {
/// The words that replace the unit of a number that has the unit of its curve.
struct UnitWords {
  std::string value, over;
};

/// Whether something exists in the plane, in space or in both.
struct InSpaces {
  bool plane = true, space = true;

  /// "2", "3" or "2 or 3": how many components a vector has.
  std::string components() const { return plane && space ? "2 or 3" : (plane ? "2" : "3"); }
  /// "plane, space".
  std::string words() const { return plane && space ? "plane, space" : (plane ? "plane" : "space"); }
};

/// The default of a key that has none.
inline const std::optional<std::string> is_required;

inline std::string numbers(const std::vector<double>& values) {
  return fmt::format("[{}]", fmt::join(values, ", "));
}

// Types in words, one overload for each type of Fields.
inline ValueType type_of(const double&) { return {Form::number, "number"}; }
inline ValueType type_of(const int&) { return {Form::whole, "whole number"}; }
inline ValueType type_of(const bool&) { return {Form::boolean, "true or false"}; }
inline ValueType type_of(const std::string&) { return {Form::text, "text"}; }
inline ValueType type_of(const Choice& c) {
  std::vector<std::string> quoted;
  for (const std::string_view word : c.words) quoted.push_back(fmt::format("\"{}\"", word));
  return {Form::choice,
          one_of(std::vector<std::string_view>(quoted.begin(), quoted.end())),
          {c.words.begin(), c.words.end()}};
}
inline ValueType type_of(const std::vector<double>&) { return {Form::numbers, "numbers"}; }
inline ValueType type_of(const std::vector<std::string>&) { return {Form::names, "names"}; }
inline ValueType type_of(const std::vector<Coupled>&) { return {Form::names, "names"}; }
inline ValueType type_of(const Data&) { return {Form::data, "rows, or a CSV file"}; }
inline ValueType type_of(const std::vector<Function>&) { return {Form::functions, "functions of time"}; }
inline ValueType type_of(const Signal&) { return {Form::function, "function of time and state"}; }
inline ValueType type_of(const Law&) { return {Form::law, "law"}; }
inline ValueType type_of(const ContactLaw&) { return {Form::contact_law, "contact law"}; }
inline ValueType type_of(const BodyCurve&) { return {Form::curve, "curve"}; }
inline ValueType type_of(const Nested&) { return {Form::table, "table"}; }
template <class T> ValueType type_of(const std::optional<T>&) {
  if constexpr (std::is_same_v<T, double>)
    return {Form::number, "number"};
  else if constexpr (std::is_same_v<T, Function>)
    return {Form::function, "function of time"};
  else if constexpr (std::is_same_v<T, Friction>)
    return {Form::friction_law, "friction law"};
  else
    return {Form::law, "law"};
}

// Defaults as a file would state them; "" if there is none.
inline std::string default_of(const double& v) { return fmt::format("{}", v); }
inline std::string default_of(const int& v) { return fmt::format("{}", v); }
inline std::string default_of(const bool& v) { return v ? "true" : "false"; }
inline std::string default_of(const std::string& v) { return fmt::format("\"{}\"", v); }
inline std::string default_of(const Choice& v) { return fmt::format("\"{}\"", v.word()); }
inline std::string default_of(const std::vector<double>& v) { return v.empty() ? "" : numbers(v); }
inline std::string default_of(const Function& v) { return fmt::format("{}", v(0).x); }
inline std::string default_of(const ContactLaw& v) { return fmt::format("\"{}\"", v->info().name); }
inline std::string default_of(const Signal& v) { return fmt::format("{}", v.function_of_time()(0).x); }
template <class T> std::string default_of(const T&) { return ""; }

/// Collects the fields of an element.
class Describer : public EachField<Describer> {
 public:
  Describer(UnitWords words, InSpaces in, int dim) : words_(std::move(words)), in_(in), dim_(dim) {}
  std::vector<FieldNote> notes;
  std::string meaning_i, meaning_j;

  int dim() const final { return dim_; }
  template <class T> void each(const Field& f, T& value) {
    FieldNote note{std::string(f.name), described_type(f, value), unit_of(f, value), default_in(value),
                   std::string(f.meaning)};
    if (f.required) note.fallback = is_required;
    if (!f.fallback.empty()) note.fallback = std::string(f.fallback);
    notes.push_back(std::move(note));
  }
  void each(const Field& f, Marker&) {
    std::string& meaning = f.name == "i" ? meaning_i : meaning_j;
    meaning = f.meaning;
    if (!f.fallback.empty()) meaning += "; " + std::string(f.fallback);
  }
  /// Adds the table, then its fields as "table.field".
  void each(const Field& f, Nested& value) {
    notes.push_back({std::string(f.name), type_of(value), "", "", std::string(f.meaning)});
    if (value.optional()) value.begin();
    const std::size_t first = notes.size();
    value.fields(*this);
    for (std::size_t k = first; k < notes.size(); ++k)
      notes[k].name = std::string(f.name) + "." + notes[k].name, ++notes[k].depth;
  }

 private:
  // Vectors have as many components as the space has dimensions; functions may be of time or of a length.
  template <class T> ValueType described_type(const Field& f, const T& value) const {
    if constexpr (std::is_same_v<T, Vec<3>>)
      return {Form::vector, in_.components() + " numbers"};
    else if constexpr (std::is_same_v<T, std::vector<Signal>>)
      return {Form::functions, in_.components() + " functions of time and state"};
    else if constexpr (std::is_same_v<T, Function> || std::is_same_v<T, std::optional<Function>>)
      return {Form::function, f.of_time ? "function of time" : "function of x"};
    else
      return type_of(value);
  }
  template <class T> std::string default_in(const T& value) const {
    if constexpr (std::is_same_v<T, Vec<3>>)
      return in_.plane ? numbers({value.x(), value.y()}) : numbers({value.x(), value.y(), value.z()});
    else
      return default_of(value);
  }

  template <class T> std::string unit_of(const Field& f, const T&) const {
    if (f.unit == "1") return "";
    constexpr bool is_number = std::is_same_v<T, double> || std::is_same_v<T, std::optional<double>>;
    constexpr bool are_numbers = std::is_same_v<T, std::vector<double>>;
    if (!f.unit.empty() || words_.value.empty()) return std::string(f.unit);
    if (are_numbers) return fmt::format("{}/{}^k", words_.value, words_.over);
    if (is_number && f.name.ends_with("_slope")) return fmt::format("{}/{}", words_.value, words_.over);
    return is_number ? words_.value : "";
  }

  UnitWords words_;
  InSpaces in_;
  int dim_;
};

/// Sets every choice to its k-th word, if it has that many.
class Chooser : public EachField<Chooser> {
 public:
  explicit Chooser(int k) : k_(k) {}
  template <class T> void each(const Field&, T& value) {
    if constexpr (std::is_same_v<T, Choice>)
      if (k_ < static_cast<int>(value.words.size())) value.index = k_;
  }

 private:
  int k_;
};

/// The unit of a field may depend on a choice, metres for x and radians for an angle, and on the dimension.
template <class Element>
void add_units(Element& element, const UnitWords& words, InSpaces in, std::vector<FieldNote>& notes) {
  constexpr int most_words = 8;
  for (int k = 0; k < most_words; ++k) {
    Chooser chooser(k);
    element.fields(chooser);
    for (const int dim : {2, 3}) {
      if (!(dim == 2 ? in.plane : in.space)) continue;
      Describer other(words, in, dim);
      element.fields(other);
      for (std::size_t n = 0; n < notes.size(); ++n)
        if (notes[n].unit.find(other.notes[n].unit) == std::string::npos)
          notes[n].unit += " or " + other.notes[n].unit;
    }
  }
}

template <class Element>
Describer described_by(Element& element, InSpaces in = {}, const UnitWords& words = {}) {
  Describer d(words, in, in.plane ? 2 : 3);
  element.fields(d);
  add_units(element, words, in, d.notes);
  return d;
}

template <class Element>
std::vector<FieldNote> notes_of(Element& element, InSpaces in = {}, const UnitWords& words = {}) {
  return described_by(element, in, words).notes;
}

}  // namespace mubody::io
