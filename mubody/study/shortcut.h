#pragma once
// A faster way to the numbers of a system's equations than through its elements, as generated code is.  It serves where
// equations are independent enough and gives up elsewhere, so that the system itself has the last word near singular positions.
//
//   docs/user/compiled.md
#include <functional>
#include <memory>
#include <span>

#include "mubody/mechanism/mechanism.h"
#include "mubody/system/system.h"
#include "mubody/treatments/treatment.h"

namespace mubody {
/// States are y = (q, u, z) in body coordinates, as those of a motion begin; what follows there is left alone.
class Shortcut {
 public:
  virtual ~Shortcut() = default;
  /// Rates of the state, and behind them for every group of bodies the powers of drivers, of forces that supply and of all that
  /// takes energy away, in the order of Loss, if the system has any.  Returns false if it gives up.
  virtual bool rates(double t, const In& y, Out dy) = 0;
  /// The stages of a step, and their sum, of rates in that order.  Returns false if it gives up, or the sum is not finite.
  virtual bool take_stages(const ExplicitStep&) = 0;
  /// Moves positions, then velocities onto the constraints by the smallest displacement in the metric of the mass, if closing
  /// asks for that.  Returns how often positions were corrected; −1 if it gives up, with the state unchanged.
  virtual int close(double t, Out y) = 0;
  /// Gaps of all equations and their rates at an accepted state.
  virtual void gaps(double t, const In& y, Out phi, Out rate) = 0;
  /// One value per channel of the system.  Returns false if it gives up.
  virtual bool observe(double t, const In& y, Out values) = 0;
  /// Takes an accepted state as the last one: turns are counted from here on.  Returns whether the system need not do so yet: all
  /// that it counts is still close to what it expects of the state at which it did so last.
  virtual bool remember(double t, const In& y) = 0;
  /// The system has counted turns at the last state that was taken.
  virtual void system_counted() = 0;
  /// What sampled signals hold and keep from now on, as System::samples() lists it.
  virtual void take_samples(std::span<const double>) = 0;
  virtual void memory(Memory&) = 0;
};

/// What a shortcut is made for.
struct ShortcutRequest {
  const Mechanism& mechanism;
  System& system;  // in body coordinates
  double t;        // [s] of the start
  const VecX &q, &u;
  double independence;  // of the equations there: the smallest pivot relative to its own diagonal entry
  bool redundant;       // some equations follow from others in every position
  Closing closing;
};
/// Throws an exception that says why there is none.
using MakeShortcut = std::function<std::unique_ptr<Shortcut>(const ShortcutRequest&)>;
}  // namespace mubody
