#pragma once
// Loops as joints: tables of the geometry of every part with loops, and the rest as it is.   docs/theory/loops-as-joints.md
#include <optional>

#include "mubody/precompute/precompute.h"

namespace mubody {
class KnownTables;

/// Whether a mechanism is better served by tables of its loops than by those of the whole: it has more freedoms than these
/// can have arguments, loops on a body that moves, or bodies that move by themselves beside its loops; and no variable is asked for that is none of a loop.
bool wants_loops(const Study&, const PrecomputeOptions&);
/// Throws ModelError if a variable is asked for that is none of a loop, and without it tables would be those of loops: what
/// tables of the whole cannot hold then need not be told.
void refuse_names_of_no_loop(const Study&, const PrecomputeOptions&);
/// Whether tables of its loops could take the place of those of the whole.
bool could_be_loops(const Study&, const PrecomputeOptions&);
Precomputed precompute_loops(const Study&, const PrecomputeOptions&, const Progress&, const MemoryNotice&);

/// Tables of one study, of the whole or of its geometry alone.  Throws ModelError.
/// `known`: tables of other loops, where it is for geometry alone.
Precomputed tabulate(const Study&, const PrecomputeOptions&, KnownTables* known, const Progress&,
                     const MemoryNotice&);
/// The same if they can be made in about so many seconds, otherwise nothing.  With `near`, which is for geometry alone, only what
/// is near a motion is tabulated.
std::optional<Precomputed> tabulate_quickly(const Study&, const PrecomputeOptions&, KnownTables* known,
                                            const Progress&, const MemoryNotice&, double seconds = 20,
                                            const Neighbourhood* near = nullptr);
}  // namespace mubody
