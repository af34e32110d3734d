#pragma once
// The user's mistakes.  Numerical failures are answers, not exceptions: see results/outcome.h.
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace mubody {
/// Where something stands in a file; line 0 means "the file as a whole", column 0 "the line as a whole".
struct Place {
  std::string file;
  int line = 0, column = 0;
};

/// "file:line:column", as far as it is known.
inline std::string text(const Place& p) {
  std::string s = p.file;
  if (p.line > 0) s += ':' + std::to_string(p.line);
  if (p.line > 0 && p.column > 0) s += ':' + std::to_string(p.column);
  return s;
}

/// A model that cannot be what the user meant.  what() is the whole message:
/// "file:line:column: element: what is wrong, what was expected".
struct ModelError : std::runtime_error {
  Place place;                     // as far as it is known
  std::vector<ModelError> others;  // further mistakes of the same file, in its order
  std::size_t left_out = 0;        // how many more there are

  explicit ModelError(const std::string& message) : std::runtime_error(message) {}
  ModelError(const Place& where, const std::string& message)
      : std::runtime_error(where.file.empty() ? message : text(where) + ": " + message), place(where) {}
};
/// Throws the first mistake in the order of the file, with up to 19 others; does nothing if there are none.
void throw_together(std::vector<ModelError> all);

/// Raised by the check() of an element; the reader adds the place of the field.
struct FieldError : std::runtime_error {
  std::string field;
  std::optional<std::size_t> item;  // which item, if the field is a list
  FieldError(std::string name, const std::string& message)
      : std::runtime_error(message), field(std::move(name)) {}
  FieldError(std::string name, std::size_t which, const std::string& message)
      : std::runtime_error(message), field(std::move(name)), item(which) {}
};

/// check() in one line:  require(mass >= 0, "mass", "must not be negative").
inline void require(bool holds, const char* field, const std::string& message) {
  if (!holds) throw FieldError(field, message);
}
}  // namespace mubody
