#pragma once
// The equations of a system as generated code that the C compiler of the machine has compiled.
//
//   docs/user/compiled.md, docs/theory/generated-code.md
//
// Numbers of the mechanism are handed to the code, all but those that make terms vanish: mechanisms that differ in lengths,
// masses or stiffnesses share it, and it is compiled once.
#include "mubody/study/shortcut.h"

namespace mubody::io {
/// Throws NotCompiled if there is no compiler, ModelError if something cannot be part of generated code.
std::unique_ptr<Shortcut> compiled_equations(const ShortcutRequest&);
/// In its place for models of strangers.  Throws NotCompiled, always.
std::unique_ptr<Shortcut> compiled_for_no_stranger(const ShortcutRequest&);
}  // namespace mubody::io
