#pragma once
// For programs with joints or forces of their own: what the library needs to evaluate them.
//
// A joint is a struct as in mubody/joints/, a force one as in mubody/forces/; mubody/joints/joint.h and
// mubody/forces/force.h list their members.  They are used like the library's: model.joint("name", MyJoint{}, i, j).
// This header is read in a few seconds; include it only where such elements are used.      docs/api/own-elements.md
#include "mubody/system/entries.h"
#include "mubody/system/force_group.h"
#include "mubody/system/joint_group.h"
#include "mubody/system/recorded_elements.h"
