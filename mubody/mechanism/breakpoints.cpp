#include "mubody/mechanism/breakpoints.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "mubody/mechanism/each_field.h"

namespace mubody {
namespace {
class Gather final : public EachConstField<Gather> {
 public:
  Gather(double from, double to) : from_(from), to_(to) {}
  std::vector<Breakpoint> all;

  template <class T> void each(const Field&, const T&) {}
  void each(const Field& field, const Function& f) {
    if (field.of_time) take(f);
  }
  void each(const Field&, const std::optional<Function>& f) {
    if (f) take(*f);
  }
  void each(const Field&, const std::vector<Function>& all_of_them) {
    for (const Function& f : all_of_them) take(f);
  }
  void each(const Field&, const Signal& s) {
    if (!s.depends_on_state()) take(s.function_of_time());
  }
  void each(const Field& f, const std::vector<Signal>& signals) {
    for (const Signal& s : signals) each(f, s);
  }

  void take(const Function& f) {
    const Breakpoints b = f.kind().breakpoints(from_, to_);
    take(b.jumps, true);
    take(b.knots, false);
  }

 private:
  void take(const std::vector<double>& times, bool jumps) {
    for (const double t : times)
      if (t >= from_ && t < to_) all.push_back({t, jumps});
  }

  double from_, to_;
};
}  // namespace

double beside(double t, double span) {
  return 8 * std::numeric_limits<double>::epsilon() * std::max(std::abs(t), 1e-3 * std::abs(span));
}

std::vector<Breakpoint> breakpoints_of(const Mechanism& m, double from, double to) {
  Gather gather(from, to);
  for (const auto& force : m.forces) {
    show_fields(*force.what, gather);
    for (const Function& f : force.what->curves()) gather.take(f);
  }
  for (const auto& joint : m.joints) show_fields(*joint.what, gather);
  std::vector<Breakpoint>& all = gather.all;
  std::ranges::sort(all, {}, &Breakpoint::t);
  // Times that differ by round-off are one instant.
  std::vector<Breakpoint> each;
  for (const Breakpoint& b : all) {
    const double near = 1e-13 * std::max({1e-3 * (to - from), std::abs(b.t)});
    if (!each.empty() && b.t - each.back().t <= near)
      each.back().jumps |= b.jumps;
    else
      each.push_back(b);
  }
  return each;
}
}  // namespace mubody
