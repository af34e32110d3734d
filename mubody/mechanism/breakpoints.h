#pragma once
// The instants at which functions of time change their formula, and those at which they do something within a short time.
// An integrator that steps across one of them loses its order, or does not notice a short pulse at all; so its steps end
// there.                                                                             docs/theory/breakpoints.md
#include <algorithm>
#include <vector>

#include "mubody/functions/features.h"
#include "mubody/mechanism/mechanism.h"

namespace mubody {
struct Breakpoint {
  double t;           // [s]
  bool jumps;         // forces or motions of drivers may jump: what was before predicts nothing
  double unsure = 0;  // [s] so far on either side round-off decides whether they have jumped
};

/// How far beside a breakpoint its sides are looked at, in a motion that lasts `span` [s]: far less than any step, and more
/// than the round-off of times.
double beside(double t, double span);
/// The same of one where round-off may decide about more than that.
inline double beside(const Breakpoint& b, double span) { return std::max(beside(b.t, span), b.unsure); }
/// Where the step towards a breakpoint has to end.
inline double before(const Breakpoint& b, double span) { return b.jumps ? b.t - beside(b, span) : b.t; }

/// All of a mechanism's forces and drivers from `from` on and before `to`, in order, each once.
std::vector<Breakpoint> breakpoints_of(const Mechanism&, double from, double to, const StepLength&);
/// The same with a jump at `to` itself, whose other side a step that ends there would see.
std::vector<Breakpoint> breakpoints_through(const Mechanism&, double from, double to, const StepLength&);
}  // namespace mubody
