#pragma once
// Shared by elements that let two bodies touch: geometry, normal law and friction put together.
//
//   docs/theory/contact.md, docs/theory/friction.md
//
//   gap, n, slip  of the pair;   F = law(−gap, −ġap, first speed) along n on body j;   T by friction against the slip
//
// F acts only while the contact is on: the forward analysis locates the instants at which the gap closes and opens,
// and keeps the speed at which it closed.  Within a step a gap that is a little negative is therefore no contact yet.
#include "mubody/contact/contact.h"
#include "mubody/contact/laws/lankarani_nikravesh.h"
#include "mubody/forces/force.h"

namespace mubody {
/// Materials of two bodies that touch; steel by default.
struct Materials {
  Material i;
  std::optional<double> young_j, poisson_j;

  void fields(Fields& f) {
    i.fields(f);
    f.optional("young_j", young_j, "Pa", "of the second body", "that of the first");
    f.optional("poisson_j", poisson_j, "", "of the second body", "that of the first");
  }
  void check() const {
    i.check();
    j().check();
  }
  Material j() const { return {young_j.value_or(i.young), poisson_j.value_or(i.poisson)}; }
};

template <class Pair> struct ContactElement {
  static constexpr bool is_contact = true;
  static constexpr std::string_view corner = "its friction";
  static constexpr int D = Pair::dim;
  static constexpr bool in(int dim) { return dim == D; }
  Marker i, j;
  Pair pair;
  ContactLaw law{LankaraniNikravesh{}};
  std::optional<Friction> friction;
  Materials materials;

  void more_fields(Fields& f) {
    f.optional("law", law, "", "force over depth: see 'mubody list contact-laws'");
    f.optional("friction", friction, "", "a coefficient, or a law: see 'mubody list friction-laws'", "none");
    f.table("materials", materials, "which give the stiffness, unless the law has one");
  }
  void draw(Sketch& s) const {
    Sketch::Arrow& a = s.force({"fx", "fy", "fz"});
    pair.draw(s, a);
  }
  void check() const {
    pair.check();
    law->check();
  }
  void start(const Pose&, const Pose&) {
    law->elastic_part().stiffness_from(hertz_stiffness(pair.relative_radius(), materials.i, materials.j()));
  }

  /// A friction that sticks and slips has a corner at every place.
  int corners() const { return friction && (*friction)->changes() ? places() : 0; }
  void watch(std::shared_ptr<Switches> of_motion) { switches = std::move(of_motion); }
  std::shared_ptr<Switches> switches{};  // of the motion that follows the corners; null if none does

  /// In the plane one state; in space a vector in global axes, which prefers no direction.
  int inner() const { return friction ? (D == 2 ? 1 : 3) * (*friction)->states() : 0; }
  bool has_law() const { return true; }
  double most_depth() const requires requires(const Pair& p) { p.most_depth(); }
  { return pair.most_depth(); }
  double stiffness() const { return *const_part().stiffness; }
  double exponent() const { return const_part().exponent; }

  template <class F, class G, class N, class S>
  void apply(const F& i, const G& j, const N& now, S& sink) const {
    const Touch<D> t = pair.touch(moving(i), moving(j));
    touch(i, j, t, -t.gap, now.contact, sink);
  }
  /// Applies a unit normal force.
  template <class F, class G, class S> void push(const F& i, const G& j, double, S& sink) const {
    const Touch<D> t = pair.touch(moving(i), moving(j));
    push_at(i, j, t.point, t.normal, sink);
  }

 protected:
  template <class F> static Moving<D> moving(const F& f) {
    const auto o = f.o();
    Moving<D> m{o.x, o.v, {}, f.template axis<D - 1>().x};
    if constexpr (D == 2)
      m.w[0] = f.body.w;
    else
      m.w = f.body.W;
    return m;
  }

  /// Applies a force to body j at a point, and its opposite to body i.
  template <class F, class G, class S>
  static void push_at(const F& i, const G& j, const Vec<D>& point, const Vec<D>& force, S& sink) {
    sink.push(j, force, moment(point - j.o().x, force));
    sink.push(i, Vec<D>(-force), moment(point - i.o().x, Vec<D>(-force)));
  }

  /// Applies normal force and friction of a contact of that depth, and reports them.
  template <class F, class G, class S>
  void touch(const F& i, const G& j, const Touch<D>& t, double depth, const ContactMemory& memory,
             S& sink) const {
    const Action a = act(i, j, t, depth, memory, sink);
    sink.reports("gap", "m", t.gap);
    sink.reports("force", "N", a.normal);
    sink.reports("friction", "N", a.friction.norm());
    constexpr const char* names[] = {"fx", "fy", "fz"};
    for (int k = 0; k < D; ++k) sink.reports(names[k], "N", a.force[k]);
  }

  /// What acts on body j at one place.
  struct Action {
    double normal = 0;
    Vec<D> friction, force;
  };
  template <class F, class G, class S>
  Action act(const F& i, const G& j, const Touch<D>& t, double depth, const ContactMemory& memory, S& sink,
             int site = 0) const {
    const double normal = memory.touching ? law->force(depth, t.approach, memory.first_speed) : 0;
    const Vec<D> tangential = rub(t, normal, memory, std::size_t(site));
    const Vec<D> force = normal * t.normal + tangential;
    if (memory.touching) push_at(i, j, t.point, force, sink);
    const double lost = memory.touching ? (normal - law->elastic(depth)) * t.approach : 0;
    sink.stores([&] { return memory.touching ? law->stored(depth) : 0; });
    sink.dissipates([&] { return lost; }, Loss::contact);
    // Work that bends bristles counts as lost: they give nothing back once the normal force is gone.
    sink.dissipates([&] { return -tangential.dot(t.slip); }, Loss::friction);
    sink.touches(-depth, t.approach, normal, lost);
    return {normal, tangential, force};
  }

 private:
  int places() const {
    if constexpr (requires { pair.sites(); })
      return pair.sites();
    else
      return 1;
  }
  const ElasticPart& const_part() const { return const_cast<ContactLaw&>(law)->elastic_part(); }

  static Vec<spins<D>> moment(const Vec<D>& arm, const Vec<D>& force) {
    if constexpr (D == 2)
      return Vec<1>(arm.x() * force.y() - arm.y() * force.x());
    else
      return arm.cross(force);
  }

  /// Friction on body j.
  Vec<D> rub(const Touch<D>& t, double normal, const ContactMemory& memory, std::size_t site) const {
    Vec<D> force = Vec<D>::Zero();
    if (!friction) return force;
    const FrictionKind& law_of_friction = **friction;
    const bool remembers = law_of_friction.states() > 0;
    Vec<D> rate = Vec<D>::Zero();
    // What does not touch will stick first.
    const auto slips = [&](const Slip& slip, const Bristle& z) {
      const Corners corners(switches.get());
      if (!law_of_friction.changes()) return false;
      return memory.touching ? law_of_friction.slips(slip, z, corners, site) : corners.above(site, -1);
    };
    const auto along = [&](const Vec<D>& tangent, const Bristle& z) {
      const Slip slip(t.slip.dot(tangent), t.slip.norm());
      force -= law_of_friction.force(normal, slip, z) * tangent;
      if (remembers) rate += law_of_friction.rate(normal, slip, z) * tangent;
    };
    if constexpr (D == 2) {
      Bristle z(remembers ? memory.inner[0] : 0);
      z.slips = slips(Slip(t.slip.dot(perp(t.normal))), z);
      along(perp(t.normal), z);
      if (remembers && memory.rate) memory.rate[0] = rate.dot(perp(t.normal));
    } else {
      const Vec<3> z = remembers ? Vec<3>(Eigen::Map<const Vec<3>>(memory.inner)) : Vec<3>(Vec<3>::Zero());
      const Vec<3> first = t.normal.unitOrthogonal(), second = t.normal.cross(first);
      // What the normal has turned away from counts no more.
      const Vec<3> bend = z - z.dot(t.normal) * t.normal;
      const double length = bend.norm(), bending = length > 0 ? bend.dot(t.slip) / length : t.slip.norm();
      const bool slipping = slips(Slip(0, t.slip.norm()), Bristle(0, length, bending));
      for (const Vec<3>& tangent : {first, second}) {
        Bristle one(bend.dot(tangent), length, bending);
        one.slips = slipping;
        along(tangent, one);
      }
      if (remembers && memory.rate) Eigen::Map<Vec<3>>(memory.rate) = rate;
    }
    return force;
  }
};
}  // namespace mubody
