#include "mubody/recorded/elimination.h"

#include <algorithm>
#include <set>

namespace mubody {
namespace {
/// The same of a sum that begins with nothing.
void add_to(Recorded& sum, const Recorded& x) { sum = is_nothing(sum) ? x : sum + x; }
void erase_zeros(std::vector<RecordedVector>& rows) {
  for (RecordedVector& row : rows) std::erase_if(row, [](const auto& x) { return is_zero(x.second); });
}

}  // namespace

RecordedElimination::RecordedElimination(Computation& graph, std::vector<RecordedVector> D,
                                         std::vector<RecordedVector> W, std::vector<RecordedVector> M,
                                         std::vector<RecordedVector> own, bool solves)
    : graph_(&graph), D_(std::move(D)), W_(std::move(W)), M_(std::move(M)), own_(std::move(own)) {
  for (auto* rows : {&D_, &W_, &M_, &own_}) erase_zeros(*rows);
  if (solves) factor();
}

void RecordedElimination::factor() {
  for (const RecordedVector& row : D_) {
    RecordedVector weighted;
    for (const auto& [c, x] : row)
      for (const auto& [k, w] : W_[std::size_t(c)]) add_to(weighted, k, x * w);
    DW_.push_back(std::move(weighted));
  }
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
  for (int r = 0; r < m; ++r) diagonal_.push_back(S[std::size_t(r)].at(r));
  factors_.emplace(*graph_, std::move(S));
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
  lambda = factors_->solve(std::move(b));
  subtract_reactions(lambda, a);
}

// Sums take what is known last at their end: multipliers are found from the last row to the first.
void RecordedElimination::subtract_reactions(const std::vector<Recorded>& lambda,
                                             std::vector<Recorded>& a) const {
  for (auto r = factors_->order().rbegin(); r != factors_->order().rend(); ++r)
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
  dlambda = factors_->solve(std::move(b));
  subtract_reactions(dlambda, da);
}

std::vector<Recorded> RecordedElimination::displacement(const std::vector<Recorded>& b) const {
  const std::vector<Recorded> lambda = factors_->solve(b);
  std::vector<Recorded> d(W_.size());
  for (auto r = factors_->order().rbegin(); r != factors_->order().rend(); ++r)
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
    const Recorded multiple = abs(diagonal * factors_->inverse_pivot(r));
    most = r == 0 ? multiple : larger_of(most, multiple);
    sum = r == 0 ? multiple : sum + multiple;
  }
  // The larger of two numbers may hide one that is not a number.  Their sum shows it, and is else not below the largest.
  return constant(1 / share) - choose(sum >= most, most, sum);
}
}  // namespace mubody
