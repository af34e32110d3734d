#pragma once
// What a model file may contain, reported by the code that reads it, for `mubody list` and the docs.
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace mubody::io {
/// A key of an element.
struct FieldNote {
  std::string name, type, unit;
  std::optional<std::string> fallback;  // the value if the key is left out; none if it must not be
  std::string meaning;
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
}  // namespace mubody::io
