#pragma once
// The equations of a mechanism as a graph, evaluated at a state by a tape, with their exact derivatives.
#include <gtest/gtest.h>

#include "mubody/recorded/model.h"
#include "mubody/recording/derivative.h"
#include "mubody/recording/tape.h"

namespace mubody::testing {
class RecordedAt {
 public:
  RecordedAt(const Mechanism& m, double t, const VecX& q, const VecX& u)
      : model(record(m, {.t = t, .q = q, .u = u})), x_(std::size_t(model.arguments())) {
    x_[0] = t;
    std::copy(q.begin(), q.end(), x_.begin() + RecordedModel::first_q());
    std::copy(u.begin(), u.end(), x_.begin() + model.first_u());
    for (const RecordedModel::Kept& k : model.kept) x_[std::size_t(k.input)] = k.start;
  }

  VecX operator()(const std::vector<int>& nodes) const {
    const Tape tape(*model.graph, {"wanted", nodes});
    TapeWork work(tape);
    VecX y(Eigen::Index(nodes.size()));
    tape(x_.data(), y.data(), work);
    return y;
  }
  double operator()(const std::string& channel) const {
    for (const RecordedModel::Channel& c : model.channels)
      if (c.name == channel) return (*this)(std::vector{c.node})[0];
    ADD_FAILURE() << "there is no channel " << channel;
    return 0;
  }
  /// How these nodes change while time, positions and velocities change at these rates.
  VecX change(const std::vector<int>& nodes, double t, const VecX& q, const VecX& u) {
    Computation& g = *model.graph;
    std::vector<std::pair<int, int>> seeds{{g.input(0), g.constant(t)}};
    for (int k = 0; k < model.nq; ++k)
      seeds.push_back({g.input(RecordedModel::first_q() + k), g.constant(q[k])});
    for (int k = 0; k < model.nu; ++k) seeds.push_back({g.input(model.first_u() + k), g.constant(u[k])});
    return (*this)(directional(g, nodes, seeds));
  }

  RecordedModel model;

 private:
  std::vector<double> x_;
};

/// The largest difference, as a share of the size.
inline double apart(const VecX& a, const VecX& b) {
  if (a.size() == 0) return 0;
  return (a - b).lpNorm<Eigen::Infinity>() / std::max(1.0, b.lpNorm<Eigen::Infinity>());
}
}  // namespace mubody::testing
