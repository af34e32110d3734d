#include "mubody/system/registry.h"

namespace mubody {
namespace {
template <class Entry> const Entry* find(Kinds<Entry> all, std::string_view name) {
  for (const Entry& e : all)
    if (e.info.name == name) return &e;
  return nullptr;
}
}  // namespace

const JointEntry* find_joint(std::string_view name) { return find(joint_kinds(), name); }
const ForceEntry* find_force(std::string_view name) { return find(force_kinds(), name); }
}  // namespace mubody
