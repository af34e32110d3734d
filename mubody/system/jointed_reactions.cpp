// Reactions in joint coordinates: what the joints of the tree, and those of loops that bodies follow, have to balance.
#include "mubody/system/jointed.h"

namespace mubody {
namespace {
// The x of A x = b by Householder's reflections, where the columns of A, as those of a joint, are clearly independent; in
// memory of its own, since there are many joints.  Returns false if they are not.
template <int C> bool solve_joint(const MatX& A, const Vec<C>& b, VecX& x) {
  constexpr double clearly = 1e-4;  // share of a column that the others leave
  const int n = int(A.cols());
  if (n > C) return false;
  Vec<C> columns[C + 1];
  for (int k = 0; k < n; ++k) columns[k] = A.col(k);
  columns[n] = b;
  for (int k = 0; k < n; ++k) {
    Vec<C>& own = columns[k];
    double rest = 0;
    for (int i = k; i < C; ++i) rest += own[i] * own[i];
    if (!(rest > clearly * clearly * A.col(k).squaredNorm())) return false;
    const double size = own[k] > 0 ? -std::sqrt(rest) : std::sqrt(rest);
    const double first = own[k] - size, scale = 1 / (size * first);  // −2/|v|² of v = (first, own ...)
    for (int l = k + 1; l <= n; ++l) {
      Vec<C>& other = columns[l];
      double along = first * other[k];
      for (int i = k + 1; i < C; ++i) along += own[i] * other[i];
      along *= scale;
      other[k] += along * first;
      for (int i = k + 1; i < C; ++i) other[i] += along * own[i];
    }
    own[k] = size;
  }
  x.resize(n);
  for (int k = n; k-- > 0;) {
    double sum = columns[n][k];
    for (int l = k + 1; l < n; ++l) sum -= columns[l][k] * x[l];
    x[k] = sum / columns[k][k];
  }
  return true;
}
}  // namespace

// Multipliers of the tree's joints, so that reactions are those of body coordinates.  The joint to a body
// balances the sum of all forces beyond it, D_bᵀ λ = Σ (Q_b − M u̇ − D_cᵀ λ_c), from leaves to root.
template <int D> void Jointed<D>::recover_multipliers(double t, const In& lambda) {
  lambda_.setZero();
  whole_.constrain_here(t, rows_, true);
  const VecX& Q = whole_.push_here(t);
  for (std::size_t b = 1; b < wrenches_.size(); ++b) {
    Vec<C> rest = Q.segment<C>(C * Eigen::Index(b));
    rest -= Body<D>::mass(masses_[b - 1]) * body_a_.segment<C>(C * Eigen::Index(b - 1));
    wrenches_[b] = Body<D>::wrench(bodies()[b], rest.data());
  }
  if (grips.any()) show_grips(t);
  for (const Chord& chord : chords_) {
    lambda_.segment(chord.whole_row, chord.rows) = lambda.segment(chord.row, chord.rows);
    for (const auto& side : chord.sides)
      for (int r = 0; r < chord.rows; ++r)
        add(wrenches_[std::size_t(side.body)], -lambda[chord.row + r],
            Body<D>::wrench(bodies()[side.body], rows_.D.data() + side.from + r * C));
  }
  for (std::size_t k = tree_.arcs().size(); k-- > 0;) {
    const Arc<D>& arc = tree_.arcs()[k];
    const Wrench<D>& beyond = wrenches_[std::size_t(arc.child)];
    if (arc.above >= 0) add_from(wrenches_[std::size_t(arc.parent)], at_.way[k], beyond);
    if (arc.follows() && tree_.parts()[std::size_t(arc.part)].first_arc == int(k))
      recover_within(tree_.parts()[std::size_t(arc.part)], std::size_t(arc.part));
    if (arc.joint < 0) continue;
    const JointRows& rows = whole_.joints[std::size_t(arc.joint)];
    Balance& balance = balances_[k];
    balance.Dt.resize(C, rows.count);
    for (int r = 0; r < rows.count; ++r) {
      const Wrench<D> row = Body<D>::wrench(bodies()[arc.child], rows_.D.data() + child_blocks_[k] + r * C);
      balance.Dt.col(r) << row.force, row.moment;
    }
    Vec<C> wanted;
    wanted << beyond.force, beyond.moment;
    if (!solve_joint<C>(balance.Dt, wanted, balance.lambda)) {
      balance.factors.compute(balance.Dt);
      balance.factors.solve(wanted, balance.lambda);
    }
    lambda_.segment(rows.first, rows.count) = balance.lambda;
  }
}

// The joints of a part that follows balance together what is left of all its bodies.  Equations that depend on each other
// do so up to the error of what is followed.
template <int D> void Jointed<D>::recover_within(const typename Tree<D>::Part& part, std::size_t number) {
  constexpr double dependent = 1e-6;
  PartBalance& balance = within_[number];
  const auto bodies_here = Eigen::Index(part.of.bodies.size());
  Eigen::Index columns = 0;
  for (const int joint : part.of.joints) columns += whole_.joints[std::size_t(joint)].count;
  balance.Dt.setZero(C * bodies_here, columns);
  balance.wanted.resize(C * bodies_here);
  Eigen::Index first = 0;
  for (const int joint : part.of.joints) {
    const JointRows& rows = whole_.joints[std::size_t(joint)];
    for (Eigen::Index b = 0; b < bodies_here; ++b) {
      const int body = part.of.bodies[std::size_t(b)].body;
      const auto block = block_of_.find({rows.first, body});
      if (block == block_of_.end()) continue;
      for (int r = 0; r < rows.count; ++r) {
        const Wrench<D> row = Body<D>::wrench(bodies()[body], rows_.D.data() + block->second + r * C);
        balance.Dt.col(first + r).segment(C * b, C) << row.force, row.moment;
      }
    }
    first += rows.count;
  }
  for (Eigen::Index b = 0; b < bodies_here; ++b) {
    const Wrench<D>& rest = wrenches_[std::size_t(part.of.bodies[std::size_t(b)].body)];
    balance.wanted.segment(C * b, C) << rest.force, rest.moment;
  }
  balance.factors.set_threshold(dependent);
  balance.factors.compute(balance.Dt);
  balance.factors.solve(balance.wanted, balance.lambda);
  first = 0;
  for (const int joint : part.of.joints) {
    const JointRows& rows = whole_.joints[std::size_t(joint)];
    lambda_.segment(rows.first, rows.count) = balance.lambda.segment(first, rows.count);
    first += rows.count;
  }
}

template <int D>
void Jointed<D>::observe(double t, const In& q, const In& u, const In& z, const In& a, const In& lambda,
                         Out values) {
  place(q, u);
  whole_.take_states(z);
  inertia_.accelerations(at_, a.data(), true, twists_);
  for (std::size_t b = 0; b < masses_.size(); ++b)
    write<D>(bodies()[b + 1], twists_[b + 1], body_a_.data() + C * b);
  recover_multipliers(t, lambda);
  whole_.observe_here(t, body_a_, lambda_, values);
}

template void Jointed<2>::recover_multipliers(double, const In&);
template void Jointed<2>::recover_within(const Tree<2>::Part&, std::size_t);
template void Jointed<2>::observe(double, const In&, const In&, const In&, const In&, const In&, Out);
template void Jointed<3>::recover_multipliers(double, const In&);
template void Jointed<3>::recover_within(const Tree<3>::Part&, std::size_t);
template void Jointed<3>::observe(double, const In&, const In&, const In&, const In&, const In&, Out);
}  // namespace mubody
