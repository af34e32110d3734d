#include "mubody/analyses/freedom.h"

#include <algorithm>
#include <set>

#include <Eigen/QR>

#include "mubody/system/dynamics.h"

namespace mubody {
namespace {
constexpr int most_for_dense = 1500;  // rows; beyond this the pivots of the sparse factors must do
constexpr double negligible = 1e-9;   // relative size of what counts as zero in rows of length one
constexpr double small_move = 1e-2;   // how far to look whether a dependence is only of the moment

// Rows scaled to length one, so that metres and radians compare.
MatX scaled_rows(const System& s, const Terms& terms) {
  MatX D = s.structure.full(terms.D);
  for (int r = 0; r < s.m; ++r) {
    const double size = D.row(r).norm();
    if (size > 0) D.row(r) /= size;
  }
  return D;
}

Eigen::ColPivHouseholderQR<MatX> factored(const MatX& Dt) {
  Eigen::ColPivHouseholderQR<MatX> qr;
  qr.setThreshold(negligible);
  qr.compute(Dt);
  return qr;
}

int joint_of_row(const System& s, int row) {
  for (std::size_t k = 0; k < s.joints.size(); ++k)
    if (row >= s.joints[k].first && row < s.joints[k].first + s.joints[k].count) return int(k);
  return -1;
}

// The usual geometric reasons why equations repeat each other.
std::string reason(const System& s, const std::set<int>& members, bool only_here) {
  if (only_here) return "only in this position: the mechanism is at a singular position, such as links in line";
  for (int k : members)
    for (int l : members)
      if (k < l) {
        const std::set<int> a(s.joints[k].bodies.begin(), s.joints[k].bodies.end());
        const std::set<int> b(s.joints[l].bodies.begin(), s.joints[l].bodies.end());
        if (a == b)
          return "'" + s.joints[k].name + "' and '" + s.joints[l].name +
                 "' join the same two bodies and hold the same motion twice";
      }
  const auto all = [&](std::string_view type) {
    return std::all_of(members.begin(), members.end(), [&](int k) { return s.joints[k].type == type; });
  };
  const auto any_driver = [&] {
    static const std::set<std::string> drivers{"angle", "slide", "coordinate", "distance"};
    return std::any_of(members.begin(), members.end(),
                       [&](int k) { return drivers.contains(s.joints[k].type); });
  };
  if (all("translational")) return "a loop of sliding joints holds the same orientation twice";
  if (all("revolute")) return "parallel links of equal length: one crank more than a parallelogram needs";
  if (any_driver()) return "a driver or held coordinate asks for what the joints determine already";
  return "";
}

// Does the rank rise when the mechanism moves a little along what it may do?
bool rank_rises_nearby(System& s, double t, const VecX& q, const MatX& D, int rank) {
  Eigen::CompleteOrthogonalDecomposition<MatX> cod;
  cod.setThreshold(negligible);
  cod.compute(D);
  VecX trial(s.nu);
  for (int k = 0; k < s.nu; ++k) trial[k] = std::sin(1.0 + 2.7 * k);  // any direction that is not special
  const VecX along = trial - cod.solve(D * trial);
  if (along.norm() < negligible * trial.norm()) return false;
  VecX moved = q;
  s.move(moved, along * (small_move / along.lpNorm<Eigen::Infinity>()));
  Terms terms = s.make_terms();
  s.constraints(t, moved, VecX::Zero(s.nu), terms);
  return factored(scaled_rows(s, terms).transpose()).rank() > rank;
}

void name_redundant(System& s, double t, const VecX& q, const MatX& D, Freedom& f) {
  const MatX Dt = D.transpose();
  const auto qr = factored(Dt);
  f.rank = int(qr.rank());
  if (f.rank == s.m) return;
  const bool only_here = rank_rises_nearby(s, t, q, D, f.rank);
  const auto order = qr.colsPermutation().indices();
  MatX independent(s.nu, f.rank);
  for (int k = 0; k < f.rank; ++k) independent.col(k) = Dt.col(order[k]);
  const Eigen::HouseholderQR<MatX> basis(independent);
  for (int k = f.rank; k < s.m; ++k) {
    const int row = order[k];
    const VecX weights = basis.solve(Dt.col(row));
    std::set<int> members{joint_of_row(s, row)};
    for (int p = 0; p < f.rank; ++p)
      if (std::abs(weights[p]) > 1e-6) members.insert(joint_of_row(s, order[p]));
    Redundancy r;
    for (int j : members) r.joints.push_back(s.joints[j].name);
    const JointRows& own = s.joints[joint_of_row(s, row)];
    r.equation = "joint '" + own.name + "', equation " + std::to_string(row - own.first + 1) + " of " +
                 std::to_string(own.count);
    r.reason = reason(s, members, only_here);
    f.redundant.push_back(std::move(r));
  }
}
}  // namespace

Freedom count_freedom(System& s, double t, const VecX& q, const VecX& u) {
  Freedom f;
  f.coordinates = s.nu;
  f.equations = s.m;
  f.counted = s.nu - s.m;
  f.rank = s.m;
  if (s.m > most_for_dense) {
    Dynamics d(s);
    d.constrain(t, q, u);
    if (d.independence() < negligible) {
      const JointRows& own = s.joints[joint_of_row(s, d.weakest_row())];
      f.redundant.push_back({{own.name}, "joint '" + own.name + "'", ""});
      f.rank = s.m - 1;
    }
  } else if (s.m > 0) {
    Terms terms = s.make_terms();
    s.constraints(t, q, u, terms);
    name_redundant(s, t, q, scaled_rows(s, terms), f);
  }
  f.actual = f.coordinates - f.rank;
  return f;
}

std::vector<std::string> undetermined(System& s, double t, const VecX& q, const VecX& u) {
  Terms terms = s.make_terms();
  s.constraints(t, q, u, terms);
  std::vector<int> light;
  for (const auto& b : s.structure.M)
    for (int k = 0; k < b.size; ++k)
      if (terms.M[b.offset + k * (b.size + 1)] <= 0) light.push_back(b.column + k);
  std::vector<std::string> lines;
  if (light.empty()) return lines;
  const MatX D = s.structure.full(terms.D);
  MatX part(std::max(s.m, 1), Eigen::Index(light.size()));
  part.setZero();
  for (std::size_t k = 0; k < light.size(); ++k)
    for (int r = 0; r < s.m; ++r) part(r, Eigen::Index(k)) = D(r, light[k]);
  const auto qr = factored(part);
  std::set<std::string> seen;
  for (Eigen::Index k = qr.rank(); k < part.cols(); ++k) {
    const int column = light[std::size_t(qr.colsPermutation().indices()[k])];
    const bool turns = s.velocity_units[column] == "rad";
    const std::string line =
        "body '" + s.body_names[s.body_of_velocity[column]] + "' has no " +
        (turns ? "inertia and nothing determines how it turns" : "mass and nothing determines how it moves");
    if (seen.insert(line).second) lines.push_back(line);
  }
  return lines;
}
}  // namespace mubody
