#pragma once
// The tables that analyses may leave in a folder of results, those that all have first.

namespace mubody::io {
inline constexpr const char* table_names[] = {"bodies",     "joints",      "points",     "forces",  "energy",
                                              "violations", "channels",    "drives",     "efforts", "stability",
                                              "modes",      "mode_motion", "states",     "A",       "B",
                                              "C",          "D",           "sensitivity"};
}  // namespace mubody::io
