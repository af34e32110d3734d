#pragma once
// What the system knows of a kind of joint or force.  It is apart from the equations, so that a source that has these and uses
// a kind does not compile that kind once more.
#include "mubody/forces/force.h"
#include "mubody/joints/joint.h"
#include "mubody/system/registry.h"

namespace mubody {
template <class J> JointEntry JointEntry::of() {
  return {J::info,
          J::use,
          {J::forbids(2), J::forbids(3)},
          {J::forbids(2) > 0 ? mubody::allowed<J>(2) : 0, J::forbids(3) > 0 ? mubody::allowed<J>(3) : 0},
          [] { return std::unique_ptr<AnyJoint>(std::make_unique<JointOf<J>>()); },
          joint_groups<J>,
          joint_recorders<J>};
}
template <class J> const JointEntry& joint_entry() {
  static const JointEntry entry = JointEntry::of<J>();
  return entry;
}

template <class T> ForceEntry ForceEntry::of() {
  return {T::info,
          {is_in<T>(2), is_in<T>(3)},
          [] { return std::unique_ptr<AnyForce>(std::make_unique<ForceOf<T>>()); },
          force_groups<T>,
          force_recorders<T>};
}
template <class T> const ForceEntry& force_entry() {
  static const ForceEntry entry = ForceEntry::of<T>();
  return entry;
}
}  // namespace mubody
