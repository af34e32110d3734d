#pragma once
// A mechanism that follows a hand: a point of a body is pulled towards a target while all joints hold, and of all positions
// that they allow the mechanism takes those nearest to where it was.  Nothing has mass and no time passes.
//
//   Drag drag(study);
//   drag.pull(2, {0.1, 0, 0}, {0.4, 0.3, 0});
//   draw(drag.positions());
//
//   δq of least size |δq|² in the units of the system, with  D δq = −Φ,  locks kept, and the hand moved by a part of what is
//   missing; then Newton's corrections of least size.  Steps are small, and smaller where corrections are no longer small
//   beside them: a mechanism stays on its branch, also beyond singular positions.              docs/theory/drag.md
#include <optional>
#include <string>
#include <vector>

#include "mubody/math/saddle_point.h"
#include "mubody/simulation/begin.h"

namespace mubody {
/// What stays as it is while something else is pulled.
struct Lock {
  enum Kind {
    point,  // a point of a body stays where it is
    angle,  // a body does not turn
    length  // two points keep their distance
  };
  Kind kind = point;
  int body = ground;
  Vec<3> at = Vec<3>::Zero();
  int other = ground;
  Vec<3> other_at = Vec<3>::Zero();
};

/// How far a pull has come.
struct Dragged {
  double distance = 0;   // what is left to the target [m], or [rad]
  double violation = 0;  // the largest gap, in the units of the system
  int steps = 0;
};

class Drag {
 public:
  /// Assembles the mechanism.  Drivers are left out, but for those named.  Throws ModelError if it cannot be assembled or there
  /// is no such driver.
  explicit Drag(const Study&, const std::vector<std::string>& drivers = {});

  int dim() const { return begun_.mechanism->dim; }
  const Mechanism& mechanism() const { return *begun_.mechanism; }
  /// Positions in body coordinates, as in BodyLayout.
  const VecX& positions() const { return q_; }

  /// Pulls a point of a body, in body axes, towards a target in global axes.  Far away, or along the border of what can be
  /// reached, it may take several calls to get there: each makes at most 200 steps.
  Dragged pull(int body, const Vec<3>& at, const Vec<3>& target, const std::vector<Lock>& = {});
  /// Turns a body about the global z axis by an angle [rad].
  Dragged turn(int body, double angle, const std::vector<Lock>& = {});
  /// Begins anew at positions in body coordinates, whose gaps are closed.  If they cannot be, nothing changes, and the violation
  /// is what remained.
  Dragged place(const VecX& q);

 private:
  struct Rows;
  struct Goal;
  void check(int body) const;
  void constrain(const VecX& q);
  double gap() const { return system_.gap(terms_.phi); }
  VecX smallest(const Rows&);
  bool close(VecX& q, const std::vector<Lock>&, const VecX& from, double most);
  Rows locked(const VecX& q, const std::vector<Lock>&, const VecX& from) const;
  double size(const VecX& step) const;
  std::optional<VecX> stepped(const Goal&, double soft, const std::vector<Lock>&, const VecX& from);
  Dragged follow(const Goal&, const std::vector<Lock>&);

  Begun begun_;
  System& system_;
  double t_;
  std::vector<bool> released_;  // equations that do not count
  Terms terms_;
  SaddlePoint solver_;
  VecX q_, at_rest_, lambda_;
};
}  // namespace mubody
