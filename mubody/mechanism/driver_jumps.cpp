#include "mubody/mechanism/driver_jumps.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <fmt/format.h>

#include "mubody/mechanism/breakpoints.h"
#include "mubody/mechanism/each_function.h"
#include "mubody/model/units.h"

namespace mubody {
namespace {
// Shares of the way that a function goes, and of its largest velocity: smaller jumps come from numbers with few digits.
constexpr double mended_position = 1e-9, mended_velocity = 1e-6;
constexpr double last_digits = 4 * std::numeric_limits<double>::epsilon();  // of positions
constexpr double whole_turn = 2 * std::numbers::pi;

class GatherJumps final : public EachFunction<GatherJumps> {
 public:
  GatherJumps(double from, double to) : from_(from), to_(to) {}
  std::vector<DriverJump> all;

  void take(const Field& field, const Function& f) {
    if (f.held() && f.held()->set) return;
    const std::vector<SignChange> all = instants(f);
    if (all.empty()) return;
    Sizes sizes{parse_unit(std::string(field.unit)).dim == Dimension{.rad = 1}};
    double last = from_;
    const auto measure_until = [&](double t) {
      for (const double share : {0., 0.13, 0.37, 0.61, 0.89, 1.}) sizes.take(f(last + share * (t - last)));
      last = t;
    };
    for (const SignChange& c : all) measure_until(c.at);
    measure_until(to_);
    sizes.speed = std::max(sizes.speed, sizes.way() / (to_ - from_));
    for (const SignChange& c : all) compare(field, f, c, sizes);
  }

 private:
  // What a function does in the whole span, against which its jumps are measured.
  struct Sizes {
    bool turns;  // whole turns lead to the same position
    double low = std::numeric_limits<double>::infinity(), high = -low, largest = 0, speed = 0;

    void take(const Jet& at) {
      if (std::isfinite(at.x)) {
        low = std::min(low, at.x), high = std::max(high, at.x);
        largest = std::max(largest, std::abs(at.x));
      }
      if (std::isfinite(at.v)) speed = std::max(speed, std::abs(at.v));
    }
    double way() const { return turns ? std::min(largest, whole_turn) : std::max(high - low, 0.); }
  };

  // Those of one function in this span; what is at its beginning or end has no other side.
  std::vector<SignChange> instants(const Function& f) const {
    const Breakpoints b = f.kind().breakpoints(from_, to_);
    std::vector<SignChange> all = b.blurred;
    for (const double t : b.jumps) all.push_back({t});
    std::erase_if(all, [&](const SignChange& c) {
      const double little = beside(c.at, to_ - from_);
      return !(c.at - little > from_ && c.at + little < to_);
    });
    std::ranges::sort(all, {}, &SignChange::at);
    return all;
  }

  void compare(const Field& field, const Function& f, const SignChange& c, const Sizes& sizes) {
    const double far = std::max(beside(c.at, to_ - from_), c.unsure);
    const Jet before = f(c.at - far), after = f(c.at + far);
    const double between = 2 * far;  // [s] in which the function goes on as it does on either side
    const double jump = sizes.turns ? std::remainder(after.x - before.x, whole_turn) : after.x - before.x;
    const double goes = between * std::max(std::abs(before.v), std::abs(after.v));
    const double bends = between * std::max(std::abs(before.a), std::abs(after.a));
    const std::string unit(field.unit);
    if (!(std::abs(jump) <= mended_position * sizes.way() + last_digits * sizes.largest + goes))
      all.push_back({{}, c.at, true, before.x, after.x, unit, c.unsure});
    else if (!(std::abs(after.v - before.v) <= mended_velocity * sizes.speed + bends))
      all.push_back({{}, c.at, false, before.v, after.v, unit + "/s", c.unsure});
  }

  double from_, to_;  // [s]
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
