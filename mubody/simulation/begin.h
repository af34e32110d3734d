#pragma once
// How every analysis begins: equations, assembly, degrees of freedom.
#include <memory>

#include "mubody/results/results.h"
#include "mubody/study/options.h"
#include "mubody/system/rows.h"

namespace mubody {
/// A mechanism that several hold and nobody changes.
class SharedMechanism {
 public:
  SharedMechanism() = default;
  SharedMechanism(std::shared_ptr<const Mechanism> held) : held_(std::move(held)) {}
  operator const Mechanism&() const { return *held_; }
  const Mechanism& operator*() const { return *held_; }
  const Mechanism* operator->() const { return held_.get(); }
  const std::shared_ptr<const Mechanism>& held() const { return held_; }

 private:
  std::shared_ptr<const Mechanism> held_;
};

struct Begun {
  SharedMechanism mechanism;       // as it is taken: bodies that nothing turns have an inertia
  std::unique_ptr<System> system;  // in body coordinates; its scales have the time of the motion too
  VecX q, u;
  Results results;  // with assembly, freedom, and an outcome that is false if it could not be assembled
  /// What does not look right; also among the remarks of the results.
  std::vector<std::string> warnings;
  bool has_particles = false;  // bodies that were given an inertia, since nothing turns them
};
/// What becomes of a start that is asked for as given and does not satisfy the constraints.
enum class Gaps {
  kept,
  closed  // where forces are balanced or drivers followed, a start that gapes means nothing
};
/// Throws ModelError when nothing can move because there are more equations than coordinates.
Begun begin(const Study&, std::string_view analysis, Gaps = Gaps::kept);
/// The same for a study that stays where it is as long as what is begun: there is no copy of its mechanism unless it has to change.
Begun begin_lasting(const Study&, std::string_view analysis);

/// Says that an analysis leaves friction out, where joints have any.
void remark_friction_left_out(const System&, Results&);

/// The equations in the coordinates that a motion is computed in, and the state to start from; the results say which.
struct Formulated {
  System& bodies;  // the same in body coordinates, which show ranks, loops and branches
  std::unique_ptr<System> other;
  VecX q, u;
  bool watched =
      true;  // ranks, loops and branches may change; not where coordinates hold away from such positions alone

  System& system() const { return other ? *other : bodies; }
};
Formulated formulate(const Study&, Begun&);
/// The same in coordinates of somebody else's, which the results call by that name.
Formulated formulate_as(std::string name, std::unique_ptr<System>, Begun&);

/// A state in body coordinates, whatever it was computed in.
class BodyView {
 public:
  /// The last state that was converted, where it lies if nothing was to convert: it must be there still.
  using Seen = Eigen::Map<const VecX>;

  BodyView(const BodyView&) = delete;
  BodyView(System& s, System& bodies)
      : s_(s), same_(&s == &bodies), q_(VecX::Zero(bodies.nq)), u_(VecX::Zero(bodies.nu)), q_at_(q_.data()),
        u_at_(u_.data()) {}
  void convert(const In& q, const In& u) {
    if (same_)
      q_at_ = q.data(), u_at_ = u.data();
    else
      s_.to_bodies(q, u, q_, u_);
  }
  Seen q() const { return {q_at_, q_.size()}; }
  Seen u() const { return {u_at_, u_.size()}; }

 private:
  System& s_;
  bool same_;
  VecX q_, u_;
  const double *q_at_, *u_at_;
};
}  // namespace mubody
