#pragma once
// Dry friction during a motion: the instants at which a grip begins to slip, or comes to rest.
//
//   docs/theory/dry-friction.md
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "mubody/results/results.h"
#include "mubody/system/system.h"

namespace mubody {
class GripWatch {
 public:
  explicit GripWatch(System&);
  bool any() const { return grips_.any(); }

  /// Finds the friction at a time within the last step, so that the grips show it.
  using Rub = std::function<void(double t)>;
  /// The first instant in a step at which a grip that sticks holds no longer, or one that slips has turned back.
  std::optional<double> first_change(double from, double to, const Rub&);
  /// Which grips have turned back at the instant that was found last.
  const std::vector<bool>& turned() const { return turned_; }
  /// Takes what the grips do from now on, and lists what has changed.
  void take(double t, bool list, Results&);
  /// In words, the grip that changes back and forth without end; empty if none does.
  const std::string& chatter() const { return chatter_; }
  void memory(Memory&);

 private:
  /// What is left until a grip changes: of force while it sticks, of rate while it slips; negative beyond.
  double left(int k) const;
  bool look(double t, const Rub&);
  double root(double before, double after, const Rub&);

  System& system_;
  Grips& grips_;
  std::vector<Grip::Mode> modes_;  // as they were listed
  std::vector<bool> turned_;
  VecX left_, earlier_, last_;  // at the last look, and at those before
  double known_;                // [s] the time of left_, where nothing has changed since
  double since_ = 0;            // [s] when the changes that are counted began
  double usual_ = 0;            // [s] the largest step so far
  int at_once_ = 0;             // changes since then
  std::string chatter_;
};
}  // namespace mubody
