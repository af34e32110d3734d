#pragma once
// Graphs for the tests, and their values by the definition of each step.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "mubody/recording/derivative.h"
#include "mubody/recording/recorded.h"
#include "mubody/recording/routine.h"
#include "tests/random.h"

namespace mubody::testing {
using Numbers = std::vector<double>;

/// The value of a node whose arguments are known.
inline double value_of(const Computation& g, int n, const Numbers& at, const Numbers& x, const Numbers& p) {
  const Node& node = g[n];
  const auto argument = [&](int a) { return a >= 0 && a < n ? at[std::size_t(a)] : 0; };
  switch (node.step) {
    case Step::constant: return node.value;
    case Step::parameter: return p[std::size_t(node.a)];
    case Step::input: return x[std::size_t(node.a)];
    case Step::index: return piece_of(g.tables()[std::size_t(node.b)], argument(node.a));
    case Step::fetch: {
      const NumberTable& t = g.tables()[std::size_t(node.b)];
      return t.numbers[std::size_t(int(argument(node.a)) * t.columns + node.c)];
    }
    default: return apply(node.step, argument(node.a), argument(node.b), argument(node.c));
  }
}
inline Numbers values(const Computation& g, const Numbers& x, const Numbers& p) {
  Numbers at;
  for (int n = 0; n < int(g.nodes().size()); ++n) at.push_back(value_of(g, n, at, x, p));
  return at;
}

/// How far round-off may move each node, at each of some points: that of its own step, and that of its arguments times
/// its slopes.
inline std::vector<Numbers> round_off_of(Computation g, const std::vector<Numbers>& x, const std::vector<Numbers>& p) {
  const std::size_t count = g.nodes().size();
  const int zero = g.constant(0), one = g.constant(1);
  std::vector<std::array<int, 3>> slopes;
  for (int n = 0; n < int(count); ++n) {
    std::array<int, 3> s{zero, zero, zero};
    for (int k = 0; k < arguments(g[n].step); ++k)
      s[std::size_t(k)] = derivative_of(g, n, k == 0 ? one : zero, k == 1 ? one : zero, k == 2 ? one : zero);
    slopes.push_back(s);
  }
  std::vector<Numbers> errors;
  for (std::size_t l = 0; l < x.size(); ++l) {
    const Numbers at = values(g, x[l], p[l]);
    Numbers error(count, 0.0);
    for (std::size_t n = 0; n < count; ++n) {
      if (is_given(g[int(n)])) continue;
      error[n] = 2 * std::numeric_limits<double>::epsilon() * std::abs(at[n]);
      const auto of = arguments_of(g[int(n)]);
      for (std::size_t k = 0; k < of.size(); ++k)
        if (const double e = error[std::size_t(of[k])]; e != 0) error[n] += std::abs(at[std::size_t(slopes[n][k])]) * e;
    }
    errors.push_back(error);
  }
  return errors;
}

/// A graph in which every step is likely to occur, with points around which it is evaluated.
struct RandomGraph {
  static constexpr int inputs = 5, points = 32;
  Computation g{{0, -1, 1, 2}};
  std::vector<Numbers> x;     // of each point
  std::vector<Numbers> p;     // its parameters
  std::vector<Numbers> at;    // values of all nodes
  std::vector<Numbers> round_off;  // and what round-off may change them by
  std::vector<int> outputs;

  explicit RandomGraph(unsigned seed, int size = 150) {
    Random random(seed);
    std::vector<int> pool;
    for (int k = 0; k < inputs; ++k) pool.push_back(g.input(k));
    for (int k = 0; k < 4; ++k) pool.push_back(g.number(random(0.5, 1.5)));
    pool.push_back(g.constant(random(-2, 2)));
    at.resize(points);
    Numbers middle(inputs);
    for (double& c : middle) c = random(-1.5, 1.5);
    for (int l = 0; l < points; ++l) {
      Numbers here = middle, own = g.parameters();
      for (double& c : here) c += random(-0.2, 0.2);
      for (double& c : own) c += random(-0.1, 0.1);
      x.push_back(here), p.push_back(own);
    }
    const int begins = g.table({1, {-2, -1, -0.5, 0, 0.7, 1, 3}});
    const int rows = g.table({2, {1, 2, -1, 0.5, 0.3, 2, 1, -1, 0.2, 0.4, 2, 1.5}});
    while (int(pool.size()) < size) {
      const auto any = [&] {
        const std::size_t n = pool.size(), from = random() < 0 && n > 20 ? n - 20 : 0;  // recent ones as often as all
        return pool[from + std::size_t(random(0, double(n - from) - 1e-9))];
      };
      const int last = int(Step::fetch);
      const auto step = Step(random() < 0 ? int(random(3, 8)) : int(random(3, last + 0.999)));
      const int a = any(), b = any(), c = any();
      int node = step == Step::index   ? g.fetch(g.index(a, begins), rows, int(random(0, 1.999)))
                 : step == Step::fetch ? g.fetch(g.index(a, begins), rows, 1)
                                       : g.add(step, a, b, c);
      if (is_fit(node)) pool.push_back(node);
    }
    round_off = round_off_of(g, x, p);
    while (outputs.size() < 16) {
      const int node = pool[std::size_t(random(0, double(pool.size()) - 1e-9))];
      if (std::ranges::all_of(round_off, [&](const Numbers& e) { return e[std::size_t(node)] < 1e-13; }))
        outputs.push_back(node);
    }
  }

 private:
  /// Whether a node is a number of moderate size at all points.
  bool is_fit(int node) {
    bool fit = true;
    for (std::size_t l = 0; l < points; ++l) {
      for (int n = int(at[l].size()); n < int(g.nodes().size()); ++n)
        at[l].push_back(value_of(g, n, at[l], x[l], p[l]));
      fit = fit && std::abs(at[l][std::size_t(node)]) < 20;
    }
    return fit;
  }
};

/// Every step once, on arguments where it is smooth.
struct EveryStep {
  Computation g;
  Numbers x{0.37, 0.81, -1.3, 2.7};
  std::vector<int> outputs;

  EveryStep() {
    const int a = g.input(0), b = g.input(1), c = g.input(2), d = g.input(3);
    for (int s = int(Step::add); s <= int(Step::choose); ++s) {
      const auto step = Step(s);
      if (arguments(step) == 1)
        outputs.push_back(g.add(step, a));
      else if (step == Step::choose)
        outputs.push_back(g.add(step, g.add(Step::less, a, b), c, d)), outputs.push_back(g.add(step, g.add(Step::less, b, a), c, d));
      else
        outputs.push_back(g.add(step, a, b)), outputs.push_back(g.add(step, d, b));
    }
    for (const Step s : {Step::abs, Step::floor, Step::ceil, Step::sign, Step::tanh, Step::atan, Step::negation})
      outputs.push_back(g.add(s, c));
    for (const Step s : {Step::mod, Step::remainder, Step::atan2, Step::min, Step::max, Step::hypot})
      outputs.push_back(g.add(s, c, b)), outputs.push_back(g.add(s, d, c));
    outputs.push_back(g.add(Step::both, g.add(Step::less, a, b), c));
    outputs.push_back(g.add(Step::divide, g.add(Step::less, a, b), g.add(Step::add, d, g.add(Step::equal, a, b))));
    const int row = g.index(b, g.table({1, {0, 0.5, 1, 2}}));
    outputs.push_back(g.fetch(row, g.table({2, {1, 2, 3, 4, 5, 6}}), 1));
    outputs.push_back(row);
    outputs.push_back(g.add(Step::multiply, row, a));
    outputs.push_back(g.constant(-1.5));
    outputs.push_back(a);
  }
};
}  // namespace mubody::testing
