#pragma once
// What a person wants to hear about the parts of a mechanism and about its start.
#include <string>
#include <vector>

#include "mubody/mechanism/mechanism.h"
#include "mubody/results/results.h"

namespace mubody::cli {
/// What a joint follows over time, "= 2*pi*t" or "harmonic"; empty if it follows nothing that changes.
std::string motion_of(const AnyJoint&);

/// "ground - crank", or one body if an element is on one.
std::string bodies_of(const Mechanism&, const AnyJoint&);
std::string bodies_of(const Mechanism&, const AnyForce&);

/// "9 coordinates - 8 equations = 1 freedom", with what is redundant.
std::string freedom_sum(const Freedom&);

/// "cartesian: 8 coordinates, 7 equations; of the Jacobian 5 rows are constant, 2 linear".
std::string equations_line(const Formulation&);

/// "1 joint", "3 joints".
std::string counted(std::size_t count, const std::string& one, const std::string& many);

/// What assembly has changed, one line each, `most` at most, and how many more there are.
std::string moved_lines(const AssemblyRecord&, std::size_t most, std::string_view indent);

/// "largest gap 2.3e-05 [m or rad], closed to 1.1e-16 in 3 iterations; this moved:".
std::string assembly_line(const AssemblyRecord&);
}  // namespace mubody::cli
