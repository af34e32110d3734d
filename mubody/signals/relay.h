#pragma once
// Relay with hysteresis: it switches on where the input rises above one threshold and off where it falls below another.
//                                                                      docs/theory/signals.md#hysteresis
#include <limits>

#include "mubody/signals/block.h"

namespace mubody {
struct Relay {
  static constexpr Info info{"hysteresis", "a relay that switches on above one threshold and off below another",
                             "relay schmitt"};
  static constexpr std::string_view unrecorded =
      "remembers on which side it was, which changes at events of a motion: sample it, so that it keeps a "
      "number of its "
      "own";
  Signal input;
  double on = 0, off = 0, low = 0, high = 1;
  bool initial = false;

  void fields(Fields& f) {
    f.required("input", input, "", "what is compared");
    f.required("on", on, "", "switches on above this");
    f.required("off", off, "", "switches off below this");
    f.optional("low", low, "", "output while it is off");
    f.optional("high", high, "", "output while it is on");
    f.optional("initial", initial, "", "whether it is on before the start");
  }
  void check() const {
    require(std::isfinite(on), "on", "must be finite");
    require(std::isfinite(off), "off", "must be finite");
    require(off < on, "off", "must be less than on");
    require(std::isfinite(low), "low", "must be finite");
    require(std::isfinite(high), "high", "must be finite");
  }

  bool direct(bool) const { return true; }
  int corners() const { return 1; }
  /// The side on which it is held says whether it is on.
  double output(const BlockInput& in, const double*, Corners corners) const {
    const int was = corners.was(0);
    return corners.above(0, beyond(in.u, was == 0 ? initial : was > 0)) ? high : low;
  }
  int memory(double) const { return 1; }
  template <class R> void start(const BlockInputOf<R>&, R* m) const { m[0] = initial ? 1 : 0; }
  template <class R> R sampled(const BlockInputOf<R>& in, const R* m) const {
    return choose(is_on(in, m), high, low);
  }
  template <class R> void update(const BlockInputOf<R>& in, R* m) const { m[0] = choose(is_on(in, m), 1, 0); }

 private:
  template <class R> auto is_on(const BlockInputOf<R>& in, const R* m) const {
    const auto was_on = m[0] > 0;
    const R x = in.u - choose(was_on, off, on);
    return x > 0 || (was_on && x == 0);
  }
  /// Positive where it is on; never zero, for the side is what it remembers.
  double beyond(double u, bool is_on) const {
    constexpr double least = std::numeric_limits<double>::min();
    const double x = u - (is_on ? off : on);
    return x != 0 ? x : is_on ? least : -least;
  }
};
}  // namespace mubody
