#pragma once
// The graph of a model: which of its joints are links, and which of them the user wants as chords.
//                                                                              docs/theory/topology.md
#include <string>
#include <vector>

#include "mubody/mechanism/graph.h"
#include "mubody/mechanism/mechanism.h"

namespace mubody {
/// Link k is joint k of the mechanism.  Drivers and joints that restrict velocities alone bind no positions:
/// their links lead from the ground to itself, and the graph leaves them out.  Throws ModelError if a name in `chords` is
/// no such joint, or if the tree would fall apart without them.
Graph graph_of(const Mechanism&, const std::vector<std::string>& chords = {});

/// Why a joint of that name cannot be a chord; empty if it can, as far as it alone is concerned.
std::string why_no_chord(const Mechanism&, const std::string& name);

/// Whether joint k is part of the graph.
bool is_link(const Mechanism&, std::size_t joint);
}  // namespace mubody
