// Model exchange: what an instance does for an integrator outside.                        docs/theory/exchange.md
#include <cmath>

#include <fmt/format.h>

#include "fmu/instance.h"

namespace mubody::fmu {
Exchange& Instance::exchange() {
  if (stepping_ != StepsBy::others)
    throw ModelError("this instance is for co-simulation, which makes its own steps");
  simulation();
  return *exchange_;
}
void Instance::expect_states(std::size_t n, std::size_t size) const {
  if (n != size) throw ModelError(fmt::format("{} numbers were given, and there are {}", n, size));
}
void Instance::set_time(double t) {
  expect_motion("the time");
  if (!std::isfinite(t)) throw ModelError(fmt::format("the time must be finite, got {}", t));
  exchange();
  t_ = t, observed_ = false;
}
void Instance::set_states(const double* x, std::size_t n) {
  expect_states(n, states());
  expect_motion("the states");
  exchange();
  x_ = Eigen::Map<const VecX>(x, Eigen::Index(n)), observed_ = false;
}
void Instance::get_states(double* x, std::size_t n) {
  expect_states(n, states());
  exchange();
  Eigen::Map<VecX>(x, Eigen::Index(n)) = x_;
}
void Instance::get_rates(double* dx, std::size_t n) {
  expect_states(n, states());
  Exchange& e = exchange();
  e.rates(seen_at(), x_, Eigen::Map<VecX>(dx, Eigen::Index(n)));
}
void Instance::get_indicators(double* z, std::size_t n) {
  expect_states(n, indicators());
  Exchange& e = exchange();
  e.indicators(seen_at(), x_, Eigen::Map<VecX>(z, Eigen::Index(n)));
}
// States, their derivatives and event indicators as variables, also of a motion that makes its own steps.
double Instance::exchanged(unsigned reference) {
  const std::size_t k = reference - places_.size() - 1, n = states();
  if (k >= 2 * n + indicators())
    throw ModelError(fmt::format("there is no variable with the reference {}", reference));
  Simulation& sim = simulation();
  if (k < n) return exchange_ ? x_[Eigen::Index(k)] : sim.state()[Eigen::Index(k)];
  VecX all(Eigen::Index(k < 2 * n ? n : indicators()));
  if (!exchange_)
    all = k < 2 * n ? sim.rates() : sim.gaps();
  else if (k < 2 * n)
    get_rates(all.data(), n);
  else
    get_indicators(all.data(), indicators());
  return all[Eigen::Index(k < 2 * n ? k - n : k - 2 * n)];
}

// The event that has been announced and now is reached; what changes at it is seen from the event mode on.
std::optional<double> Instance::due() {
  const std::optional<double> next = exchange_->next_instant(exchange_->simulation().time());
  const bool is = next && t_ >= *next && t_ <= *next + 1e-9 * (1 + std::abs(*next));
  return is && phase_ == Phase::stepping ? next : std::nullopt;
}
double Instance::seen_at() {
  const std::optional<double> event = due();
  return event ? exchange_->before(*event) : t_;
}

// Takes the present states as the end of a step; returns whether they have changed.
bool Instance::settle() {
  const Exchange::Completed c = exchange_->complete(t_, x_);
  unsettled_ = observed_ = false;
  for (const Event& happened : exchange_->simulation().events())
    say(Severity::event, fmt::format("t = {:.9g} s: {}: {}", happened.t, happened.word(), happened.what));
  if (!c.outcome) {
    failed_ = true;
    throw ModelError(fmt::format("t = {:.9g} s: {}: {}", c.outcome.at, c.outcome.word(), c.outcome.why));
  }
  last_time_ = t_;
  return jumped_ = jumped_ || c.jumped;
}

bool Instance::complete() {
  expect(Phase::stepping, "the end of a step");
  expect_before_stop(t_);  // steps that are only tried may lead further
  Exchange& e = exchange();
  if (t_ < e.simulation().time())
    throw ModelError(fmt::format("a step cannot end at t = {} s: the last one has ended at t = {} s", t_,
                                 e.simulation().time()));
  return due() || settle();
}
bool Instance::new_states() {
  expect_event("the update of the discrete states");
  Exchange& e = exchange();
  if (t_ > e.simulation().time() || unsettled_) settle();
  if (!jumped_) return false;
  jumped_ = observed_ = false;
  x_ = e.state();
  return true;
}
std::optional<double> Instance::next_instant() { return exchange().next_instant(t_); }
}  // namespace mubody::fmu
