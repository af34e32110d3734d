#include "mubody/code/tangents.h"

#include "mubody/recording/derivative.h"
#include "mubody/recording/routine.h"

namespace mubody {
namespace {
std::vector<int> one_after_the_other(const std::vector<int>& a, const std::vector<int>& b,
                                     const std::vector<int>& c) {
  std::vector<int> all = a;
  all.insert(all.end(), b.begin(), b.end());
  all.insert(all.end(), c.begin(), c.end());
  return all;
}
}  // namespace

Tangents::Tangents(RecordedModel& m) : m_(m) {
  Computation& g = *m.graph;
  const int n = m.nq + m.nu + m.nz;
  first_state = m.arguments();
  first_number = first_state + n;
  first_input = first_number + int(g.parameters().size());
  arguments = first_input + int(m.inputs.size());
  for (int k = 0; k < n; ++k) seeds_.push_back({g.input(m.first_q() + k), g.input(first_state + k)});
  for (std::size_t k = 0; k < m.inputs.size(); ++k)
    seeds_.push_back({m.inputs[k].node, g.input(first_input + int(k))});
  const std::size_t known = g.nodes().size();
  for (std::size_t k = 0; k < known; ++k)
    if (const Node node = g[int(k)]; node.step == Step::parameter)
      seeds_.push_back({int(k), g.input(first_number + node.a)});
  correct();
  if (!m_.phi.empty() && !m_.elimination->refines()) solve();
}

std::vector<int> Tangents::of(const std::vector<int>& all) const { return directional(*m_.graph, all, seeds_); }

std::vector<Recorded> Tangents::numbers(const std::vector<int>& all) const {
  std::vector<Recorded> x;
  for (const int k : all) x.emplace_back(*m_.graph, k);
  return x;
}
std::vector<int> Tangents::nodes(const std::vector<Recorded>& all) const {
  std::vector<int> x;
  for (const Recorded& k : all) x.push_back(k.node_in(*m_.graph));
  return x;
}
void Tangents::solve() {
  Computation& g = *m_.graph;
  std::vector<Recorded> da, dlambda;
  m_.elimination->change(
      {numbers(m_.Q), numbers(m_.gamma), numbers(m_.du), numbers(m_.lambda)},
      [&](const std::vector<Recorded>& terms) { return numbers(of(nodes(terms))); }, da, dlambda);
  // Small mechanisms may need less work if the elimination itself is differentiated.
  const auto work = [&](const std::vector<int>& of) { return operations(g, {"", of}).total(); };
  if (work(of(m_.du)) <= work(nodes(da))) return;
  // What is made of accelerations and multipliers takes their changes from here.
  // So does the negative of one, which the graph may have made of the same terms instead: else zeros would not stay zeros.
  const auto seed = [&](const std::vector<int>& of, const std::vector<Recorded>& rates) {
    for (std::size_t k = 0; k < of.size(); ++k) {
      const Recorded x(g, of[k]);
      for (const auto& [node, rate] : {std::pair(x, rates[k]), std::pair(-x, -rates[k])})
        if (!is_given(g[node.node_in(g)])) seeds_.push_back({node.node_in(g), rate.node_in(g)});
    }
  };
  seed(m_.du, da), seed(m_.lambda, dlambda);
}

// Where gaps are zero, factors that change make no difference.
void Tangents::correct() {
  Computation& g = *m_.graph;
  std::vector<int> q, u;
  for (int k = 0; k < m_.nq; ++k) q.push_back(g.input(first_state + k));
  for (int k = 0; k < m_.nu; ++k) u.push_back(g.input(first_state + m_.nq + k));
  closed_q = q, closed_u = u;
  if (m_.phi.empty()) return;
  const std::vector<Recorded> way = m_.elimination->displacement(numbers(of(m_.phi)));
  const std::vector<Recorded> speed = m_.elimination->displacement(numbers(of(m_.rate)));
  Seeds along;  // q̇ is linear in u
  for (int k = 0; k < m_.nu; ++k) along.push_back({g.input(m_.first_u() + k), way[std::size_t(k)].node_in(g)});
  std::vector<Recorded> closing = numbers(directional(g, m_.dq, along)), dq = numbers(q), du = numbers(u);
  for (std::size_t k = 0; k < dq.size(); ++k) dq[k] -= closing[k];
  for (std::size_t k = 0; k < du.size(); ++k) du[k] -= speed[k];
  closed_q = nodes(dq), closed_u = nodes(du);
}

TangentRoutine::TangentRoutine(const Tangents& t, int lanes, const std::vector<int>& of,
                               const std::vector<int>& rates, const std::vector<int>& more)
    : size_(int(of.size())), lanes_(lanes),
      tape_(*t.model().graph, {"tangents", one_after_the_other(of, rates, more)}), work_(tape_, lanes),
      out_(std::size_t(tape_.outputs() * lanes)) {
  std::vector<double> parameters;
  for (const double p : t.model().graph->parameters())
    parameters.insert(parameters.end(), std::size_t(lanes), p);
  work_.set_parameters(tape_, parameters.data());
}
}  // namespace mubody
