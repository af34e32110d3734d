#pragma once
// Equations of motion written by hand, evaluated so many times, each time at another state.

namespace mubody::bench {
/// Added to an argument again and again, so that no two evaluations are the same.
inline constexpr double nudge = 1e-12;

void evaluate_four_bar(long times);
void evaluate_slider_crank(long times);
void evaluate_spatial_slider_crank(long times);
void evaluate_andrews(long times);
}  // namespace mubody::bench
