#pragma once
// Descriptions of the parts of a mechanism and of its start, for people.
#include <string>
#include <vector>

#include "mubody/mechanism/mechanism.h"
#include "mubody/results/results.h"

namespace mubody::cli {
/// The function of time that a joint follows, "= 2*pi*t" or "harmonic"; empty if it follows none or a constant.
std::string motion_of(const AnyJoint&);

/// "ground - crank", or one name if an element acts on one body.
std::string bodies_of(const Mechanism&, const AnyJoint&);
std::string bodies_of(const Mechanism&, const AnyForce&);

/// "9 coordinates - 8 equations = 1 freedom", with the redundant equations.
std::string freedom_sum(const Freedom&);

/// "cartesian: 8 coordinates, 7 equations; of the Jacobian 5 rows are constant, 2 linear".
std::string equations_line(const Formulation&);

/// "1 joint", "3 joints".
std::string counted(std::size_t count, const std::string& one, const std::string& many);

/// The changes that assembly made, one line each, at most `most`, and the number of those left out.
std::string moved_lines(const AssemblyRecord&, std::size_t most, std::string_view indent);

/// "largest gap 2.3e-05 [m or rad], closed to 1.1e-16 in 3 iterations; this moved:".
std::string assembly_line(const AssemblyRecord&);
}  // namespace mubody::cli
