#pragma once
// Shared by elements that let two bodies touch in several places at a time: each place is a contact of its own, with
// the same law and friction.
//
//   docs/theory/contact.md#several-places
//
// The element reports their sum: the smallest gap, the sum of the normal forces, the whole force, and the point where it
// acts, which is the mean of the places with their normal forces as weights.
#include "mubody/contact/geometry/sites.h"
#include "mubody/forces/bases/contact_element.h"

namespace mubody {
template <class Pair> struct ManyContacts : ContactElement<Pair> {
  using Base = ContactElement<Pair>;
  static constexpr int D = Pair::dim;

  void start(const Pose&, const Pose&) {
    this->pair.prepare();
    ElasticPart& part = this->law->elastic_part();
    const std::optional<double> radius = this->pair.radius();
    require(
        part.stiffness || radius, "law",
        "must have a stiffness, as in {type = \"flores\", stiffness = 1e8}: only of round bodies it follows "
        "from radii and materials");
    if (radius) part.stiffness_from(hertz_stiffness(*radius, this->materials.i, this->materials.j()));
  }
  int sites() const { return this->pair.sites(); }

  template <class F, class G, class N, class S>
  void apply(const F& i, const G& j, const N& now, S& sink) const {
    const Placed<D> at_i = placed(i), at_j = placed(j);
    Sum sum;
    for (int k = 0; k < sites(); ++k) {
      const ContactMemory& memory = now.contacts[std::size_t(k)];
      if (!memory.touching && !sink.looks()) {
        rest(memory, k);
        continue;
      }
      const Touch<D> t = this->pair.touch(k, at_i, at_j);
      sum.add(t, this->act(i, j, t, -t.gap, memory, sink, k));
    }
    sum.report(sink);
  }
  /// Applies a unit normal force at one of the places.
  template <class F, class G, class S> void push(const F& i, const G& j, int site, S& sink) const {
    const Touch<D> t = this->pair.touch(site, placed(i), placed(j));
    this->push_at(i, j, t.point, t.normal, sink);
  }

 private:
  using Action = typename Base::Action;
  struct Sum {
    double gap = std::numeric_limits<double>::infinity(), normal = 0;
    Vec<D> force = Vec<D>::Zero(), friction = force, moment = force, nearest = force;

    void add(const Touch<D>& t, const Action& a) {
      if (t.gap < gap) gap = t.gap, nearest = t.point;
      normal += a.normal;
      force += a.force;
      friction += a.friction;
      moment += a.normal * t.point;
    }
    template <class S> void report(S& sink) const {
      sink.reports("gap", "m", gap);
      sink.reports("force", "N", normal);
      sink.reports("friction", "N", friction.norm());
      constexpr const char* names[][2] = {{"fx", "x"}, {"fy", "y"}, {"fz", "z"}};
      for (int k = 0; k < D; ++k) sink.reports(names[k][0], "N", force[k]);
      const Vec<D> point = normal > 0 ? Vec<D>(moment / normal) : nearest;
      for (int k = 0; k < D; ++k) sink.reports(names[k][1], "m", point[k]);
    }
  };

  template <class F> static Placed<D> placed(const F& f) {
    Placed<D> p{Base::moving(f), {}};
    if constexpr (D == 2)
      p.axes << p.up.y(), p.up.x(), -p.up.x(), p.up.y();
    else
      p.axes = (Eigen::Matrix3d() << f.x().x, f.y().x, p.up).finished() * f.mount.axes.transpose();
    return p;
  }
  /// The states of friction stand still where nothing touches, and it will stick first.
  void rest(const ContactMemory& memory, int site) const {
    if (memory.rate) std::fill_n(memory.rate, this->inner(), 0.0);
    if (this->switches) Corners(this->switches.get()).above(std::size_t(site), -1);
  }
};
}  // namespace mubody
