// About a motion (u ≠ 0) displacements are carried along with the reference: body axes turn with ω, and free directions
// follow the constraints.  With W the matrix of ω× for the angular velocities of every body, P the velocities that a
// displacement z brings about, and Ṙ normal to the free directions in the metric of the mass,
//
//   δu = R w + P z,      ż = R_hᵀ M δu,      ẇ = Rᵀ M (δa + W δu) + Ṙᵀ M P z,      D Ṙ = D W R − Ḋ R
//
// so that a rotor that spins about its axis of symmetry has the constant coefficients seen by an observer who
// does not spin.  At rest W, P and Ṙ vanish.
#include "mubody/solvers/linear.h"

#include <algorithm>
#include <limits>
#include <memory>

#include "mubody/math/dense.h"
#include "mubody/system/build.h"

namespace mubody {
namespace {
// W, with ω× for each body whose three angular velocities, in body axes, are consecutive.
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
      : s_(s), redundant_(redundant), d_(s, redundant), t_(t), q_(q), u_(u), b_(s.rest()), outputs_(outputs),
        values_(VecX::Zero(Eigen::Index(s.channels.size()))) {
    settle_contacts(s, t, q, u);
    d_.evaluate(t, q, u);
    M_ = s.structure.full_mass(d_.terms.M);
    length_ = s.scales.length;
  }

  LinearModel model(const Mechanism& mechanism, const std::vector<LinearInput>& inputs, ExactSlopes* exact) {
    LinearModel m;
    m.free = free_directions(s_, d_.terms);
    std::vector<int> drivers;  // rows
    for (const LinearInput& x : inputs)
      if (x.kind == LinearInput::driver) drivers.push_back(x.index);
    m.driven = int(drivers.size());
    const MatX &Rh = m.free.positions, &R = m.free.velocities;
    const Eigen::Index nz = Rh.cols(), nw = R.cols(), nb = b_.size(), nd = m.driven, n = nz + nw + nb + 2 * nd;
    MatX changes(2 * s_.nu + nb + Eigen::Index(outputs_.size()), n);  // u, a, ḃ and y, for each state
    MatX errors(changes.rows(), n);
    m.exact = exact && nb == 0 && exact->has(outputs_) && take_exact(*exact, m.free, drivers, changes);
    if (m.exact)
      errors.setZero();
    else
      take_differences(m.free, drivers, changes, errors);
    if (n > 0) m.error = errors.maxCoeff();
    if (m.error > 0) m.error /= changes.cwiseAbs().maxCoeff();
    if (m.exact) m.error = std::numeric_limits<double>::epsilon();
    errors += std::numeric_limits<double>::epsilon() * changes.cwiseAbs();
    for (MatX* each : {&changes, &errors})
      for (const Eigen::Index first : {0, s_.nu}) {
        auto rows = each->middleRows(first, s_.nu);
        rows = (s_.units.asDiagonal() * rows).eval();
      }

    const auto du = changes.topRows(s_.nu), da = changes.middleRows(s_.nu, s_.nu);
    m.A.setZero(n, n);
    m.A.topRows(nz) = product(transposed_product(Rh, M_), du);
    m.A.middleRows(nz, nw) = product(transposed_product(R, M_), da + product(turning(s_, u_), du));
    if (u_.norm() > 0 && nz > 0 && nw > 0) {
      const MatX carried = product(transposed_product(change_of(R), M_), du);
      m.A.middleRows(nz, nw) += carried;
      m.motion = carried.leftCols(nz).cwiseAbs().maxCoeff();
    }
    m.A.middleRows(nz + nw, nb) = changes.middleRows(2 * s_.nu, nb);
    const MatX weights = transposed_product(R, M_).cwiseAbs();
    m.unsure.setZero(n, n);
    m.unsure.middleRows(nz, nw) = product(weights, MatX(errors.middleRows(s_.nu, s_.nu)));
    m.A.block(n - 2 * nd, n - nd, nd, nd).setIdentity();
    m.C = changes.bottomRows(Eigen::Index(outputs_.size()));
    add_inputs(mechanism, inputs, m, exact && m.exact ? exact : nullptr);
    return m;
  }

 private:
  // Columns of changes, one for each state.
  void take_differences(const FreeDirections& free, const std::vector<int>& drivers, MatX& changes,
                        MatX& errors) {
    VecX doubts;
    const MatX &Rh = free.positions, &R = free.velocities;
    const Eigen::Index nb = b_.size();
    Eigen::Index next = 0;
    const auto add = [&](double step, const auto& change) {
      changes.col(next) = derivative([&](double h) { return at(change(h)); }, step, &doubts);
      errors.col(next++) = doubts;
    };
    for (Eigen::Index k = 0; k < Rh.cols(); ++k)
      add(first_step(Rh.col(k)), [&](double h) { return Change{.displacement = h * Rh.col(k)}; });
    for (Eigen::Index k = 0; k < R.cols(); ++k)
      add(first_step(R.col(k)), [&](double h) { return Change{.faster = h * R.col(k)}; });
    for (Eigen::Index k = 0; k < nb; ++k)
      add(bristle_share * length_, [&](double h) { return Change{.bent = h * VecX::Unit(nb, k)}; });
    for (const int row : drivers)
      add(driver_step(row), [&](double h) { return Change{.driven = h * VecX::Unit(s_.m, row)}; });
    for (const int row : drivers)
      add(driver_step(row), [&](double h) { return Change{.driven_faster = h * VecX::Unit(s_.m, row)}; });
  }
  // The same by exact derivatives: to first order a displacement along free directions stays on the constraints.
  bool take_exact(ExactSlopes& exact, const FreeDirections& free, const std::vector<int>& drivers,
                  MatX& changes) {
    const Eigen::Index nz = free.positions.cols(), nw = free.velocities.cols(),
                       nd = Eigen::Index(drivers.size());
    const MatX moved = driven(drivers), none = MatX::Zero(s_.nu, nw + nd);
    MatX displacements(s_.nu, nz + nw + nd), faster = MatX::Zero(s_.nu, nz + nw + nd);
    displacements << free.positions, none.leftCols(nw), moved;
    faster.middleCols(nz, nw) = free.velocities;
    using Velocities = ExactSlopes::Velocities;
    const auto states = exact.along(t_, q_, u_, displacements, faster, Velocities::closed, outputs_);
    const auto rates = exact.along(t_, q_, u_, none.leftCols(nd), moved, Velocities::given, outputs_);
    if (!states || !rates) return false;
    const auto put = [&](const ExactSlopes::Changes& x, auto columns) {
      columns << s_.units.cwiseInverse().asDiagonal() * x.u, s_.units.cwiseInverse().asDiagonal() * x.a, x.y;
    };
    put(*states, changes.leftCols(nz + nw + nd));
    if (nd > 0) put(*rates, changes.rightCols(nd));
    return true;
  }
  // The displacements of least mass-weighted size that move drivers on by one.
  MatX driven(const std::vector<int>& rows) {
    MatX all(s_.nu, Eigen::Index(rows.size()));
    d_.evaluate(t_, q_, u_);
    for (std::size_t k = 0; k < rows.size(); ++k) {
      d_.solve(VecX::Zero(s_.nu), VecX::Unit(s_.m, rows[k]));
      all.col(Eigen::Index(k)) = d_.a;
    }
    return all;
  }

  static constexpr double first_share = 0.02;    // rad, or lengths of the mechanism; and those per second
  static constexpr double bristle_share = 1e-4;  // lengths of the mechanism
  static constexpr int most_corrections = 20;
  double first_step(const VecX& along) {
    return smooth_step(s_, t_, q_, along, first_share / size_of(s_, along, length_));
  }
  double driver_step(int row) const { return first_share * s_.row_units[row]; }

  // The difference of a state from the reference; empty parts are zero.
  struct Change {
    VecX displacement, faster, bent;
    VecX driven, driven_faster;  // wanted Φ and Φ̇ in place of zero
  };

  // Moves q to Φ = wanted by the displacement of least mass-weighted size.
  void drive(VecX& q, const VecX& wanted) {
    double before = std::numeric_limits<double>::infinity();
    for (int round = 0; round < most_corrections; ++round) {
      d_.constrain(t_, q, u_);
      const VecX open = wanted - d_.terms.phi;
      if (!(open.norm() < 0.5 * before)) return;
      before = open.norm();
      d_.solve(VecX::Zero(s_.nu), open);
      s_.move(q, d_.a);
    }
  }

  VecX chosen() {
    VecX y(Eigen::Index(outputs_.size()));
    for (std::size_t k = 0; k < outputs_.size(); ++k) y[Eigen::Index(k)] = values_[outputs_[k]];
    return y;
  }

  // u, a, ḃ and y next to the state, on the constraints; u and a in the units of the system, so that errors compare.
  VecX at(const Change& x) {
    VecX q = q_, u = u_;
    if (x.displacement.size() > 0) {
      s_.move(q, x.displacement);
      d_.project_positions(t_, q, u, 1e-15, most_corrections);
    }
    if (x.driven.size() > 0) drive(q, x.driven);
    if (x.faster.size() > 0) u += x.faster;
    d_.constrain(t_, q, u);
    if (x.driven_faster.size() > 0) {
      d_.solve(VecX::Zero(s_.nu), x.driven_faster - d_.terms.rate);
      u += d_.a;
    } else if (s_.m > 0) {
      d_.project_velocities(u);
    }
    const VecX bent = x.bent.size() > 0 ? VecX(b_ + x.bent) : b_;
    d_.evaluate(t_, q, u, bent);
    d_.solve(d_.terms.Q, d_.terms.gamma);
    if (!outputs_.empty()) s_.observe(t_, q, u, bent, d_.a, d_.lambda, values_);
    VecX all(2 * s_.nu + b_.size() + Eigen::Index(outputs_.size()));
    all << u.cwiseQuotient(s_.units), d_.a.cwiseQuotient(s_.units), d_.terms.z_rate, chosen();
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
      return product(s_.structure.full(terms.D), R).reshaped();
    };
    const VecX slopes = derivative(D_times_R, first_step(u_));
    d_.evaluate(t_, q_, u_);
    const MatX wanted =
        product(product(s_.structure.full(d_.terms.D), turning(s_, u_)), R) - slopes.reshaped(s_.m, R.cols());
    MatX change(s_.nu, R.cols());
    for (Eigen::Index k = 0; k < R.cols(); ++k) {
      d_.solve(VecX::Zero(s_.nu), VecX(wanted.col(k)));
      change.col(k) = d_.a;
    }
    return change;
  }

  // The system with a signal of a force set to a value, at the reference.
  std::unique_ptr<System> with(const Mechanism& mechanism, const LinearInput& input, double value) const {
    std::unique_ptr<System> other = build_system(with_signal(mechanism, input, value));
    other->remember(t_, q_, u_);
    settle_contacts(*other, t_, q_, u_);
    return other;
  }
  VecX forces_of(System& s) const {
    Terms terms = s.make_terms();
    s.evaluate(t_, q_, u_, terms);
    return terms.Q;
  }

  // What accelerations, rates of elements and channels change by with one of the model's own inputs.  Forces may be any
  // functions of it.
  struct WithInput {
    VecX a, z_rate, y;
  };
  WithInput changes_with(const Mechanism& mechanism, const LinearInput& input, ExactSlopes* exact) {
    if (exact)
      if (const auto changes = exact->with_input(t_, q_, u_, input.name, outputs_))
        return {changes->a, VecX::Zero(b_.size()), changes->y};
    const double now = mechanism.signals[std::size_t(input.index)].signal.function_of_time()(t_).x;
    const auto at = [&](double h) -> VecX {
      const std::unique_ptr<System> other = with(mechanism, input, now + h);
      Dynamics d(*other, redundant_);
      d.evaluate(t_, q_, u_, b_);
      d.solve(d.terms.Q, d.terms.gamma);
      other->observe(t_, q_, u_, b_, d.a, d.lambda, values_);
      VecX all(s_.nu + b_.size() + Eigen::Index(outputs_.size()));
      all << d.a, d.terms.z_rate, chosen();
      return all;
    };
    const VecX all = derivative(at, first_share * std::max(1.0, std::abs(now)));
    return {all.head(s_.nu), all.segment(s_.nu, b_.size()), all.tail(Eigen::Index(outputs_.size()))};
  }

  // Forces on coordinates, signals of elements and accelerations of drivers change accelerations and multipliers in
  // proportion: no differences are needed.
  void add_inputs(const Mechanism& mechanism, const std::vector<LinearInput>& inputs, LinearModel& m,
                  ExactSlopes* exact) {
    const MatX& R = m.free.velocities;
    const Eigen::Index first_velocity = m.free.positions.cols();
    m.B.setZero(m.A.rows(), Eigen::Index(inputs.size()));
    m.D.setZero(m.C.rows(), m.B.cols());
    d_.evaluate(t_, q_, u_);
    d_.solve(d_.terms.Q, d_.terms.gamma);
    const VecX a = d_.a, lambda = d_.lambda;
    Eigen::Index driver = m.A.rows() - m.driven;
    for (std::size_t k = 0; k < inputs.size(); ++k) {
      const auto column = Eigen::Index(k);
      if (inputs[k].kind == LinearInput::signal) {
        const WithInput changes = changes_with(mechanism, inputs[k], exact);
        m.B.block(first_velocity, column, R.cols(), 1) = product(transposed_product(R, M_), changes.a);
        m.B.block(first_velocity + R.cols(), column, b_.size(), 1) = changes.z_rate;
        m.D.col(column) = changes.y;
        continue;
      }
      VecX force = VecX::Zero(s_.nu), acceleration = VecX::Zero(s_.m);
      std::unique_ptr<System> off, on;  // the signal of an element at 0 and at 1
      if (inputs[k].kind == LinearInput::coordinate) {
        force[inputs[k].index] = 1;
      } else if (inputs[k].kind == LinearInput::element) {
        off = with(mechanism, inputs[k], 0), on = with(mechanism, inputs[k], 1);
        force = forces_of(*on) - forces_of(*off);
      } else {
        acceleration[inputs[k].index] = 1;
        m.B(driver++, column) = 1;
      }
      m.B.block(first_velocity, column, R.cols(), 1) = R.transpose() * force;
      d_.solve(force, acceleration);
      (off ? *off : s_).observe(t_, q_, u_, a, lambda, values_);
      const VecX before = chosen();
      (on ? *on : s_).observe(t_, q_, u_, a + d_.a, lambda + d_.lambda, values_);
      m.D.col(column) = chosen() - before;
    }
  }

  System& s_;
  bool redundant_;
  Dynamics d_;
  double t_, length_ = 1;
  VecX q_, u_, b_;
  std::vector<int> outputs_;
  VecX values_;
  MatX M_;
};
}  // namespace

LinearModel linearise(System& s, const Mechanism& mechanism, bool redundant, double t, const VecX& q,
                      const VecX& u, const std::vector<LinearInput>& inputs, const std::vector<int>& outputs,
                      ExactSlopes* exact) {
  return Linearisation(s, redundant, t, q, u, outputs).model(mechanism, inputs, exact);
}
}  // namespace mubody
