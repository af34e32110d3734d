#include "mubody/recording/derivative.h"

#include <algorithm>

#include "mubody/recording/recorded.h"
#include "mubody/recording/routine.h"

namespace mubody {
namespace {
/// Constants here belong to the rules, and are never parameters.
Recorded fixed(Computation& g, double value) { return {g, g.constant(value)}; }

/// ∂n/∂a of functions of one argument.
Recorded slope(Computation& g, Step s, const Recorded& n, const Recorded& a) {
  const Recorded one = fixed(g, 1);
  switch (s) {
    case Step::sqrt: return fixed(g, 0.5) / n;
    case Step::sin: return cos(a);
    case Step::cos: return -sin(a);
    case Step::tan: return one + n * n;
    case Step::asin: return one / sqrt(one - a * a);
    case Step::acos: return -(one / sqrt(one - a * a));
    case Step::atan: return one / (one + a * a);
    case Step::sinh: return cosh(a);
    case Step::cosh: return sinh(a);
    case Step::tanh: return one - n * n;
    case Step::exp: return n;
    case Step::log: return one / a;
    case Step::log10: return fixed(g, 0.43429448190325182765) / a;  // 1 / ln 10
    case Step::abs: return sign(a);
    default: return fixed(g, 0);
  }
}

bool jumps(Step s) {
  switch (s) {
    case Step::sign:
    case Step::floor:
    case Step::ceil:
    case Step::less:
    case Step::less_equal:
    case Step::equal:
    case Step::both:
    case Step::either:
    case Step::negation:
    case Step::index:
    case Step::fetch: return true;
    default: return false;
  }
}

/// ∂n/∂a and ∂n/∂b of functions of two arguments that are smooth, or smooth between their jumps.
Recorded slope(Computation& g, Step s, bool second, const Recorded& n, const Recorded& a, const Recorded& b) {
  const Recorded one = fixed(g, 1), zero = fixed(g, 0);
  switch (s) {
    case Step::multiply: return second ? a : b;
    case Step::divide: return second ? -(n * (one / b)) : one / b;
    case Step::atan2: {
      const Recorded inverse = one / (a * a + b * b);
      return second ? -(a * inverse) : b * inverse;
    }
    case Step::hypot: return (second ? b : a) / n;
    case Step::power:
      // Where the base is zero the logarithm is not there, but the power does not depend on the exponent.
      return second ? choose(zero < a, n * log(a), zero) : b * pow(a, b - one);
    case Step::mod:
    case Step::remainder: return second ? -floor((a - n) / b + fixed(g, 0.5)) : one;
    default: return zero;
  }
}

/// Derivatives by several variables at once: of each node those that are not zero, in the order of the variables.
class Forward {
 public:
  using Row = std::vector<std::pair<int, int>>;  // variable, node

  Forward(Computation& g, const std::vector<int>& of) : g_(g), nodes_(needed(g, of)), rows_(g.nodes().size()) {}
  void seed(int node, int variable, int rate) {
    if (node < int(rows_.size()) && !g_.is(rate, 0)) rows_[std::size_t(node)].push_back({variable, rate});
    seeded_.push_back(node);
  }
  void go() {
    std::sort(seeded_.begin(), seeded_.end());
    for (const int n : nodes_)
      if (!is_given(g_[n]) && !std::binary_search(seeded_.begin(), seeded_.end(), n)) differentiate(n);
  }
  const Row& operator[](int node) const { return rows_[std::size_t(node)]; }

 private:
  void differentiate(int n) {
    const Node node = g_[n];
    if (jumps(node.step)) return;
    const auto arguments = arguments_of(node);
    const int zero = g_.constant(0);
    std::array<std::size_t, 3> at{};
    Row& row = rows_[std::size_t(n)];
    while (true) {  // merge the rows of the arguments
      int variable = -1;
      for (std::size_t k = 0; k < arguments.size(); ++k) {
        const Row& r = (*this)[arguments[k]];
        if (at[k] < r.size() && (variable < 0 || r[at[k]].first < variable)) variable = r[at[k]].first;
      }
      if (variable < 0) return;
      std::array<int, 3> d{zero, zero, zero};
      for (std::size_t k = 0; k < arguments.size(); ++k) {
        const Row& r = (*this)[arguments[k]];
        if (at[k] < r.size() && r[at[k]].first == variable) d[k] = r[at[k]++].second;
      }
      const int rate = derivative_of(g_, n, d[0], d[1], d[2]);
      if (!g_.is(rate, 0)) row.push_back({variable, rate});
    }
  }

  Computation& g_;
  std::vector<int> nodes_;
  std::vector<Row> rows_;
  std::vector<int> seeded_;
};
}  // namespace

int derivative_of(Computation& g, int node, int da, int db, int dc) {
  const Node x = g[node];
  const auto at = [&](int n) { return Recorded(g, n); };
  const int zero = g.constant(0);
  if (jumps(x.step) || is_given(x)) return zero;
  switch (x.step) {
    case Step::add: return g.add(Step::add, da, db);
    case Step::subtract: return g.add(Step::subtract, da, db);
    case Step::negative: return g.add(Step::negative, da);
    case Step::choose: return g.add(Step::choose, x.a, db, dc);
    case Step::min: return g.add(Step::choose, g.add(Step::less, x.b, x.a), db, da);
    case Step::max: return g.add(Step::choose, g.add(Step::less, x.a, x.b), db, da);
    default: break;
  }
  if (arguments(x.step) == 1)
    return g.is(da, 0) ? zero : (slope(g, x.step, at(node), at(x.a)) * at(da)).node_in(g);
  // Slopes that nobody asks for are not recorded.
  Recorded sum = at(zero);
  if (!g.is(da, 0)) sum = slope(g, x.step, false, at(node), at(x.a), at(x.b)) * at(da);
  if (!g.is(db, 0)) sum = sum + slope(g, x.step, true, at(node), at(x.a), at(x.b)) * at(db);
  return sum.node_in(g);
}

std::vector<int> directional(Computation& g, const std::vector<int>& of,
                             const std::vector<std::pair<int, int>>& seeds) {
  const std::vector<int> nodes = needed(g, of);
  const int zero = g.constant(0);
  std::vector<int> rate(g.nodes().size(), zero);
  std::vector<char> is_seeded(rate.size(), 0);
  for (const auto& [node, of_node] : seeds)
    if (std::size_t(node) < rate.size()) rate[std::size_t(node)] = of_node, is_seeded[std::size_t(node)] = 1;
  for (const int n : nodes) {
    if (is_given(g[n]) || is_seeded[std::size_t(n)]) continue;
    std::array<int, 3> d{zero, zero, zero};
    const auto arguments = arguments_of(g[n]);
    for (std::size_t k = 0; k < arguments.size(); ++k) d[k] = rate[std::size_t(arguments[k])];
    if (d != std::array{zero, zero, zero}) rate[std::size_t(n)] = derivative_of(g, n, d[0], d[1], d[2]);
  }
  std::vector<int> rates;
  for (const int n : of) rates.push_back(rate[std::size_t(n)]);
  return rates;
}

std::vector<JacobianEntry> jacobian(Computation& g, const std::vector<int>& of, const std::vector<int>& by) {
  const int one = g.constant(1);
  Forward forward(g, of);
  for (std::size_t k = 0; k < by.size(); ++k) forward.seed(by[k], int(k), one);
  forward.go();
  std::vector<JacobianEntry> entries;
  for (std::size_t k = 0; k < of.size(); ++k)
    for (const auto& [column, node] : forward[of[k]]) entries.push_back({int(k), column, node});
  return entries;
}
}  // namespace mubody
