#include "mubody/analyses/looks.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "mubody/watches/contacts.h"

namespace mubody {
namespace {
constexpr long always = 200, for_each_step = 30;  // looks that may be spent
constexpr int most_closer = 4;                    // at one peak
constexpr int most_halvings = 12;
constexpr double pieces_at_first = 4;  // of a step, as long as nothing is known
constexpr double most_pieces = 64;     // of a step, where velocities do not ask for more
constexpr double shrinks = 0.3;        // by how much at once; samples that were added lie closer together
// By how much the ends of a piece may disagree: a share of the largest velocity, and of the way.
constexpr double resolved = 2e-3;
constexpr double mere_round_off = 1e-12;
constexpr double hardly_moves = 1e-6;  // share of the largest velocity of all
}  // namespace

Looks::Looks(System& s, bool redundant, Extremes& extremes)
    : k_(s, redundant), extremes_(extremes), values_(VecX::Zero(Eigen::Index(s.channels.size()))),
      fastest_(VecX::Zero(s.nu)) {}

bool Looks::spend() { return ++looks_ <= always + for_each_step * steps_; }

void Looks::look(const State& x) {
  System& s = k_.s;
  close_contacts(s, x.t, x.q, x.u);
  s.observe(x.t, x.q, x.u, x.a, x.lambda, values_);
}

void Looks::begin_at(const State& x) {
  ++steps_;
  if (x.t <= extremes_.last()) return;
  look(x);
  extremes_.take(x.t, values_);
}

void Looks::end_at(const State& x) {
  begin_at(x);
  closer();
  extremes_.jump();
  begun_ = false;
}

void Looks::closer() {
  for (int k = 0; begun_ && k < most_closer && extremes_.doubt(); ++k) {
    const double t = *extremes_.doubt();
    if (!spend() || !k_.step(from_, t, closer_)) break;
    look(closer_);
    extremes_.insert(t, values_);
  }
  if (extremes_.doubt()) extremes_.give_up();
}

// The trapezoidal rule for velocities, Hermite's for positions.  What happens between two states and is over at the
// second shows in one of them.
bool Looks::agree(const State& x, const State& y) {
  const System& s = k_.s;
  const double h = y.t - x.t;
  fastest_ = fastest_.cwiseMax(y.u.cwiseAbs());
  const double all = s.nu > 0 ? fastest_.cwiseQuotient(s.units).maxCoeff() : 0;
  for (int k = 0; k < s.nu; ++k) {
    const double missed = std::abs(y.u[k] - x.u[k] - 0.5 * h * (x.a[k] + y.a[k]));
    if (missed > resolved * std::max(fastest_[k], hardly_moves * all * s.units[k])) return false;
  }
  VecX q = x.q;
  s.move(q, 0.5 * h * (x.u + y.u) + h * h / 12 * (x.a - y.a));
  const System::Room room = s.room(x.q);
  return s.distance(q, y.q, room) <= resolved * (s.distance(x.q, y.q, room) + h * all) + mere_round_off;
}

// How far from x towards y the next look may be, in a step of length h.
double Looks::reach(const State& x, const State& y, double h) const {
  const double left = y.t - x.t, wanted = extremes_.spacing();
  const double apart = std::max({wanted, shrinks * piece_, h / most_pieces});
  const double pieces = wanted > 0 ? std::ceil(left / apart - 0.5) : pieces_at_first;
  return left / std::max(pieces, 1.0);
}

// The end of a piece from the last look towards y, of length h or shorter; null if there is none.
const Looks::State* Looks::next_piece(const State& y, double h) {
  const State* to = nullptr;
  for (int halved = 0; halved <= most_halvings; ++halved, h /= 2) {
    to = h >= y.t - from_.t ? &y : &next_;
    if (to == &next_ && !spend()) return nullptr;
    if (to == &next_ && !k_.step(from_, from_.t + h, next_))
      to = nullptr;
    else if (agree(from_, *to))
      break;
  }
  if (!to && !unseen_) unseen_.emplace(from_.t, y.t);
  return to;
}

void Looks::within(const State& x, const State& y) {
  begin_at(x);
  closer();
  from_ = x;
  begun_ = true;
  if (fastest_.isZero(0)) fastest_ = x.u.cwiseAbs();
  while (true) {
    const State* const to = next_piece(y, reach(from_, y, y.t - x.t));
    extremes_.begin_step(from_.t);
    if (to) piece_ = to->t - from_.t;
    if (to != &next_) break;
    look(next_);
    extremes_.take(next_.t, values_);
    closer();
    from_ = next_;
  }
  if (!until_ && looks_ > always + for_each_step * steps_) until_ = y.t;
}

void Looks::report(Results& r) const {
  if (until_)
    r.remarks.push_back(
        fmt::format("from t = {:.4g} s on, extremes are those at accepted steps, {} looks between them having "
                    "been spent; rows closer together show more",
                    *until_, always + for_each_step * steps_));
  if (unseen_)
    r.remarks.push_back(
        fmt::format("extremes between t = {:.9g} and {:.9g} s are those at these instants, since no position "
                    "between them could be found; rows closer together show more",
                    unseen_->first, unseen_->second));
}
}  // namespace mubody
