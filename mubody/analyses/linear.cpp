// About a motion (u ≠ 0) displacements are carried along with the reference: body axes turn with ω, and free directions
// follow the constraints.  With W the matrix of ω× for the angular velocities of every body, P the velocities that a
// displacement z brings about, and Ṙ normal to the free directions in the metric of the mass,
//
//   δu = R w + P z,      ż = R_hᵀ M δu,      ẇ = Rᵀ M (δa + W δu) + Ṙᵀ M P z,      D Ṙ = D W R − Ḋ R
//
// so that a rotor that spins about its axis of symmetry has the constant coefficients that it has for an observer who
// does not spin.  At rest W, P and Ṙ vanish.
#include "mubody/analyses/linear.h"

#include <algorithm>

namespace mubody {
namespace {
// W of ω× where three angular velocities of a body follow each other, in body axes.
MatX turning(const System& s, const VecX& u) {
  MatX W = MatX::Zero(s.nu, s.nu);
  const auto turns_with = [&](int k, int body) {
    return s.turns[std::size_t(k)] && s.body_of_velocity[std::size_t(k)] == body;
  };
  for (int k = 0; k + 2 < s.nu; ++k) {
    const int body = s.body_of_velocity[std::size_t(k)];
    if (!turns_with(k, body) || !turns_with(k + 1, body) || !turns_with(k + 2, body)) continue;
    const Vec<3> w = u.segment<3>(k);
    W.block<3, 3>(k, k) << 0, -w.z(), w.y(), w.z(), 0, -w.x(), -w.y(), w.x(), 0;
    k += 2;
  }
  return W;
}

class Linearisation {
 public:
  Linearisation(System& s, bool redundant, double t, const VecX& q, const VecX& u,
                const std::vector<int>& outputs)
      : s_(s), d_(s, redundant), t_(t), q_(q), u_(u), b_(s.inner), outputs_(outputs),
        values_(VecX::Zero(Eigen::Index(s.channels.size()))) {
    settle_contacts(s, t, q, u);
    d_.evaluate(t, q, u);
    M_ = s.structure.full_mass(d_.terms.M);
    length_ = length_scale(s, d_.terms);
  }

  LinearModel model(const std::vector<int>& inputs) {
    LinearModel m;
    m.free = free_directions(s_, d_.terms);
    const MatX &Rh = m.free.positions, &R = m.free.velocities;
    const Eigen::Index nz = Rh.cols(), nw = R.cols(), nb = b_.size(), n = nz + nw + nb;
    MatX changes(2 * s_.nu + nb + Eigen::Index(outputs_.size()), n);  // of u, a, ḃ and y, for each state
    for (Eigen::Index k = 0; k < nz; ++k) {
      const VecX along = Rh.col(k);
      changes.col(k) = derivative([&](double h) { return at(h * along, {}, {}); }, first_step(along), &m.error);
    }
    for (Eigen::Index k = 0; k < nw; ++k) {
      const VecX along = R.col(k);
      changes.col(nz + k) =
          derivative([&](double h) { return at({}, h * along, {}); }, first_step(along), &m.error);
    }
    for (Eigen::Index k = 0; k < nb; ++k) {
      const VecX along = VecX::Unit(nb, k);
      changes.col(nz + nw + k) = derivative([&](double h) { return at({}, {}, h * along); }, 1e-4, &m.error);
    }
    if (n > 0 && m.error > 0) m.error /= changes.cwiseAbs().maxCoeff();

    const auto du = changes.topRows(s_.nu), da = changes.middleRows(s_.nu, s_.nu);
    m.A.setZero(n, n);
    m.A.topRows(nz) = Rh.transpose() * M_ * du;
    m.A.middleRows(nz, nw) = R.transpose() * M_ * (da + turning(s_, u_) * du);
    if (u_.norm() > 0 && nz > 0 && nw > 0) {
      const MatX carried = change_of(R).transpose() * M_ * du.leftCols(nz);
      m.A.block(nz, 0, nw, nz) += carried;
      m.motion = carried.cwiseAbs().maxCoeff();
    }
    m.A.bottomRows(nb) = changes.middleRows(2 * s_.nu, nb);
    m.C = changes.bottomRows(Eigen::Index(outputs_.size()));
    add_inputs(inputs, m, nz);
    return m;
  }

 private:
  static constexpr double first_share = 0.02;  // rad, or lengths of the mechanism; and those per second
  double first_step(const VecX& along) const { return first_share / size_of(s_, along, length_); }

  VecX chosen() {
    VecX y(Eigen::Index(outputs_.size()));
    for (std::size_t k = 0; k < outputs_.size(); ++k) y[Eigen::Index(k)] = values_[outputs_[k]];
    return y;
  }

  // u, a, ḃ and y next to the state, on the constraints.
  VecX at(const VecX& displacement, const VecX& faster, const VecX& bent) {
    VecX q = q_, u = u_;
    if (displacement.size() > 0) {
      s_.move(q, displacement);
      d_.project_positions(t_, q, u, 1e-15, 20);
    }
    if (faster.size() > 0) u += faster;
    d_.constrain(t_, q, u);
    if (s_.m > 0) d_.project_velocities(u);
    if (b_.size() > 0) s_.inner = bent.size() > 0 ? VecX(b_ + bent) : b_;
    d_.evaluate(t_, q, u);
    d_.solve(d_.terms.Q, d_.terms.gamma);
    if (!outputs_.empty()) s_.observe(t_, q, u, d_.a, d_.lambda, values_);
    VecX all(2 * s_.nu + b_.size() + Eigen::Index(outputs_.size()));
    all << u, d_.a, (b_.size() > 0 ? s_.inner_rate : b_), chosen();
    return all;
  }

  // Ṙ of the reference motion.
  MatX change_of(const MatX& R) {
    if (s_.m == 0) return MatX::Zero(s_.nu, R.cols());
    Terms terms = s_.make_terms();
    const auto D_times_R = [&](double h) -> VecX {
      VecX q = q_;
      s_.move(q, h * u_);
      s_.constraints(t_ + h, q, u_, terms);
      return (s_.structure.full(terms.D) * R).reshaped();
    };
    const VecX slopes = derivative(D_times_R, first_step(u_));
    d_.evaluate(t_, q_, u_);
    const MatX wanted = s_.structure.full(d_.terms.D) * turning(s_, u_) * R - slopes.reshaped(s_.m, R.cols());
    MatX change(s_.nu, R.cols());
    for (Eigen::Index k = 0; k < R.cols(); ++k) {
      d_.solve(VecX::Zero(s_.nu), VecX(wanted.col(k)));
      change.col(k) = d_.a;
    }
    return change;
  }

  // A force changes accelerations and multipliers in proportion: no differences are needed.
  void add_inputs(const std::vector<int>& inputs, LinearModel& m, Eigen::Index first_velocity) {
    const MatX& R = m.free.velocities;
    m.B.setZero(m.A.rows(), Eigen::Index(inputs.size()));
    m.D.setZero(m.C.rows(), m.B.cols());
    d_.evaluate(t_, q_, u_);
    d_.solve(d_.terms.Q, d_.terms.gamma);
    s_.observe(t_, q_, u_, d_.a, d_.lambda, values_);
    const VecX before = chosen();
    const VecX a = d_.a, lambda = d_.lambda, nothing = VecX::Zero(s_.m);
    for (std::size_t k = 0; k < inputs.size(); ++k) {
      const VecX force = VecX::Unit(s_.nu, inputs[k]);
      m.B.block(first_velocity, Eigen::Index(k), R.cols(), 1) = R.transpose() * force;
      d_.solve(force, nothing);
      s_.observe(t_, q_, u_, a + d_.a, lambda + d_.lambda, values_);
      m.D.col(Eigen::Index(k)) = chosen() - before;
    }
  }

  System& s_;
  Dynamics d_;
  double t_, length_ = 1;
  VecX q_, u_, b_;
  std::vector<int> outputs_;
  VecX values_;
  MatX M_;
};
}  // namespace

LinearModel linearise(System& s, bool redundant, double t, const VecX& q, const VecX& u,
                      const std::vector<int>& inputs, const std::vector<int>& outputs) {
  return Linearisation(s, redundant, t, q, u, outputs).model(inputs);
}
}  // namespace mubody
