#include "mubody/mechanism/topology.h"

#include <algorithm>

#include <fmt/format.h>

#include "mubody/math/suggest.h"

namespace mubody {
namespace {
std::size_t find_chord(const Mechanism& m, const std::string& name) {
  std::vector<std::string> known;
  for (std::size_t k = 0; k < m.joints.size(); ++k) {
    if (m.joints[k].name == name) {
      if (is_link(m, k)) return k;
      throw ModelError(
          m.joints[k].place,
          fmt::format("'{}' cannot be a chord: {}, so it is no part of the graph", name,
                      m.joints[k].driver ? "it is a driver" : "it sets conditions on velocities alone"));
    }
    if (is_link(m, k)) known.push_back(m.joints[k].name);
  }
  const std::string near = suggestion(name, known);
  throw ModelError(fmt::format("chord '{}': there is no joint of that name{}", name,
                               near.empty() ? fmt::format("; there are {}", fmt::join(known, ", ")) : near));
}
}  // namespace

bool is_link(const Mechanism& m, std::size_t joint) {
  const auto& named = m.joints[joint];
  return !named.driver && named.what->forbids(m.dim) > named.what->rolls(m.dim) &&
         named.what->i().body != named.what->j().body;
}

Graph graph_of(const Mechanism& m, const std::vector<std::string>& chords) {
  std::vector<Link> links(m.joints.size());
  for (std::size_t k = 0; k < m.joints.size(); ++k) {
    const AnyJoint& joint = *m.joints[k].what;
    if (is_link(m, k)) links[k] = {joint.i().body, joint.j().body, joint.forbids(m.dim)};
  }
  for (const std::string& name : chords) links[find_chord(m, name)].chord = true;
  Graph graph(int(m.bodies.size()), std::move(links));
  if (!graph.cut_off().empty()) {
    const bool one = chords.size() == 1;
    throw ModelError(
        m.joints[find_chord(m, chords.front())].place,
        fmt::format("'{}' cannot {}: without {} no joint leads from the tree to body '{}'; a chord must be "
                    "part of a loop, and each loop has one",
                    fmt::join(chords, "', '"), one ? "be a chord" : "all be chords", one ? "it" : "them",
                    m.body_name(graph.cut_off().front())));
  }
  return graph;
}
}  // namespace mubody
