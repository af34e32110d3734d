#pragma once
// What a model file may contain, reported by the code that reads it, for `mubody list` and the docs.
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace mubody::io {
/// How a value is written.
enum class Form {
  number,           // also with a unit, or a formula
  whole,            // a whole number
  boolean,          // true or false
  text,             // any
  choice,           // one of some words
  vector,           // two or three numbers, or the name of a place
  vector_or_names,  // or the names of several places
  numbers,          // or rows of numbers
  names,            // texts
  data,             // rows, or a file
  function,         // of time or of a length, or a signal
  functions,        // several
  law,              // of a spring
  contact_law,      // of a contact
  friction_law,     // of a contact
  curve,            // on a body
  table,            // with keys
  tables,           // several
  text_or_table,    // a name, or more than that
  list_or_table,    // a pair of numbers, or more than that
  number_or_table,  // or one number for each of several names
  list,             // of anything
  place             // a vector, or a table with one
};

/// What a value is, for people and for programs.
struct ValueType {
  Form form;
  std::string words;
  std::vector<std::string> choices = {};
};

/// A key of an element.
struct FieldNote {
  std::string name;  // the path of keys, if it stands in a table within the element: "belt.width"
  ValueType type;
  std::string unit;
  std::optional<std::string> fallback;  // the value if the key is left out; none if it must not be
  std::string meaning;
  int depth = 0;  // how many tables it stands in, within the element
};

/// A number that differs between the plane and space; none where the element does not exist.
struct PerSpace {
  std::optional<int> plane, space;
};

/// A kind of element.
struct KindNote {
  std::string name, summary;
  std::vector<std::pair<std::string, std::variant<int, std::string, PerSpace>>> facts;  // such as {"order", 4}
  std::string in;  // "plane", "space" or both: "plane, space"; empty where it makes no difference
  std::vector<FieldNote> fields;
  std::string also = {};  // what others call it, with blanks between
  /// So many of the fields, the first ones, say where it is.  Which of these are needed depends on the others.
  std::size_t placing = 0;
};

struct Category {
  std::string name;  // "joints"
  std::string intro;
  std::vector<KindNote> kinds;
};

/// Everything: bodies, shapes, joints, drivers, forces, laws, functions, treatments, integrators, analyses, look.
std::vector<Category> describe();

/// The categories with the names and summaries of their kinds only.
std::string overview_text(const std::vector<Category>&, std::size_t width);
/// A category, or one kind of it, with all fields.
std::string describe_text(const Category&, std::size_t width);
std::string describe_text(const KindNote&, std::size_t width);
std::string describe_json(const std::vector<Category>&);
std::string describe_markdown(const std::vector<Category>&);
/// A JSON Schema of model files.                                                    docs/user/editors.md
std::string model_schema();
}  // namespace mubody::io
