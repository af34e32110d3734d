#pragma once
// Contacts during a motion: their beginnings and ends, their severity, and the steps that they require.
//
//   docs/theory/events.md
//
// A contact is on or off, and remembers the speed at which the bodies met: this discrete state changes only
// here, at instants located within an accepted step.
#include <functional>

#include "mubody/results/results.h"
#include "mubody/system/dynamics.h"

namespace mubody {
/// Gaps of all contacts [m] at a state that begins with q and u, a little apart from zero for what touches and what does not:
/// otherwise round-off would make one that has just changed its sign change it again and again at one instant.
VecX gaps_of(System&, double t, const In& y);

/// Switches on the contacts whose gap is closed, for analyses of single states.
void close_contacts(System&, double t, const In& q, const In& u);

class ContactWatch {
 public:
  /// The state within the last step, on the constraints.
  using StateAt = std::function<const VecX&(double t)>;

  ContactWatch(System&, Dynamics&);
  bool any() const { return contacts_.any(); }
  /// Switches on the contacts that are closed at the start.
  void start(double t, const VecX& y, Results&);
  /// The first instant up to `to` at which a contact closes or opens, after the last state that was taken.
  std::optional<double> first_change(double to, const StateAt&);
  /// Records the motion up to `to`: its forces and losses.
  void take(double to, const StateAt&, Results&);
  /// Switches the contacts that close or open at the state last taken.  Returns false if that fails; the
  /// outcome says why.
  bool change(const VecX& y, Results&);
  /// The contacts that were switched by the last change().
  const std::vector<int>& switched() const { return switched_; }
  void memory(Memory&);
  /// The longest step allowed from here on [s]; `free`: contacts that last do not bind the integrator.
  double longest_step(double t, bool adaptive, bool free) const;
  /// Lists contacts that still last, without an end.
  void finish(Results&) const;
  /// Reports a film that is squeezed out at the state last taken; else empty.
  std::string squeezed_out() const;

 private:
  using Sample = std::vector<ContactNow>;
  struct Running {
    bool open = false;  // a record is being written
    ContactRecord record;
    double duration = 0;  // approximate duration of a collision at that speed [s]
    double before_t = 0, before = 0, last_t = 0, last = 0;  // forces sampled, for their peak

    void memory(Memory& m) {
      m(open, duration, before_t, before, last_t, last, record.onset, record.end, record.speed_in);
      m(record.speed_out, record.peak_force, record.peak_at, record.deepest, record.energy_lost);
    }
  };
  void measure_contacts(double t, const VecX& y, Sample&);
  void sample(double to, const StateAt&);
  std::optional<double> change_of(std::size_t contact, const StateAt&);
  std::optional<double> first_passage(double to, const StateAt&);
  /// The time at which a number of a contact changes its sign between two times.
  double root(std::size_t contact, double ContactNow::*number, double a, double b, const StateAt&);
  void note_force(Running&, double t, const ContactNow&);
  /// Switches a contact on; its first speed is that of approach unless it is given.
  void begin(std::size_t contact, const VecX& y, std::optional<double> first_speed = {});
  void take_over(const VecX& y);
  /// Whether its bodies may touch in other places too.
  bool is_one_of_several(std::size_t contact) const;
  /// How far a gap moves within the precision of an instant [m].
  double reach(std::size_t contact) const;
  auto q(const VecX& y) const { return y.head(system_.nq); }
  auto u(const VecX& y) const { return y.segment(system_.nq, system_.nu); }

  static constexpr int parts = 4;  // parts of a step, for Boole's rule
  System& system_;
  Contacts& contacts_;
  Dynamics& dynamics_;
  double t_ = 0;
  std::vector<Running> running_;
  Sample now_, probe_, ends_;  // at the last accepted state, somewhere, and at the end of a step
  std::vector<double> times_;  // samples of the step, from t_ on
  std::vector<Sample> samples_;
  VecX unit_, zero_;
  std::vector<int> switched_;
  double stuck_at_ = 0;
  int stuck_ = 0;  // changes without any time between them
};
}  // namespace mubody
