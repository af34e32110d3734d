#include "mubody/mechanism/driver_jumps.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "mubody/mechanism/breakpoints.h"
#include "mubody/mechanism/each_field.h"
#include "mubody/model/units.h"

namespace mubody {
namespace {
// Shares of the largest position and velocity of a function: smaller jumps come from numbers with few digits.
constexpr double mended_position = 1e-9, mended_velocity = 1e-6;

class GatherJumps final : public EachConstField<GatherJumps> {
 public:
  GatherJumps(double from, double to) : from_(from), to_(to) {}
  std::vector<DriverJump> all;

  template <class T> void each(const Field&, const T&) {}
  void each(const Field& field, const Function& f) {
    if (field.of_time) take(field, f);
  }
  void each(const Field& field, const std::optional<Function>& f) {
    if (f) take(field, *f);
  }
  void each(const Field& field, const std::vector<Function>& several) {
    for (const Function& f : several) take(field, f);
  }

 private:
  void take(const Field& field, const Function& f) {
    if (f.held() && f.held()->set) return;
    std::vector<double> times = f.kind().breakpoints(from_, to_).jumps;
    const double span = to_ - from_;
    std::erase_if(times, [&](double t) { return !(t - beside(t, span) > from_ && t + beside(t, span) < to_); });
    if (times.empty()) return;
    std::ranges::sort(times);
    // What counts as a jump is measured against all that the function does.
    double place = 0, speed = 0;
    const auto measure = [&](double t) {
      const Jet at = f(t);
      if (std::isfinite(at.x)) place = std::max(place, std::abs(at.x));
      if (std::isfinite(at.v)) speed = std::max(speed, std::abs(at.v));
    };
    double last = from_;
    const auto measure_until = [&](double t) {
      for (const double share : {0., 0.13, 0.37, 0.61, 0.89, 1.}) measure(last + share * (t - last));
      last = t;
    };
    for (const double t : times) measure_until(t);
    measure_until(to_);
    speed = std::max(speed, place / span);
    for (const double t : times)
      compare(field, t, f(t - beside(t, span)), f(t + beside(t, span)), place, speed);
  }

  void compare(const Field& field, double t, const Jet& before, const Jet& after, double place, double speed) {
    const std::string unit(field.unit);
    const bool turns = parse_unit(unit).dim == Dimension{.rad = 1};  // whole turns lead to the same position
    const double jump = turns ? std::remainder(after.x - before.x, 2 * std::numbers::pi) : after.x - before.x;
    const double way = 2 * beside(t, to_ - from_) * std::max(std::abs(before.v), std::abs(after.v));
    if (!(std::abs(jump) <= mended_position * place + way))
      all.push_back({{}, t, true, before.x, after.x, unit});
    else if (!(std::abs(after.v - before.v) <= mended_velocity * speed))
      all.push_back({{}, t, false, before.v, after.v, unit + "/s"});
  }

  double from_, to_;
};
}  // namespace

std::string DriverJump::in_words() const {
  return fmt::format("driver '{}' asks for a {} that jumps from {:.6g} to {:.6g} {} at t = {:.9g} s", driver,
                     of_position ? "position" : "velocity", before, after, unit, t);
}

std::vector<DriverJump> driver_jumps(const Mechanism& m, double from, double to) {
  std::vector<DriverJump> all;
  for (const auto& joint : m.joints) {
    GatherJumps gather(from, to);
    show_fields(*joint.what, gather);
    for (DriverJump& jump : gather.all) {
      jump.driver = joint.name;
      all.push_back(std::move(jump));
    }
  }
  std::ranges::stable_sort(all, {}, &DriverJump::t);
  return all;
}

std::vector<std::string> remarks_on_jumps(const std::vector<DriverJump>& jumps) {
  std::vector<std::string> lines, named;
  for (const DriverJump& first : jumps) {
    if (std::ranges::find(named, first.driver) != named.end()) continue;
    named.push_back(first.driver);
    const auto more = std::ranges::count(jumps, first.driver, &DriverJump::driver) - 1;
    lines.push_back(fmt::format("{}{}: {}accelerations and forces are infinite there; {}", first.in_words(),
                                more > 0 ? fmt::format(", and {} more", more) : "",
                                first.of_position ? "velocities, " : "", DriverJump::advice));
  }
  return lines;
}
}  // namespace mubody
