#pragma once
// Helpers shared by the tests of precomputation.
#include <gtest/gtest.h>

#include "mubody/analyses/run.h"
#include "mubody/precompute/precompute.h"
#include "mubody/precompute/run/real_time.h"
#include "mubody/precompute/run/run_real_time.h"
#include "mubody/simulation/begin.h"
#include "tests/example.h"

namespace mubody::testing {
/// Largest difference of a column of two results, at the same output times.
inline double apart(const Results& a, const Results& b, const std::string& column) {
  const std::vector<double> x = a.column(column), y = b.column(column);
  EXPECT_EQ(x.size(), y.size()) << column;
  double most = 0;
  for (std::size_t k = 0; k < std::min(x.size(), y.size()); ++k) most = std::max(most, std::abs(x[k] - y[k]));
  return most;
}

/// What precompute() complains of.
inline std::string message_of(const Study& study, const PrecomputeOptions& o = {}) {
  try {
    precompute(study, o);
  } catch (const ModelError& e) {
    return e.what();
  }
  return "no error";
}

/// Tables of the whole mechanism, whatever suits it best.
inline PrecomputeOptions of_whole(PrecomputeOptions o = {}) {
  o.tables_of.index = PrecomputeOptions::whole;
  return o;
}

inline void expect_parts(const std::string& message, const std::vector<std::string>& parts) {
  for (const std::string& part : parts)
    EXPECT_NE(message.find(part), std::string::npos) << part << " in: " << message;
}

/// A four-bar whose follower and crank both only swing: no joint angle serves for all of its motion.
inline const char* const double_rocker = R"(
name = "double rocker"
gravity = [0, -9.81]
[bodies]
left  = {mass = 1, inertia = 0.1, position = [0, 0.75], angle = "90 deg"}
bar   = {mass = 1, inertia = 0.02, position = [0.4, 1.5], angle = 0}
right = {mass = 1, inertia = 0.1, position = [1.2, 0.75], angle = "100 deg"}
[joints]
A = {type = "revolute", bodies = ["ground", "left"], i = [0, 0],     j = [-0.75, 0]}
B = {type = "revolute", bodies = ["left", "bar"],    i = [0.75, 0],  j = [-0.4, 0]}
C = {type = "revolute", bodies = ["bar", "right"],   i = [0.4, 0],   j = [0.75, 0]}
D = {type = "revolute", bodies = ["ground", "right"], i = [1.6, 0],  j = [-0.75, 0]}
[analysis]
end = 5
rtol = 1e-11
hold = ["left.angle"]
[output]
step = 0.05
)";

/// A four-bar none of whose bars can turn all the way relative to another one (the shortest and the longest are together
/// longer than the other two): every joint angle has dead points.
inline const char* const triple_rocker = R"(
name = "triple rocker"
gravity = [0, -9.81]
[bodies]
left  = {mass = 1, inertia = 0.2, position = [0.375, 0.6495], angle = "60 deg"}
bar   = {mass = 1, inertia = 0.1, position = [1.25, 1.287], angle = -0.0235}
right = {mass = 1, inertia = 0.2, position = [1.8745, 0.638], angle = "101.1 deg"}
[joints]
A = {type = "revolute", bodies = ["ground", "left"], i = [0, 0],     j = [-0.75, 0]}
B = {type = "revolute", bodies = ["left", "bar"],    i = [0.75, 0],  j = [-0.5, 0]}
C = {type = "revolute", bodies = ["bar", "right"],   i = [0.5, 0],   j = [0.65, 0]}
D = {type = "revolute", bodies = ["ground", "right"], i = [2, 0],    j = [-0.65, 0]}
[analysis]
end = 5
rtol = 1e-11
hold = ["left.angle"]
[output]
step = 0.05
)";
}  // namespace mubody::testing
