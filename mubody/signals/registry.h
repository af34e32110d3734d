#pragma once
// All kinds of blocks; the list is generated from the headers of this folder.
#include <span>

#include "mubody/signals/block.h"

namespace mubody {
struct BlockEntry {
  Info info;
  std::unique_ptr<AnyBlock> (*make)();

  template <class T> static BlockEntry of() {
    return {T::info, [] { return std::unique_ptr<AnyBlock>(std::make_unique<BlockOf<T>>()); }};
  }
};
std::span<const BlockEntry> block_kinds();
}  // namespace mubody
