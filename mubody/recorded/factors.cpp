#include "mubody/recorded/factors.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace mubody {
bool is_zero(const Recorded& x) {
  return x.is_plain() ? x.value() == 0 : x.graph()->is(x.node_in(*x.graph()), 0);
}
void add_to(RecordedVector& v, int at, const Recorded& x) {
  const auto [place, is_new] = v.try_emplace(at, x);
  if (!is_new) place->second += x;
}

namespace {
/// Rows in an order, and what it costs.
struct EliminationOrder {
  std::vector<int> rows;
  double work = 0;   // operations
  double ready = 0;  // cycles until the last pivot is known, if everything that can be is done at the same time

  /// Cycles that a processor needs about: what waits for nothing is done one by one, since long code comes slowly.
  double cycles() const { return work + ready; }
};

/// Rows in an order of least degree: the one with the fewest neighbours first, which then become neighbours of each other.
/// Those that wait for many others in turn come later, by so many neighbours squared for each cycle: that makes more
/// neighbours and shorter queues.
EliminationOrder least_degree_order(std::vector<std::set<int>> neighbours, double impatience) {
  constexpr double quotient = 13, product = 4;  // cycles until they are known
  EliminationOrder order;
  std::vector<double> ready(neighbours.size(), 0);
  std::set<std::tuple<double, double, int>> waiting;
  const auto place = [&](int r) {
    const double degree = double(neighbours[std::size_t(r)].size()), since = ready[std::size_t(r)];
    return std::tuple(degree * degree + impatience * since, since, r);
  };
  for (int r = 0; r < int(neighbours.size()); ++r) waiting.insert(place(r));
  while (!waiting.empty()) {
    const int r = std::get<2>(*waiting.begin());
    waiting.erase(waiting.begin());
    order.rows.push_back(r);
    const std::set<int> near = std::move(neighbours[std::size_t(r)]);
    const double degree = double(near.size());
    order.work += 2 + 3 * degree + degree * (degree + 1) / 2;
    for (const int c : near) {
      waiting.erase(place(c));
      std::set<int>& of_c = neighbours[std::size_t(c)];
      of_c.erase(r);
      for (const int other : near)
        if (other != c) of_c.insert(other);
      double& known = ready[std::size_t(c)];
      known = std::max(known + product, ready[std::size_t(r)] + quotient + 2 * product);
      order.ready = std::max(order.ready, known);
      waiting.insert(place(c));
    }
  }
  return order;
}

/// The order that costs the least: of least degree, or with shorter queues.
std::vector<int> best_order(const std::vector<RecordedVector>& S) {
  std::vector<std::set<int>> neighbours(S.size());
  for (int r = 0; r < int(S.size()); ++r)
    for (const auto& [c, x] : S[std::size_t(r)])
      if (c != r) neighbours[std::size_t(r)].insert(c), neighbours[std::size_t(c)].insert(r);
  EliminationOrder best = least_degree_order(neighbours, 0);
  EliminationOrder shorter = least_degree_order(neighbours, 0.01);
  return shorter.cycles() < best.cycles() ? std::move(shorter.rows) : std::move(best.rows);
}
}  // namespace

RecordedFactors::RecordedFactors(Computation& graph, std::vector<RecordedVector> S) : order_(best_order(S)) {
  eliminate(graph, S);
}

// A pivot waits for the quotient of the one before it, and the next one for its own.  So pivots are taken in pairs: with p
// the first of two and x between them, the second is d − x²/p, and its inverse p / (p d − x²) waits for no other quotient.
void RecordedFactors::eliminate(Computation& graph, std::vector<RecordedVector>& S) {
  struct First {
    int row = -1;
    Recorded pivot, between;
  };
  below_.resize(S.size());
  inverse_pivot_.resize(S.size());
  std::vector<First> first(S.size());  // by row: the other one of its pair, if there is one
  std::vector<int> turn(S.size());     // when a row is eliminated
  for (int k = 0; k < int(S.size()); ++k) turn[std::size_t(order_[std::size_t(k)])] = k;
  const auto earlier = [&](const auto& a, const auto& b) {
    return turn[std::size_t(a.first)] < turn[std::size_t(b.first)];
  };
  const auto take_share = [&](int c, int r, const Recorded& between) {
    add_to(S[std::size_t(c)], c, -(between * between * inverse_pivot_[std::size_t(r)]));
  };
  const Recorded one(graph, graph.constant(1));
  for (const int r : order_) {
    RecordedVector row = std::move(S[std::size_t(r)]);
    const Recorded pivot = row.at(r);
    const First& f = first[std::size_t(r)];
    const bool is_second = f.row >= 0;
    const Recorded inverse = inverse_pivot_[std::size_t(r)] =
        is_second ? f.pivot / (f.pivot * pivot - f.between * f.between) : one / pivot;
    row.erase(r);
    const auto next = std::min_element(row.begin(), row.end(), earlier);
    for (auto a = row.begin(); a != row.end(); ++a) {
      S[std::size_t(a->first)].erase(r);
      const Recorded factor = a->second * inverse;
      below_[std::size_t(r)].emplace_back(a->first, factor);
      for (auto b = a == next ? std::next(a) : a; b != row.end(); ++b) {
        const Recorded less = factor * b->second;
        add_to(S[std::size_t(a->first)], b->first, -less);
        if (a != b) add_to(S[std::size_t(b->first)], a->first, -less);
      }
      if (a != next) continue;
      First& of_next = first[std::size_t(a->first)];
      if (is_second) {
        take_share(a->first, r, a->second);
      } else {
        if (of_next.row >= 0) take_share(a->first, of_next.row, of_next.between);
        of_next = {r, pivot, a->second};
      }
    }
    std::sort(below_[std::size_t(r)].rbegin(), below_[std::size_t(r)].rend(), earlier);
  }
}

std::vector<Recorded> RecordedFactors::solve(std::vector<Recorded> b) const {
  for (const int r : order_)
    for (const auto& [c, l] : below_[std::size_t(r)]) b[std::size_t(c)] -= l * b[std::size_t(r)];
  for (auto r = order_.rbegin(); r != order_.rend(); ++r) {
    Recorded& x = b[std::size_t(*r)];
    x *= inverse_pivot_[std::size_t(*r)];
    for (const auto& [c, l] : below_[std::size_t(*r)]) x -= l * b[std::size_t(c)];
  }
  return b;
}

}  // namespace mubody
