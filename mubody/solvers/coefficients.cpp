#include "mubody/solvers/coefficients.h"

#include "mubody/math/dense.h"
#include "mubody/solvers/reduced.h"

namespace mubody {
namespace {
constexpr double negligible = 1e-6;   // share of the longest row of D that counts as zero
constexpr double first_share = 0.02;  // first step of differences: rad, or lengths of the mechanism
constexpr double closed = 1e-15;      // System::gap() where Newton may stop
constexpr int newton_rounds = 8;
}  // namespace

MinimalForm::MinimalForm(System& s, Rates rates, VariableSet set)
    : s_(s), rates_(std::move(rates)), set_(std::move(set)), terms_(s.make_terms()), length_(s.scales.length) {}

// D without the rows of drivers, in the units of the system.
MatX MinimalForm::joint_rows() const {
  MatX D = s_.structure.full(terms_.D);
  s_.scale(D);
  for (const JointRows& j : s_.joints)
    if (j.driver) D.middleRows(j.first, j.count).setZero();
  return D;
}

MinimalForm::Here MinimalForm::here(double t, const In& q) {
  s_.evaluate(t, q, VecX::Zero(s_.nu), terms_);
  MatX N = MatX::Identity(s_.nu, s_.nu);
  if (s_.m > 0) N = s_.units.asDiagonal() * null_space(joint_rows(), negligible);
  const MatX R = rates_(t, q), RN = product(R, N);
  MatX own(Eigen::Index(set_.size()), N.cols());
  for (std::size_t k = 0; k < set_.size(); ++k) own.row(Eigen::Index(k)) = RN.row(set_[k]);
  Here now;
  now.U = product(N, inverse(own));
  now.of.B = product(R, now.U);
  now.of.J = congruent(now.U, s_.structure.full_mass(terms_.M));
  return now;
}

// Returns to the joints' equations after a small displacement.
void MinimalForm::close(double t, VecX& q) {
  double before = std::numeric_limits<double>::infinity();
  for (int round = 0; round < newton_rounds && s_.m > 0; ++round) {
    s_.constraints(t, q, VecX::Zero(s_.nu), terms_);
    VecX phi = terms_.phi;
    for (const JointRows& j : s_.joints)
      if (j.driver) phi.segment(j.first, j.count).setZero();
    const double size = s_.gap(phi);
    if (size <= closed || !(size < 0.5 * before)) return;
    before = size;
    const VecX back = LeastSquares(joint_rows(), negligible).solve(phi.cwiseQuotient(s_.row_units));
    s_.move(q, -s_.units.cwiseProduct(back));
  }
}

MinimalCoefficients MinimalForm::at(double t, const VecX& q, bool derivatives) {
  const Here reference = here(t, q);
  MinimalCoefficients c = reference.of;
  for (Eigen::Index k = 0; derivatives && k < reference.U.cols(); ++k) {
    const VecX along = reference.U.col(k);
    if (!along.allFinite()) {
      c.dB.push_back(MatX::Constant(c.B.rows(), c.B.cols(), std::numeric_limits<double>::quiet_NaN()));
      c.dJ.push_back(MatX::Constant(c.J.rows(), c.J.cols(), std::numeric_limits<double>::quiet_NaN()));
      continue;
    }
    const VecX slopes = derivative(
        [&](double h) {
          VecX moved = q;
          s_.move(moved, h * along);
          close(t, moved);
          const MinimalCoefficients now = here(t, moved).of;
          VecX both(now.B.size() + now.J.size());
          both << now.B.reshaped(), now.J.reshaped();
          return both;
        },
        first_share / size_of(s_, along, length_));
    c.dB.push_back(slopes.head(c.B.size()).reshaped(c.B.rows(), c.B.cols()));
    c.dJ.push_back(slopes.tail(c.J.size()).reshaped(c.J.rows(), c.J.cols()));
  }
  return c;
}
}  // namespace mubody
