#pragma once
// Good models that use much of the format.
#include <string_view>

namespace mubody::testing_models {
inline constexpr std::string_view pendulum = R"toml(
name = "pendulum"
gravity = [0, -9.81]
[parameters]
L = 2.0
half = "= L/2"
[bodies]
rod = {mass = "1500 g", inertia = 0.5, position = ["= half", 0], omega = "30 rpm"}
[joints]
A = {type = "revolute", bodies = ["ground", "rod"], at = [0, 0]}
[points]
tip = {body = "rod", at = ["= half", 0]}
[analysis]
end = 2
rtol = 1e-9
[output]
step = "10 ms"
channels = ["tip.x", "A.angle"]
)toml";

inline constexpr std::string_view four_bar = R"toml(
gravity = [0, "-9.81 m/s^2"]
[bodies]
crank   = {mass = 1.00, inertia = 0.30, position = [0.5, 0.8660254037844386], angle = "60 deg"}
coupler = {mass = 2.25, inertia = 2.00, position = [2.8235, 2.5535], angle = 0.4232}
rocker  = {mass = 2.00, inertia = 1.35, position = [4.8235, 1.6875], angle = "1.0 rad"}
[joints]
A = {type = "revolute", bodies = ["ground", "crank"], at = [0, 0]}
B = {type = "revolute", bodies = ["crank", "coupler"], i = [1, 0], j = [-2, 0]}
C = {type = "revolute", bodies = ["coupler", "rocker"], i = [2, 0], j = {at = [2, 0], angle = "180 deg"}}
D = {type = "revolute", bodies = ["ground", "rocker"], i = [4, 0], j = [-2, 0]}
[drivers]
motor = {type = "angle", bodies = ["ground", "crank"], value = "= pi/3 + 10*t"}
[analysis]
type = "kinematic"
start = 0
end = "0.6 s"
hold = ["crank.angle"]
)toml";

inline constexpr std::string_view forces = R"toml(
[parameters]
c = "30 N s/m"
[bodies]
slider = {mass = 2, inertia = 0.1, position = [1, 0]}
wheel  = {mass = 1, inertia = 0.2, position = [3, 1]}
[points]
hook = {body = "slider", at = [0, 0.1]}
[joints]
guide = {type = "translational", bodies = ["ground", "slider"], at = [0, 0], to = [5, 0]}
hub = {type = "revolute", bodies = ["slider", "wheel"], at = [3, 1]}
[forces]
s1 = {type = "spring", bodies = ["ground", "slider"], i = [0, 0], stiffness = "1 N/mm", damping = "= c"}
s2 = {type = "spring", bodies = ["slider", "wheel"], i = [0, 0], law = "= 10*deflection + 3*rate^3"}
s3 = {type = "spring", bodies = ["ground", "wheel"], i = [0, 5], law = {type = "table", data = [
  [-1, -5], [0, 0], [1, 9]]}}
f1 = {type = "force", body = "slider", at = [0.1, 0], force = [
  "= -3*hook.vx - wheel.omega", {type = "step", to = 5, end = 1}]}
p1 = {type = "time_series", body = "wheel", data = [[0, 1, 2], [0.5, 2, 2], [1, 0, 0]]}
[forces.t1]
type = "torsion_spring"
bodies = ["slider", "wheel"]
law = {type = "polynomial", coefficients = ["3 N m/rad", 0.5]}
[forces.m1]
type = "moment"
bodies = ["slider", "wheel"]
moment = {type = "harmonic", amplitude = "5 N m", frequency = 2}
[analysis]
integrator = "rk4"
step = 1e-3
treatment = {type = "baumgarte", alpha = 10, beta = "= 2*5"}
assembly = {hold = ["slider.x", "wheel.omega"], tolerance = 1e-10, iterations = 20}
)toml";

inline constexpr std::string_view gears = R"toml(
[bodies.sun]
inertia = 1
mass = 1
[bodies.planet]
inertia = 0.1
mass = 0.5
position = [0.3, 0]
[bodies.rack]
mass = 3
position = [0, -0.2]
[joints]
J1 = {type = "revolute", bodies = ["ground", "sun"], at = [0, 0]}
J2 = {type = "revolute", bodies = ["ground", "planet"], at = [0.3, 0]}
mesh = {type = "gear", bodies = ["sun", "planet"], i = [0, 0], j = [0, 0], radius_i = "20 cm", radius_j = 0.1}
J3 = {type = "rack", bodies = ["rack", "sun"], i = {at = [0, 0], axis = [1, 0]}, j = [0, 0], radius = 0.2}
rail = {type = "slot", bodies = ["ground", "rack"], at = [0, -0.2], axis = [1, 0]}
turn = {type = "coordinate", body = "rack", coordinate = "angle"}
[drivers]
drive.type = "angle"
drive.bodies = ["ground", "sun"]
drive.value = {type = "polynomial", coefficients = ["10 deg", "60 rpm"]}
[output]
times = [0, 0.1, "200 ms"]
)toml";

inline constexpr std::string_view links = R"toml(
name = 'links'   # literal strings, multi-line arrays, dotted keys
bodies.a = {mass = 1, inertia = 1, position = [1, 1], velocity = ["10 cm/s", 0]}
bodies.b-2 = {mass = 1, inertia = 1, position = [3, 1]}
joints.weld = {type = "fixed", bodies = ["a", "b-2"]}
joints.link = {type = "distance", bodies = ["ground", "a"], j = [
  0.5,   # of the way
  0.0,
], length = "= sqrt(2) + 0.1"}
[drivers.push]
type = "slide"
bodies = ["ground", "a"]
at = [0, 1]
axis = [0, -1]
value = {type = "spline", ends = "clamped", start_slope = "1 m/s", data = [[0, 0], [1, 1], [2, 0.5]]}
[drivers.guide]
type = "coordinate"
body = "b-2"
coordinate = "y"
value = {type = "expression", text = "1 + sin(2*pi*t)"}
)toml";

inline constexpr std::string_view spatial = R"toml(
gravity = [0, 0, -9.81]
[bodies]
crank = {mass = 1, inertia = [0.02, 0.1, 0.1], position = [0.5, 0, 0], omega = [0, 0, "60 rpm"]}
[bodies.rod]
mass = 2
inertia = [[0.5, 0.01, 0], [0.01, 0.6, 0], [0, 0, 0.7]]
inertia_frame = {at = [0.1, 0, 0], x = [1, 0, 0], z = [0, 0.1, 1]}
position = [1, 0, 1]
orientation = {sequence = "zxz", angles = ["10 deg", 0.2, 0], axes = "fixed"}
[bodies.block]
mass = 1
position = [1, 0, 2]
orientation = {axis = [0, 0, 1], angle = "30 deg"}
velocity = [0, 0, 0.1]
omega_global = [0, 0, 0]
[joints]
A = {type = "revolute", bodies = ["ground", "crank"], at = [0, 0, 0], axis = [0, 0, 1]}
B = {type = "spherical", bodies = ["crank", "rod"], i = [0.5, 0, 0], j = {at = [0, 0, -1]}}
C = {type = "universal", bodies = ["rod", "block"], at = [1, 0, 2], axis = [1, 0, 0], across = [0, 1, 0]}
D = {type = "translational", bodies = ["ground", "block"], at = [1, 0, 2], to = [1, 0, 3], across = [1, 0, 0]}
[drivers]
motor = {type = "angle", joint = "A", value = "= 2*pi*t"}
[forces]
push = {type = "force", body = "block", force = [0, 0, "= -3*block.vz + tip.z"]}
spring = {type = "torsion_spring", joint = "A", stiffness = 3}
[points]
tip = {body = "rod", at = [0, 0, 1]}
[analysis]
hold = ["crank.orientation", "block.z"]
)toml";

inline constexpr std::string_view all[] = {pendulum, four_bar, forces, gears, links, spatial};
}  // namespace mubody::testing_models
