#pragma once
// Shared by the flanks of teeth with play between them: a joint with one equation Φ = 0, a length, whose teeth touch
// where Φ is half the backlash b, on one side or on the other.
//
//   docs/theory/joint-parts.md#backlash
//
//   F = law(Φ − b/2, Φ̇) against larger Φ at the high side, and likewise at −b/2 on the low side
//
// The flank is derived from the joint and takes Φ from its equation, so that its force acts where the reaction of the
// joint without play would.  A joint of another kind has backlash by a force like forces/rack_backlash.h, and by naming
// that force as its `backlash`.
#include "mubody/forces/bases/one_sided.h"

namespace mubody {
struct Flank {
  double width = 0;  // b [m]
  bool high = false;
  ContactLaw law;
  int dim = 2;  // of the model
};

template <class J> struct ToothFlank : J, OneSided {
  static constexpr bool counts_turns = true;
  using Joint = J;
  double width = 0;  // b

  void fields(Fields& f) {
    J::fields(f);
    f.required("backlash", width, "m", "play between the teeth along their pitch circles");
    side_fields(f);
  }
  void take(const J& joint, const Flank& flank) {
    static_cast<J&>(*this) = joint;
    width = flank.width;
    side.index = flank.high ? 1 : 0;
    law = flank.law;
  }
  void check([[maybe_unused]] int D) const {
    if constexpr (requires(const J& joint) { joint.check(D); })
      J::check(D);
    else
      J::check();
    require(std::isfinite(width) && width >= 0, "backlash", "must not be negative");
    check_law();
  }

 protected:
  /// Touches; `lever` [m] times the force is the moment on the second body.
  template <class F, class G, class N, class S>
  void touch(const F& i, const G& j, const N& now, double lever, S& sink) const {
    with_play(i, j, [&](const auto& play) {
      const double end = outward() * 0.5 * width, along = meet(play, end, now.contact, sink);
      sink.reports("gap", "m", outward() * (end - play.x));
      sink.reports("force", "N", std::abs(along));
      sink.reports("moment", "N m", lever * along);
    });
  }

 public:
  /// Applies a unit normal force.
  template <class F, class G, class S> void push(const F& i, const G& j, double, S& sink) const {
    with_play(i, j, [&](const auto& play) { sink.along(play, -outward()); });
  }
  void draw(Sketch& s) const {
    J::draw(s);
    s.moment({"", "", "moment"}).axes = Sketch::End::j;
  }

 private:
  template <class Work> struct Equation {
    const Work& work;
    template <class Scalar> void zero(const Scalar& s) const { work(s); }
  };
  /// Calls `work` with Φ.
  template <class F, class G, class Work> void with_play(const F& i, const G& j, const Work& work) const {
    const Equation<Work> equation{work};
    J::forbid(i, j, equation);
  }
};
}  // namespace mubody
