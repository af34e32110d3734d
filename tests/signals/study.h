#pragma once
// Small models with signals, from text.
#include <gtest/gtest.h>

#include "mubody/reading/read_model.h"
#include "mubody/simulation/simulation.h"

namespace mubody::testing {
/// A body that moves along with nothing, for signals that need no mechanism.
inline const std::string lone_body = "[bodies]\nlone = {mass = 1, inertia = 1}\n";

inline Study study_of(const std::string& text) { return io::read_study_text(text, "model.toml"); }

/// Signals beside that body, in motion.
class SignalMotion {
 public:
  explicit SignalMotion(const std::string& text, const SimulationOptions& o = {.rtol = 1e-10})
      : simulation_(study_of(text), o) {}
  /// Nothing but signals limits the steps, and what changes twice within one would not be seen.
  static SignalMotion of_signals(const std::string& signals) {
    return SignalMotion(lone_body + "[signals]\n" + signals, {.rtol = 1e-10, .max_step = 0.05});
  }
  SignalMotion& to(double t) {
    const Outcome end = simulation_.advance_to(t);
    EXPECT_TRUE(end) << end.why;
    return *this;
  }
  double operator()(std::string_view channel) { return simulation_[simulation_.output(channel)]; }
  Simulation& simulation() { return simulation_; }

 private:
  Simulation simulation_;
};
}  // namespace mubody::testing
