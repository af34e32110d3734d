// Velocities that neither mass nor constraints determine.
#include <algorithm>
#include <map>
#include <numeric>

#include "mubody/math/dense.h"
#include "mubody/solvers/freedom.h"
#include "mubody/solvers/own_directions.h"

namespace mubody {
namespace {
constexpr double weightless = 1e-12;  // share of the largest inertia of a body that counts as zero
constexpr double dependent_pivot =
    1e-6;  // share of the largest pivot that counts as zero, as where ranks are found

/// A direction that has no mass: a coordinate, or an axis of an inertia askew to them.
struct Massless {
  int column;
  VecX direction;
};

std::vector<Massless> massless(const System& s, const Terms& terms) {
  std::vector<Massless> all;
  for (const auto& b : s.structure.M) {
    const Eigen::Map<const MatX> M(terms.M.data() + b.offset, b.size, b.size);
    // The axes of a diagonal block are its coordinates, even if equal masses would let a decomposition turn them.
    if (M.isDiagonal(0)) {
      for (int k = 0; k < b.size; ++k)
        if (!(M(k, k) > 0)) all.push_back({b.column, VecX::Unit(b.size, k)});
      continue;
    }
    const SymmetricEigen own = symmetric_eigen(M);
    for (int k = 0; k < b.size; ++k)
      if (!(own.values[k] > weightless * own.values[b.size - 1])) all.push_back({b.column, own.vectors.col(k)});
  }
  return all;
}

/// What directions without mass change in the equations, taken apart into sets that have no equation in common.
class HeldDirections {
 public:
  HeldDirections(const System& s, const Terms& terms, const std::vector<Massless>& all)
      : columns_(all.size()), leader_(all.size()) {
    std::iota(leader_.begin(), leader_.end(), std::size_t{0});
    constexpr auto nobody = std::size_t(-1);
    std::vector<std::size_t> first_at(std::size_t(s.m), nobody);  // the first direction that a row holds
    each_coefficient(s, terms, all, [&](std::size_t k, int row, double x) {
      if (x == 0) return;
      columns_[k][row] += x;
      std::size_t& first = first_at[std::size_t(row)];
      if (first == nobody) first = k;
      leader_[lead(k)] = lead(first);
    });
    for (std::size_t k = 0; k < all.size(); ++k) largest_ = std::max(largest_, size(k));
  }

  /// The length of a column.
  double size(std::size_t k) const {
    double sum = 0;
    for (const auto& [row, x] : columns_[k]) sum += x * x;
    return std::sqrt(sum);
  }

  /// The directions that nothing holds, once those before them are held.
  std::vector<std::size_t> free_ones() {
    std::map<std::size_t, std::vector<std::size_t>> sets;
    for (std::size_t k = 0; k < columns_.size(); ++k) sets[lead(k)].push_back(k);
    std::vector<std::size_t> all;
    for (const auto& [unused, set] : sets) add_free(set, all);
    return all;
  }

 private:
  std::size_t lead(std::size_t k) {
    while (leader_[k] != k) k = leader_[k] = leader_[leader_[k]];
    return k;
  }

  void add_free(const std::vector<std::size_t>& set, std::vector<std::size_t>& all) const {
    std::map<int, int> place;  // of a row among those that hold one of the set
    for (const std::size_t k : set)
      for (const auto& [row, x] : columns_[k]) place.emplace(row, int(place.size()));
    MatX held = MatX::Zero(std::max<Eigen::Index>(1, Eigen::Index(place.size())), Eigen::Index(set.size()));
    for (std::size_t k = 0; k < set.size(); ++k)
      for (const auto& [row, x] : columns_[set[k]]) held(place.at(row), Eigen::Index(k)) = x;
    const PivotedQr qr(held);
    const VecX pivots = qr.pivots();
    const std::vector<int> order = qr.column_order();
    for (std::size_t k = 0; k < set.size(); ++k) {
      const bool is_held =
          Eigen::Index(k) < pivots.size() && pivots[Eigen::Index(k)] > dependent_pivot * largest_;
      if (!is_held) all.push_back(set[std::size_t(order[k])]);
    }
  }

  std::vector<std::map<int, double>> columns_;  // by row
  std::vector<std::size_t> leader_;             // a direction of the same set
  double largest_ = 0;                          // the longest column
};
}  // namespace

std::vector<Loose> undetermined(System& s, double t, const VecX& q, const VecX& u) {
  Terms terms = s.make_terms();
  s.evaluate(t, q, u, terms);
  const std::vector<Massless> without_mass = massless(s, terms);
  std::vector<Loose> all;
  if (without_mass.empty()) return all;
  HeldDirections held(s, terms, without_mass);
  const double largest_load = terms.Q.cwiseProduct(s.units).lpNorm<Eigen::Infinity>();
  for (const std::size_t k : held.free_ones()) {
    const auto& [first, direction] = without_mass[k];
    Eigen::Index component = 0;
    direction.cwiseAbs().maxCoeff(&component);
    const auto column = std::size_t(first + component);
    const bool turns = s.turns[column];
    const bool untouched = turns &&
                           std::abs(load_along(s, terms.Q, without_mass[k])) <= weightless * largest_load &&
                           held.size(k) <= weightless;
    const int body = s.body_of_velocity[column];
    all.push_back({body, untouched,
                   "body '" + s.body_names[std::size_t(body)] + "' has no " +
                       (turns ? "inertia and nothing determines how it turns"
                              : "mass and nothing determines how it moves"),
                   first, direction});
  }
  return all;
}
}  // namespace mubody
