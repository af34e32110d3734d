#include "mubody/recording/recorded.h"

#include <numbers>

namespace mubody {
namespace {
Recorded noted(Step s, const Recorded& a) {
  if (a.is_plain()) return apply(s, a.value());
  return {*a.graph(), a.graph()->add(s, a.node_in(*a.graph()))};
}
Recorded noted(Step s, const Recorded& a, const Recorded& b) {
  if (a.is_plain() && b.is_plain()) return apply(s, a.value(), b.value());
  Computation& g = a.is_plain() ? *b.graph() : *a.graph();
  const int first = a.node_in(g), second = b.node_in(g);
  return {g, g.add(s, first, second)};
}
Condition compared(Step s, const Recorded& a, const Recorded& b) {
  const Recorded r = noted(s, a, b);
  if (r.is_plain()) return {nullptr, -1, r.value() != 0};
  return {r.graph(), r.node_in(*r.graph()), false};
}
/// Truth as a number of that graph.
int truth(const Condition& c, Computation& g) { return c.graph ? c.node : g.constant(c.holds ? 1 : 0); }
Condition joined(Step s, const Condition& a, const Condition& b) {
  if (!a.graph && !b.graph) return {nullptr, -1, apply(s, a.holds, b.holds) != 0};
  Computation& g = a.graph ? *a.graph : *b.graph;
  return {&g, g.add(s, truth(a, g), truth(b, g)), false};
}
}  // namespace

Recorded Recorded::operator-() const { return noted(Step::negative, *this); }
Recorded operator+(const Recorded& a, const Recorded& b) { return noted(Step::add, a, b); }
Recorded operator-(const Recorded& a, const Recorded& b) { return noted(Step::subtract, a, b); }
Recorded operator*(const Recorded& a, const Recorded& b) { return noted(Step::multiply, a, b); }
Recorded operator/(const Recorded& a, const Recorded& b) { return noted(Step::divide, a, b); }
Condition operator<(const Recorded& a, const Recorded& b) { return compared(Step::less, a, b); }
Condition operator<=(const Recorded& a, const Recorded& b) { return compared(Step::less_equal, a, b); }
Condition operator==(const Recorded& a, const Recorded& b) { return compared(Step::equal, a, b); }
Condition operator!=(const Recorded& a, const Recorded& b) { return !(a == b); }
Condition operator&&(const Condition& a, const Condition& b) { return joined(Step::both, a, b); }
Condition operator||(const Condition& a, const Condition& b) { return joined(Step::either, a, b); }
Condition operator!(const Condition& c) {
  if (!c.graph) return {nullptr, -1, !c.holds};
  return {c.graph, c.graph->add(Step::negation, c.node), false};
}

Recorded choose(const Condition& c, const Recorded& a, const Recorded& b) {
  if (!c.graph) return c.holds ? a : b;
  Computation& g = *c.graph;
  const int first = a.node_in(g), second = b.node_in(g);
  return {g, g.add(Step::choose, c.node, first, second)};
}

Recorded sqrt(const Recorded& x) { return noted(Step::sqrt, x); }
Recorded sin(const Recorded& x) { return noted(Step::sin, x); }
Recorded cos(const Recorded& x) { return noted(Step::cos, x); }
Recorded tan(const Recorded& x) { return noted(Step::tan, x); }
Recorded asin(const Recorded& x) { return noted(Step::asin, x); }
Recorded acos(const Recorded& x) { return noted(Step::acos, x); }
Recorded atan(const Recorded& x) { return noted(Step::atan, x); }
Recorded sinh(const Recorded& x) { return noted(Step::sinh, x); }
Recorded cosh(const Recorded& x) { return noted(Step::cosh, x); }
Recorded tanh(const Recorded& x) { return noted(Step::tanh, x); }
Recorded exp(const Recorded& x) { return noted(Step::exp, x); }
Recorded log(const Recorded& x) { return noted(Step::log, x); }
Recorded log10(const Recorded& x) { return noted(Step::log10, x); }
Recorded abs(const Recorded& x) { return noted(Step::abs, x); }
Recorded sign(const Recorded& x) { return noted(Step::sign, x); }
Recorded floor(const Recorded& x) { return noted(Step::floor, x); }
Recorded ceil(const Recorded& x) { return noted(Step::ceil, x); }
Recorded atan2(const Recorded& y, const Recorded& x) { return noted(Step::atan2, y, x); }
Recorded hypot(const Recorded& x, const Recorded& y) { return noted(Step::hypot, x, y); }
Recorded pow(const Recorded& x, const Recorded& y) { return noted(Step::power, x, y); }
Recorded mod(const Recorded& x, const Recorded& y) { return noted(Step::mod, x, y); }
Recorded remainder(const Recorded& x, const Recorded& y) { return noted(Step::remainder, x, y); }
Recorded wrapped(const Recorded& angle) { return remainder(angle, 2 * std::numbers::pi); }
Recorded smaller_of(const Recorded& x, const Recorded& y) { return noted(Step::min, x, y); }
Recorded larger_of(const Recorded& x, const Recorded& y) { return noted(Step::max, x, y); }

Pieces::Pieces(const Recorded& x, std::vector<double> begins) {
  NumberTable t{1, std::move(begins)};
  if (x.is_plain()) {
    row_ = piece_of(t, x.value());
  } else {
    Computation& g = *x.graph();
    const int at = x.node_in(g);
    row_ = {g, g.index(at, g.table(std::move(t)))};
  }
}
// The numbers of rows and columns are the same for all mechanisms.
Pieces Pieces::crossed(const Pieces& column, int columns) const {
  if (row_.is_plain() && column.row_.is_plain())
    return Pieces(Recorded(row_.value() * columns + column.row_.value()));
  Computation& g = row_.is_plain() ? *column.row_.graph() : *row_.graph();
  const auto place = [&](const Recorded& row) {
    return row.is_plain() ? g.constant(row.value()) : row.node_in(g);
  };
  const int before = g.add(Step::multiply, place(row_), g.constant(columns));
  return Pieces(Recorded(g, g.add(Step::add, before, place(column.row_))));
}
Recorded Pieces::operator()(const std::vector<double>& rows, int columns, int column) const {
  const auto number = [&](std::size_t row) { return rows[row * std::size_t(columns) + std::size_t(column)]; };
  if (row_.is_plain()) return number(std::size_t(row_.value()));
  bool same = true;
  for (std::size_t k = 1; k < rows.size() / std::size_t(columns); ++k) same = same && number(k) == number(0);
  if (same) return number(0);
  Computation& g = *row_.graph();
  return {g, g.fetch(row_.node_in(g), g.table({columns, rows}), column)};
}
}  // namespace mubody
