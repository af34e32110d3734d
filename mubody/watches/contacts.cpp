#include "mubody/watches/contacts.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace mubody {
namespace {
constexpr double precision =
    1e-13;  // of the characteristic time, to which an instant is located, or its last digits
constexpr double share_adaptive = 1. / 15, share_fixed = 1. / 50;  // step per duration of a collision
constexpr double lasting = 3;        // durations after which a contact is no collision
constexpr int changes_at_once = 3;   // changes at one instant after which time must pass
constexpr double noteworthy = 1e-5;  // of the characteristic length: depth at the start that is reported
constexpr double tiny = 1e-12;       // of the same: largest gap that does not count as flight
constexpr double slow_impact = 1e-6,
                 standing = 1e-9;     // of the characteristic speed: slower than that counts as that
constexpr int most_looks_ahead = 40;  // for a gap that closes and opens within a step
constexpr std::size_t most_records = 1'000'000;
}  // namespace

void close_contacts(System& s, double t, const In& q, const In& u) {
  Contacts& contacts = s.contacts();
  if (!contacts.any()) return;
  std::vector<ContactNow> now;
  contacts.measure_contacts(t, q, u, now);
  for (std::size_t k = 0; k < now.size(); ++k)
    contacts.set(int(k), now[k].gap < 0 && contacts.sites[k].has_law, std::max(0.0, now[k].approach));
}

ContactWatch::ContactWatch(System& s, Dynamics& d)
    : system_(s), contacts_(s.contacts()), dynamics_(d), running_(contacts_.sites.size()),
      unit_(VecX::Zero(s.nu)), zero_(VecX::Zero(s.m)) {
  for (std::size_t k = 0; k < running_.size(); ++k) running_[k].record.contact = contacts_.sites[k].name;
}

void ContactWatch::measure_contacts(double t, const VecX& y, Sample& all) {
  contacts_.measure_contacts(t, q(y), u(y), all);
}

void ContactWatch::start(double t, const VecX& y, Results& r) {
  if (!any()) return;
  t_ = t;
  measure_contacts(t, y, now_);
  for (std::size_t k = 0; k < running_.size(); ++k) {
    if (!(now_[k].gap < 0) || !contacts_.sites[k].has_law) continue;
    begin(k, y);
    if (-now_[k].gap > noteworthy * system_.scales.length)
      r.remarks.push_back(
          fmt::format("contact '{}' is {:.3g} m deep at the start; if that is not meant, look at its markers "
                      "and radii",
                      contacts_.sites[k].name, -now_[k].gap));
  }
  measure_contacts(t, y, now_);
  probe_ = ends_ = now_;
  samples_.assign(parts + 1, now_);
  times_.reserve(parts + 1);
}

// A change is a closed gap for contacts that are off, and an open one for the others.  Samples within the step
// also find contacts that close and open again in it.
void ContactWatch::sample(double to, const StateAt& at) {
  times_.clear();
  samples_.resize(parts + 1);
  for (int k = 0; k <= parts; ++k) {
    times_.push_back(k == parts ? to : t_ + k * (to - t_) / parts);
    if (k == 0)
      samples_[0] = now_;
    else
      measure_contacts(times_.back(), at(times_.back()), samples_[std::size_t(k)]);
  }
}

std::optional<double> ContactWatch::first_change(double to, const StateAt& at) {
  if (!any()) return {};
  // With some integrators a sample costs as much as a step: it is taken only where something may happen.
  measure_contacts(to, at(to), ends_);
  bool quiet = true;
  for (std::size_t k = 0; k < running_.size(); ++k)
    quiet = quiet && !contacts_.touching(int(k)) && now_[k].gap >= 0 && ends_[k].gap > 0 &&
            !(now_[k].approach > 0 && ends_[k].approach < 0);
  std::optional<double> first = first_passage(to, at);
  if (quiet && !first) {
    times_.clear();
    return {};
  }
  sample(to, at);
  for (std::size_t k = 0; k < running_.size(); ++k)
    if (const auto when = change_of(k, at); when && (!first || *when < *first)) first = when;
  return first;
}

// A small part of an outline may pass a line within a step, and be out of its reach at the end: then the gap is open before and
// after.  Where it closes fast enough for that it is followed until it is closed, by Newton's method, with shorter steps where it
// is out of sight.
std::optional<double> ContactWatch::first_passage(double to, const StateAt& at) {
  std::optional<double> first;
  const double enough = std::max(precision * system_.scales.time, 4e-16 * std::abs(to));
  for (std::size_t k = 0; k < running_.size(); ++k) {
    double t = t_, gap = now_[k].gap, approach = now_[k].approach, beyond = first.value_or(to);
    const bool may_pass =
        !contacts_.touching(int(k)) && gap > 0 && approach > 0 && gap < 2 * approach * (to - t_);
    if (!may_pass || ends_[k].gap < 0) continue;  // what is closed at the end is found in any case
    for (int round = 0; round < most_looks_ahead && beyond - t > enough; ++round) {
      const double guess = t + gap / approach, next = guess < beyond ? guess : t + 0.5 * (beyond - t);
      measure_contacts(next, at(next), probe_);
      if (probe_[k].gap < 0) {
        first = root(k, &ContactNow::gap, t, next, at);
        break;
      }
      if (probe_[k].approach > 0 && probe_[k].gap < gap)
        t = next, gap = probe_[k].gap, approach = probe_[k].approach;
      else
        beyond = next;
    }
  }
  return first;
}

// Between two samples the gap may turn: closing, then opening, or the reverse in a short flight.
std::optional<double> ContactWatch::change_of(std::size_t k, const StateAt& at) {
  const bool touching = contacts_.touching(int(k));
  const auto has_changed = [&](double gap) { return touching ? gap > 0 : gap < 0; };
  for (std::size_t s = 1; s < times_.size(); ++s) {
    const ContactNow &before = samples_[s - 1][k], &now = samples_[s][k];
    double from = times_[s - 1], from_gap = before.gap, to = times_[s];
    if (before.approach * now.approach < 0) {
      const double turn = root(k, &ContactNow::approach, from, to, at);
      measure_contacts(turn, at(turn), probe_);
      const double gap = probe_[k].gap;
      if (has_changed(gap)) {
        to = turn;  // grazing: the contact changes and changes back
      } else if (has_changed(now.gap)) {
        from = turn, from_gap = gap;
      } else {
        continue;
      }
    } else if (!has_changed(now.gap)) {
      continue;
    }
    if (!has_changed(from_gap) && from_gap != 0) return root(k, &ContactNow::gap, from, to, at);
    if (from == t_ && stuck_ > changes_at_once) continue;  // let time pass
    return from;
  }
  return {};
}

// Regula falsi with Illinois' weights and bisection, on dense output.
double ContactWatch::root(std::size_t k, double ContactNow::*number, double a, double b, const StateAt& at) {
  const auto value = [&](double t) {
    measure_contacts(t, at(t), probe_);
    return probe_[k].*number;
  };
  double fa = value(a), fb = value(b), wa = fa, wb = fb;  // plain and weighted values
  const double enough = std::max(precision * system_.scales.time, 4e-16 * std::max(std::abs(a), std::abs(b)));
  if (fa == 0) return a;
  if (fb == 0) return b;
  for (int round = 0; round < 100 && std::abs(b - a) > enough; ++round) {
    double t = b - wb * (b - a) / (wb - wa);
    if (round % 3 == 2 || !(t > std::min(a, b) && t < std::max(a, b))) t = 0.5 * (a + b), wa = fa, wb = fb;
    const double f = value(t);
    if (f == 0) return t;
    if ((f < 0) == (fa < 0))
      a = t, fa = wa = f, wb *= 0.5;
    else
      b = t, fb = wb = f, wa *= 0.5;
  }
  // A gap that jumps, because the place of contact passes to another part of an outline, has no zero: behind the jump
  // the change has happened.
  if (is_one_of_several(k) && std::min(std::abs(fa), std::abs(fb)) > tiny * system_.scales.length) return b;
  return 0.5 * (a + b);
}

void ContactWatch::note_force(Running& r, double t, const ContactNow& c) {
  r.record.deepest = std::max(r.record.deepest, -c.gap);
  if (c.force > r.record.peak_force) r.record.peak_force = c.force, r.record.peak_at = t;
  // The peak between samples is the top of the parabola through three of them.
  if (r.last >= c.force && r.last >= r.before && r.last_t > r.before_t) {
    const double x1 = r.before_t - r.last_t, x2 = t - r.last_t, y1 = r.before - r.last, y2 = c.force - r.last;
    const double curvature = (y2 / x2 - y1 / x1) / (x2 - x1), slope = y1 / x1 - curvature * x1;
    if (curvature < 0) {
      const double top = r.last - slope * slope / (4 * curvature);
      if (top > r.record.peak_force)
        r.record.peak_force = top, r.record.peak_at = r.last_t - slope / (2 * curvature);
    }
  }
  r.before_t = r.last_t, r.before = r.last;
  r.last_t = t, r.last = c.force;
}

void ContactWatch::take(double to, const StateAt& at, Results&) {
  if (!any()) return;
  const bool busy = std::any_of(running_.begin(), running_.end(), [](const Running& r) { return r.open; });
  if (!busy) {
    measure_contacts(to, at(to), now_);
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
      if (s == 0) continue;
      if (samples_[s - 1][k].approach > 0 && samples_[s][k].approach < 0) {  // the deepest point is between
        const double turn = root(k, &ContactNow::approach, times_[s - 1], times_[s], at);
        measure_contacts(turn, at(turn), probe_);
        note_force(r, turn, probe_[k]);
      }
      note_force(r, times_[s], samples_[s][k]);
    }
  }
  now_ = samples_.back();
  t_ = to;
  times_.clear();
}

// A collision of the two bodies, with all that is attached to them, takes about three times the greatest depth
// over the speed: m v²/2 = K δⁿ⁺¹/(n + 1), with m the effective mass at the contact.
void ContactWatch::begin(std::size_t k, const VecX& y, std::optional<double> first_speed) {
  const double speed = first_speed.value_or(std::max(0.0, now_[k].approach)),
               depth = std::max(0.0, -now_[k].gap);
  contacts_.set(int(k), true, speed);
  switched_.push_back(int(k));
  Running& r = running_[k];
  const std::string name = r.record.contact;
  r = {};
  r.open = true;
  r.record.contact = name;
  r.record.onset = t_;
  r.record.speed_in = speed;
  r.last_t = r.before_t = t_;
  const ContactStiffness c = contacts_.push(int(k), t_, q(y), u(y), unit_);
  dynamics_.constrain(t_, q(y), u(y));
  dynamics_.solve(unit_, zero_);
  const double mobility = unit_.dot(dynamics_.a);
  const double v = std::max(speed, slow_impact * system_.scales.speed()), n = c.exponent;
  const double deepest =
      mobility > 0 ? std::pow((n + 1) * v * v / (2 * c.stiffness * mobility), 1 / (n + 1)) : 0;
  r.duration = deepest > 0 ? 3 * deepest / v : std::numeric_limits<double>::infinity();
  // A contact that begins closed springs back at a rate set by its stiffness there.
  if (depth > 0 && mobility > 0)
    r.duration = std::min(r.duration, 3 / std::sqrt(n * c.stiffness * std::pow(depth, n - 1) * mobility));
}

void ContactWatch::memory(Memory& m) {
  m(t_, running_, now_, stuck_at_, stuck_);
  times_.clear();
}

bool ContactWatch::is_one_of_several(std::size_t k) const {
  const auto same = [&](std::size_t l) {
    return l < contacts_.sites.size() && contacts_.sites[l].force == contacts_.sites[k].force;
  };
  return same(k - 1) || same(k + 1);
}

double ContactWatch::reach(std::size_t k) const {
  return 2 * std::max(precision * system_.scales.time, 4e-16 * std::abs(t_)) *
         std::max(std::abs(now_[k].approach), standing * system_.scales.speed());
}

// Where the place of contact passes from one part of an outline to another, the bodies go on touching: what takes over
// remembers at which speed they met.
void ContactWatch::take_over(const VecX& y) {
  const auto leaves = [&](std::size_t k) { return contacts_.touching(int(k)) && now_[k].gap > reach(k); };
  for (std::size_t k = 0; k < running_.size(); ++k) {
    if (!leaves(k)) continue;
    for (std::size_t l = 0; l < running_.size(); ++l)
      if (contacts_.sites[l].force == contacts_.sites[k].force && !contacts_.touching(int(l)) &&
          now_[l].gap < -reach(l))
        begin(l, y, running_[k].record.speed_in);
  }
}

bool ContactWatch::change(const VecX& y, Results& r) {
  switched_.clear();
  take_over(y);
  // Contacts whose gap is zero, within the precision of the instant, and moves the other way.
  bool any_changed = false;
  for (std::size_t k = 0; k < running_.size(); ++k) {
    const bool touching = contacts_.touching(int(k));
    const double near = reach(k);
    const bool open = touching && is_one_of_several(k) && now_[k].gap > tiny * system_.scales.length;
    if (!open &&
        (touching ? now_[k].gap < -near || now_[k].approach > 0 : now_[k].gap > near || now_[k].approach < 0))
      continue;
    any_changed = true;
    if (!touching && !contacts_.sites[k].has_law) {
      r.outcome = {
          Outcome::singular, t_,
          fmt::format("the film of '{}' is squeezed out at t = {:.6g} s: the eccentricity reaches 1, and there "
                      "is no dry contact behind it; give the lubricant dry_below",
                      contacts_.sites[k].name, t_),
          contacts_.sites[k].place};
      return false;
    }
    if (!touching) {
      begin(k, y);
      continue;
    }
    Running& running = running_[k];
    contacts_.set(int(k), false, 0);
    switched_.push_back(int(k));
    running.open = false;
    running.record.end = t_;
    running.record.speed_out = -now_[k].approach;
    if (r.contacts.size() < most_records) r.contacts.push_back(running.record);
  }
  stuck_ = t_ > stuck_at_ ? 0 : stuck_ + 1;
  stuck_at_ = t_;
  if (!any_changed || stuck_ > changes_at_once) {
    // Contacts closed or open at zero speed.  One that is on does nothing while its gap is open, so it is safe
    // to switch it on.
    for (std::size_t k = 0; k < running_.size(); ++k) {
      if (!contacts_.sites[k].has_law || contacts_.touching(int(k))) continue;
      if (now_[k].gap <= 0 || (stuck_ > changes_at_once && now_[k].gap < tiny * system_.scales.length))
        begin(k, y);
    }
  }
  measure_contacts(t_, y, now_);
  return true;
}

double ContactWatch::longest_step(double t, bool adaptive, bool free) const {
  double longest = std::numeric_limits<double>::infinity();
  for (const Running& r : running_)
    if (r.open && !(free && t - r.record.onset > lasting * r.duration))
      longest = std::min(longest, r.duration * (adaptive ? share_adaptive : share_fixed));
  return longest;
}

void ContactWatch::finish(Results& r) const {
  if (r.contacts.size() >= most_records)
    r.remarks.push_back(fmt::format("more than {} contacts: the later ones are not listed", most_records));
  for (const Running& running : running_)
    if (running.open) r.contacts.push_back(running.record);
  std::stable_sort(r.contacts.begin(), r.contacts.end(),
                   [](const ContactRecord& a, const ContactRecord& b) { return a.onset < b.onset; });
}

std::string ContactWatch::squeezed_out() const {
  for (std::size_t k = 0; k < now_.size(); ++k)
    if (!contacts_.sites[k].has_law)
      return fmt::format(
          "; the film of '{}' may be squeezed out: without dry_below its eccentricity must stay below 1",
          contacts_.sites[k].name);
  return {};
}

VecX gaps_of(System& s, double t, const In& y) {
  constexpr double aside = 1e-9;  // of the characteristic length
  Contacts& contacts = s.contacts();
  std::vector<ContactNow> now;
  contacts.measure_contacts(t, y.head(s.nq), y.segment(s.nq, s.nu), now);
  VecX z(Eigen::Index(now.size()));
  for (std::size_t k = 0; k < now.size(); ++k) {
    const double away = contacts.sites[k].has_law ? aside * s.scales.length : 0;
    z[Eigen::Index(k)] = now[k].gap + (contacts.touching(int(k)) ? -away : away);
  }
  return z;
}
}  // namespace mubody
