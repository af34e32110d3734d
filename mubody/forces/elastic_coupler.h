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

  Choice measure{{"coordinate", "length"}};

  void fields(Fields& f) {
    Coupler::fields(f);
    f.optional("measure", measure, "",
               "what the stretch is: measured as the first coordinate, or a length, where ratios are radii");
    f.optional("stiffness", stiffness, is_way() ? "N/m" : "N m/rad", "k", Usual::not_negative);
    f.optional("damping", damping, is_way() ? "N s/m" : "N m s/rad", "c", Usual::not_negative);
    f.optional("law", law, is_way() ? "N" : "N m", "force of the stretch, of it and its rate; in place of k");
  }
  void check() const {
    Coupler::check();
    Elastic::check();
  }
  template <class R, class N, class S> void apply(const R& e, const N& now, S& sink) const {
    const auto pull = act(e, 0, now, sink);
    sink.reports("stretch", is_way() ? "m" : "rad", e.x);
    sink.reports("rate", is_way() ? "m/s" : "rad/s", e.v);
    sink.reports(is_way() ? "pull" : "moment", is_way() ? "N" : "N m", pull);
  }

 private:
  bool is_way() const { return measure.index == 1 || (!couples.empty() && is_length()); }
};
}  // namespace mubody
