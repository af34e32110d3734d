#pragma once
// The motions of many mechanisms that differ in numbers as one source, for graphics processors and for any other: the equations
// that lanes have, and a loop over steps beside them, mubody/device/c.
//
//   docs/theory/gpu.md
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "mubody/device/motion_equations.h"
#include "mubody/lanes/batch.h"

namespace mubody {
/// Mechanisms as they are handed over: number n of mechanism k stands at [n * count + k].
struct MotionPoints {
  int count = 0;
  std::vector<double> numbers;  // of each
  std::vector<double> times;    // of results, the same for all [s]
  double limit = 0;             // of the time that each of them takes; 0: none [s]
};

/// Mechanisms side by side, from the numbers of one after the other; `order` says which come next to each other, if not as they are.
MotionPoints side_by_side(const std::vector<double>& numbers, int count, std::vector<double> times,
                          std::span<const int> order = {});

class MotionCode {
 public:
  MotionCode(MotionEquations, const Tableau&, std::vector<LaneKept>);
  MotionCode(const std::shared_ptr<const LaneModel>&, const Tableau&, std::vector<LaneKept>);

  /// The source for graphics processors, and that for others in C99.
  std::string for_cuda() const;
  std::string for_processors() const;

  /// What is to be put into mb_numbers once the code is loaded; empty: there is nothing of that name.
  const std::vector<double>& tables() const { return of_.tables; }

  /// How many numbers a mechanism comes with that has so many breakpoints.
  int numbers(int breaks) const;
  /// How many of the numbers that it has while it is under way are its results: the first ones.
  int results() const;
  /// The numbers that a mechanism comes with.
  std::vector<double> numbers(const LaneTask&) const;
  /// How far one of them has come [s], if it was stopped.
  std::optional<double> stopped_at(const std::vector<double>& results, int count, int mechanism) const;
  /// The outcome of one that was not.
  LaneOutcome outcome(const std::vector<double>& results, int count, int mechanism) const;

 private:
  std::string equations(int longest) const;
  std::string sizes() const;
  std::string lists() const;

  MotionEquations of_;
  const Tableau& method_;
  std::vector<LaneKept> kept_;
};
}  // namespace mubody
