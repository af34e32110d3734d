#include "mubody/recording/graph.h"

#include <algorithm>
#include <bit>

#include "mubody/math/real.h"

namespace mubody {
std::string_view name_of(Step s) {
  static constexpr std::string_view names[] = {
      "constant", "parameter", "input",     "add",   "subtract", "multiply", "divide",     "negative", "sqrt",
      "sin",      "cos",       "tan",       "asin",  "acos",     "atan",     "sinh",       "cosh",     "tanh",
      "exp",      "log",       "log10",     "fabs",  "sign",     "floor",    "ceil",       "atan2",    "hypot",
      "pow",      "mod",       "remainder", "min",   "max",      "less",     "less_equal", "equal",    "both",
      "either",   "negation",  "choose",    "index", "fetch"};
  return names[std::size_t(s)];
}

double apply(Step s, double a, double b, double c) {
  switch (s) {
    case Step::add: return a + b;
    case Step::subtract: return a - b;
    case Step::multiply: return a * b;
    case Step::divide: return a / b;
    case Step::negative: return -a;
    case Step::sqrt: return std::sqrt(a);
    case Step::sin: return std::sin(a);
    case Step::cos: return std::cos(a);
    case Step::tan: return std::tan(a);
    case Step::asin: return std::asin(a);
    case Step::acos: return std::acos(a);
    case Step::atan: return std::atan(a);
    case Step::sinh: return std::sinh(a);
    case Step::cosh: return std::cosh(a);
    case Step::tanh: return std::tanh(a);
    case Step::exp: return std::exp(a);
    case Step::log: return std::log(a);
    case Step::log10: return std::log10(a);
    case Step::abs: return std::abs(a);
    case Step::sign: return sign(a);
    case Step::floor: return std::floor(a);
    case Step::ceil: return std::ceil(a);
    case Step::atan2: return std::atan2(a, b);
    case Step::hypot: return std::hypot(a, b);
    case Step::power: return std::pow(a, b);
    case Step::mod: return mod(a, b);
    case Step::remainder: return std::remainder(a, b);
    case Step::min: return smaller_of(a, b);
    case Step::max: return larger_of(a, b);
    case Step::less: return a < b;
    case Step::less_equal: return a <= b;
    case Step::equal: return a == b;
    case Step::both: return a != 0 && b != 0;
    case Step::either: return a != 0 || b != 0;
    case Step::negation: return a == 0;
    case Step::choose: return a != 0 ? b : c;
    default: return a;
  }
}

int piece_of(const NumberTable& table, double x) {
  const auto first = table.numbers.begin() + 1, last = table.numbers.end() - 1;
  return first < last ? int(std::upper_bound(first, last, x) - first) : 0;
}

std::size_t Computation::hash(const Node& n) {
  std::uint64_t h = std::uint64_t(n.step);
  for (const std::uint64_t x : {std::uint64_t(n.a + 1), std::uint64_t(n.b + 1), std::uint64_t(n.c + 1),
                                std::bit_cast<std::uint64_t>(n.value)})
    h = (h ^ (x + 0x9e3779b97f4a7c15 + (h << 6) + (h >> 2))) * 0xff51afd7ed558ccd;
  return std::size_t(h ^ (h >> 32));
}

int Computation::entered(const Node& n) {
  if (collects_) return noted(n);
  if (2 * nodes_.size() >= known_.size()) make_room();
  int& at = known_[slot_of(n)];
  if (at < 0) {
    at = int(nodes_.size());
    nodes_.push_back(n);
  }
  return at;
}

std::size_t Computation::slot_of(const Node& n) const {
  const std::size_t last = known_.size() - 1;  // the size is a power of two
  std::size_t k = hash(n) & last;
  while (known_[k] >= 0 && !(nodes_[std::size_t(known_[k])] == n)) k = (k + 1) & last;
  return k;
}

void Computation::make_room() {
  constexpr std::size_t least = 256;
  known_.assign(std::bit_ceil(std::max(least, 4 * nodes_.size())), -1);
  for (std::size_t k = 0; k < nodes_.size(); ++k) known_[slot_of(nodes_[k])] = int(k);
}

int Computation::input(int which) {
  inputs_ = std::max(inputs_, which + 1);
  return entered({Step::input, which, -1, -1, 0});
}
void Computation::renumber_input(int from, int to) {
  const Node was{Step::input, from, -1, -1, 0}, is{Step::input, to, -1, -1, 0};
  if (known_.empty()) return;
  const int node = known_[slot_of(was)];
  if (node < 0) return;
  nodes_[std::size_t(node)] = is;  // what is left in its slot is no longer equal to anything that enters
  known_[slot_of(is)] = node;
  inputs_ = 0;
  for (const Node& n : nodes_)
    if (n.step == Step::input) inputs_ = std::max(inputs_, n.a + 1);
}
// A negative zero would be another number, and means nothing here.
int Computation::constant(double value) {
  return entered({Step::constant, -1, -1, -1, value == 0 ? 0 : value});
}
int Computation::number(double value) {
  const std::size_t at = numbers_.size();
  numbers_.push_back(value);
  if (collects_) return noted({Step::parameter, int(at), -1, -1, 0});
  const int of = at < parameter_of_.size() ? parameter_of_[at] : -1;
  if (of == -1) return constant(value);
  const int p =
      of < 0 ? -2 - of : of;  // −2 − p: the negative of parameter p, so that both share what is made of them
  if (std::size_t(p) >= parameters_.size()) parameters_.resize(std::size_t(p) + 1);
  parameters_[std::size_t(p)] = of < 0 ? -value : value;
  const int node = entered({Step::parameter, p, -1, -1, 0});
  return of < 0 ? add(Step::negative, node) : node;
}
int Computation::table(NumberTable t) {
  if (collects_) {
    for (const double x : t.numbers) noted({Step::constant, t.columns, -1, -1, x});
    return count_;
  }
  const auto at = std::find(tables_.begin(), tables_.end(), t);
  if (at != tables_.end()) return int(at - tables_.begin());
  tables_.push_back(std::move(t));
  return int(tables_.size()) - 1;
}

int Computation::index(int x, int table) {
  if (!collects_ && is_constant(x)) return constant(piece_of(tables_[std::size_t(table)], (*this)[x].value));
  return entered({Step::index, x, table, -1, 0});
}
int Computation::fetch(int row, int table, int column) {
  if (collects_) return noted({Step::fetch, row, table, column, 0});
  const NumberTable& t = tables_[std::size_t(table)];
  if (is_constant(row)) return constant(t.numbers[std::size_t(int((*this)[row].value) * t.columns + column)]);
  return entered({Step::fetch, row, table, column, 0});
}

int Computation::add(Step s, int a, int b, int c) {
  const int n = arguments(s);
  if (n < 2) b = -1;
  if (n < 3) c = -1;
  if (collects_) return noted({s, a, b, c, 0});
  if (is_constant(a) && (n < 2 || is_constant(b)) && (n < 3 || is_constant(c)))
    return constant(apply(s, (*this)[a].value, n > 1 ? (*this)[b].value : 0, n > 2 ? (*this)[c].value : 0));
  return simpler(s, a, b, c);
}

int Computation::simpler(Step s, int a, int b, int c) {
  switch (s) {
    case Step::add: return sum(a, b);
    case Step::subtract: return difference(a, b);
    case Step::multiply: return product(a, b);
    case Step::divide: return quotient(a, b);
    case Step::power: return power(a, b);
    case Step::negative:
      if ((*this)[a].step == Step::negative) return (*this)[a].a;
      if ((*this)[a].step == Step::subtract) return difference((*this)[a].b, (*this)[a].a);
      break;
    case Step::cos:
    case Step::abs:
      if ((*this)[a].step == Step::negative) a = (*this)[a].a;
      break;
    case Step::choose:
      if (is_constant(a)) return (*this)[a].value != 0 ? b : c;
      if (b == c) return b;
      break;
    case Step::min:
    case Step::max:
    case Step::equal:
    case Step::both:
    case Step::either:
      if (a > b) std::swap(a, b);
      break;
    default: break;
  }
  return entered({s, a, b, c, 0});
}

int Computation::sum(int a, int b) {
  if (is(a, 0)) return b;
  if (is(b, 0)) return a;
  if ((*this)[b].step == Step::negative) return difference(a, (*this)[b].a);
  if ((*this)[a].step == Step::negative) return difference(b, (*this)[a].a);
  if (a > b) std::swap(a, b);
  return entered({Step::add, a, b, -1, 0});
}
int Computation::difference(int a, int b) {
  if (a == b) return constant(0);
  if (is(b, 0)) return a;
  if (is(a, 0)) return add(Step::negative, b);
  if ((*this)[b].step == Step::negative) return sum(a, (*this)[b].a);
  if ((*this)[a].step == Step::negative) return add(Step::negative, sum((*this)[a].a, b));
  return entered({Step::subtract, a, b, -1, 0});
}
// Signs are moved outwards, where they meet and become differences.
int Computation::product(int a, int b) {
  if (is(a, 0) || is(b, 0)) return constant(0);
  if (is(a, 1)) return b;
  if (is(b, 1)) return a;
  if (is_constant(a) && (*this)[a].value < 0)
    return add(Step::negative, product(constant(-(*this)[a].value), b));
  if (is_constant(b) && (*this)[b].value < 0)
    return add(Step::negative, product(a, constant(-(*this)[b].value)));
  const bool turned_a = (*this)[a].step == Step::negative, turned_b = (*this)[b].step == Step::negative;
  if (turned_a || turned_b) {
    const int size = product(turned_a ? (*this)[a].a : a, turned_b ? (*this)[b].a : b);
    return turned_a != turned_b ? add(Step::negative, size) : size;
  }
  if (a > b) std::swap(a, b);
  return entered({Step::multiply, a, b, -1, 0});
}
int Computation::quotient(int a, int b) {
  if (is(a, 0)) return constant(0);
  if (is(b, 1)) return a;
  if (is_constant(b)) return product(a, constant(1 / (*this)[b].value));
  if ((*this)[a].step == Step::negative) return add(Step::negative, quotient((*this)[a].a, b));
  return entered({Step::divide, a, b, -1, 0});
}
// Small whole powers are products, as everybody writes them by hand.
int Computation::power(int a, int b) {
  if (is(b, 0)) return constant(1);
  if (is(b, 1)) return a;
  if (is(b, 2)) return product(a, a);
  if (is(b, 3)) return product(product(a, a), a);
  if (is(b, 4)) return product(product(a, a), product(a, a));
  if (is(b, -1)) return quotient(constant(1), a);
  return entered({Step::power, a, b, -1, 0});
}
}  // namespace mubody
