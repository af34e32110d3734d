#pragma once
// Independent variables for people, for programs, and as curves over a motion.       docs/user/topology.md
#include <string>

#include "mubody/surveys/independent.h"

namespace mubody::io {
std::string independent_text(const Independence&);
std::string independent_json(const Independence&);
/// A row for each output time: value and weight of every variable, and, if there is one freedom, condition and |B|.
std::string independent_csv(const Independence&);
inline constexpr std::string_view independent_csv_start = "time[s],condition[1],best,";
/// Velocity coefficients, inertia and their derivatives, a row for each output time, or one for the start.
std::string coefficients_csv(const Independence&);
inline constexpr std::string_view coefficients_csv_mark = ",inertia/";  // in the first line
}  // namespace mubody::io
