#pragma once
// Numbers that several tests share, with their sources.
#include <numbers>

namespace mubody::testing {
using std::numbers::pi;

namespace reference {
/// Gravity [m/s²] as rounded in Flores & Lankarani (2012) and Marques, Souto & Flores (2017).
inline constexpr double g = 9.81;

/// Steel: Young's modulus [Pa] and Poisson's ratio of Flores (2010), clearance joints.
inline constexpr double young = 207e9, poisson = 0.3;
}  // namespace reference
using reference::g;
}  // namespace mubody::testing
