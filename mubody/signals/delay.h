#pragma once
// Delay: the input as it was some time ago.                             docs/theory/signals.md#delay
#include <algorithm>
#include <cmath>

#include "mubody/signals/block.h"

namespace mubody {
struct Delay {
  static constexpr Info info{"delay", "the input as it was some time ago", "dead_time"};
  static constexpr std::string_view unrecorded =
      "needs the past of its input, which only a motion keeps: sample it, so that it keeps a few numbers of "
      "its own";
  Signal input;
  double time = 0, initial = 0;

  void fields(Fields& f) {
    f.required("input", input, "", "what is shown later");
    f.required("time", time, "s", "how much later; for a sampled delay a whole number of samples");
    f.optional("initial", initial, "", "output until then");
  }
  void check() const {
    require(std::isfinite(time) && time > 0, "time", "must be positive");
    require(std::isfinite(initial), "initial", "must be finite");
  }
  void check_sampling(std::optional<double> T) const {
    require(!T || std::abs(time / *T - std::round(time / *T)) < 1e-6, "time",
            "must be a whole number of samples");
    require(!T || time / *T <= most, "time", "must not be longer than a million samples");
  }

  bool direct(bool) const { return false; }
  double delay() const { return time; }
  double output(const BlockInput&, const double*, Corners) const { return initial; }
  int memory(double T) const { return std::max(1, int(std::lround(time / T))); }
  template <class R> void start(const BlockInputOf<R>& in, R* m) const {
    std::fill(m, m + memory(in.T), initial);
  }
  template <class R> R sampled(const BlockInputOf<R>&, const R* m) const { return m[0]; }
  template <class R> void update(const BlockInputOf<R>& in, R* m) const {
    const int n = memory(in.T);
    std::copy(m + 1, m + n, m);
    m[n - 1] = in.u;
  }

 private:
  static constexpr double most = 1e6;
};
}  // namespace mubody
