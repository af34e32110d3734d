#pragma once
// Two equal rods of 1 m and 1 kg that fall from the horizontal: a chaotic double pendulum.

namespace mubody::testing {
inline constexpr char two_rods[] = R"toml(gravity = [0, -9.81]
[bodies]
a = {mass = 1, inertia = 0.1, position = [0.5, 0]}
b = {mass = 1, inertia = 0.1, position = [1.5, 0]}
[joints]
A = {type = "revolute", bodies = ["ground", "a"], i = [0, 0], j = [-0.5, 0]}
B = {type = "revolute", bodies = ["a", "b"], i = [0.5, 0], j = [-0.5, 0]})toml";
}  // namespace mubody::testing
