#pragma once
// What counts as one instant of sampled signals and delays.                   docs/theory/signals.md
namespace mubody {
/// Times that differ by less are one instant: a share of the time between instants, or of a delay.  Emitted code has
/// the same number in mubody/code/c/interface.c.
constexpr double one_instant = 1e-9;
}  // namespace mubody
