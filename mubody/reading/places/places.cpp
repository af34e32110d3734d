#include "mubody/reading/places/places.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "mubody/math/characters.h"
#include "mubody/math/suggest.h"

namespace mubody::io {
namespace {
/// Reads the places one after the other; each may use those before it.
class PlaceReader {
 public:
  PlaceReader(const Node& table, Known& known) : table_(table), known_(known) {}

  void read() {
    for (std::size_t k = 0; k < table_.items.size(); ++k) {
      const Node::Key& key = table_.keys[k];
      const Node& node = table_.items[k];
      const Scope scope("place " + in_quotes(key.name));
      if (!is_name(key.name, true))
        scope.fail(key.mark,
                   "a name is made of letters, digits, '_' and '-' and does not begin with a digit or '-'");
      const Vec<3> at = point(node, scope);
      if (!at.allFinite()) scope.fail(node, "must be finite");
      known_.places[key.name] = at;
    }
  }

 private:
  Vec<3> point(const Node& node, const Scope& scope) const {
    if (!node.is(Node::Kind::table)) return read_vector(node, scope, "m", known_);
    const Node *const length = node.find("length"), *const between = node.find("between");
    if (length) {
      const std::string_view keys[] = {"length", "near"};
      expect_keys(node, scope, keys);
      return by_lengths(node, *length, scope);
    }
    const std::string_view keys[] = {"between", "share", "length", "near"};
    expect_keys(node, scope, keys);
    if (!between)
      scope.fail(node,
                 "where? Give {length = {A = ..., B = ...}, near = [...]}, {between = [\"A\", \"B\"]}, or "
                 "numbers in an array");
    if (!between->is(Node::Kind::array) || between->items.size() != 2)
      (scope / "between").fail(*between, "expected the names of two places in an array");
    const Vec<3> a = earlier(between->items[0], scope / "between"),
                 b = earlier(between->items[1], scope / "between");
    const Node* const share = node.find("share");
    return a + (share ? read_number(*share, scope / "share", "", known_) : 0.5) * (b - a);
  }

  /// A place that has been read; one that comes later deserves a word of its own.
  const Vec<3>& earlier(const Node& name, const Scope& scope) const {
    if (name.is(Node::Kind::string) && !known_.places.contains(name.text) && table_.find(name.text))
      scope.fail(name, fmt::format("{} is defined here or further down; only earlier places can be used",
                                   in_quotes(name.text)));
    return named_place(name, scope, known_);
  }

  struct Far {
    Vec<3> from;
    double length;
    std::string name;
  };

  Vec<3> by_lengths(const Node& node, const Node& length, const Scope& scope) const {
    const Scope of_length = scope / "length";
    if (!length.is(Node::Kind::table) || length.items.size() != known_.dim)
      of_length.fail(length,
                     fmt::format("expected the distances from {} places in a table, as in {{A = \"5 cm\", "
                                 "B = \"4 cm\"{}}}",
                                 known_.dim, known_.dim == 3 ? ", C = \"3 cm\"" : ""));
    std::vector<Far> all;
    for (std::size_t k = 0; k < length.items.size(); ++k) {
      Node name;
      name.kind = Node::Kind::string;
      name.text = length.keys[k].name;
      name.mark = length.keys[k].mark;
      const Scope one = of_length / name.text;
      const double far = read_number(length.items[k], one, "m", known_);
      if (!(far > 0 && std::isfinite(far))) one.fail(length.items[k], "must be positive");
      all.push_back({earlier(name, of_length), far, name.text});
    }
    const auto [foot, out] =
        known_.dim == 2 ? in_plane(all, length, of_length) : in_space(all, length, of_length);
    const Node* const near = node.find("near");
    if (!near)
      scope.fail(node,
                 "which side? Two points are so far away; give 'near', a point that is nearer to this one");
    const double side = (read_point(*near, scope / "near", known_) - foot).dot(out);
    if (side == 0 && out.norm() > 0)
      (scope / "near").fail(*near, "is as far from one of the two points as from the other");
    return foot + (side < 0 ? -1.0 : 1.0) * out;
  }

  /// Both points that have these distances are foot + out and foot − out.
  using Both = std::pair<Vec<3>, Vec<3>>;

  Both in_plane(const std::vector<Far>& all, const Node& at, const Scope& scope) const {
    const Vec<3> d = all[1].from - all[0].from;
    const double c = d.norm(), a = all[0].length, b = all[1].length;
    if (c == 0) scope.fail(at, fmt::format("{} and {} are at the same point", all[0].name, all[1].name));
    const double along = ((c - b) * (c + b) + a * a) / (2 * c);
    const double height = height_of((a - along) * (a + along), a * a, all, at, scope);
    return {all[0].from + along / c * d, height / c * Vec<3>(-d.y(), d.x(), 0)};
  }

  Both in_space(const std::vector<Far>& all, const Node& at, const Scope& scope) const {
    const Vec<3> d = all[1].from - all[0].from, e = all[2].from - all[0].from, n = d.cross(e);
    if (n.norm() <= 1e-12 * d.norm() * e.norm())
      scope.fail(at, fmt::format("{}, {} and {} lie on a line", all[0].name, all[1].name, all[2].name));
    const double a = all[0].length, b = all[1].length, c = all[2].length;
    // The foot p lies in the plane of the three, and 2 d·p = d² + a² − b², 2 e·p = e² + a² − c².
    const double by_d = (d.squaredNorm() + (a - b) * (a + b)) / 2,
                 by_e = (e.squaredNorm() + (a - c) * (a + c)) / 2;
    const Vec<3> p = (by_d * e.cross(n) + by_e * n.cross(d)) / n.squaredNorm();
    const double far = p.norm();
    const double height = height_of((a - far) * (a + far), a * a, all, at, scope);
    return {all[0].from + p, height * n.normalized()};
  }

  /// The root of a square, in which what round-off made negative is zero.
  static double height_of(double square, double scale, const std::vector<Far>& all, const Node& at,
                          const Scope& scope) {
    constexpr double rounding = 1e-14;
    if (square >= -rounding * scale) return std::sqrt(std::max(0.0, square));
    std::string words;
    for (std::size_t k = 0; k < all.size(); ++k)
      words += fmt::format("{}{:.6g} m from {}", k == 0 ? "" : (k + 1 < all.size() ? ", " : " and "),
                           all[k].length, all[k].name);
    const std::string apart =
        all.size() == 2 ? fmt::format(", which are {:.6g} m apart", (all[1].from - all[0].from).norm()) : "";
    scope.fail(at, fmt::format("no point is {}{}", words, apart));
  }

  const Node& table_;
  Known& known_;
};
}  // namespace

void read_places(const Node& root, Known& known) {
  const Node* const table = root.find("places");
  if (!table) return;
  if (!table->is(Node::Kind::table))
    Scope("places").expected("a table: [places] and one line per place", *table);
  PlaceReader(*table, known).read();
}

const Vec<3>& named_place(const Node& name, const Scope& scope, const Known& known) {
  if (!name.is(Node::Kind::string)) scope.expected("the name of a place", name);
  const auto found = known.places.find(name.text);
  if (found != known.places.end()) return found->second;
  std::vector<std::string> all;
  for (const auto& [place, unused] : known.places) all.push_back(place);
  scope.fail(name, fmt::format("no place named {}{}", in_quotes(name.text),
                               all.empty() ? ": there is no [places]" : suggestion(name.text, all)));
}

Vec<3> read_point(const Node& node, const Scope& scope, const Known& known, const Pose& pose) {
  // Without places a string is no name but a mistake of another kind.
  if (!node.is(Node::Kind::string) || known.places.empty()) return read_vector(node, scope, "m", known);
  return (inverse(pose) * Pose{named_place(node, scope, known), Quaternion::Identity(), 0}).at;
}
}  // namespace mubody::io
