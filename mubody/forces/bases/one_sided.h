#pragma once
// Shared by what a scalar s meets at one end of its range: a stop of a joint, a flank of a tooth.
//
//   docs/theory/joint-parts.md#limits
//
//   gap = s − l at the low end, l − s at the high end;    F = max(0, law(−gap, −ġap, first speed))  into the range
//
// It is a contact in the sense of watches/contacts.h: the instants at which the gap closes and opens are located, and the
// speed at which it closed is kept.  Depths are lengths or angles, and forces are forces or moments.
#include "mubody/contact/laws/exact.h"
#include "mubody/forces/force.h"

namespace mubody {
struct OneSided {
  static constexpr bool is_contact = true;
  ContactLaw law{Exact{{{.exponent = 1}}}};
  Choice side{{"low", "high"}};

  void side_fields(Fields& f) {
    f.required("side", side, "", "which end of the range it is");
    f.optional("law", law, "",
               "force over depth, or moment over angle; it gives a stiffness: see 'mubody list contact-laws'");
  }
  void check_law() const {
    law->check();
    require(elastic_part().stiffness.has_value(), "law",
            "has no stiffness: give one, as in {type = \"exact\", stiffness = 1e5, exponent = 1}");
  }
  int inner() const { return 0; }
  bool has_law() const { return true; }
  double stiffness() const { return *elastic_part().stiffness; }
  double exponent() const { return elastic_part().exponent; }

 protected:
  /// 1 at the high end, −1 at the low one: times s, it grows towards the end.
  double outward() const { return side.index == 1 ? 1 : -1; }

  /// Keeps s on its side of the limit l.  Returns the generalized force along s.
  template <class Scalar, class S>
  double meet(const Scalar& s, double l, const ContactMemory& memory, S& sink) const {
    const double depth = outward() * (s.x - l), approach = outward() * s.v;
    const double pushes = memory.touching ? law->force(depth, approach, memory.first_speed) : 0;
    const double normal = pushes < 0 ? 0 : pushes;  // what is no number stays so, and is told
    const double lost = memory.touching ? (normal - law->elastic(depth)) * approach : 0;
    const double along = -outward() * normal;
    sink.along(s, along);
    sink.stores([&] { return memory.touching ? law->stored(depth) : 0; });
    sink.dissipates([&] { return lost; }, Loss::contact);
    sink.touches(-depth, approach, normal, lost);
    return along;
  }

 private:
  const ElasticPart& elastic_part() const { return const_cast<ContactLaw&>(law)->elastic_part(); }
};
}  // namespace mubody
