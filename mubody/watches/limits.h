#pragma once
// Limits that several watches share.
#include <cstddef>

namespace mubody::watch {
inline constexpr double negligible = 1e-6;           // pivot of rows of length one that counts as zero
inline constexpr double bend = 0.35;                 // [rad] a turn that no smooth motion makes while it passes
inline constexpr std::size_t most_events = 1000;     // of one kind; later ones are not listed
inline constexpr std::size_t most_listed = 500'000;  // channels; of more there are no lists beside the tables
}  // namespace mubody::watch
