#pragma once
// A number that notes what is done to it: the scalar with which equations are run once, to be evaluated later in other
// ways.  It is a plain double as long as it meets no number of a graph.
//
//   docs/theory/recording.md
//
// It has no value, so that nobody can ask it a question: a comparison is a condition, and choose() takes both sides.
#include <optional>

#include "mubody/math/real.h"
#include "mubody/recording/graph.h"

namespace mubody {
/// Whether something holds, of numbers that are not known yet.
struct Condition {
  Computation* graph = nullptr;  // null: it is known
  int node = -1;
  bool holds = false;
};

class Recorded {
 public:
  Recorded(double value = 0) : value_(value) {}
  Recorded(Computation& graph, int node) : graph_(&graph), node_(node) {}

  static Recorded input(Computation& g, int which) { return {g, g.input(which)}; }

  Computation* graph() const { return graph_; }
  /// Its place in a graph, which it enters as a number of the mechanism if it is a plain double.
  int node_in(Computation& g) const { return graph_ ? node_ : g.number(value_); }
  /// The value of a plain double.
  double value() const { return value_; }
  bool is_plain() const { return graph_ == nullptr; }

  Recorded operator-() const;
  Recorded& operator+=(const Recorded& o) { return *this = *this + o; }
  Recorded& operator-=(const Recorded& o) { return *this = *this - o; }
  Recorded& operator*=(const Recorded& o) { return *this = *this * o; }
  Recorded& operator/=(const Recorded& o) { return *this = *this / o; }
  friend Recorded operator+(const Recorded&, const Recorded&);
  friend Recorded operator-(const Recorded&, const Recorded&);
  friend Recorded operator*(const Recorded&, const Recorded&);
  friend Recorded operator/(const Recorded&, const Recorded&);
  friend Condition operator<(const Recorded&, const Recorded&);
  friend Condition operator<=(const Recorded&, const Recorded&);
  friend Condition operator>(const Recorded& a, const Recorded& b) { return b < a; }
  friend Condition operator>=(const Recorded& a, const Recorded& b) { return b <= a; }
  friend Condition operator==(const Recorded&, const Recorded&);
  friend Condition operator!=(const Recorded&, const Recorded&);

 private:
  double value_ = 0;
  Computation* graph_ = nullptr;
  int node_ = -1;
};

Condition operator&&(const Condition&, const Condition&);
Condition operator||(const Condition&, const Condition&);
Condition operator!(const Condition&);

/// a where the condition holds, else b.
Recorded choose(const Condition&, const Recorded& a, const Recorded& b);
/// The same of what is still to be computed, which both alternatives are unless the condition is known.
template <class F, class G> auto branch(const Condition& c, const F& a, const G& b) {
  if (!c.graph) return c.holds ? a() : b();
  return choose(c, a(), b());
}
inline const Recorded& value(const Recorded& x) { return x; }
/// Its value where it is a plain double.
inline std::optional<double> known_value(const Recorded& x) {
  return x.is_plain() ? std::optional(x.value()) : std::nullopt;
}

inline bool is_nothing(const Recorded& x) { return x.is_plain() && x.value() == 0; }

Recorded sqrt(const Recorded&);
Recorded sin(const Recorded&);
Recorded cos(const Recorded&);
Recorded tan(const Recorded&);
Recorded asin(const Recorded&);
Recorded acos(const Recorded&);
Recorded atan(const Recorded&);
Recorded sinh(const Recorded&);
Recorded cosh(const Recorded&);
Recorded tanh(const Recorded&);
Recorded exp(const Recorded&);
Recorded log(const Recorded&);
Recorded log10(const Recorded&);
Recorded abs(const Recorded&);
Recorded sign(const Recorded&);
Recorded floor(const Recorded&);
Recorded ceil(const Recorded&);
Recorded atan2(const Recorded&, const Recorded&);
Recorded hypot(const Recorded&, const Recorded&);
Recorded pow(const Recorded&, const Recorded&);
Recorded mod(const Recorded&, const Recorded&);
Recorded remainder(const Recorded&, const Recorded&);
/// The angle in (−π, π] that differs from this one by whole turns.
Recorded wrapped(const Recorded& angle);
Recorded smaller_of(const Recorded&, const Recorded&);
Recorded larger_of(const Recorded&, const Recorded&);

/// The piece to which x belongs among those that begin at these numbers, and a number that is given for each piece: as
/// piecewise functions need them.  The last number of `begins` is the end of the last piece.
class Pieces {
 public:
  Pieces(const Recorded& x, std::vector<double> begins);
  /// The pieces of a grid, row by row, of which this is the row and `column`, one of `columns`, the column.
  Pieces crossed(const Pieces& column, int columns) const;
  /// Row by row, one row for each piece; a number that all pieces share is known.
  Recorded operator()(const std::vector<double>& rows, int columns, int column) const;

 private:
  explicit Pieces(const Recorded& row) : row_(row) {}
  Recorded row_;
};
inline Pieces pieces_of(const Recorded& x, std::vector<double> begins) { return {x, std::move(begins)}; }
}  // namespace mubody
