#pragma once
// Arithmetic on numbers of several mechanisms side by side: number k of lane l stands at [k * lanes + l].  No lane sees
// another, so that a mechanism gets the same digits whatever runs beside it.
#include <array>
#include <cmath>

#include "mubody/integrators/tolerance.h"
#include "mubody/recording/tape.h"

namespace mubody::lanes {
inline constexpr int W = Tape::lanes;
using Row = std::array<double, W>;  // a number of each lane
using Mask = std::array<bool, W>;

inline bool any(const Mask& m) {
  bool found = false;
  for (const bool x : m) found = found || x;
  return found;
}

/// A tape with its memory.
class Evaluator {
 public:
  explicit Evaluator(const Tape& tape) : tape_(&tape), work_(tape, W) {}
  void set(const double* parameters) { work_.set_parameters(*tape_, parameters); }
  void operator()(const double* x, double* y) { tape_->in_lanes(x, y, work_); }

 private:
  const Tape* tape_;
  TapeWork work_;
};
/// A term w k of a sum, with a weight of each lane and numbers of all.
struct Term {
  Row weight;
  const double* k;
};
/// sum = y + Σ w k for the first n numbers, term after term.
void add(const double* y, const Term* terms, int count, int n, double* sum);
/// y1 = y + more, and in `more` what round-off has lost of it.
void add_compensated(const double* y, int n, double* y1, double* more);
/// Takes numbers over in some lanes.
void take(const Mask& which, const double* from, int n, double* to);
/// Zero where all numbers are finite, else not a number.
void finite(const double* x, int n, Row& none);

/// The error that a step may make in each number; see integrators/tolerance.h.
struct Allowed {
  const double *absolute, *most;
  const double* relative;
};
/// The largest number of x, each relative to its tolerance between y and z; not a number if one is none.
void largest(const Allowed& a, const double* x, const double* y, const double* z, int n, Row& worst);
/// The same of y itself, as far as it counts.
void largest(const Allowed& a, const double* y, int n, Row& worst);

/// The largest sizes of lengths and of angles among some numbers, each with what it measures.
void largest_of(const std::vector<bool>& lengths, const double* x, Row& length, Row& angle);
}  // namespace mubody::lanes
