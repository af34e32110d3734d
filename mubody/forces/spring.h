#pragma once
// Translational spring, damper and actuator between two points.
//
//   Flores & Lankarani (2012), eqs. 128-134 (134 with its sign corrected)    docs/theory/forces.md#spring
//
//   d = o_i − o_j,  l = |d|,  F = k (l − l0) + c l̇ + f(t)       positive F pulls the two points together
//
// A law takes the place of k (l − l0): a table, a polynomial, an expression of length and rate.
#include "mubody/forces/elastic.h"

namespace mubody {
struct Spring : Elastic {
  static constexpr Info info{"spring", "spring, damper and actuator between two points",
                             "damper spring_damper tsda linear_spring"};
  Marker i, j;
  std::optional<double> free_length;

  void fields(Fields& f) {
    f.required("i", i, "m", "a point of the first body");
    f.required("j", j, "m", "a point of the second body");
    f.optional("stiffness", stiffness, "N/m", "k", Usual::not_negative);
    f.optional("damping", damping, "N s/m", "c", Usual::not_negative);
    f.optional("free_length", free_length, "m", "l0", "as at the start");
    f.optional("law", law, "N", "force of the deflection l - l0, of length and rate; in place of k");
    f.optional("actuator", actuator, "N", "force added, a function of time; positive pulls");
  }
  void draw(Sketch& s) const {
    if (stiffness != 0 || law)
      s.tie(Sketch::Tie::spring);
    else if (damping != 0)
      s.tie(Sketch::Tie::damper);
    else
      s.strut(Sketch::Tie::cylinder);
    Sketch::Arrow& a = s.force({"force"});
    a.pulls = a.both = true;
  }
  void check() const {
    Elastic::check();
    require(!free_length || *free_length >= 0, "free_length", "must not be negative");
  }
  void start(const Pose& i, const Pose& j) {
    const double length = (i.at - j.at).norm();
    require(length > 1e-12 * (1 + i.at.norm()), "i",
            "the two ends of the spring coincide at the start: a spring of zero length has no direction");
    if (!free_length) free_length = length;
  }

  std::optional<ScalarForm> scalars(int) const {
    return scalar_form({Measure::distance, i, j, 0}, *free_length);
  }
  template <class F, class G, class N, class S>
  void apply(const F& i, const G& j, const N& now, S& sink) const {
    const auto l = length(i.o() - j.o());
    const double force = act(l, *free_length, now, sink);
    sink.reports("length", "m", l.x);
    sink.reports("rate", "m/s", l.v);
    sink.reports("force", "N", force);
  }
};
}  // namespace mubody
