#include "mubody/solvers/independent_variables.h"

#include <limits>

namespace mubody {
namespace {
SetQuality quality(const MatX& J, const MatX& V, const VariableSet& set) {
  const double hold = hold_of(V, set);
  return {set, condition_with(J, set), hold > 0 ? 1 / hold : std::numeric_limits<double>::infinity()};
}
}  // namespace

VariableEquations::VariableEquations(System& s, const CandidateOptions& o, double t, const In& q)
    : s_(s), length_(o.length), terms_(s.make_terms()) {
  if (!o.body) joints_ = std::make_unique<JointVariables>(s, t, q, o.chords, o.length);
}

std::vector<CandidateVariable> VariableEquations::candidates() const {
  std::vector<CandidateVariable> all;
  if (joints_) {
    for (const auto& v : joints_->variables()) all.push_back({{v.name, v.unit}, v.slide});
    return all;
  }
  const auto& names = s_.nq == s_.nu ? s_.coordinates : s_.velocities;
  for (std::size_t k = 0; k < names.size(); ++k) all.push_back({{names[k].text, names[k].unit}, !s_.turns[k]});
  return all;
}

VecX VariableEquations::values(double t, const In& q) {
  if (joints_) return joints_->values(t, q);
  return s_.nq == s_.nu ? VecX(q) : VecX(VecX::Constant(s_.nu, std::numeric_limits<double>::quiet_NaN()));
}

MatX VariableEquations::rates(double t, const In& q) {
  if (!joints_) return MatX::Identity(s_.nu, s_.nu);
  MatX R = joints_->rates(t, q);
  for (std::size_t k = 0; k < joints_->variables().size(); ++k)
    if (joints_->variables()[k].slide) R.row(Eigen::Index(k)) *= length_;
  return R;
}

MatX VariableEquations::jacobian(double t, const In& q) {
  if (joints_) return joints_->jacobian(t, q);
  s_.constraints(t, q, VecX::Zero(s_.nu), terms_);
  const MatX D = s_.structure.full(terms_.D);
  MatX J(s_.m, s_.nu);
  Eigen::Index rows = 0;
  for (const JointRows& j : s_.joints)
    if (!j.driver) J.middleRows(rows, j.count) = D.middleRows(j.first, j.count), rows += j.count;
  for (int k = 0; k < s_.nu; ++k)
    if (!s_.turns[std::size_t(k)]) J.col(k) *= length_;
  return J.topRows(rows);
}

IndependentAt VariableEquations::choose(double t, const In& q) {
  IndependentAt now;
  now.t = t;
  now.values = values(t, q);
  const MatX J = jacobian(t, q);
  now.choice = choose_variables(J);
  const VariableChoice& c = now.choice;
  now.lu = quality(J, c.V, c.lu);
  now.qr = quality(J, c.V, c.qr);
  now.svd = quality(J, c.V, c.svd);
  now.best = quality(J, c.V, c.best);
  if (c.freedoms == 1)
    for (int k = 0; k < int(J.cols()); ++k) now.single.push_back(quality(J, c.V, {k}));
  return now;
}
}  // namespace mubody
