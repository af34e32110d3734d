#include "mubody/reading/marker_section.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "mubody/reading/markers.h"

namespace mubody::io {
namespace {
/// The markers in an order in which each comes after the one that it stands on.
class MarkerOrder {
 public:
  explicit MarkerOrder(const std::vector<Element>& elements) {
    for (const Element& e : elements)
      if (e.kind == Element::marker) markers_.emplace(e.key->name, &e);
  }

  /// The chain that ends with this marker, without those that have been given out; the lowest one comes first.
  std::vector<const Element*> upto(const Element& e) {
    std::vector<const Element*> chain;
    for (const Element* next = &e; next && given_.insert(next).second; next = below(*next))
      chain.push_back(next);
    std::ranges::reverse(chain);
    return chain;
  }

  /// Refuses a marker that stands on itself, directly or by way of others.
  void refuse_circle(const Element& e) const {
    std::string way = in_quotes(e.key->name);
    std::set<const Element*> seen;
    for (const Element* next = below(e); next && seen.insert(next).second; next = below(*next)) {
      way += " on " + in_quotes(next->key->name);
      if (next == &e)
        (e.scope() / "marker")
            .fail(*e.node->find("marker"),
                  fmt::format("markers stand on each other in a circle, {}; give one of them a 'body'", way));
    }
  }

 private:
  const Element* below(const Element& e) const {
    const Node* const name = e.node->find("marker");
    if (!name || !name->is(Node::Kind::string)) return nullptr;
    const auto found = markers_.find(name->text);
    return found == markers_.end() ? nullptr : found->second;
  }

  std::map<std::string_view, const Element*> markers_;
  std::set<const Element*> given_;
};

void read_marker(const Element& e, Known& known) {
  const Scope scope = e.scope();
  if (known.places.contains(e.key->name))
    Scope("").fail(e.key->mark, fmt::format("duplicate name '{}': also a place", e.key->name));
  std::vector<std::string_view> keys{"body", "marker", "at"};
  if (known.dim == 2) {
    refuse_key(*e.node, scope, "orientation", known, "give 'angle'");
    keys.insert(keys.end(), {"angle", "axis", "to"});
  } else {
    for (const std::string_view key : {"angle", "axis"})
      refuse_key(*e.node, scope, key, known, "give orientation = {axis = [0, 0, 1], angle = ...}");
    keys.emplace_back("orientation");
  }
  expect_keys(*e.node, scope, keys);
  known.markers[e.key->name] = read_frame(*e.node, scope, read_outer_frame(e, known), known);
}
}  // namespace

NamedMarker read_outer_frame(const Element& e, const Known& known) {
  const Node *const body = e.node->find("body"), *const marker = e.node->find("marker");
  if (body && marker) (e.scope() / "marker").fail(*marker, "takes the place of 'body': give one of them");
  if (marker) return named_marker(*marker, e.scope() / "marker", known);
  if (!body) e.scope().fail(e.key->mark, "missing 'body': the name of a body, or 'marker', that of a marker");
  return {known.origin(read_body(*body, e.scope() / "body", known))};
}

void read_marker_section(const std::vector<Element>& elements, Known& known, Faults& faults) {
  MarkerOrder order(elements);
  for (const Element& e : elements) {
    if (e.kind != Element::marker) continue;
    for (const Element* const one : order.upto(e))
      faults.attempt(one->key->name, *one->node, [&] {
        const Node* const below = one->node->find("marker");
        if (below && !known.markers.contains(below->text)) order.refuse_circle(*one);
        read_marker(*one, known);
      });
  }
}
}  // namespace mubody::io
