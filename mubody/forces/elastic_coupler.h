#pragma once
// A coupler that gives way, as a spring with a damper: a belt or chain over any number of pulleys, a long shaft, a cable.
//
//   docs/theory/couplers.md#couplers-that-give-way
//
//   e = Σ r_k s_k − c,  or  s_2 − f(s_1) − c,     T = k e + c ė      on each coordinate acts −T ∂e/∂s_k
//
// A belt over pulleys of radii r_k that turn the same way round, 1 before 2: r_1 φ_1 − r_2 φ_2, and so for every pair.
#include "mubody/forces/elastic.h"
#include "mubody/joints/coupler.h"

namespace mubody {
struct ElasticCoupler : Coupler, Elastic {
  static constexpr Info info{"elastic_coupler",
                             "a coupler of joint coordinates that stretches: belt, chain, shaft"};

  void fields(Fields& f) {
    Coupler::fields(f);
    const bool length = !couples.empty() && is_length();
    f.optional("stiffness", stiffness, length ? "N/m" : "N m/rad",
               "of the first coordinate's side, with a function of the second's", Usual::not_negative);
    f.optional("damping", damping, length ? "N s/m" : "N m s/rad", "likewise", Usual::not_negative);
    f.optional("law", law, length ? "N" : "N m",
               "force of the stretch, of length and rate; in place of stiffness");
  }
  void check() const {
    Coupler::check();
    Elastic::check();
  }
  template <class R, class N, class S> void apply(const R& e, const N& now, S& sink) const {
    const double pull = act(e, 0, now, sink);
    sink.reports("stretch", is_length() ? "m" : "rad", e.x);
    sink.reports("rate", is_length() ? "m/s" : "rad/s", e.v);
    sink.reports(is_length() ? "pull" : "moment", is_length() ? "N" : "N m", pull);
  }
};
}  // namespace mubody
