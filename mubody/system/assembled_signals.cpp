// Signals among the equations: what they read of joints and forces, their states, and what they remember.
#include "mubody/mechanism/signal_order.h"
#include "mubody/system/assembled.h"

namespace mubody {
/// What the board asks for, at the bodies' present state.
template <class F> struct Assembled<F>::Noting {
  const Assembled& own;
  double t;

  double operator()(const StateVariable& v) const {
    if (std::size_t(v.point.body) >= own.bodies_.size())
      throw ModelError("a signal reads the state of a body that is not in the model");
    return F::state(own.bodies_[std::size_t(v.point.body)], Vec<D>(v.point.at.template head<D>()), v.quantity);
  }
  double joint(int k, int part, bool rate) const {
    const auto& at = own.joint_at_[std::size_t(k)];
    auto& all = own.noted_coordinates_;
    at.group->measure(at.index, own.bodies_.data(), t, own.accelerations_.data(), all);
    return rate ? all[std::size_t(part)].v : all[std::size_t(part)].x;
  }
  double force(int k, int part) const {
    const auto& at = own.force_at_[std::size_t(k)];
    at.group->report(at.index, own.bodies_, t, own.noted_results_);
    return own.noted_results_[std::size_t(part)].value;
  }
};

// The states of signals are the last ones.
template <class F> void Assembled<F>::add_signals() {
  if (!mechanism_.signals.empty()) board_ = Board(mechanism_.signals, signal_order(mechanism_));
  signal_states = board_.states();
  nz += signal_states;
  z_ = z_rate_ = VecX::Zero(nz);
  board_.rest(z_.data() + nz - signal_states);
  take_rest(z_);
  for (const auto& group : force_groups_) group->noted = board_.values();
}

template <class F> void Assembled<F>::note(double t, double* rates) const {
  if (!board_.any()) return;
  const Eigen::Index first = nz - signal_states;
  board_.evaluate(t, z_.data() + first, rates ? rates + first : nullptr, Noting{*this, t});
}

template <class F> void Assembled<F>::pass_instant(double t, const In& q, const In& u, const In& z) {
  move_bodies(q, u);
  take_states(z);
  pass_instant_here(t);
}
template <class F> void Assembled<F>::pass_instant_here(double t) {
  forget_powers();
  if (board_.any()) board_.pass_instant(t, z_.data() + nz - signal_states, Noting{*this, t});
}

template <class F> void Assembled<F>::note_past(double t, const In& q, const In& u, const In& z) {
  if (!std::isfinite(shortest_delay())) return;
  move_bodies(q, u);
  take_states(z);
  note_past_here(t);
}
template <class F> void Assembled<F>::note_past_here(double t) {
  forget_powers();
  note(t);
  board_.note_past(t, Noting{*this, t});
}

template <class F> void Assembled<F>::start_states(double t, const In& q, const In& u, Out z) {
  move_bodies(q, u);
  start_states_here(t, z);
}
template <class F> void Assembled<F>::start_states_here(double t, Out z) {
  forget_powers();
  z = rest();
  take_states(z);
  note(t);
  if (board_.any()) board_.start(t, z.data() + nz - signal_states, Noting{*this, t});
}

template void Assembled<Body<2>>::add_signals();
template void Assembled<Body<2>>::note(double, double*) const;
template void Assembled<Body<2>>::pass_instant(double, const In&, const In&, const In&);
template void Assembled<Body<2>>::pass_instant_here(double);
template void Assembled<Body<2>>::note_past(double, const In&, const In&, const In&);
template void Assembled<Body<2>>::note_past_here(double);
template void Assembled<Body<2>>::start_states(double, const In&, const In&, Out);
template void Assembled<Body<2>>::start_states_here(double, Out);
template void Assembled<Body<3>>::add_signals();
template void Assembled<Body<3>>::note(double, double*) const;
template void Assembled<Body<3>>::pass_instant(double, const In&, const In&, const In&);
template void Assembled<Body<3>>::pass_instant_here(double);
template void Assembled<Body<3>>::note_past(double, const In&, const In&, const In&);
template void Assembled<Body<3>>::note_past_here(double);
template void Assembled<Body<3>>::start_states(double, const In&, const In&, Out);
template void Assembled<Body<3>>::start_states_here(double, Out);
template void Assembled<Cartesian<2>>::add_signals();
template void Assembled<Cartesian<2>>::note(double, double*) const;
template void Assembled<Cartesian<2>>::pass_instant(double, const In&, const In&, const In&);
template void Assembled<Cartesian<2>>::pass_instant_here(double);
template void Assembled<Cartesian<2>>::note_past(double, const In&, const In&, const In&);
template void Assembled<Cartesian<2>>::note_past_here(double);
template void Assembled<Cartesian<2>>::start_states(double, const In&, const In&, Out);
template void Assembled<Cartesian<2>>::start_states_here(double, Out);
template void Assembled<Cartesian<3>>::add_signals();
template void Assembled<Cartesian<3>>::note(double, double*) const;
template void Assembled<Cartesian<3>>::pass_instant(double, const In&, const In&, const In&);
template void Assembled<Cartesian<3>>::pass_instant_here(double);
template void Assembled<Cartesian<3>>::note_past(double, const In&, const In&, const In&);
template void Assembled<Cartesian<3>>::note_past_here(double);
template void Assembled<Cartesian<3>>::start_states(double, const In&, const In&, Out);
template void Assembled<Cartesian<3>>::start_states_here(double, Out);
}  // namespace mubody
