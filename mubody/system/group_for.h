#pragma once
// Elements of one kind are evaluated together, in groups.
#include <map>
#include <memory>
#include <vector>

namespace mubody {
/// The group of the elements of a kind that have a key in common; it is made if there is none yet.
template <class F, class Key, class Group, class Entry>
Group& group_for(std::map<Key, Group*>& known, std::vector<std::unique_ptr<Group>>& all, const Key& key,
                 const Entry& kind) {
  Group*& g = known[key];
  if (!g) {
    all.push_back(kind.template group<F>()());
    g = all.back().get();
  }
  return *g;
}
}  // namespace mubody
