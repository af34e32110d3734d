#include "mubody/analyses/contacts.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace mubody {
namespace {
constexpr double precision = 1e-13;       // [s] to which an instant is located, or its last digits
constexpr double share_adaptive = 1. / 15, share_fixed = 1. / 50;  // of the duration of a collision: a step
constexpr double lasting = 3;             // durations after which a contact is no collision
constexpr int most_stuck = 100;
constexpr std::size_t most_records = 1'000'000;
}  // namespace

ContactWatch::ContactWatch(System& s, Dynamics& d)
    : system_(s), dynamics_(d), running_(s.contacts.size()), unit_(VecX::Zero(s.nu)), zero_(VecX::Zero(s.m)) {
  for (std::size_t k = 0; k < running_.size(); ++k) running_[k].record.contact = s.contacts[k].name;
}

void ContactWatch::look(double t, const VecX& y, Look& all) { system_.look_at_contacts(t, q(y), u(y), all); }

void ContactWatch::start(double t, const VecX& y, Results&) {
  if (!any()) return;
  t_ = t;
  look(t, y, now_);
  for (std::size_t k = 0; k < running_.size(); ++k)
    if (now_[k].gap < 0 && system_.contacts[k].has_law) begin(k, y);
  look(t, y, now_);
}

// Which contacts are on decides what counts as a change: a closed gap for those that are off, an open one for the others.
// Samples within the step see also what touches and parts again in it.
void ContactWatch::sample(double to, const StateAt& at) {
  times_.clear();
  samples_.resize(parts + 1);
  for (int k = 0; k <= parts; ++k) {
    times_.push_back(k == parts ? to : t_ + k * (to - t_) / parts);
    if (k == 0)
      samples_[0] = now_;
    else
      look(times_.back(), at(times_.back()), samples_[std::size_t(k)]);
  }
}

std::optional<double> ContactWatch::first_change(double to, const StateAt& at) {
  if (!any()) return {};
  // A sample costs as much as a step with some integrators: only where something may happen.
  look(to, at(to), probe_);
  bool quiet = true;
  for (std::size_t k = 0; k < running_.size(); ++k)
    quiet = quiet && !system_.is_touching(int(k)) && now_[k].gap >= 0 && probe_[k].gap > 0 &&
            !(now_[k].approach > 0 && probe_[k].approach < 0);
  if (quiet) {
    times_.clear();
    return {};
  }
  sample(to, at);
  std::optional<double> first;
  for (std::size_t k = 0; k < running_.size(); ++k)
    if (const auto when = change_of(k, at); when && (!first || *when < *first)) first = when;
  return first;
}

std::optional<double> ContactWatch::change_of(std::size_t k, const StateAt& at) {
  const bool touching = system_.is_touching(int(k));
  for (std::size_t s = 1; s < times_.size(); ++s) {
    const double gap = samples_[s][k].gap, before = samples_[s - 1][k].gap;
    if (!(touching ? gap > 0 : gap < 0)) continue;
    if (touching ? before >= 0 : before <= 0) return times_[s - 1];
    return touching ? root(k, times_[s - 1], times_[s], at) : root(k, times_[s], times_[s - 1], at);
  }
  return {};
}

// Regula falsi with Illinois' weights and bisection, on the gap of dense output.
double ContactWatch::root(std::size_t k, double closed, double open, const StateAt& at) {
  const auto gap = [&](double t) {
    look(t, at(t), probe_);
    return probe_[k].gap;
  };
  double a = closed, b = open, ga = gap(a), gb = gap(b);
  const double enough = std::max(precision, 4e-16 * std::max(std::abs(a), std::abs(b)));
  for (int round = 0; round < 100 && std::abs(b - a) > enough; ++round) {
    double t = b - gb * (b - a) / (gb - ga);
    const double low = std::min(a, b), high = std::max(a, b);
    if (round % 3 == 2 || !(t > low && t < high)) t = 0.5 * (a + b);
    const double g = gap(t);
    if (g < 0) {
      a = t, ga = g, gb *= 0.5;
    } else {
      b = t, gb = g, ga *= 0.5;
    }
    if (g == 0) break;
    if (round % 3 == 2) ga = gap(a), gb = gap(b);
  }
  return 0.5 * (a + b);
}

void ContactWatch::note_force(Running& r, double t, const ContactNow& c) {
  r.record.deepest = std::max(r.record.deepest, -c.gap);
  if (c.force > r.record.peak_force) r.record.peak_force = c.force, r.record.peak_at = t;
  // Between samples: the top of the parabola through three of them.
  if (r.last >= c.force && r.last >= r.before && r.last_t > r.before_t) {
    const double x1 = r.before_t - r.last_t, x2 = t - r.last_t, y1 = r.before - r.last, y2 = c.force - r.last;
    const double curvature = (y2 / x2 - y1 / x1) / (x2 - x1), slope = y1 / x1 - curvature * x1;
    if (curvature < 0) {
      const double top = r.last - slope * slope / (4 * curvature);
      if (top > r.record.peak_force) r.record.peak_force = top, r.record.peak_at = r.last_t - slope / (2 * curvature);
    }
  }
  r.before_t = r.last_t, r.before = r.last;
  r.last_t = t, r.last = c.force;
}

void ContactWatch::take(double to, const StateAt& at, Results&) {
  if (!any()) return;
  const bool busy = std::any_of(running_.begin(), running_.end(), [](const Running& r) { return r.open; });
  if (!busy) {
    look(to, at(to), now_);
    t_ = to;
    return;
  }
  if (times_.empty() || times_.back() != to) sample(to, at);
  constexpr double boole[] = {7. / 90, 32. / 90, 12. / 90, 32. / 90, 7. / 90};
  for (std::size_t k = 0; k < running_.size(); ++k) {
    Running& r = running_[k];
    if (!r.open) continue;
    for (std::size_t s = 0; s < samples_.size(); ++s) {
      r.record.energy_lost += boole[s] * (to - t_) * samples_[s][k].lost;
      if (s > 0) note_force(r, times_[s], samples_[s][k]);
    }
  }
  now_ = samples_.back();
  t_ = to;
  times_.clear();
}

// A collision of the two bodies, with what hangs on them, takes about three times the greatest depth over the speed:
// m v²/2 = K δⁿ⁺¹/(n + 1), with m the mass that a push at the contact feels.
void ContactWatch::begin(std::size_t k, const VecX& y) {
  const double speed = std::max(now_[k].approach, 0.0);
  system_.set_contact(int(k), true, speed);
  Running& r = running_[k];
  const std::string name = r.record.contact;
  r = {};
  r.open = true;
  r.record.contact = name;
  r.record.onset = t_;
  r.record.speed_in = speed;
  r.last_t = r.before_t = t_;
  const ContactStiffness c = system_.push_contact(int(k), t_, q(y), u(y), unit_);
  dynamics_.constrain(t_, q(y), u(y));
  dynamics_.solve(unit_, zero_);
  const double mobility = unit_.dot(dynamics_.a);
  const double v = std::max(speed, 1e-6), n = c.exponent;
  const double deepest = mobility > 0 ? std::pow((n + 1) * v * v / (2 * c.stiffness * mobility), 1 / (n + 1)) : 0;
  r.duration = deepest > 0 ? 3 * deepest / v : std::numeric_limits<double>::infinity();
}

bool ContactWatch::change(const VecX& y, Results& r) {
  // Those whose gap is at zero, as far as the instant can be known, and moves the other way.
  bool any_changed = false;
  for (std::size_t k = 0; k < running_.size(); ++k) {
    const bool touching = system_.is_touching(int(k));
    const double reach = 2 * std::max(precision, 4e-16 * std::abs(t_)) * std::max(std::abs(now_[k].approach), 1e-9);
    if (touching ? now_[k].gap < -reach || now_[k].approach > 0 : now_[k].gap > reach || now_[k].approach < 0) continue;
    any_changed = true;
    if (!touching && !system_.contacts[k].has_law) {
      r.outcome = {Outcome::singular, t_,
                   fmt::format("the film of '{}' is squeezed out at t = {:.6g} s: the eccentricity reaches 1, and there "
                               "is no dry contact behind it; give the lubricant dry_below",
                               system_.contacts[k].name, t_),
                   system_.contacts[k].place};
      return false;
    }
    if (!touching) {
      begin(k, y);
      continue;
    }
    Running& running = running_[k];
    system_.set_contact(int(k), false, 0);
    running.open = false;
    running.record.end = t_;
    running.record.speed_out = -now_[k].approach;
    if (r.contacts.size() < most_records) r.contacts.push_back(running.record);
  }
  stuck_ = t_ > stuck_at_ ? 0 : stuck_ + 1;
  stuck_at_ = t_;
  if (any_changed && stuck_ < most_stuck) {
    look(t_, y, now_);
    return true;
  }
  // A gap that is shut at no speed: grazing.  The contact is switched by its sign.
  for (std::size_t k = 0; k < running_.size(); ++k) {
    const bool closed = now_[k].gap < 0;
    if (closed == system_.is_touching(int(k)) || !system_.contacts[k].has_law) continue;
    if (closed) {
      begin(k, y);
    } else {
      system_.set_contact(int(k), false, 0);
      running_[k].open = false;
    }
  }
  look(t_, y, now_);
  return true;
}

double ContactWatch::longest_step(double t, bool adaptive) const {
  double longest = std::numeric_limits<double>::infinity();
  for (const Running& r : running_)
    if (r.open && !(adaptive && t - r.record.onset > lasting * r.duration))
      longest = std::min(longest, r.duration * (adaptive ? share_adaptive : share_fixed));
  return longest;
}

void ContactWatch::finish(Results& r) const {
  for (const Running& running : running_)
    if (running.open) r.contacts.push_back(running.record);
  std::stable_sort(r.contacts.begin(), r.contacts.end(),
                   [](const ContactRecord& a, const ContactRecord& b) { return a.onset < b.onset; });
}

std::string ContactWatch::squeezed_out() const {
  for (std::size_t k = 0; k < now_.size(); ++k)
    if (!system_.contacts[k].has_law)
      return fmt::format("; the film of '{}' may be squeezed out: without dry_below its eccentricity must stay below 1",
                         system_.contacts[k].name);
  return {};
}
}  // namespace mubody
