#include "mubody/precompute/plan/scalars.h"

#include "mubody/joints/rows.h"
#include "mubody/system/build.h"

namespace mubody {
namespace {
// A driver that holds the scalar at zero: its equation is the scalar itself.
Box<AnyJoint> row_of(const Measure& m) {
  if (m.kind == Measure::distance) return row_of_distance(m.i, m.j);
  return mubody::row_of(m.i, m.j, m.kind == Measure::angle ? turn_z : Elementary(int(slide_x) + m.axis));
}

Mechanism bare(const Mechanism& m) {
  Mechanism b = m;
  b.joints.clear();
  b.forces.clear();
  return b;
}
}  // namespace

ScalarRows::ScalarRows(Mechanism m, std::vector<bool> turn)
    : system_(build_system(m)), turn_(std::move(turn)), terms_(system_->make_terms()),
      rest_(VecX::Zero(system_->nu)), last_(VecX::Zero(Eigen::Index(turn_.size()))) {}

ScalarRows::ScalarRows(const Mechanism& m, const std::vector<Measure>& all)
    : ScalarRows(
          [&] {
            Mechanism b = bare(m);
            for (const Measure& one : all) b.joints.push_back({"scalar", {}, row_of(one), true});
            return b;
          }(),
          [&] {
            std::vector<bool> turn;
            for (const Measure& one : all) turn.push_back(one.kind == Measure::angle);
            return turn;
          }()) {
  if (m.dim == 2) counted_ = all;
}

ScalarRows::ScalarRows(const Mechanism& m, const std::vector<Variable>& all)
    : ScalarRows(
          [&] {
            Mechanism b = bare(m);
            for (const Variable& one : all) b.joints.push_back({one.name, {}, one.row, true});
            return b;
          }(),
          [&] {
            std::vector<bool> turn;
            for (const Variable& one : all) turn.push_back(one.turn);
            return turn;
          }()) {}

void ScalarRows::at(const In& q, Out values, MatX* rates) {
  system_->constraints(0, q, rest_, terms_);
  values = terms_.phi;
  const auto angle = [&](const Marker& m) {
    return angle_about_z(m.turn) + system_->layout.pose(q, m.body).angle;
  };
  for (Eigen::Index k = 0; k < values.size(); ++k) {
    if (!turn_[std::size_t(k)]) continue;
    if (!counted_.empty()) {
      const Measure& one = counted_[std::size_t(k)];
      values[k] = angle(one.j) - angle(one.i);
    } else if (!first_) {
      values[k] = last_[k] + wrapped(values[k] - last_[k]);
    }
  }
  last_ = values;
  first_ = false;
  if (rates) *rates = system_->structure.full(terms_.D);
}
}  // namespace mubody
