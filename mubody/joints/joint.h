#pragma once
// The members of every joint file, and a joint whose type is not known.
//
//   struct Revolute {
//     static constexpr Info info{...};                         name and one sentence
//     static constexpr Use use = Use::joint;                   [joints], [drivers] or both
//     static constexpr Attach attach = Attach::line;           what its markers are for     (optional: points)
//     static constexpr int forbids(int D);                     number of equations in the plane, in space; 0: not there
//     static constexpr int rolls(int D);                       how many of them, the last, are on velocities (optional)
//     static constexpr std::array allow{turn_z};               what remains, as elementary motions ...
//     static constexpr int allows(int D);                      ... or only how many, for pairs that are no chain
//     static constexpr std::array same{2};                     axes (0 x, 1 y, 2 z) that point the same way, where the
//                                                              equations also hold for opposite ones  (optional)
//     Marker i, j;
//     void fields(Fields&);                                    parameters
//     bool follow(std::span<const Elementary>);                takes the coordinate of a joint that allows these motions;
//                                                              false if it leaves none          (optional)
//     void check([int D]) const;                               throws FieldError            (optional)
//     void start(const Pose& i, const Pose& j);                values "as at the start"     (optional)
//     void forbid(i, j[, t], eq) const;                        the equations Φ
//     void measure(i, j, report) const;                        relative coordinates (optional: from allow)
//     void draw(Sketch&) const;                                what it looks like   (optional: its two points)
//     static std::vector<Elementary> moves(int D);             turns and slides that have a name, if `allow` lacks them
//                                                              for it is no chain               (optional: allow)
//     static constexpr std::string_view clearance = "...";     the force that stands for it where it has play (optional)
//     static constexpr std::string_view backlash = "...";      the force of one flank of its teeth, where its one equation
//                                                              has play                         (optional)
//   };
//
// A joint that has `std::vector<Coupled> couples` relates coordinates of other joints, by one equation.  In place of
// forbid() it has
//
//     Jet relate(std::span<const Jet> s, std::span<double> slopes) const;   Φ and ∂Φ/∂s_k of their coordinates
//     bool is_linear() const, is_length() const;                            in the coordinates; what Φ measures
#include <array>
#include <memory>
#include <span>
#include <vector>

#include "mubody/functions/function.h"
#include "mubody/joints/coupled.h"
#include "mubody/joints/dry_friction.h"
#include "mubody/kinematics/relative.h"
#include "mubody/model/errors.h"
#include "mubody/model/fields.h"
#include "mubody/model/sketch.h"

namespace mubody {
/// The sections of a model file where an element may stand.
enum class Use { joint, driver, both };

/// How many freedoms joint J leaves between its two bodies.
template <class J> constexpr int allowed(int D) {
  if constexpr (requires { J::allows(D); })
    return J::allows(D);
  else
    return int(J::allow.size());
}

/// How many equations of joint J are on velocities alone: they forbid no position.
template <class J> constexpr int rolling(int D) {
  if constexpr (requires { J::rolls(D); })
    return J::rolls(D);
  else
    return 0;
}

/// A joint or a force that relates coordinates of other joints.
template <class J>
concept Couples = requires(J joint) {
  joint.couples;
};

/// The marker i or j of an element, or that of the first coordinate which it couples.
template <class Element> Marker& first_marker(Element& e, Side side) {
  if constexpr (Couples<Element>)
    if (!e.couples.empty()) return side == Side::i ? e.couples.front().i : e.couples.front().j;
  return side == Side::i ? e.i : e.j;
}
/// The markers of an element, or those of every coordinate which it couples.
inline std::vector<const Marker*> markers_of(const Marker& i, const Marker& j,
                                             std::span<const Coupled> couples) {
  if (couples.empty()) return {&i, &j};
  std::vector<const Marker*> all;
  for (const Coupled& c : couples) all.push_back(&c.i), all.push_back(&c.j);
  return all;
}

/// The system's record of a kind of joint, see system/registry.h.
struct JointEntry;
/// The entry of joint J.  The library has those of its own joints; mubody/own_elements.h makes one of any other.
template <class J> const JointEntry& joint_entry();

/// A joint of any kind; its entry says how it is evaluated.
class AnyJoint {
 public:
  virtual ~AnyJoint() = default;
  virtual Info info() const = 0;
  virtual const JointEntry& entry() const = 0;
  virtual void fields(Fields&) = 0;
  virtual void check(int D) const = 0;
  virtual void start(const Pose& i, const Pose& j) = 0;
  virtual Marker& i() = 0;
  virtual Marker& j() = 0;
  virtual int forbids(int D) const = 0;
  virtual int rolls(int D) const = 0;
  /// The elementary motions it leaves, if it is a chain of such.
  virtual std::span<const Elementary> allow() const = 0;
  /// The turns and slides that it leaves and reports, as far as each is a coordinate by itself.
  virtual std::vector<Elementary> moves(int D) const = 0;
  virtual bool follow(std::span<const Elementary> motions) = 0;
  virtual Attach attach() const = 0;
  virtual void draw(Sketch&) const = 0;
  /// The kind of force that stands for it where it has clearance; empty if it can have none.
  virtual std::string_view clearance() const = 0;
  /// The coordinates of other joints that it relates; empty for a joint between two bodies.
  virtual std::span<Coupled> couples() = 0;
  /// The kind of force that is one flank of its teeth where it has backlash; empty if it can have none.
  virtual std::string_view backlash() const = 0;
  /// Whether its play is an angle; else a length.
  virtual bool plays_by_angle() const = 0;
  virtual std::unique_ptr<AnyJoint> clone() const = 0;

  /// At the turn or slide that it leaves; not every kind may have it, see may_rub().
  std::optional<DryFriction> friction;

  const Marker& i() const { return const_cast<AnyJoint*>(this)->i(); }
  const Marker& j() const { return const_cast<AnyJoint*>(this)->j(); }
  std::span<const Coupled> couples() const { return const_cast<AnyJoint*>(this)->couples(); }
  /// i and j, or those of every coordinate that it couples.
  std::vector<const Marker*> markers() const { return markers_of(i(), j(), couples()); }
};

template <class J> class JointOf final : public AnyJoint {
 public:
  J joint;

  explicit JointOf(J value = {}) : joint(std::move(value)) {}
  Info info() const override { return J::info; }
  const JointEntry& entry() const override { return joint_entry<J>(); }
  void fields(Fields& f) override { joint.fields(f); }
  void check(int D) const override {
    if (friction) friction->check(allow(), D);
    if constexpr (requires { joint.check(D); })
      joint.check(D);
    else if constexpr (requires { joint.check(); })
      joint.check();
  }
  void start(const Pose& i, const Pose& j) override {
    if constexpr (requires { joint.start(i, j); }) joint.start(i, j);
  }
  Marker& i() override { return first_marker(joint, Side::i); }
  Marker& j() override { return first_marker(joint, Side::j); }
  std::span<Coupled> couples() override {
    if constexpr (Couples<J>)
      return joint.couples;
    else
      return {};
  }
  int forbids(int D) const override { return J::forbids(D); }
  int rolls(int D) const override { return rolling<J>(D); }
  std::span<const Elementary> allow() const override {
    if constexpr (requires { J::allow.size(); })
      return J::allow;
    else
      return {};
  }
  Attach attach() const override {
    if constexpr (requires { J::attach; })
      return J::attach;
    else
      return Attach::point;
  }
  void draw(Sketch& s) const override {
    if constexpr (requires { joint.draw(s); })
      joint.draw(s);
    else
      s.weld();
  }
  std::string_view clearance() const override {
    if constexpr (requires { J::clearance; })
      return J::clearance;
    else
      return {};
  }
  bool plays_by_angle() const override {
    if constexpr (requires { joint.is_length(); })
      return !joint.is_length();
    else
      return false;
  }
  std::string_view backlash() const override {
    if constexpr (requires { J::backlash; })
      return J::backlash;
    else
      return {};
  }
  std::vector<Elementary> moves([[maybe_unused]] int D) const override {
    if constexpr (requires { J::moves(D); }) {
      return J::moves(D);
    } else {
      const auto all = allow();
      return {all.begin(), all.end()};
    }
  }
  bool follow([[maybe_unused]] std::span<const Elementary> motions) override {
    if constexpr (requires { joint.follow(motions); })
      return joint.follow(motions);
    else
      return true;
  }
  std::unique_ptr<AnyJoint> clone() const override { return std::make_unique<JointOf>(*this); }
};
}  // namespace mubody
