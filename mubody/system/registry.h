#pragma once
// All kinds of joints and forces; the lists are generated from the headers in joints/ and forces/.
#include <memory>
#include <span>

#include "mubody/formulations/body.h"

namespace mubody {
template <class Formulation> class JointGroup;
template <class Formulation> class ForceGroup;

struct JointEntry {
  Info info;
  Use use;
  int forbids, allows;  // in the plane
  std::unique_ptr<AnyJoint> (*make)();
  std::unique_ptr<JointGroup<Body<2>>> (*plane)();

  template <class J> static JointEntry of();  // in joint_group.h
};
std::span<const JointEntry> joint_kinds();

struct ForceEntry {
  Info info;
  std::unique_ptr<AnyForce> (*make)();
  std::unique_ptr<ForceGroup<Body<2>>> (*plane)();

  template <class F> static ForceEntry of();  // in force_group.h
};
std::span<const ForceEntry> force_kinds();

/// The entry of that name, or nullptr.
const JointEntry* find_joint(std::string_view name);
const ForceEntry* find_force(std::string_view name);
}  // namespace mubody
