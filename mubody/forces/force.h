#pragma once
// The members of every force file, and a force whose type is not known.
//
//   struct Spring {
//     static constexpr Info info{...};
//     static constexpr Attach attach = Attach::angle;          what its markers are for     (optional: points)
//     Marker i, j;                                             j alone for forces on one body; i is the ground
//     void fields(Fields&);
//     static constexpr bool in(int D);                         whether it is of the plane, of space  (optional: both)
//     void check([int D]) const;                               throws FieldError            (optional)
//     void start(const Pose& i, const Pose& j);                values "as at the start"     (optional)
//     void measure_from(const Vec<3>& origin);                 its data has points of body j, from there  (optional)
//     void apply(i, j, now, sink) const;                       see below
//     std::optional<ScalarForm> scalars(int D) const;          the same in terms of scalars, if it can be (optional)
//     std::array<Function, n> curves;                          functions of time that start() makes of data (optional)
//     void draw(Sketch&) const;                                what it looks like, and its arrows   (optional: nothing)
//     std::string remark() const;                              what a user should know of its data, empty if nothing (optional)
//     static constexpr bool pushes_only = true;                it never pulls, as contacts do not   (optional)
//     static constexpr bool sees_no_angle = true;              it needs no angle that counts turns   (optional)
//     static constexpr bool saturates = true;                  its force has corners at a limit     (optional)
//     static constexpr bool counts_turns = true;               it depends on how often something has turned  (optional)
//     static constexpr bool is_clearance = true;               it stands for a joint with clearance (optional)
//     using Joint = ...;  void take(const Joint&, const Flank&);
//                                                              the joint whose teeth it is a flank of (optional)
//     std::vector<Coupled> couples;  relate(...)               it acts along a relation of coordinates of joints, as in
//                                                              joints/coupler.h; apply(s, now, sink) takes that in place
//                                                              of two frames                         (optional)
//     int corners() const;  void watch(std::shared_ptr<Switches>);
//                                                              how many places its force changes its form at, and who
//                                                              follows them: math/expression.h       (optional)
//   };
//
// `now.t` is the time, now(signal) the value of a signal.  An element reports its actions to the sink:
//
//   sink.along(s, F)            a generalized force F on the scalar s: virtual work F δs
//   sink.push(j, F, M)          a force F at the marker's origin and a moment M, global axes
//   sink.stores([&] { V })      potential energy V of that part of it which is conservative [J]
//   sink.dissipates([&] { P }[, by])  power turned into heat [W]; `by`: Loss::contact, friction or film
//   sink.supplies([&] { P })    power brought in from outside [W]
//   sink.touches(gap, rate, F, P)     a contact: its gap, approach, normal force and what of its power is lost; once
//                               for each place in which the bodies may touch
//   sink.reports(name, unit, value)
//
// Every generalized force must be accounted for once: stored, dissipated or supplied.  Only the sinks that
// want energies call the lambdas.
//
// A contact has memory, now.contact: whether the bodies touch, the speed at which they met, and the states of its
// friction.  It states `static constexpr bool is_contact = true`, `int inner() const` (how many states) and
// `ContactStiffness`-like `stiffness()`, and where no normal law backs its film `bool has_law() const`.  One that no
// motion may begin in says so by `std::string refuse_depth(double) const`, for a depth at the start; one whose bodies have
// passed through each other from a depth on gives that, `double most_depth() const`.  Bodies that may
// touch in several places say in how many, `int sites() const`, and have a memory for each, now.contacts[k].  A sink that
// does not want to know of places where nothing touches says so by looks().
//
// Any other force may have states of its own, lengths that begin at zero, as the bend of a tyre is one: it says how many,
// `int states() const`, reads now.own.z and writes their rates to now.own.rate at every evaluation.
#include <limits>
#include <memory>
#include <span>

#include "mubody/forces/scalar_form.h"
#include "mubody/functions/signal.h"
#include "mubody/joints/joint.h"
#include "mubody/kinematics/relative.h"
#include "mubody/model/sketch.h"

namespace mubody {
/// Causes that turn power into heat.
enum class Loss { damper, contact, friction, film };

/// A flank of teeth with play between them, see forces/bases/tooth_flank.h.
struct Flank;

/// The memory of a contact, and the states of its friction.
struct ContactMemory {
  bool touching = false;
  double first_speed = 0;         // [m/s] at which the bodies met
  const double* inner = nullptr;  // states; as many as the element has
  double* rate = nullptr;         // receives their rates; may be null
};

/// The states of a force that is no contact, and where their rates go.
template <class R> struct OwnStates {
  const R* z = nullptr;
  R* rate = nullptr;
};

/// A force between bodies that touch.
template <class T> constexpr bool is_contact = requires { T::is_contact; };

/// Whether force T is for the plane (D = 2), for space (3).
template <class T> constexpr bool is_in(int D) {
  if constexpr (requires { T::in(D); })
    return T::in(D);
  else
    return true;
}

/// The system's record of a kind of force, see system/registry.h.
struct ForceEntry;
/// The entry of force T.  The library has those of its own forces; mubody/own_elements.h makes one of any other.
template <class T> const ForceEntry& force_entry();

class AnyForce {
 public:
  virtual ~AnyForce() = default;
  virtual Info info() const = 0;
  virtual const ForceEntry& entry() const = 0;
  virtual void fields(Fields&) = 0;
  virtual void check(int D) const = 0;
  virtual void start(const Pose& i, const Pose& j) = 0;
  /// Says where the coordinates of body j in its data begin, seen from the centre of mass [m].
  virtual void measure_from(const Vec<3>& origin) = 0;
  virtual Marker& i() = 0;
  virtual Marker& j() = 0;
  /// The coordinates of joints that it relates; empty for a force between two bodies.
  virtual std::span<Coupled> couples() = 0;
  virtual Attach attach() const = 0;
  virtual std::optional<ScalarForm> scalars(int D) const = 0;
  virtual void draw(Sketch&) const = 0;
  /// Whether its force has a corner: it acts only while the bodies are near enough, or up to a limit.
  virtual bool pushes_only() const = 0;
  virtual bool is_clearance() const = 0;
  /// What is wrong with a start at which the contact is that deep; empty if nothing is.
  virtual std::string refuse_depth(double depth) const = 0;
  /// The depth from which its bodies have passed through each other [m]; infinite if there is none.
  virtual double most_depth() const = 0;
  /// Becomes a flank of the teeth of a joint; false if it is none of that kind of joint.
  virtual bool stand_for(const AnyJoint&, const Flank&) = 0;
  /// How many switches it has besides those of formulas; a motion gives them to it to locate where they change.
  virtual int corners() const = 0;
  virtual std::string_view corner() const = 0;  // in words, what has them
  /// How many states of its own it has; those of contacts are not among them.
  virtual int states() const = 0;
  /// Whether it depends on how often something has turned, and not only on how it stands.
  virtual bool counts_turns() const = 0;
  virtual void watch(std::shared_ptr<Switches>) = 0;
  /// The functions of time that it makes of its data.
  virtual std::span<const Function> curves() const = 0;
  /// What a user should know of its data, in words; empty if there is nothing.
  virtual std::string remark() const = 0;
  virtual std::unique_ptr<AnyForce> clone() const = 0;

  const Marker& i() const { return const_cast<AnyForce*>(this)->i(); }
  const Marker& j() const { return const_cast<AnyForce*>(this)->j(); }
  std::span<const Coupled> couples() const { return const_cast<AnyForce*>(this)->couples(); }
  /// i and j, or those of every coordinate that it couples.
  std::vector<const Marker*> markers() const { return markers_of(i(), j(), couples()); }
};

template <class T> class ForceOf final : public AnyForce {
 public:
  T force;

  explicit ForceOf(T value = {}) : force(std::move(value)) {}
  Info info() const override { return T::info; }
  const ForceEntry& entry() const override { return force_entry<T>(); }
  void fields(Fields& f) override { force.fields(f); }
  void check([[maybe_unused]] int D) const override {
    if constexpr (requires { force.check(D); })
      force.check(D);
    else if constexpr (requires { force.check(); })
      force.check();
  }
  void start(const Pose& i, const Pose& j) override {
    if constexpr (requires { force.start(i, j); }) force.start(i, j);
  }
  void measure_from([[maybe_unused]] const Vec<3>& origin) override {
    if constexpr (requires { force.measure_from(origin); }) force.measure_from(origin);
  }
  Marker& i() override { return first_marker(force, Side::i); }
  Marker& j() override { return first_marker(force, Side::j); }
  std::span<Coupled> couples() override {
    if constexpr (Couples<T>)
      return force.couples;
    else
      return {};
  }
  Attach attach() const override {
    if constexpr (requires { T::attach; })
      return T::attach;
    else
      return Attach::point;
  }
  std::optional<ScalarForm> scalars([[maybe_unused]] int D) const override {
    if constexpr (requires { force.scalars(D); })
      return force.scalars(D);
    else
      return {};
  }
  void draw([[maybe_unused]] Sketch& s) const override {
    if constexpr (requires { force.draw(s); }) force.draw(s);
  }
  bool pushes_only() const override {
    return is_contact<T> || requires { T::pushes_only; }
    || requires { T::saturates; };
  }
  bool is_clearance() const override {
    return requires { T::is_clearance; };
  }
  bool stand_for([[maybe_unused]] const AnyJoint& joint, [[maybe_unused]] const Flank& flank) override {
    if constexpr (requires { typename T::Joint; }) {
      const auto* of = dynamic_cast<const JointOf<typename T::Joint>*>(&joint);
      if (of) force.take(of->joint, flank);
      return of != nullptr;
    } else {
      return false;
    }
  }
  std::string refuse_depth([[maybe_unused]] double depth) const override {
    if constexpr (requires { force.refuse_depth(depth); })
      return force.refuse_depth(depth);
    else
      return {};
  }
  double most_depth() const override {
    if constexpr (requires { force.most_depth(); })
      return force.most_depth();
    else
      return std::numeric_limits<double>::infinity();
  }
  int corners() const override {
    if constexpr (requires { force.corners(); })
      return force.corners();
    else
      return 0;
  }
  std::string_view corner() const override {
    if constexpr (requires { T::corner; })
      return T::corner;
    else
      return "its limit";
  }
  int states() const override {
    if constexpr (requires { force.states(); })
      return force.states();
    else
      return 0;
  }
  bool counts_turns() const override {
    return Couples<T> || requires { T::counts_turns; };
  }
  void watch([[maybe_unused]] std::shared_ptr<Switches> switches) override {
    if constexpr (requires { force.watch(switches); }) force.watch(std::move(switches));
  }
  std::span<const Function> curves() const override {
    if constexpr (requires { force.curves; })
      return force.curves;
    else
      return {};
  }
  std::string remark() const override {
    if constexpr (requires { force.remark(); })
      return force.remark();
    else
      return {};
  }
  std::unique_ptr<AnyForce> clone() const override { return std::make_unique<ForceOf>(force); }
};
}  // namespace mubody
