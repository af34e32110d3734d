#pragma once
// All kinds of functions of time; the list is generated from the headers of this folder.
#include <span>

#include "mubody/functions/function.h"

namespace mubody {
struct FunctionEntry {
  Info info;
  std::unique_ptr<FunctionKind> (*make)();

  template <class Kind> static FunctionEntry of() {
    return {Kind::info, [] { return std::unique_ptr<FunctionKind>(std::make_unique<Function::Of<Kind>>()); }};
  }
};
std::span<const FunctionEntry> function_kinds();
}  // namespace mubody
