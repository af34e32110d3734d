#include "mubody/solvers/efforts.h"

#include <algorithm>

#include <fmt/format.h>

#include "mubody/math/dense.h"
#include "mubody/math/suggest.h"
#include "mubody/solvers/freedom.h"
#include "mubody/solvers/in_bodies.h"
#include "mubody/solvers/reduced.h"

namespace mubody {
namespace {
constexpr double negligible_effort = 1e-6;  // pivot of rows of length one that counts as zero

MatX rows_of(const MatX& all, const std::vector<int>& wanted) {
  MatX rows(Eigen::Index(wanted.size()), all.cols());
  for (std::size_t k = 0; k < wanted.size(); ++k) rows.row(Eigen::Index(k)) = all.row(wanted[k]);
  return rows;
}
}  // namespace

// A basis of the velocities that joints allow, drivers left out.
MatX Efforts::free_motions(const Terms& terms) const {
  MatX D = binding_rows(s_, terms);
  for (const JointRows& j : s_.joints)
    if (j.driver) D.middleRows(j.first, j.count).setZero();
  if (s_.m == 0) return MatX::Identity(s_.nu, s_.nu);
  return s_.units.asDiagonal() * null_space(D, negligible_effort);
}

// R_S in the velocities of the system.
MatX Efforts::rates(double t, const VecX& q) {
  const MatX of_bodies = rows_of(variables_.rates(t, position_in_bodies(s_, bodies_, q)), chosen_);
  return product(of_bodies, in_bodies(s_, bodies_, q, MatX::Identity(s_.nu, s_.nu)));
}

Efforts::Efforts(System& s, System& bodies, double t, const VecX& q, const std::vector<std::string>& actuators)
    : s_(s), bodies_(bodies), variables_(bodies, t, position_in_bodies(s, bodies, q)) {
  const auto& all = variables_.variables();
  Terms terms = s.make_terms();
  s.constraints(t, q, VecX::Zero(s.nu), terms);
  const MatX N = free_motions(terms);
  freedoms_ = int(N.cols());
  for (const std::string& name : actuators) {
    const auto at = std::ranges::find(all, name, &JointVariables::Variable::name);
    if (at == all.end()) {
      std::vector<std::string> known;
      for (const auto& v : all) known.push_back(v.name);
      throw ModelError(
          fmt::format("analysis: actuators: no variable of a joint '{}'{}", name, suggestion(name, known)));
    }
    chosen_.push_back(int(at - all.begin()));
  }
  if (actuators.empty() && int(all.size()) == freedoms_)
    for (int k = 0; k < freedoms_; ++k) chosen_.push_back(k);
  for (const int k : chosen_) {
    const auto& v = all[std::size_t(k)];
    list_.push_back({v.name, v.slide ? "N" : "N m"});
  }
  if (chosen_.empty()) return;

  // Motions that no actuator drives.
  const MatX RN = product(rates(t, q), N);
  const FullLu lu(RN, negligible_effort);
  if (lu.rank() == freedoms_) return;
  const MatX left = in_bodies(s, bodies, q, product(N, lu.kernel()));
  const std::vector<std::string> labels = displacement_labels(bodies);
  std::vector<std::string> names;
  for (Eigen::Index k = 0; k < left.cols(); ++k) {
    Eigen::Index most = 0;
    left.col(k).cwiseAbs().maxCoeff(&most);
    names.push_back(labels[std::size_t(most)]);
  }
  throw ModelError(
      fmt::format("analysis: actuators: under-actuated: {} cannot bring about every motion of {} freedoms; "
                  "nothing pushes {}: name "
                  "more variables, or leave 'actuators' out",
                  fmt::join(actuators, ", "), freedoms_, fmt::join(names, ", ")));
}

VecX Efforts::at(double t, const VecX& q, const VecX& u, const Dynamics& d) {
  const auto n = Eigen::Index(chosen_.size());
  VecX both(2 * n);
  if (n == 0) return both;
  const MatX R = rates(t, q), N = free_motions(d.terms);
  VecX missing = -d.terms.Q;
  s_.structure.multiply_mass(1, d.terms.M.data(), d.a.data(), missing.data());
  both.head(n) = LeastSquares(product(R, N).transpose(), negligible_effort).solve(N.transpose() * missing);
  both.tail(n) = both.head(n).cwiseProduct(R * u);
  return both;
}
}  // namespace mubody
