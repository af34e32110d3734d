#include "mubody/recorded/tree_equations.h"

#include "mubody/formulations/tree_walk.h"
#include "mubody/mechanism/topology.h"

namespace mubody {
namespace {
Graph graph_for(const Mechanism& m, const std::vector<FollowingPart>& parts) {
  return following_graph(m, joint_graph(m, graph_of(m)), parts);
}
}  // namespace

template <int D>
StartingTree<D>::StartingTree(const Mechanism& m, const std::vector<FollowingPart>& parts, const VecX& body_q,
                              const VecX& body_u)
    : tree(m, graph_for(m, parts), parts), closes(tree.closed(m.joints.size())), q(VecX::Zero(tree.nq)),
      u(VecX::Zero(tree.nu)) {
  std::vector<typename F::BodyState> bodies(m.bodies.size() + 1);
  for (std::size_t b = 0; b < m.bodies.size(); ++b)
    F::unpack(body_q.data() + F::coordinates * b, body_u.data() + F::columns * b, bodies[b + 1]);
  for (const auto& part : tree.parts()) part.of.map->read(body_q, body_u, q.data() + part.q, u.data() + part.u);
  tree.read(bodies.data(), q.data(), u.data());
  tree.take_signs(q.data(), bodies.data());
  TreeMotion<D> at = tree.make_motion();
  tree.move_bodies(q.data(), u.data(), bodies.data(), at);
  followed = at.followed;
  for (const auto& part : tree.parts()) {
    const auto n = std::ptrdiff_t(part.of.variables.size());
    followed.insert(followed.end(), q.data() + part.q, q.data() + part.q + n);
    followed.insert(followed.end(), u.data() + part.u, u.data() + part.u + n);
  }
}

template <int D>
void RecordedTree<D>::move_bodies(const Numbers& q, const Numbers& u, Numbers followed,
                                  std::vector<State>& bodies, Numbers& body_u) {
  at_.followed = std::move(followed);
  tree_walk::move_bodies<D, Recorded>(tree_, q.data(), u.data(), bodies.data(), at_);
  body_u.resize(F::columns * (bodies.size() - 1));
  for (std::size_t b = 1; b < bodies.size(); ++b)
    write<D, Recorded>(bodies[b], twist_of<D, Recorded>(bodies[b]), body_u.data() + F::columns * (b - 1));
}

// The forces of a tree are those on its bodies, less what their accelerations without q̈ need.
template <int D>
void RecordedTree<D>::load(Computation& graph, const std::vector<RigidBody>& masses,
                           const std::vector<State>& bodies, const Numbers& Q) {
  std::vector<Wrench<D, Recorded>> f(bodies.size());
  for (std::size_t b = 1; b < bodies.size(); ++b) {
    const Inertia<D, Recorded> I = inertia_of<D, Recorded>(masses[b - 1], bodies[b]);
    inertia_.bodies()[b] = I;
    f[b] = F::wrench(bodies[b], Q.data() + F::columns * (b - 1));
    add(f[b], -1, I * at_.bias[b]);
  }
  Q_.assign(std::size_t(tree_.nu), 0);
  inertia_.project(at_, f, Q_.data());
  std::vector<RecordedVector> J(std::size_t(tree_.nu));
  for (int k = 0; k < tree_.nu; ++k) J[std::size_t(k)][k] = {graph, graph.constant(0)};
  inertia_.composite(at_, [&](int k, int l, const Recorded& value) {
    if (is_zero(value)) return;
    add_to(J[std::size_t(k)], l, value);
    if (k != l) add_to(J[std::size_t(l)], k, value);
  });
  for (int k = 0; k < tree_.nu; ++k) diagonal_.push_back(J[std::size_t(k)].at(k));
  mass_.emplace(graph, std::move(J));
}

template <int D> typename RecordedTree<D>::Numbers RecordedTree<D>::multiples() const {
  Numbers all;
  for (std::size_t k = 0; k < diagonal_.size(); ++k) all.push_back(diagonal_[k] * mass_->inverse_pivot(k));
  return all;
}

template <int D> Recorded RecordedTree<D>::independence(Computation& graph, double share) const {
  Recorded most = {graph, graph.constant(1)}, sum = most;
  for (std::size_t r = 0; r < compliances_.size(); ++r) {
    const Recorded multiple = abs(compliances_[r] * compliance_->inverse_pivot(r));
    most = r == 0 ? multiple : larger_of(most, multiple);
    sum = r == 0 ? multiple : sum + multiple;
  }
  return Recorded{graph, graph.constant(1 / share)} - choose(sum >= most, most, sum);
}

template <int D> void RecordedTree<D>::add_row(const std::vector<State>& bodies, const RecordedRow<D>& row) {
  std::vector<Wrench<D, Recorded>> f(bodies.size());
  Recorded gamma = row.gamma;
  row.columns.each([&](int first, const auto& columns) {
    const auto b = std::size_t(first / F::columns) + 1;
    f[b] = F::wrench(bodies[b], columns.data());
    gamma -= dot(at_.bias[b], f[b]);
  });
  Numbers all(std::size_t(tree_.nu));
  inertia_.project(at_, f, all.data());
  RecordedVector& own = rows_.emplace_back();
  for (int k = 0; k < tree_.nu; ++k)
    if (!is_zero(all[std::size_t(k)])) own[k] = all[std::size_t(k)];
  gamma_.push_back(gamma);
}

template <int D>
void RecordedTree<D>::solve(Computation& graph, const std::vector<State>& bodies, Numbers& a, Numbers& lambda,
                            Numbers& of_bodies) {
  a = mass_->solve(Q_);
  std::vector<RecordedVector> S(rows_.size());
  Numbers b = gamma_;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    Numbers row(std::size_t(tree_.nu), Recorded(0));
    b[r] = -gamma_[r];
    for (const auto& [c, x] : rows_[r]) row[std::size_t(c)] = x, b[r] += x * a[std::size_t(c)];
    per_row_.push_back(mass_->solve(std::move(row)));
    for (std::size_t o = 0; o <= r; ++o) {
      Recorded sum = 0;
      for (const auto& [c, x] : rows_[o]) sum += x * per_row_[r][std::size_t(c)];
      if (!is_zero(sum)) S[r][int(o)] = S[o][int(r)] = sum;
    }
  }
  for (std::size_t r = 0; r < rows_.size(); ++r) compliances_.push_back(S[r][int(r)]);
  compliance_.emplace(graph, std::move(S));
  lambda = compliance_->solve(std::move(b));
  for (std::size_t r = 0; r < rows_.size(); ++r)
    for (std::size_t k = 0; k < a.size(); ++k) a[k] -= per_row_[r][k] * lambda[r];
  std::vector<Twist<D, Recorded>> twists(bodies.size());
  inertia_.accelerations(at_, a.data(), true, twists);
  of_bodies.resize(F::columns * (bodies.size() - 1));
  for (std::size_t k = 1; k < bodies.size(); ++k)
    write<D, Recorded>(bodies[k], twists[k], of_bodies.data() + F::columns * (k - 1));
}

template <int D> typename RecordedTree<D>::Numbers RecordedTree<D>::displacement(const Numbers& b) const {
  const Numbers lambda = compliance_->solve(b);
  Numbers d(std::size_t(tree_.nu), Recorded(0));
  for (std::size_t r = 0; r < rows_.size(); ++r)
    for (std::size_t k = 0; k < d.size(); ++k) d[k] += per_row_[r][k] * lambda[r];
  return d;
}

template struct StartingTree<2>;
template struct StartingTree<3>;
template class RecordedTree<2>;
template class RecordedTree<3>;
}  // namespace mubody
