#pragma once
// Joints as they are in life: what acts on the turns and slides of a joint of any kind, limits, springs and motors, and
// the play of teeth.  Each part is a force beside the joint, with the joint's markers and a name after it, "hinge.motor".
//
//   docs/user/joints-in-life.md, docs/theory/joint-parts.md
#include <string>
#include <string_view>
#include <vector>

#include "mubody/forces/bases/on_coordinate.h"
#include "mubody/mechanism/mechanism.h"

namespace mubody {
/// A joint as its parts see it.
struct JointSite {
  std::string name, type;
  Place place;
  Marker i, j;
  std::vector<Elementary> motions;  // turns and slides that parts may act on

  JointSite(const Named<AnyJoint>&, int dim);

  /// A coordinate as results call it: "angle" or "slide" if it is the only one of its kind, else "angle_z" and the like.
  std::string name_of(Elementary) const;
  std::vector<std::string> coordinate_names() const;
  /// The coordinate of that name, the only one for "".  Throws FieldError.
  Elementary coordinate(std::string_view coordinate_name) const;
  /// "hinge.motor", or "axle.slide.motor" for a joint with several coordinates.
  std::string part_name(Elementary, std::string_view part) const;
};

/// How something that is met at an end of a range gives way: a spring, with restitution or a damper.
struct Bumper {
  std::optional<double> stiffness{};  // [N m/rad or N/m]
  std::optional<double>
      restitution{};                // speed after over speed before; 0.5 if neither this nor damping is given
  std::optional<double> damping{};  // [N m s/rad or N s/m] in place of restitution
  double slowest = 0.01;            // [rad/s or m/s] below which speeds of approach count as this one

  void fields(Fields&, bool turn);
  void check() const;
  ContactLaw law() const;
};

/// Where a turn or a slide ends.
struct JointLimits {
  std::optional<double> low{}, high{};  // [rad or m] an end that is not given is open
  Bumper bumper{};                      // without a stiffness, that follows from the bodies' inertia
  bool turn = true;                     // units are those of an angle

  void fields(Fields&);
  void check() const;
};

/// Play between teeth.
struct Backlash {
  double gap = 0;     // [m] along the pitch circles; of couplers of angles [rad]
  Bumper teeth{};     // they need a stiffness
  bool turn = false;  // the gap is an angle; the joint decides

  void fields(Fields&);
  void check() const;
};

// All of these throw FieldError, and then add nothing.

/// Adds a stop at each end that is given.
void add_limits(Mechanism&, const JointSite&, Elementary, JointLimits);
/// Adds the flanks of a joint in whose place they stand.
void add_backlash(Mechanism&, const Named<AnyJoint>&, const Backlash&);
/// Adds a force that has its markers.
void add_part(Mechanism&, std::string name, const Place&, std::unique_ptr<AnyForce>);
/// Adds a force on a coordinate of the joint, called `part`.
template <std::derived_from<OnCoordinate> F>
void add_part(Mechanism& m, const JointSite& site, Elementary coordinate, std::string_view part, F force) {
  force.i = site.i, force.j = site.j;
  force.follow(coordinate);
  add_part(m, site.part_name(coordinate, part), site.place, std::make_unique<ForceOf<F>>(std::move(force)));
}

/// The inertia that a motion of both bodies against each other has to overcome [kg m² or kg]: each turns about the axis of
/// the joint at the start, or moves along it, as if nothing else held it.
double reduced_inertia(const Mechanism&, const JointSite&, Elementary);
}  // namespace mubody
