#pragma once
// A precomputed model whose loops are joints, as C99: the equations of the tree as straight-line code, which take what
// bodies of loops do from tables.                                            docs/user/realtime.md#c
#include "mubody/code/emit_model.h"
#include "mubody/precompute/c/emit_c.h"

namespace mubody {
/// The study is that of the model's text.  Throws ModelError if something in it has no form in C, or the tables are too large
/// for a source file.
EmittedModel emit_loops(const RealTimeModel&, const Study&, const EmitOptions&);
/// C of mb_follow(x), which writes what the tables say into the numbers x of the recording, and of what it needs.
/// Numbers of tables go apart, as CData has them.
std::string follow_in_c(const RealTimeModel&, const Mechanism&, const std::vector<FollowingPart>&,
                        const RecordedModel&, std::vector<double>& apart);
}  // namespace mubody
