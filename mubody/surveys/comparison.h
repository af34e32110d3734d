#pragma once
// One model under many methods, each judged by its constraints and energy, the distance of its motion from a
// reference, its cost, and its outcome.
//
//   Marques, Souto & Flores (2017), sec. 4, judges treatments by such figures            docs/user/compare.md
#include <functional>
#include <span>

#include "mubody/results/position_error.h"
#include "mubody/study/options.h"

namespace mubody {
/// One way to run a model: a treatment, an integrator, and its step or tolerance.
struct Method {
  AnalysisOptions analysis;

  /// "baumgarte", with the numbers that differ from their defaults: "baumgarte(alpha=20,beta=20)".
  std::string treatment() const;
  const std::string& integrator() const { return analysis.integrator; }
  bool adaptive() const;
  std::string steps() const;  // "0.001 s" or "rtol 1e-09"
  std::string label() const;  // all three
};

/// The outcome of one run.  The caller makes runs, since it has the clock and handles exceptions.
struct Attempt {
  Results results;
  double cpu = 0;      // [s]
  std::string cannot;  // why the method refuses the model; empty if it ran
};
/// What a run is made for, and a line that says so.
struct Purpose {
  enum Kind { reference, method, timing };
  Kind kind = method;
  std::string label;
};
using Attempts = std::function<Attempt(const Study&, const Purpose&)>;

/// How often runs are repeated to find the shortest CPU time.
struct Timing {
  int rounds = 1;     // through all methods, so that a busy spell of the computer hits no method alone
  double once = 0.5;  // [s] a longer run is not repeated
};

/// The reference positions of the bodies.
struct Reference {
  std::string source;                  // in words; a file or a method
  Table positions;                     // empty if `missing` says why
  std::optional<PositionError> known;  // error of a similar run at a looser tolerance, which shows its accuracy
  std::string looser;                  // that run
  std::string missing;
  std::string doubt;         // its verdict, if that is bad
  bool interrupted = false;  // the user stopped it, and so what it is for

  explicit operator bool() const { return missing.empty(); }
};

struct MethodRun {
  enum Fate { passed, inaccurate, lost_branch, diverged, stopped, cannot, interrupted };

  Method method;
  Fate fate = passed;
  std::string why;       // if it has not passed
  double simulated = 0;  // [s]
  Statistics statistics;
  std::optional<PositionError> error;
  double cpu = 0;                  // [s] the shortest
  std::optional<double> relative;  // CPU time per simulated second, relative to the standard multipliers
  Table curves;                    // over time: violation, its rate, energy_residual, sums of squares

  std::string_view word() const;
  bool ran() const { return fate != cannot; }
  bool reached_end() const { return fate == passed || fate == inaccurate || fate == lost_branch; }
  /// CPU time per simulated second; none if nothing was simulated.
  std::optional<double> cost() const;
};

struct Comparison {
  std::string model;
  double start = 0, end = 0;  // [s]
  Reference reference;
  std::vector<MethodRun> runs;
  std::vector<std::string> remarks;
  bool interrupted = false;  // runs after the last one are missing, or were not repeated
};

/// Runs the model most accurately, by Dormand-Prince with projection, and again to estimate the accuracy.
Reference run_reference(const Study&, const Attempts&);

/// Runs the model under all methods; results are taken at the same times in all runs.  `finished` is called as
/// each run ends.
Comparison compare(const Study&, std::span<const Method>, Reference, const Attempts&, const Timing& = {},
                   const std::function<void(const MethodRun&)>& finished = {});
}  // namespace mubody
