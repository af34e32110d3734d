#pragma once
// Bodies that are connected with each other by joints and forces, the ground not counted: what one group does, no other
// notices, so that each must balance its energy alone.
#include <vector>

#include "mubody/mechanism/mechanism.h"

namespace mubody {
/// Fills in the group of every body, the ground's first, which has none of its own; returns how many groups there are.
int count_groups(const Mechanism&, std::vector<int>& group_of_body);
}  // namespace mubody
