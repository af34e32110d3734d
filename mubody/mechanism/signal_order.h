#pragma once
// The order in which signals are computed.
#include <vector>

#include "mubody/mechanism/mechanism.h"

namespace mubody {
/// The numbers of all that is noted, each after those that it reads at the same instant.  Throws ModelError if signals depend
/// on themselves; a cycle is possible where the output of a block in it is a state.
std::vector<int> signal_order(const Mechanism&);

/// Which of all that is noted forces depend on at any time, or a block that is not sampled; others matter at instants alone, or to nobody.
std::vector<bool> read_between_instants(const Mechanism&);

/// Throws ModelError if a signal remembers: then only a motion that is integrated over time can follow it.
void refuse_signals_that_remember(const Mechanism&);
}  // namespace mubody
