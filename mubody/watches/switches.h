#pragma once
// Formulas of the state that change their form, as `if`, `sign`, `abs` and `max` do: during a step each is held on the
// side on which it was, so that the integrator sees a smooth function; where the side changes is located, and a new
// step begins there.                                                                 docs/theory/breakpoints.md
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "mubody/mechanism/mechanism.h"

namespace mubody {
class SwitchWatch {
 public:
  /// Gives every such formula among the forces and signals of the mechanism, and every block with corners, switches of its
  /// own.  Sampled signals have none: they change at their instants alone.
  explicit SwitchWatch(Mechanism&);
  bool any() const { return !all_.empty(); }

  /// Evaluates the forces at a time within the last step, so that the switches show where they are.
  using Evaluate = std::function<void(double t)>;
  /// Holds every formula on the side on which it is at a time.
  void hold(double t, const Evaluate&);
  /// The first instant in a step at which a formula is on another side than it was held on; none if all stay.
  std::optional<double> first_change(double from, double to, const Evaluate&);
  /// Holds the formulas on their new sides.
  void change(double t, const Evaluate&);
  /// In words, the formula that switches back and forth without end; empty if none does.
  const std::string& chatter() const { return chatter_; }
  void memory(Memory&);

 private:
  struct Watched {
    std::string owner, text;  // "force 'f'"; its formula or what has corners
    std::shared_ptr<Switches> switches;
  };
  /// A formula, and how it is given its switches.
  using Found = std::pair<const Expression*, std::function<void(std::shared_ptr<Switches>)>>;
  void add(const std::string& owner, const std::vector<Found>&);
  /// Gives switches to an element with so many corners of its own.
  template <class Element> void add(const std::string& owner, std::string_view what, int corners, Element&);
  bool crossed() const;

  std::vector<Watched> all_;
  double since_ = 0;  // [s] when the changes that are counted began
  double usual_ = 0;  // [s] the largest step so far
  int at_once_ = 0;   // changes since then
  std::string chatter_;
};
}  // namespace mubody
