#pragma once
// Changes of parameters, by settings and by files that include others: a parameter keeps its range.
#include "mubody/text/node.h"

namespace mubody::io {
/// What `change` takes the place of: of a parameter {value = ..., min = ..., max = ...} its value, unless the change is a table,
/// too.
inline Node& changed_part(Node& parameter, const Node& change) {
  if (!parameter.is(Node::Kind::table) || change.is(Node::Kind::table)) return parameter;
  if (Node* const value = parameter.find("value")) return *value;
  parameter.keys.push_back({"value", change.mark});
  return parameter.items.emplace_back();
}
}  // namespace mubody::io
