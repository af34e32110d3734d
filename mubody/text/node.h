#pragma once
// A document as a tree of tables, arrays and values that knows nothing of the language it was written in.
// Everything remembers where it stands, so that every message can say where.
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mubody/model/errors.h"

namespace mubody::io {
/// A position in a file; all nodes of one file share its name.
struct Mark {
  std::shared_ptr<const std::string> file;
  int line = 0, column = 0;  // line 0: not from a file
  int rank = 0;              // a higher rank comes later, whatever the line

  Place place() const { return {file ? *file : "", line, column}; }
  /// The order of the file; what does not come from a file comes last.
  bool before(const Mark& other) const;
};

struct Node {
  enum class Kind { table, array, string, number, integer, boolean, date };
  struct Key {
    std::string name;
    Mark mark;
  };

  Kind kind = Kind::table;
  Mark mark;                // where the value stands
  std::string text;         // content of a string
  double number = 0;        // value of a number or an integer; 1 and 0 for true and false
  std::vector<Node> items;  // elements of an array, or values of a table in the order of the file
  std::vector<Key> keys;    // keys of a table; keys[k] belongs to items[k]

  bool is(Kind k) const { return kind == k; }
  const Node* find(std::string_view key) const;
  Node* find(std::string_view key);
  /// The key of that name, or nullptr.
  const Key* key(std::string_view name) const;
};

/// "a number", "an array", ... for messages.
std::string_view described(const Node&);

/// A user's word in quotes, on one line and shortened if it is very long.
std::string in_quotes(std::string_view word);

/// "x, y or z".
std::string one_of(std::span<const std::string_view> words);

/// Whether the text is a dotted key, "=" and anything.
bool is_setting(std::string_view text);

/// Changes one value: "analysis.rtol=1e-10".  The value is read as in a model file, and as a plain string if
/// that fails.  A number as a key, from 0, is an entry of an array: "gravity.1=-1.6".  Missing keys and tables
/// on the way are added, but not elements or parameters, since a new one would be a misspelt one.  Throws
/// ModelError.
void apply_override(Node& root, const std::string& setting);

/// Where the reader is in the model, as messages say it: "joint 'A': i".
class Scope {
 public:
  explicit Scope(std::string label) : label_(std::move(label)) {}
  Scope operator/(std::string_view key) const { return Scope(label_ + ": " + std::string(key)); }

  ModelError error(const Mark& at, const std::string& message) const;
  [[noreturn]] void fail(const Mark& at, const std::string& message) const { throw error(at, message); }
  [[noreturn]] void fail(const Node& at, const std::string& message) const { fail(at.mark, message); }
  /// "expected `what`, got a string".
  [[noreturn]] void expected(const std::string& what, const Node& got) const;

 private:
  std::string label_;
};

/// Refuses keys that are not in the list, all of them at once.
void expect_keys(const Node& table, const Scope&, std::span<const std::string_view> known);
}  // namespace mubody::io
