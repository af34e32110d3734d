#pragma once
// The narrow waist.  Below it: plane or space, coordinates, joints, forces.  Above it: none of these.
//
//   M u̇ + Φ_uᵀ λ = Q,   Φ_u u̇ = γ,   Φ̇ = Φ_u u − ν          docs/theory/equations-of-motion.md
//
// q are positions (nq), u velocities (nu), D = Φ_u the constraint Jacobian with respect to velocities.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "mubody/math/memory.h"
#include "mubody/math/saddle_structure.h"
#include "mubody/math/space.h"
#include "mubody/mechanism/scales.h"
#include "mubody/model/errors.h"
#include "mubody/model/named_list.h"
#include "mubody/system/body_layout.h"
#include "mubody/system/grips.h"

namespace mubody {
/// The equations of motion at one instant.
struct Terms {
  VecX phi, rate, gamma;  // Φ, Φ̇ = Φ_u u + Φ_t, γ
  VecX Q;                 // forces
  std::vector<double> D;  // blocks of Φ_u, see SaddleStructure
  std::vector<double> M;  // blocks of M
  VecX z_rate;            // rates of the states of elements
  /// Sizes of the rows of D in the metric of the mass, without the constraints that the coordinates already
  /// satisfy.  Where such a row vanishes the mechanism is at a singular position.
  std::vector<double> row_sizes;
};

/// Energies [J] and powers [W] at one instant; a power counts as its name says.
struct Energy {
  double kinetic = 0, potential = 0;
  double supplied = 0;    // by applied forces that have no potential
  double dissipated = 0;  // by dampers
  double contact = 0;     // dissipated by normal forces of contacts
  double friction = 0;    // dissipated by friction
  double film = 0;        // dissipated by films of fluid

  double lost() const { return dissipated + contact + friction + film; }
  Energy& operator+=(const Energy& o) {
    kinetic += o.kinetic, potential += o.potential, supplied += o.supplied;
    dissipated += o.dissipated, contact += o.contact, friction += o.friction, film += o.film;
    return *this;
  }
};

/// One column of the results.
struct Channel {
  enum Group : std::uint8_t { bodies, joints, points, forces, signals };
  std::string name, unit;
  Group group;
  bool reaction = false;   // a component of a joint's reaction on a body; linear in the multipliers
  bool is_length = false;  // a coordinate of a joint that is a length
  int body = 0;            // that it is about, or one of several that are connected; 0 is the ground

  struct Rest {
    int body;
    Group group;
    bool reaction, is_length;
  };
  Rest rest() const { return {body, group, reaction, is_length}; }
  static Channel of(std::string name, std::string unit, const Rest& r) {
    return {std::move(name), std::move(unit), r.group, r.reaction, r.is_length, r.body};
  }
};

/// Two bodies that may touch.
struct ContactSite {
  std::string name;
  Place place;
  int force = 0;                    // which force of the mechanism it is
  bool has_law = true;              // false: a film without a contact law; the gap must stay open
  int first_state = 0, states = 0;  // its part of z
};

/// A contact at one instant.
struct ContactNow {
  double gap = 0;       // gap that the normal law sees [m]; negative: the depth
  double approach = 0;  // [m/s]
  double force = 0;     // normal [N]
  double lost = 0;      // power dissipated by the normal law [W]

  void memory(Memory& m) { m(gap, approach, force, lost); }
};

/// How stiff a contact is: F = K δⁿ.
struct ContactStiffness {
  double stiffness = 0, exponent = 1.5;
};

/// The contacts of a mechanism.  Their memory, on or off and the speed of first touch, changes at accepted
/// states only.
class Contacts {
 public:
  virtual ~Contacts() = default;
  std::vector<ContactSite> sites;

  bool any() const { return !sites.empty(); }
  /// Finds the present state of each contact.
  virtual void measure_contacts(double t, const In& q, const In& u, std::vector<ContactNow>&) = 0;
  /// Switches a contact on or off; `first_speed` is the speed of approach at which it began [m/s].
  virtual void set(int contact, bool touching, double first_speed) = 0;
  virtual bool touching(int contact) const = 0;
  /// Writes the generalized force of a unit normal force into Q, and returns how stiff the contact is.
  virtual ContactStiffness push(int contact, double t, const In& q, const In& u, Out Q) = 0;
};

/// Which equations a joint owns.
struct JointRows {
  std::string name, type;
  Place place;
  int first = 0, count = 0;
  int rolls = 0;  // how many of the last ones are on velocities alone
  bool driver = false;
  bool moves = false;        // with time: it may bring power in
  std::vector<int> bodies;   // 0 is the ground; two, unless it couples other joints
  bool couples = false;      // relates coordinates of other joints
  int reactions = 0;         // number of its channels that are reactions
  bool of_particle = false;  // keeps a particle from turning; it has no channels
};

/// Which equations are a body's own: they make its coordinates those of a rigid body, and belong to no joint.
struct OwnRows {
  int body = 0, first = 0, count = 0;
};

/// How the rows of D depend on the coordinates, where they are polynomials at all; see kinematics/degree.h.
struct RowKinds {
  int constant = 0;  // not computed again
  int linear = 0;    // with coefficients that may change with time
  int other = 0;

  int all() const { return constant + linear + other; }
};

class System {
 public:
  virtual ~System() = default;

  int nq = 0, nu = 0, m = 0;
  int nz = 0;                 // states of elements, such as bristles that bend and blocks of signals
  int signal_states = 0;      // the last of them, which are those of signals
  SaddleStructure structure;  // which blocks of M and D there are
  /// What a coordinate measures, or what a velocity is the rate of.
  enum class Measured {
    length,
    angle,
    orientation  // one of several numbers that give an orientation together
  };
  struct Name {
    std::string text, unit;
    Measured measured = Measured::length;
  };
  std::vector<Name> coordinates;                // names of q, as in "crank.x"
  std::vector<Name> velocities;                 // names of u, as in "crank.vx"
  std::vector<std::string> displacement_names;  // names of u dt, as in "crank.x", "crank.orientation"
  std::vector<std::string> body_names;          // body 0 is the ground
  std::vector<int> body_of_velocity;            // index into body_names
  std::vector<bool> turns;                      // which u are angular velocities
  /// Which displacements and which velocities belong to a start that the model leaves open.
  std::vector<bool> open_positions, open_velocities;
  int groups = 1;                  // of bodies that nothing connects, except the ground
  std::vector<int> group_of_body;  // of every body, the ground's first, which counts for nothing
  std::vector<JointRows> joints;
  std::vector<OwnRows> own;        // after those of the joints
  RowKinds row_kinds;              // all zero if not determined
  std::vector<Measured> measures;  // what each equation measures
  Scales scales;                   // characteristic sizes, see take_scales()
  VecX units,
      row_units;  // of displacements and of equations: the characteristic length, 1 for what is no length
  NamedList<Channel> channels;  // what observe() fills in
  bool mass_is_constant = true;
  bool has_power = false;  // anything that supplies or dissipates, or moves with time
  /// The first of three angular velocities of each body or joint in space that has no angle as a coordinate.
  std::vector<int> angular;
  BodyLayout layout{2};  // of body coordinates, which to_bodies() gives
  Grips grips;           // turns and slides of joints with dry friction; evaluate() measures them

  /// How much larger than their unit the largest lengths and angles are among coordinates, at least 1: round-off grows
  /// with them.
  struct Room {
    double length = 1, angle = 1;
  };
  Room room(const In& q) const;
  /// The largest |Φ| in its unit and that room; not a number if one is none.
  double gap(const In& phi, const Room& room = {.length = 1, .angle = 1}) const;
  /// The largest difference of coordinates in its unit and that room.
  double distance(const In& p, const In& q, const Room&) const;
  /// D in these units, so that the numbers of its rows and columns compare whatever the size of the mechanism:
  /// displacements are then multiples of `units`.
  void scale(MatX& D) const;

  /// Terms of the right size, with what never changes filled in.
  virtual Terms make_terms() const = 0;
  /// The state that the model file describes.
  virtual void start(Out q, Out u) const = 0;

  /// Evaluates Φ, Φ̇, γ and D.
  virtual void constraints(double t, const In& q, const In& u, Terms&) = 0;
  /// Evaluates everything, the constraints as above.
  virtual void evaluate(double t, const In& q, const In& u, const In& z, Terms&) = 0;
  /// As above, with the states of elements at rest.
  void evaluate(double t, const In& q, const In& u, Terms& terms) { evaluate(t, q, u, rest(), terms); }
  /// Computes q̇ from u.
  virtual void rates(const In& q, const In& u, Out dq) const = 0;
  /// Moves q by a displacement in the space of velocities.
  virtual void move(Out q, const In& du) const = 0;
  /// Removes round-off that the coordinates themselves reveal (Euler parameters of length 1).
  virtual void tidy(Out q) const = 0;
  /// Takes (t, q, u) as an accepted state, from which turns are counted.  Evaluation never remembers anything.
  virtual void remember(double t, const In& q, const In& u) = 0;

  /// Why the equations do not hold at q, where they hold in a range only; empty if they do.
  virtual std::string out_of_range(const In& /*q*/) const { return {}; }

  /// Negative if axes of that joint that should point the same way point against each other.
  virtual double facing(int joint, const In& q) = 0;

  // Signals remember: what a controller found at its last instant, and what a delay has seen.  That changes at accepted
  // states only.
  /// The next time at which a signal is sampled, or a delay begins to show what it has seen [s].
  virtual double next_instant() const { return std::numeric_limits<double>::infinity(); }
  /// Samples the signals whose instant has come, at an accepted state.
  virtual void pass_instant(double /*t*/, const In& /*q*/, const In& /*u*/, const In& /*z*/) {}
  /// What sampled signals hold and keep since then.
  virtual void samples(std::vector<double>& all) const { all.clear(); }
  /// Takes an accepted state into the past that delays show.
  virtual void note_past(double /*t*/, const In& /*q*/, const In& /*u*/, const In& /*z*/) {}
  /// The shortest time by which a signal is delayed [s]; no step may be longer.
  virtual double shortest_delay() const { return std::numeric_limits<double>::infinity(); }
  /// The states of elements at the start of a motion.
  virtual void start_states(double /*t*/, const In& /*q*/, const In& /*u*/, Out z) { z = rest(); }
  /// The states of elements before anything moves.
  const VecX& rest() {
    if (rest_.size() != nz) rest_ = VecX::Zero(nz);
    return rest_;
  }

  virtual Contacts& contacts() = 0;
  /// The reactions that load the grips at the state last evaluated, one column for each: two parts across the axis, one
  /// along it.  They belong to accelerations and multipliers of that state, or of a unit of friction `alone`.
  virtual void grip_loads(const Terms&, const In& a, const In& lambda, std::optional<int> alone,
                          MatX& loads) = 0;
  /// Saves or restores counted turns, contacts that are on, grips that stick, and what signals remember.
  virtual void memory(Memory&) = 0;

  /// Converts a state to body coordinates, and body coordinates that satisfy the constraints to a state.
  virtual void to_bodies(const In& q, const In& u, Out body_q, Out body_u) = 0;
  virtual void from_bodies(const In& body_q, const In& body_u, Out q, Out u) = 0;

  // For a mass matrix that changes with the position; both for the state last evaluated.
  /// Fills M.
  virtual void fill_mass(Terms&) {}
  /// True if there are no constraints and solve_mass() gives M⁻¹ g in a time proportional to the number of bodies.
  virtual bool solves_mass() const { return false; }
  virtual void solve_mass(const In& /*g*/, Out /*a*/) {}

  /// Fills in the energies and powers of every group of bodies.
  virtual void energies(double t, const In& q, const In& u, const In& z, std::span<Energy> of_groups) = 0;
  /// As energies(), with the powers of forces alone: what bodies store is left out.
  virtual void powers(double t, const In& q, const In& u, const In& z, std::span<Energy> of_groups) = 0;
  /// Those of all together.
  Energy energy(double t, const In& q, const In& u, const In& z) {
    of_groups_.resize(std::size_t(groups));
    energies(t, q, u, z, of_groups_);
    for (std::size_t g = 1; g < of_groups_.size(); ++g) of_groups_[0] += of_groups_[g];
    return of_groups_[0];
  }
  Energy energy(double t, const In& q, const In& u) { return energy(t, q, u, rest()); }
  /// The group to which a joint belongs.
  int group_of(const JointRows& j) const {
    return group_of_body[std::size_t(*std::max_element(j.bodies.begin(), j.bodies.end()))];
  }
  /// The name of a force that is not finite at a state; empty if there is none.
  virtual std::string force_not_finite(double t, const In& q, const In& u, const In& z) = 0;
  /// Fills one value per channel; a are accelerations, lambda multipliers.
  virtual void observe(double t, const In& q, const In& u, const In& z, const In& a, const In& lambda,
                       Out values) = 0;
  void observe(double t, const In& q, const In& u, const In& a, const In& lambda, Out values) {
    observe(t, q, u, rest(), a, lambda, values);
  }

  /// M and row_sizes in a metric of lengths, in which a turn of a body counts as the way of its farthest joint.
  struct Metric {
    std::vector<double> M, row_sizes;
  };
  /// The metric of the state last evaluated, if the mass matrix changes with the position; else null.
  virtual const Metric* lengths() { return nullptr; }

 protected:
  /// Takes characteristic sizes, once coordinates and equations are known.
  void take_scales(const Scales&);
  /// The states that rest() gives; zero if nobody says so.
  void take_rest(const VecX& z) { rest_ = z; }

 private:
  VecX rest_;
  std::vector<Measured> kinds_;  // of coordinates
  std::vector<Energy> of_groups_;
};
}  // namespace mubody
