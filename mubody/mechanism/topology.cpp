#include "mubody/mechanism/topology.h"

#include <algorithm>

#include <fmt/format.h>

#include "mubody/math/suggest.h"

namespace mubody {
namespace {
std::size_t find_chord(const Mechanism& m, const std::string& name) {
  const std::string why = why_no_chord(m, name);
  if (!why.empty()) throw ModelError("chords: " + why);
  return std::size_t(std::ranges::find(m.joints, name, &Named<AnyJoint>::name) - m.joints.begin());
}
}  // namespace

std::string why_no_chord(const Mechanism& m, const std::string& name) {
  std::vector<std::string> known;
  for (std::size_t k = 0; k < m.joints.size(); ++k) {
    const Named<AnyJoint>& joint = m.joints[k];
    if (is_link(m, k)) known.push_back(joint.name);
    if (joint.name != name) continue;
    if (is_link(m, k)) return "";
    return fmt::format("'{}' cannot be a chord: {}, so it is no part of the graph", name,
                       joint.driver                     ? "it is a driver"
                       : !joint.what->couples().empty() ? "it couples other joints"
                       : joint.what->i().body == joint.what->j().body
                           ? "it connects a body to itself"
                           : "it sets conditions on velocities alone");
  }
  if (known.empty()) return fmt::format("no joint '{}': the model has none that could be a chord", name);
  const std::string near = suggestion(name, known);
  return fmt::format("no joint '{}'{}", name,
                     near.empty() ? fmt::format("; there are {}", fmt::join(known, ", ")) : near);
}

bool is_link(const Mechanism& m, std::size_t joint) {
  const auto& named = m.joints[joint];
  return !named.driver && named.what->couples().empty() &&
         named.what->forbids(m.dim) > named.what->rolls(m.dim) && named.what->i().body != named.what->j().body;
}

Graph graph_of(const Mechanism& m, const std::vector<std::string>& chords) {
  std::vector<Link> links(m.joints.size());
  for (std::size_t k = 0; k < m.joints.size(); ++k) {
    const AnyJoint& joint = *m.joints[k].what;
    if (is_link(m, k)) links[k] = {joint.i().body, joint.j().body, joint.forbids(m.dim)};
  }
  for (const std::string& name : chords) {
    bool& chord = links[find_chord(m, name)].chord;
    if (chord) throw ModelError(fmt::format("chords: '{}' is named twice", name));
    chord = true;
  }
  Graph graph(int(m.bodies.size()), std::move(links));
  if (!graph.cut_off().empty()) {
    const bool one = chords.size() == 1;
    const bool rootless = std::none_of(graph.arcs().begin(), graph.arcs().end(), [](const Graph::Arc& arc) {
      return arc.link >= 0 && arc.parent == ground;
    });
    throw ModelError(
        m.joints[find_chord(m, chords.front())].place,
        fmt::format("'{}' cannot {}: without {} no joint leads from the tree to body '{}'; a chord must be "
                    "part of a loop, and each loop has one{}",
                    fmt::join(chords, "', '"), one ? "be a chord" : "all be chords", one ? "it" : "them",
                    m.body_name(graph.cut_off().front()),
                    rootless ? "; no joint is left at the ground, and the tree has no root" : ""));
  }
  return graph;
}
}  // namespace mubody
