#include "mubody/recorded/elimination.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace mubody {
bool is_zero(const Recorded& x) {
  return x.is_plain() ? x.value() == 0 : x.graph()->is(x.node_in(*x.graph()), 0);
}

namespace {
void add_to(RecordedVector& v, int at, const Recorded& x) {
  const auto [place, is_new] = v.try_emplace(at, x);
  if (!is_new) place->second += x;
}
/// The same of a sum that begins with nothing.
void add_to(Recorded& sum, const Recorded& x) { sum = is_nothing(sum) ? x : sum + x; }
void erase_zeros(std::vector<RecordedVector>& rows) {
  for (RecordedVector& row : rows) std::erase_if(row, [](const auto& x) { return is_zero(x.second); });
}

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

RecordedElimination::RecordedElimination(Computation& graph, std::vector<RecordedVector> D,
                                         std::vector<RecordedVector> W, std::vector<RecordedVector> M,
                                         std::vector<RecordedVector> own)
    : graph_(&graph), D_(std::move(D)), W_(std::move(W)), M_(std::move(M)), own_(std::move(own)) {
  for (auto* rows : {&D_, &W_, &M_, &own_}) erase_zeros(*rows);
  for (const RecordedVector& row : D_) {
    RecordedVector weighted;
    for (const auto& [c, x] : row)
      for (const auto& [k, w] : W_[std::size_t(c)]) add_to(weighted, k, x * w);
    DW_.push_back(std::move(weighted));
  }
  factor();
}

void RecordedElimination::factor() {
  const int m = int(D_.size());
  std::vector<std::vector<int>> rows_of(W_.size());  // by column of D
  for (int r = 0; r < m; ++r)
    for (const auto& [c, x] : D_[std::size_t(r)]) rows_of[std::size_t(c)].push_back(r);
  std::vector<RecordedVector> S{std::size_t(m)};
  for (int r = 0; r < m; ++r) {
    std::set<int> others;
    for (const auto& [c, x] : DW_[std::size_t(r)])
      for (const int o : rows_of[std::size_t(c)])
        if (o >= r) others.insert(o);
    for (const int o : others) {
      Recorded sum = 0;
      for (const auto& [c, x] : D_[std::size_t(o)])
        if (const auto w = DW_[std::size_t(r)].find(c); w != DW_[std::size_t(r)].end())
          add_to(sum, w->second * x);
      if (!is_zero(sum)) S[std::size_t(r)][o] = S[std::size_t(o)][r] = sum;
    }
  }
  order_ = best_order(S);
  for (int r = 0; r < m; ++r) diagonal_.push_back(S[std::size_t(r)].at(r));
  eliminate(S);
}

// A pivot waits for the quotient of the one before it, and the next one for its own.  So pivots are taken in pairs: with p
// the first of two and x between them, the second is d − x²/p, and its inverse p / (p d − x²) waits for no other quotient.
void RecordedElimination::eliminate(std::vector<RecordedVector>& S) {
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
  const Recorded one = constant(1);
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

std::vector<Recorded> RecordedElimination::multipliers(std::vector<Recorded> b) const {
  for (const int r : order_)
    for (const auto& [c, l] : below_[std::size_t(r)]) b[std::size_t(c)] -= l * b[std::size_t(r)];
  for (auto r = order_.rbegin(); r != order_.rend(); ++r) {
    Recorded& x = b[std::size_t(*r)];
    x *= inverse_pivot_[std::size_t(*r)];
    for (const auto& [c, l] : below_[std::size_t(*r)]) x -= l * b[std::size_t(c)];
  }
  return b;
}

std::vector<Recorded> RecordedElimination::weighed(const std::vector<Recorded>& Q) const {
  std::vector<Recorded> a(W_.size());
  for (std::size_t r = 0; r < W_.size(); ++r)
    for (const auto& [c, w] : W_[r]) add_to(a[r], w * Q[std::size_t(c)]);
  return a;
}

void RecordedElimination::solve(const std::vector<Recorded>& Q, const std::vector<Recorded>& gamma,
                                std::vector<Recorded>& a, std::vector<Recorded>& lambda) const {
  constexpr int refinements = 2;
  solve_once(Q, gamma, a, lambda);
  for (int k = 0; k < refinements && !M_.empty(); ++k) refine(Q, gamma, a, lambda);
}

void RecordedElimination::refine(const std::vector<Recorded>& Q, const std::vector<Recorded>& gamma,
                                 std::vector<Recorded>& a, std::vector<Recorded>& lambda) const {
  std::vector<Recorded> force = Q, left = gamma, da, more;
  for (std::size_t r = 0; r < M_.size(); ++r)
    for (const auto& [c, x] : M_[r]) force[r] -= x * a[std::size_t(c)];
  for (std::size_t r = 0; r < D_.size(); ++r)
    for (const auto& [c, x] : D_[r]) {
      force[std::size_t(c)] -= x * lambda[r];
      left[r] -= x * a[std::size_t(c)];
    }
  solve_once(force, left, da, more);
  for (std::size_t k = 0; k < a.size(); ++k) a[k] += da[k];
  for (std::size_t r = 0; r < lambda.size(); ++r) lambda[r] += more[r];
}

void RecordedElimination::solve_once(const std::vector<Recorded>& Q, const std::vector<Recorded>& gamma,
                                     std::vector<Recorded>& a, std::vector<Recorded>& lambda) const {
  a = weighed(Q);
  std::vector<Recorded> b(D_.size());
  for (std::size_t r = 0; r < D_.size(); ++r) {
    b[r] = -gamma[r];
    for (const auto& [c, x] : D_[r]) b[r] += x * a[std::size_t(c)];
  }
  lambda = multipliers(std::move(b));
  subtract_reactions(lambda, a);
}

// Sums take what is known last at their end: multipliers are found from the last row to the first.
void RecordedElimination::subtract_reactions(const std::vector<Recorded>& lambda,
                                             std::vector<Recorded>& a) const {
  for (auto r = order_.rbegin(); r != order_.rend(); ++r)
    for (const auto& [c, x] : DW_[std::size_t(*r)]) a[std::size_t(c)] -= x * lambda[std::size_t(*r)];
}

std::vector<Recorded> RecordedElimination::constrained(const std::vector<Recorded>& a) const {
  std::vector<Recorded> b(D_.size());
  for (std::size_t r = 0; r < D_.size(); ++r)
    for (const auto& [c, x] : D_[r]) b[r] += x * a[std::size_t(c)];
  return b;
}

std::vector<Recorded> RecordedElimination::reactions(const std::vector<Recorded>& lambda) const {
  std::vector<Recorded> f(W_.size());
  for (std::size_t r = 0; r < D_.size(); ++r)
    for (const auto& [c, x] : D_[r]) f[std::size_t(c)] += x * lambda[r];
  return f;
}

//   e = δ(W Q) − δ(W Dᵀ) λ,   S δλ = D e − (δγ − δD a),   δa = e − W Dᵀ δλ
void RecordedElimination::change(const Solved& at, const Changes& changes, std::vector<Recorded>& da,
                                 std::vector<Recorded>& dlambda) const {
  std::vector<Recorded> terms = weighed(at.Q);
  terms.insert(terms.end(), at.gamma.begin(), at.gamma.end());
  for (const auto* rows : {&DW_, &D_})
    for (const RecordedVector& row : *rows)
      for (const auto& [c, x] : row) terms.push_back(x);
  const std::vector<Recorded> changed = changes(terms);
  auto next = changed.begin() + std::ptrdiff_t(W_.size());
  da.assign(changed.begin(), next);
  std::vector<Recorded> left(next, next + std::ptrdiff_t(D_.size()));
  next += std::ptrdiff_t(D_.size());
  for (std::size_t r = 0; r < DW_.size(); ++r)
    for (const auto& [c, x] : DW_[r]) da[std::size_t(c)] -= *next++ * at.lambda[r];
  for (std::size_t r = 0; r < D_.size(); ++r)
    for (const auto& [c, x] : D_[r]) left[r] -= *next++ * at.a[std::size_t(c)];
  std::vector<Recorded> b = constrained(da);
  for (std::size_t r = 0; r < b.size(); ++r) b[r] -= left[r];
  dlambda = multipliers(std::move(b));
  subtract_reactions(dlambda, da);
}

std::vector<Recorded> RecordedElimination::displacement(const std::vector<Recorded>& b) const {
  const std::vector<Recorded> lambda = multipliers(b);
  std::vector<Recorded> d(W_.size());
  for (auto r = order_.rbegin(); r != order_.rend(); ++r)
    for (const auto& [c, x] : DW_[std::size_t(*r)]) add_to(d[std::size_t(c)], x * lambda[std::size_t(*r)]);
  for (Recorded& x : d)
    if (x.is_plain()) x = constant(x.value());
  return d;
}

Recorded RecordedElimination::independence(double share) const {
  constexpr double of_light = 1e-10;  // share of a diagonal to which a small mass that stands in contributes
  Recorded most = constant(1), sum = constant(1);  // diagonals as multiples of their pivots
  for (std::size_t r = 0; r < diagonal_.size(); ++r) {
    Recorded diagonal = diagonal_[r];
    if (!own_.empty()) diagonal *= constant(of_light / share);
    for (const auto& [c, x] : own_.empty() ? RecordedVector() : D_[r])
      for (const auto& [k, w] : own_[std::size_t(c)])
        if (const auto other = D_[r].find(k); other != D_[r].end()) diagonal += x * w * other->second;
    const Recorded multiple = abs(diagonal * inverse_pivot_[r]);
    most = r == 0 ? multiple : larger_of(most, multiple);
    sum = r == 0 ? multiple : sum + multiple;
  }
  // The larger of two numbers may hide one that is not a number.  Their sum shows it, and is else not below the largest.
  return constant(1 / share) - choose(sum >= most, most, sum);
}
}  // namespace mubody
