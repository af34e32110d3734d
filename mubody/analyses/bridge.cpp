#include "mubody/analyses/bridge.h"

namespace mubody {
bool Bridge::build(State x, const State& y, double share) {
  if (!approach(x, y.t, share) || !land(x, y.t, share)) return false;
  const double gap = last_.t - x.t;
  Nodes nodes{State{}, x, last_, State{}};
  constexpr double inner = 0.7;  // of the gap: outer nodes of twins, where the polynomial has another error
  for (const double far : {inner, 1.0}) {
    if (!k_.step(x, x.t - far * gap, nodes[0]) || !k_.step(last_, last_.t + far * gap, nodes[3])) return false;
    if (k_.held_below(share, nodes[0]) || k_.held_below(share, nodes[3])) return false;
    for (std::size_t k = 1; far == inner && k <= twins; ++k) {
      Nodes others;
      for (std::size_t n = 0; n < nodes.size(); ++n) others[n] = k_.disturbed(nodes[n], draw_);
      ways_[k] = through(others);
    }
  }
  ways_[0] = through(nodes);
  first_ = std::move(x);
  return k_.gap(between(weakest(), ways_[0])) <= Driven::open;
}

Bridge::Polynomials Bridge::through(const Nodes& nodes) const {
  Polynomials p;
  for (const State& node : nodes) {
    VecX rate = VecX::Zero(k_.s.nq);
    k_.s.rates(node.q, node.u, rate);
    p.q.add(node.t, node.q, rate);
    p.u.add(node.t, node.u, node.a);
  }
  return p;
}

Bridge::State Bridge::at(double t, const Polynomials& way) const {
  State y = between(t, way);
  k_.find_forces(y);
  if (!k_.held_below(Driven::exact, y)) return y;
  const auto [before, after] = beside(t, way);
  y.lambda = 0.5 * (before.lambda + after.lambda);
  return y;
}

double Bridge::weakest() const {
  double from = first_.t, to = last_.t;
  const auto smaller = [&](double a, double b) { return held(a).hold < held(b).hold; };
  for (int round = 0; round < 100 && to - from > 1e-9 * (last_.t - first_.t); ++round) {
    const double a = from + (to - from) / 3, b = to - (to - from) / 3;
    if (changes_side())
      (held(0.5 * (from + to)).side == first_.side ? from : to) = 0.5 * (from + to);
    else
      (smaller(a, b) ? to : from) = smaller(a, b) ? b : a;
  }
  return 0.5 * (from + to);
}

bool Bridge::strains(double t) const {
  const auto [before, after] = beside(t, ways_[0]);
  return (after.lambda - before.lambda).norm() > 100 * (after.lambda + before.lambda).norm();
}

// Moves x on until the drivers hold it little better than by the share.
bool Bridge::approach(State& x, double end, double share) {
  State next;
  const double all = end - x.t;
  for (double h = 0.5 * all; !k_.held_below(4 * share, x);) {
    if (!(h > 1e-9 * all)) return false;
    const bool goes = x.t + h < end && k_.step(x, x.t + h, next);
    if (goes && next.side == x.side && !k_.held_below(share, next))
      x = next;
    else
      h /= 2;
  }
  return true;
}

// Finds a position beyond, which is held as well as x.
bool Bridge::land(const State& x, double end, double share) {
  State back;
  const double little = 0.01 * (end - x.t);
  if (!(little > 0) || !k_.step(x, x.t - little, back)) return false;
  const double away = x.hold * little / (back.hold - x.hold);  // the distance if the hold falls along a line
  if (!(away > 0)) return false;
  for (const double far : {2., 3., 4.5, 7., 10., 15.})
    if (!k_.step(x, x.t + far * away, last_))
      return false;
    else if (!k_.held_below(share, last_) && (last_.t >= end || last_.side != x.side))
      return true;
  return false;
}

Bridge::State Bridge::between(double t, const Polynomials& way) const {
  State y;
  VecX rate;
  y.t = t;
  way.q.at(t, y.q, rate);
  k_.s.tidy(y.q);
  way.u.at(t, y.u, y.a);
  return y;
}

Bridge::State Bridge::held(double t) const {
  State y = between(t, ways_[0]);
  k_.find_hold(y);
  return y;
}

std::array<Bridge::State, 2> Bridge::beside(double t, const Polynomials& way) const {
  const double little = 1e-3 * (last_.t - first_.t);
  std::array<State, 2> both{between(t - little, way), between(t + little, way)};
  for (State& y : both) k_.find_forces(y);
  return both;
}
}  // namespace mubody
