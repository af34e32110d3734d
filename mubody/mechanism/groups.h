#pragma once
// Bodies that are connected with each other by joints and forces, the ground not counted: what one group does, no other
// notices, so that each must balance its energy alone.
#include <vector>

#include "mubody/mechanism/mechanism.h"
#include "mubody/mechanism/scales.h"

namespace mubody {
/// Fills in the group of every body, the ground's first, which has none of its own; returns how many groups there are.
int count_groups(const Mechanism&, std::vector<int>& group_of_body);

/// Length and mass of every group as if nothing else were there; times are left at 1 s.
std::vector<Scales> scales_of_groups(const Mechanism&, const std::vector<int>& group_of_body, int groups);
}  // namespace mubody
