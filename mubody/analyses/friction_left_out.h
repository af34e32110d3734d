#pragma once
// What an equilibrium leaves out, because at rest it could be anything up to a bound.       docs/theory/equilibrium.md
#include "mubody/mechanism/mechanism.h"
#include "mubody/results/results.h"
#include "mubody/system/system.h"

namespace mubody {
/// Says so of contacts that touch and have friction.
void remark_contact_friction_left_out(const Mechanism&, System&, Results&);
}  // namespace mubody
