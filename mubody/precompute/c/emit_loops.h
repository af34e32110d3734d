#pragma once
// A precomputed model whose loops are joints, as C99: the equations of the tree as straight-line code, which take what
// bodies of loops do from tables.                                            docs/user/realtime.md#c
#include "mubody/code/emit_model.h"
#include "mubody/precompute/c/emit_c.h"

namespace mubody {
/// The study is that of the model's text.  Throws ModelError if something in it has no form in C, or the tables are too large
/// for a source file.
EmittedModel emit_loops(const RealTimeModel&, const Study&, const EmitOptions&);
}  // namespace mubody
