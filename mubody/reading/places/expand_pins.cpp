// Joints at places, written as joints of two bodies each.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "mubody/math/suggest.h"
#include "mubody/reading/places/places.h"
#include "mubody/system/registry.h"

namespace mubody::io {
namespace {
Node string_node(const std::string& text, const Mark& mark) {
  Node node;
  node.kind = Node::Kind::string;
  node.text = text;
  node.mark = mark;
  return node;
}

/// Sets a value of a table.
void set_key(Node& table, const std::string& key, Node value) {
  if (Node* const there = table.find(key)) {
    *there = std::move(value);
    return;
  }
  table.keys.push_back({key, value.mark});
  table.items.push_back(std::move(value));
}

class PinExpander {
 public:
  PinExpander(const Node& places, Node& root) : places_(places), root_(root) {}

  void expand() {
    collect_bodies();
    Node* const joints = root_.find("joints");
    if (!joints || !joints->is(Node::Kind::table)) return;
    Node all = *joints;
    all.keys.clear(), all.items.clear();
    for (std::size_t k = 0; k < joints->items.size(); ++k) add(joints->keys[k], joints->items[k], all);
    *joints = std::move(all);
  }

 private:
  bool is_place(const Node& node) const { return node.is(Node::Kind::string) && places_.find(node.text); }

  /// Which bodies go through which places, the ground first.
  void collect_bodies() {
    Node* const bodies = root_.find("bodies");
    if (!bodies || !bodies->is(Node::Kind::table)) return;
    const Node* const ground = bodies->find("ground");
    if (ground && ground->is(Node::Kind::table) && ground->items.size() == 1 && ground->find("through")) {
      add_body("ground", *ground->find("through"), true);
      const auto at = ground - bodies->items.data();
      bodies->items.erase(bodies->items.begin() + at);
      bodies->keys.erase(bodies->keys.begin() + at);
    }
    for (std::size_t k = 0; k < bodies->items.size(); ++k)
      if (const Node* const through = bodies->items[k].find("through"))
        add_body(bodies->keys[k].name, *through, false);
  }
  void add_body(const std::string& name, const Node& through, bool check) {
    const Scope scope = Scope("body " + in_quotes(name)) / "through";
    if (check && !through.is(Node::Kind::array)) scope.expected("the names of places in an array", through);
    for (const Node& place : through.items) {
      if (check && !is_place(place)) fail_unknown(place, scope);
      if (!place.is(Node::Kind::string)) continue;
      std::vector<std::string>& there = through_[place.text];
      if (there.empty() || there.back() != name) there.push_back(name);
    }
  }
  [[noreturn]] void fail_unknown(const Node& place, const Scope& scope) const {
    if (!place.is(Node::Kind::string)) scope.expected("the name of a place", place);
    std::vector<std::string> names;
    for (const Node::Key& key : places_.keys) names.push_back(key.name);
    scope.fail(place, fmt::format("no place named {}{}", in_quotes(place.text), suggestion(place.text, names)));
  }

  void add(const Node::Key& key, const Node& joint, Node& all) const {
    const auto keep = [&] { all.keys.push_back(key), all.items.push_back(joint); };
    const Node* const type = joint.is(Node::Kind::table) ? joint.find("type") : nullptr;
    const JointEntry* const entry = type && type->is(Node::Kind::string) ? find_joint(type->text) : nullptr;
    if (!entry || entry->use != Use::joint) return keep();
    const Node *const at = joint.find("at"), *const bodies = joint.find("bodies");
    const Scope scope("joint " + in_quotes(key.name));
    if (at && at->is(Node::Kind::array) &&
        std::ranges::any_of(at->items, [&](const Node& n) { return is_place(n); })) {
      if (bodies)
        (scope / "bodies")
            .fail(*bodies, "goes with one place; at several the joint takes the bodies that go through each");
      for (const Node& place : at->items) {
        if (!is_place(place)) fail_unknown(place, scope / "at");
        pin({place.text, place.mark}, place, joint, scope / "at", all);
      }
    } else if (at && is_place(*at)) {
      pin(key, *at, joint, scope, all);
    } else if (!at && !joint.find("i") && !joint.find("j") && places_.find(key.name)) {
      pin(key, string_node(key.name, key.mark), joint, scope, all);
    } else {
      keep();
    }
  }

  /// Adds a joint at one place: of its bodies the first with each of the others.
  void pin(const Node::Key& key, const Node& place, const Node& joint, const Scope& scope, Node& all) const {
    Node one = joint;
    set_key(one, "at", place);
    if (!joint.find("bodies")) set_key(one, "bodies", bodies_at(place, scope));
    const Node bodies = *one.find("bodies");
    const bool named = bodies.is(Node::Kind::array) && std::ranges::all_of(bodies.items, [](const Node& n) {
                         return n.is(Node::Kind::string);
                       });
    if (!named || bodies.items.size() < 3) {
      all.keys.push_back(key), all.items.push_back(std::move(one));
      return;
    }
    for (std::size_t k = 1; k < bodies.items.size(); ++k) {
      Node pair = bodies;
      pair.items = {bodies.items[0], bodies.items[k]};
      set_key(one, "bodies", pair);
      all.keys.push_back({key.name + "_" + bodies.items[k].text, key.mark});
      all.items.push_back(one);
    }
  }
  Node bodies_at(const Node& place, const Scope& scope) const {
    const auto found = through_.find(place.text);
    const std::size_t count = found == through_.end() ? 0 : found->second.size();
    if (count < 2)
      scope.fail(place,
                 fmt::format("{} through {}: a joint needs two; give 'bodies', or name the place in the "
                             "'through' of another body, or of the ground",
                             count == 0 ? "no body goes" : fmt::format("only body '{}' goes", found->second[0]),
                             in_quotes(place.text)));
    Node bodies;
    bodies.kind = Node::Kind::array;
    bodies.mark = place.mark;
    for (const std::string& name : found->second) bodies.items.push_back(string_node(name, place.mark));
    return bodies;
  }

  const Node& places_;
  Node& root_;
  std::map<std::string, std::vector<std::string>> through_;
};
}  // namespace

void expand_pins(Node& root) {
  const Node* const places = root.find("places");
  if (!places || !places->is(Node::Kind::table)) return;
  const Node table = *places;  // the tree may move while it is changed
  PinExpander(table, root).expand();
}
}  // namespace mubody::io
