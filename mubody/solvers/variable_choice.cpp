#include "mubody/solvers/variable_choice.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "mubody/math/dense.h"

namespace mubody {
namespace {
constexpr double negligible_remainder =
    1e-6;                                 // as for counting freedoms: typed data have about that many digits
constexpr double singular_share = 1e-12;  // σ_min / σ_max of a matrix that counts as singular
constexpr double most_sets = 2000;        // more sets than this are not tried one by one

MatX rows_in(const MatX& V, const VariableSet& set) {
  MatX rows(Eigen::Index(set.size()), V.cols());
  for (std::size_t k = 0; k < set.size(); ++k) rows.row(Eigen::Index(k)) = V.row(set[k]);
  return rows;
}

double condition_of(const MatX& A) {
  if (A.size() == 0) return 1;
  const VecX sizes = singular_values(A);
  const double least = A.rows() < A.cols() ? 0 : sizes[sizes.size() - 1];
  return least > singular_share * sizes[0] ? sizes[0] / least : std::numeric_limits<double>::infinity();
}

/// The columns of a permutation from `first` on, ascending.
VariableSet columns(const std::vector<int>& order, Eigen::Index first, Eigen::Index last) {
  VariableSet set(order.begin() + first, order.begin() + last);
  std::sort(set.begin(), set.end());
  return set;
}

double count_of_sets(Eigen::Index n, Eigen::Index f) {
  double count = 1;
  for (Eigen::Index k = 1; k <= f; ++k) count *= double(n - f + k) / double(k);
  return count;
}

VariableSet largest_rows(const MatX& V) {
  return columns(PivotedQr(V.transpose()).column_order(), 0, V.cols());
}

bool contains(const VariableSet& set, const VariableSet& held) {
  return std::ranges::all_of(held, [&](int k) { return std::ranges::find(set, k) != set.end(); });
}

/// Tries all sets in turn; among equal ones the first wins.
VariableSet best_of_all(const MatX& V, const VariableSet& held) {
  const auto n = int(V.rows()), f = int(V.cols());
  VariableSet set(std::size_t(f), 0), best;
  std::iota(set.begin(), set.end(), 0);
  double most = -1;
  for (;;) {
    if (contains(set, held))
      if (const double hold = hold_of(V, set); hold > most * (1 + singular_share)) most = hold, best = set;
    int k = f - 1;
    while (k >= 0 && set[std::size_t(k)] == n - f + k) --k;
    if (k < 0) return best;
    ++set[std::size_t(k)];
    for (int l = k + 1; l < f; ++l) set[std::size_t(l)] = set[std::size_t(l - 1)] + 1;
  }
}

/// The held variables take the places of those that they replace best; then others are exchanged.
VariableSet best_by_exchange(const MatX& V, const VariableSet& held) {
  VariableSet set = largest_rows(V);
  const auto fixed = [&](int k) { return std::ranges::find(held, k) != held.end(); };
  for (const int with : held) {
    if (contains(set, {with})) continue;
    VariableSet best = set;
    double most = -1;
    for (std::size_t k = 0; k < set.size(); ++k) {
      if (fixed(set[k])) continue;
      VariableSet trial = set;
      trial[k] = with;
      if (const double hold = hold_of(V, trial); hold > most) most = hold, best = trial;
    }
    set = best;
  }
  double most = hold_of(V, set);
  for (bool better = true; better;) {
    better = false;
    for (std::size_t k = 0; k < set.size(); ++k)
      for (int with = 0; with < int(V.rows()) && !fixed(set[k]); ++with) {
        if (std::find(set.begin(), set.end(), with) != set.end()) continue;
        VariableSet trial = set;
        trial[k] = with;
        const double hold = hold_of(V, trial);
        if (hold > most * (1 + negligible_remainder)) most = hold, set = trial, better = true;
      }
  }
  std::sort(set.begin(), set.end());
  return set;
}
}  // namespace

double hold_of(const MatX& V, const VariableSet& set) {
  if (V.cols() != Eigen::Index(set.size()))
    return 0;  // at a singular position: too few to move it, or too many
  if (set.empty()) return 1;
  if (set.size() == 1) return std::abs(V(set[0], 0));
  return singular_values(rows_in(V, set)).minCoeff();
}

VariableSet best_set(const MatX& V, const VariableSet& held) {
  if (V.cols() == 0) return {};
  return count_of_sets(V.rows(), V.cols()) <= most_sets ? best_of_all(V, held) : best_by_exchange(V, held);
}

MatX velocity_coefficients(const MatX& V, const VariableSet& set) {
  if (set.empty()) return MatX(V.rows(), 0);
  return product(V, inverse(rows_in(V, set)));
}

double condition_with(const MatX& J, const VariableSet& set) {
  MatX A = MatX::Zero(J.rows() + Eigen::Index(set.size()), J.cols());
  A.topRows(J.rows()) = J;
  for (std::size_t k = 0; k < set.size(); ++k) A(J.rows() + Eigen::Index(k), set[k]) = 1;
  return condition_of(A);
}

namespace {
// Rows of length 1, which leaves the null space unchanged.
MatX scaled_rows(const MatX& J) {
  MatX scaled = MatX::Zero(std::max<Eigen::Index>(J.rows(), 1), J.cols());
  if (J.rows() > 0) scaled = J;
  const VecX sizes = scaled.rowwise().norm();
  for (Eigen::Index r = 0; r < scaled.rows(); ++r) {
    if (sizes[r] > singular_share * sizes.maxCoeff())
      scaled.row(r) /= sizes[r];
    else
      scaled.row(r).setZero();  // round-off left of a sum, such as that of a loop in a plane
  }
  return scaled;
}

MatX null_space(const MatX& scaled) {
  const Eigen::Index n = scaled.cols();
  if (scaled.isZero(0)) return MatX::Identity(n, n);
  const PivotedQr of_rows(scaled.transpose(), negligible_remainder);
  return of_rows.q().rightCols(n - of_rows.rank());
}
}  // namespace

MatX motions_of(const MatX& J) { return null_space(scaled_rows(J)); }

VariableChoice choose_variables(const MatX& J) {
  const Eigen::Index n = J.cols();
  const MatX scaled = scaled_rows(J);
  VariableChoice c;
  c.V = null_space(scaled);
  c.freedoms = int(c.V.cols());
  c.rank = int(n) - c.freedoms;
  c.weights = c.V.rowwise().norm();

  MatX held(J.rows() + c.freedoms, n);
  held << J, c.V.transpose();
  c.condition = condition_of(held);
  c.lu = columns(FullLu(scaled).column_order(), c.rank, n);
  c.qr = columns(PivotedQr(scaled).column_order(), c.rank, n);
  c.svd = c.freedoms == 0 ? VariableSet{} : largest_rows(c.V);
  c.best = best_set(c.V);
  return c;
}
}  // namespace mubody
