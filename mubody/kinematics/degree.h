#pragma once
// How the equations of a joint depend on the coordinates, where points and directions are linear in them.
//
// forbid() is called with frames whose vectors know only their degree as polynomials, and passes on degrees as
// it would pass on values.  So no joint has to declare anything, and the result holds everywhere:
//
//   degree 1, coefficients that do not change with time      the row of D is constant
//   degree 2                                                 the row of D is linear
//
// In the same way they know how many lengths they are a product of, so that a row says whether it measures a length or
// an angle.
//
//   Roupa, Gonçalves & Silva (2018), Tab. 1                             docs/theory/cartesian.md
#include <vector>

#include "mubody/kinematics/frame.h"

namespace mubody {
/// The degree of a number.
struct Degree {
  static constexpr int beyond = 100;  // a root or an angle, which is no polynomial

  int degree = 0;
  bool moving = false;  // a coefficient depends on time
  int lengths = 0;      // how many lengths it is a product of

  bool has_constant_row() const { return degree <= 1 && !moving; }
  bool has_linear_row() const { return degree <= 2; }
  bool is_length() const { return lengths > 0; }
};
/// The degree of a vector with N components.
template <int N> struct VectorDegree { Degree of; };

namespace degrees {
inline Degree larger(const Degree& p, const Degree& q) {
  return {std::max(p.degree, q.degree), p.moving || q.moving, std::max(p.lengths, q.lengths)};
}
inline Degree product(const Degree& p, const Degree& q) {
  return {std::min(p.degree + q.degree, Degree::beyond), p.moving || q.moving, p.lengths + q.lengths};
}
inline Degree timed(const Degree& p) { return {p.degree, true, p.lengths}; }
/// The degree of a function that is no polynomial; it has so many lengths.
inline Degree curved(const Degree& p, int lengths) {
  return {p.degree > 0 ? Degree::beyond : 0, p.moving, lengths};
}
}  // namespace degrees

template <int N> VectorDegree<N> operator+(const VectorDegree<N>& p, const VectorDegree<N>& q) {
  return {degrees::larger(p.of, q.of)};
}
template <int N> VectorDegree<N> operator-(const VectorDegree<N>& p, const VectorDegree<N>& q) { return p + q; }
template <int N> VectorDegree<N> operator*(double, const VectorDegree<N>& p) { return p; }
template <int N, class R> VectorDegree<N> operator*(const JetOf<R>&, const VectorDegree<N>& p) {
  return {degrees::timed(p.of)};
}
template <int N> Degree dot(const VectorDegree<N>& p, const VectorDegree<N>& q) {
  return degrees::product(p.of, q.of);
}
template <int N> Degree dot(const VectorDegree<N>& p, const Vec<N>&) { return p.of; }
template <int K, int N> Degree component(const VectorDegree<N>& p) { return p.of; }
template <int N> Degree length(const VectorDegree<N>& p) { return degrees::curved(p.of, p.of.lengths); }

inline Degree operator+(const Degree& p, const Degree& q) { return degrees::larger(p, q); }
inline Degree operator-(const Degree& p, const Degree& q) { return degrees::larger(p, q); }
inline Degree operator*(const Degree& p, const Degree& q) { return degrees::product(p, q); }
inline Degree operator*(double, const Degree& p) { return p; }
template <class R> Degree operator*(const JetOf<R>&, const Degree& p) { return degrees::timed(p); }
inline Degree operator-(const Degree& p, double) { return p; }
template <class R> Degree operator-(const Degree& p, const JetOf<R>&) { return p; }
inline Degree sqrt(const Degree& p) { return degrees::curved(p, p.lengths / 2); }
inline Degree reciprocal(const Degree& p) { return degrees::curved(p, -p.lengths); }
inline Degree atan2(const Degree& s, const Degree& c) { return degrees::curved(degrees::larger(s, c), 0); }
inline Degree arc(double, const Degree& angle) { return {angle.degree, angle.moving, 1}; }
inline Degree nearest(const Degree& p, double) { return p; }
inline Degree wrapped(const Degree& p) { return p; }
// The columns of a flow w ṡ are those of s times w, as if the flow were the rate of w s.
inline Degree flow(const Degree& s) { return s; }
inline Degree flow(const Degree& w, const Degree& s) { return degrees::product(w, s); }
template <int K, class F> Degree counted(const F&, const Degree& angle) { return angle; }

/// A marker on the ground or on a body that moves.
template <class Formulation, Side S> struct DegreeFrame {
  static constexpr int dim = Formulation::dim;
  static constexpr int columns = Formulation::columns;
  static constexpr bool polynomial = Formulation::polynomial;
  static constexpr Side side = S;
  using Real = double;

  bool moves;

  VectorDegree<dim> o() const { return {{moves ? 1 : 0, false, 1}}; }
  VectorDegree<dim> x() const { return {{moves ? 1 : 0}}; }
  VectorDegree<dim> y() const { return x(); }
  VectorDegree<dim> z() const requires(dim == 3) { return x(); }
  template <int K> VectorDegree<dim> axis() const { return x(); }
  Degree angle() const requires(dim == 2) { return {moves ? Degree::beyond : 0}; }
};

/// Records the degree of every row.
struct DegreeRows {
  std::vector<Degree> rows;

  void zero(const Degree& p) { rows.push_back(p); }
  template <int N> void zero(const VectorDegree<N>& p) { rows.insert(rows.end(), N, p.of); }
};
}  // namespace mubody
