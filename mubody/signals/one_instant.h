#pragma once
namespace mubody {
/// Times that differ by less are one instant: a share of the time between instants, or of a delay.
constexpr double one_instant = 1e-9;
}  // namespace mubody
