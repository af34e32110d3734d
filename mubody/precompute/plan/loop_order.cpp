#include "mubody/precompute/plan/loop_order.h"

#include <algorithm>

#include "mubody/solvers/joint_variables.h"

namespace mubody {
std::vector<NamedBlock> loop_order(System& s, double t, const In& q,
                                   const std::vector<std::string>& independent) {
  JointVariables joints(s, t, q);
  const auto& variables = joints.variables();
  const int columns = s.layout.velocities;
  std::vector<int> chosen, joint_of;
  for (const std::string& name : independent) {
    const auto v = std::ranges::find(variables, name, &JointVariables::Variable::name);
    if (v == variables.end()) return {};
    chosen.push_back(int(v - variables.begin()));
  }
  for (const auto& v : variables) joint_of.push_back(v.joint);

  // The rows of the loops are followed by those of joints that are not links.
  std::vector<int> loop_of_row;
  std::vector<std::string> names;
  for (const Graph::Loop& loop : joints.graph().loops()) {
    std::string name;
    for (const Graph::Member& m : loop)
      if (m.link >= 0) name += (name.empty() ? "" : "-") + s.joints[std::size_t(m.link)].name;
    loop_of_row.insert(loop_of_row.end(), std::size_t(columns), int(names.size()));
    names.push_back(name);
  }
  for (std::size_t k = 0; k < s.joints.size(); ++k) {
    const JointRows& j = s.joints[k];
    const bool has_variables = std::ranges::find(joint_of, int(k)) != joint_of.end();
    if (j.driver || has_variables || j.count >= columns || j.bodies[0] == j.bodies[1]) continue;
    loop_of_row.insert(loop_of_row.end(), std::size_t(j.count), int(names.size()));
    names.push_back(j.name);
  }
  const MatX J = joints.jacobian(t, q);
  if (J.rows() != Eigen::Index(loop_of_row.size())) return {};

  std::vector<NamedBlock> all;
  const auto named = [&](const std::vector<int>& list) {
    std::vector<std::string> words;
    for (const int k : list) words.push_back(variables[std::size_t(k)].name);
    return words;
  };
  for (const LoopBlock& b : decouple(J, loop_of_row, joint_of, chosen)) {
    NamedBlock n{named(b.variables), named(b.from), named(b.arguments), {}};
    for (const int k : b.loops) n.loops.push_back(names[std::size_t(k)]);
    all.push_back(std::move(n));
  }
  return all;
}
}  // namespace mubody
