#include "mubody/system/jointed.h"

#include <algorithm>

#include "mubody/mechanism/topology.h"

namespace mubody {
namespace {
constexpr double too_light = 1e-8;  // share of the heaviest
constexpr const char* ball_coordinates[] = {"e0", "e1", "e2", "e3"};
constexpr const char* ball_velocities[] = {"wx", "wy", "wz"};

/// A body of mass 1 with the same inertia about all axes.
template <int D> Inertia<D> ball_of(double inertia) {
  if constexpr (D == 2)
    return Inertia<2>::of(1, inertia);
  else
    return Inertia<3>::of(1, inertia * Eigen::Matrix3d::Identity());
}

/// The wrench that an acceleration needs.
Wrench<3> needed(const RigidBody& body, const Body<3>::BodyState& m, const Twist<3>& a) {
  return {body.mass * a.v, m.A * (body.inertia * (m.A.transpose() * a.w))};
}

void write_position(const Body<2>::BodyState& m, double* q) { q[0] = m.r.x(), q[1] = m.r.y(), q[2] = m.angle; }
void write_position(const Body<3>::BodyState& m, double* q) {
  Eigen::Map<Vec<3>>{q} = m.r;
  Eigen::Map<Vec<4>>{q + 3} = m.p.normalized();
}
}  // namespace

std::unique_ptr<System> build_jointed(const Mechanism& m, const std::vector<std::string>& chords) {
  const Graph graph = joint_graph(m, graph_of(m, chords));
  if (m.dim == 2) return std::make_unique<Jointed<2>>(m, graph);
  return std::make_unique<Jointed<3>>(m, graph);
}

std::unique_ptr<System> build_following(const Mechanism& m, std::vector<FollowingPart> parts) {
  const Graph graph = following_graph(m, joint_graph(m, graph_of(m)), parts);
  if (m.dim == 2) return std::make_unique<Jointed<2>>(m, graph, std::move(parts));
  return std::make_unique<Jointed<3>>(m, graph, std::move(parts));
}

template <int D>
Jointed<D>::Jointed(const Mechanism& mechanism, const Graph& graph, std::vector<FollowingPart> parts)
    : tree_(mechanism, graph, std::move(parts)), at_(tree_.make_motion()), inertia_(tree_),
      masses_(mechanism.bodies), whole_(mechanism, tree_.closed(mechanism.joints.size())) {
  nq = tree_.nq;
  nu = tree_.nu;
  body_names = whole_.body_names;
  layout = whole_.layout;
  channels = whole_.channels;
  has_power = whole_.has_power;
  groups = whole_.groups;
  group_of_body = whole_.group_of_body;
  nz = whole_.nz;
  signal_states = whole_.signal_states;
  take_rest(whole_.rest());
  sites = whole_.contacts().sites;
  mass_is_constant = false;
  rows_ = whole_.make_terms();
  wrenches_.resize(masses_.size() + 1);
  twists_.resize(masses_.size() + 1);
  balances_.resize(tree_.arcs().size());
  within_.resize(tree_.parts().size());
  body_u_ = body_a_ = VecX::Zero(whole_.nu);
  lambda_ = VecX::Zero(whole_.m);
  placed_q_ = VecX::Zero(nq);
  placed_u_ = VecX::Zero(nu);
  for (std::size_t b = 0; b < masses_.size(); ++b)
    inertia_.bodies()[b + 1] = inertia_of<D>(masses_[b], BodyState{});
  name_coordinates(mechanism);
  find_limbs();
  BlockAt blocks;
  for (const auto& b : whole_.structure.D) blocks[{b.row, b.column / C + 1}] = b.offset;
  for (const Arc<D>& arc : tree_.arcs())
    child_blocks_.push_back(
        arc.joint < 0 ? -1 : blocks.at({whole_.joints[std::size_t(arc.joint)].first, arc.child}));
  if (!tree_.parts().empty()) block_of_ = blocks;
  const std::vector<bool> in_tree = tree_.closed(mechanism.joints.size());
  joints = whole_.joints;
  for (std::size_t k = 0; k < joints.size(); ++k) {
    if (in_tree[k])
      joints[k].first = joints[k].count = joints[k].rolls = 0;
    else
      add_chord(int(k), blocks);
  }
  structure.n = nu;
  structure.m = m;
  take_scales(whole_.scales);
  take_grips();
  lengths_.row_sizes.assign(std::size_t(m), 0);
  lengths_.M.assign(std::size_t(solves_mass() ? 0 : mass_numbers_), 0);
  measure_bodies(mechanism);
}

// Finds the masses and sizes of bodies for the sizes of rows; a body without mass counts as heavy, so that it
// makes no row look large.
template <int D> void Jointed<D>::measure_bodies(const Mechanism& mechanism) {
  weights_.assign(masses_.size() + 1, {0, 0, 0});
  double heaviest = 0;
  for (const RigidBody& b : masses_) heaviest = std::max(heaviest, b.mass);
  if (!(heaviest > 0)) heaviest = 1;
  for (const auto& joint : mechanism.joints)
    for (const Marker* marker : {&joint.what->i(), &joint.what->j()}) {
      double& arm = weights_[std::size_t(marker->body)].arm;
      arm = std::max(arm, marker->at.squaredNorm());
    }
  for (std::size_t b = 1; b < weights_.size(); ++b) {
    Weight& w = weights_[b];
    if (!(w.arm > 0)) w.arm = scales.length * scales.length;
    const RigidBody& body = masses_[b - 1];
    const double mass = body.mass, inertia = D == 2 ? body.inertia(2, 2) : body.inertia.trace() / 2;
    w.per_mass = 1 / (mass > too_light * heaviest ? mass : heaviest);
    w.per_inertia = 1 / (inertia > too_light * heaviest * w.arm ? inertia : heaviest * w.arm);
  }
}

template <int D> void Jointed<D>::name_followed() {
  for (const auto& part : tree_.parts())
    for (std::size_t k = 0; k < part.of.variables.size(); ++k) {
      const auto& [name, unit, turn] = part.of.variables[k];
      const Measured measured = turn ? Measured::angle : Measured::length;
      const auto u = std::size_t(part.u) + k;
      coordinates[std::size_t(part.q) + k] = {name, unit, measured};
      velocities[u] = {name + "_rate", unit + "/s", measured};
      displacement_names[u] = name;
      turns[u] = turn;
      body_of_velocity[u] = part.of.bodies.front().body;
    }
}

template <int D> void Jointed<D>::name_coordinates(const Mechanism& mechanism) {
  coordinates.resize(std::size_t(nq));
  velocities.resize(std::size_t(nu));
  displacement_names.resize(std::size_t(nu));
  body_of_velocity.resize(std::size_t(nu));
  turns.resize(std::size_t(nu));
  name_followed();
  const auto velocity = [&](int k, const std::string& name, const std::string& displacement, bool turn,
                            int body) {
    const auto at = std::size_t(k);
    velocities[at] = {name, turn ? "rad/s" : "m/s", turn ? Measured::angle : Measured::length};
    displacement_names[at] = displacement;
    turns[at] = turn;
    body_of_velocity[at] = body;
  };
  for (const Arc<D>& arc : tree_.arcs()) {
    if (arc.is_free()) {
      const std::string body = body_names[std::size_t(arc.child)] + ".";
      for (int k = 0; k < P; ++k)
        coordinates[std::size_t(arc.q + k)] = whole_.coordinates[std::size_t(P * (arc.child - 1) + k)];
      for (int k = 0; k < C; ++k)
        velocity(arc.u + k, body + Body<D>::velocity_names[std::size_t(k)],
                 body + Body<D>::displacement_names[std::size_t(k)], k >= D, arc.child);
      if (Body<D>::spin_first >= 0) angular.push_back(arc.u + Body<D>::spin_first);
      continue;
    }
    if (arc.follows()) continue;
    const std::string joint = mechanism.joints[std::size_t(arc.joint)].name + ".";
    const auto motions = mechanism.joints[std::size_t(arc.joint)].what->allow();
    std::for_each(arc.moves.begin(), arc.moves.begin() + arc.count, [&](const Move& x) {
      if (x.ball) {
        for (int k = 0; k < 4; ++k)
          coordinates[std::size_t(x.q + k)] = {joint + ball_coordinates[k], "1", Measured::orientation};
        for (int k = 0; k < 3; ++k)
          velocity(x.u + k, joint + ball_velocities[k], joint + "orientation", true, arc.child);
        angular.push_back(x.u);
        return;
      }
      const bool turn = is_turn(x.motion);
      const std::string name = joint + std::string(name_among(motions, x.motion));
      coordinates[std::size_t(x.q)] = {name, turn ? "rad" : "m", turn ? Measured::angle : Measured::length};
      velocity(x.u, name + "_rate", name, turn, arc.child);
    });
  }
}

// Bodies that follow share velocities, so that all are in one limb.
template <int D> void Jointed<D>::find_limbs() {
  limb_of_.resize(std::size_t(nu));
  if (!tree_.parts().empty()) limbs_.push_back({0, nu, 0});
  for (const Arc<D>& arc : tree_.arcs()) {
    if (!tree_.parts().empty()) break;
    if (arc.above < 0) limbs_.push_back({arc.u, 0, 0});
    limbs_.back().size += arc.nu;
    std::fill_n(limb_of_.begin() + arc.u, arc.nu, int(limbs_.size()) - 1);
  }
  for (Limb& limb : limbs_) {
    limb.offset = mass_numbers_;
    mass_numbers_ += limb.size * limb.size;
    if (limb.size > 0) structure.M.push_back({limb.first, limb.size, limb.offset});
  }
}

// Each side goes its own way to the body that carries both; from there on they go together, and their sum is
// zero when the joint is closed; when it is open, D is still the exact derivative.
template <int D> void Jointed<D>::add_chord(int joint, const BlockAt& blocks) {
  JointRows& own = joints[std::size_t(joint)];
  Chord chord{joint, m, own.first, own.count, {}, {}};
  for (int r = 0; r < own.count; ++r) measures.push_back(whole_.measures[std::size_t(own.first + r)]);
  own.first = m;
  m += own.count;
  const std::vector<int>& ends = own.bodies;
  chord.adds = own.couples || !tree_.parts().empty();
  std::vector<std::vector<int>> arcs(ends.size());
  for (std::size_t e = 0; e < ends.size(); ++e)
    for (int k = tree_.arc_to(ends[e]); k >= 0; k = tree_.arcs()[std::size_t(k)].above) arcs[e].push_back(k);
  std::vector<int> shared;
  for (; !chord.adds && !arcs[0].empty() && !arcs[1].empty() && arcs[0].back() == arcs[1].back();
       arcs[0].pop_back(), arcs[1].pop_back())
    shared.insert(shared.begin(), arcs[0].back());
  const std::size_t first_block = structure.D.size();
  const auto reach = [&](const std::vector<int>& path) {
    Reach x{path};
    const auto moving =
        std::find_if(path.begin(), path.end(), [&](int k) { return tree_.arcs()[std::size_t(k)].nh > 0; });
    if (moving == path.end()) return x;
    const int velocity = tree_.velocity_of(tree_.arcs()[std::size_t(*moving)].h);
    const Limb& limb = limbs_[std::size_t(limb_of_[std::size_t(velocity)])];
    x.column = limb.first;
    x.width = limb.size;
    const auto there = std::find_if(structure.D.begin() + std::ptrdiff_t(first_block), structure.D.end(),
                                    [&](const auto& b) { return b.column == limb.first; });
    if (there != structure.D.end()) {
      x.to = there->offset;  // both sides in one limb
    } else {
      x.to = numbers_;
      structure.D.push_back({chord.row, chord.rows, x.column, x.width, x.to});
      numbers_ += chord.rows * x.width;
    }
    return x;
  };
  for (std::size_t e = 0; e < ends.size(); ++e)
    if (ends[e] != ground)
      chord.sides.push_back({ends[e], blocks.at({chord.whole_row, ends[e]}), reach(arcs[e])});
  chord.both = reach(shared);
  chords_.push_back(std::move(chord));
}

template <int D> Terms Jointed<D>::make_terms() const {
  Terms t;
  t.phi = t.rate = t.gamma = VecX::Zero(m);
  t.Q = VecX::Zero(nu);
  t.D.assign(std::size_t(numbers_), 0);
  t.z_rate = VecX::Zero(nz);
  t.row_sizes.assign(std::size_t(m), 0);
  if (!solves_mass()) t.M.assign(std::size_t(mass_numbers_), 0);  // a tree alone is solved without it
  return t;
}

template <int D> void Jointed<D>::start(Out q, Out u) const {
  VecX body_q(whole_.nq), body_u(whole_.nu);
  whole_.start(body_q, body_u);
  std::vector<BodyState> states;
  read(body_q, body_u, states, q, u);
}

template <int D>
void Jointed<D>::read(const In& body_q, const In& body_u, std::vector<BodyState>& states, Out q, Out u) const {
  states.resize(masses_.size() + 1);
  for (std::size_t b = 0; b < masses_.size(); ++b)
    Body<D>::unpack(body_q.data() + P * b, body_u.data() + C * b, states[b + 1]);
  for (const auto& part : tree_.parts())
    part.of.map->read(body_q, body_u, q.data() + part.q, u.data() + part.u);
  tree_.read(states.data(), q.data(), u.data());
}

template <int D> std::string Jointed<D>::out_of_range(const In& q) const {
  for (const auto& part : tree_.parts())
    if (std::string why = part.of.map->out_of_range(q.data() + part.q); !why.empty()) return why;
  return {};
}

// What is evaluated of one state, one after the other, needs its bodies placed once.
template <int D> void Jointed<D>::place(const In& q, const In& u) {
  if (placed_ && q == placed_q_ && u == placed_u_) return;
  tree_.move_bodies(q.data(), u.data(), bodies(), at_);
  whole_.forget_powers();
  placed_q_ = q, placed_u_ = u;
  placed_ = true;
}

template <int D> void Jointed<D>::constraints(double t, const In& q, const In& u, Terms& terms) {
  place(q, u);
  if (m == 0) return;
  whole_.constrain_here(t, rows_, false);
  for (const Chord& chord : chords_) {
    terms.phi.segment(chord.row, chord.rows) = rows_.phi.segment(chord.whole_row, chord.rows);
    terms.rate.segment(chord.row, chord.rows) = rows_.rate.segment(chord.whole_row, chord.rows);
    terms.gamma.segment(chord.row, chord.rows) = rows_.gamma.segment(chord.whole_row, chord.rows);
    if (chord.adds) clear(chord, terms);
    for (int r = 0; r < chord.rows; ++r) {
      Wrench<D> rest{Vec<D>::Zero(), Vec<spins<D>>::Zero()};
      double& size = terms.row_sizes[std::size_t(chord.row + r)] = 0;
      for (const auto& side : chord.sides) {
        Wrench<D> row = Body<D>::wrench(bodies()[side.body], rows_.D.data() + side.from + r * C);
        const Weight& w = weights_[std::size_t(side.body)];
        size += w.per_mass * row.force.squaredNorm() + w.per_inertia * row.moment.squaredNorm();
        terms.gamma[chord.row + r] -= dot(at_.bias[std::size_t(side.body)], row);
        enter(side.reach, r, row, chord.adds, terms);
        add(rest, 1, row);
      }
      enter(chord.both, r, rest, chord.adds, terms);
    }
  }
}

// Enters a row along these arcs; it starts at the centre of mass of the first body and ends at the last parent.
template <int D>
void Jointed<D>::enter(const Reach& reach, int r, Wrench<D>& row, bool adds, Terms& terms) const {
  const int to = reach.to + r * reach.width - reach.column;
  for (const int k : reach.arcs) {
    const Arc<D>& arc = tree_.arcs()[std::size_t(k)];
    for (int n = arc.h; n < arc.h + arc.nh; ++n) {
      double& entry = terms.D[std::size_t(to + tree_.velocity_of(n))];
      entry = (adds ? entry : 0) + dot(at_.h[std::size_t(n)], row);
    }
    row.moment += spatial::cross(at_.way[std::size_t(k)], row.force);
  }
}

// The bodies of a coupler may hang on the same arcs in any way, so that their entries are added up.
template <int D> void Jointed<D>::clear(const Chord& chord, Terms& terms) const {
  for (const auto& side : chord.sides)
    std::fill_n(terms.D.begin() + side.reach.to, chord.rows * side.reach.width, 0.0);
}

template <int D> void Jointed<D>::evaluate(double t, const In& q, const In& u, const In& z, Terms& terms) {
  constraints(t, q, u, terms);
  whole_.take_states(z);
  const VecX& Q = whole_.push_here(t);
  if (nz > 0) terms.z_rate = whole_.state_rates();
  for (std::size_t b = 1; b < wrenches_.size(); ++b) {
    wrenches_[b] = Body<D>::wrench(bodies()[b], Q.data() + C * b);
    if constexpr (D == 2)
      add(wrenches_[b], -1, inertia_.bodies()[b] * at_.bias[b]);
    else
      add(wrenches_[b], -1, needed(masses_[b - 1], bodies()[b], at_.bias[b]));
  }
  if (grips.loaded)
    for (std::size_t b = 1; b < wrenches_.size(); ++b) loads_[b] = wrenches_[b].force;
  inertia_.project(at_, wrenches_, terms.Q.data());
  if (grips.any()) measure_grips(t);
}

template <int D> void Jointed<D>::rates(const In& q, const In& u, Out dq) const {
  tree_.rates(q.data(), u.data(), dq.data());
}
template <int D> void Jointed<D>::move(Out q, const In& du) const { tree_.move(q.data(), du.data()); }
template <int D> void Jointed<D>::tidy(Out q) const { tree_.tidy(q.data()); }

template <int D> void Jointed<D>::remember(double t, const In& q, const In& u) {
  if constexpr (D == 2) return;  // angles that are coordinates count turns by themselves
  place(q, u);
  whole_.remember_here(t);
}
template <int D> void Jointed<D>::pass_instant(double t, const In& q, const In& u, const In& z) {
  place(q, u);
  whole_.take_states(z);
  whole_.pass_instant_here(t);
}
template <int D> void Jointed<D>::note_past(double t, const In& q, const In& u, const In& z) {
  if (!std::isfinite(shortest_delay())) return;
  place(q, u);
  whole_.take_states(z);
  whole_.note_past_here(t);
}
template <int D> void Jointed<D>::start_states(double t, const In& q, const In& u, Out z) {
  place(q, u);
  whole_.start_states_here(t, z);
}

template <int D> double Jointed<D>::facing(int joint, const In& q) {
  place(q, VecX::Zero(nu));
  return whole_.face_here(joint);
}

template <int D>
void Jointed<D>::measure_contacts(double t, const In& q, const In& u, std::vector<ContactNow>& all) {
  place(q, u);
  whole_.measure_contacts_here(t, all);
}
template <int D> ContactStiffness Jointed<D>::push(int contact, double t, const In& q, const In& u, Out Q) {
  place(q, u);
  ContactStiffness stiffness;
  const VecX& on_bodies = whole_.push_contact_here(contact, t, stiffness);
  for (std::size_t b = 1; b < wrenches_.size(); ++b)
    wrenches_[b] = Body<D>::wrench(bodies()[b], on_bodies.data() + C * b);
  inertia_.project(at_, wrenches_, Q.data());
  return stiffness;
}

template <int D> void Jointed<D>::to_bodies(const In& q, const In& u, Out body_q, Out body_u) {
  place(q, u);
  for (std::size_t b = 0; b < masses_.size(); ++b) {
    write_position(bodies()[b + 1], body_q.data() + P * b);
    write<D>(bodies()[b + 1], twist_of<D>(bodies()[b + 1]), body_u.data() + C * b);
  }
}
template <int D> void Jointed<D>::from_bodies(const In& body_q, const In& body_u, Out q, Out u) {
  std::vector<BodyState> states;
  read(body_q, body_u, states, q, u);
  tree_.take_signs(q.data(), states.data());
  placed_ = false;  // bodies may have other signs now
}

// Turns inertias into global axes; in the plane they never change.
template <int D> void Jointed<D>::weigh() {
  if constexpr (D == 3)
    for (std::size_t b = 1; b < wrenches_.size(); ++b)
      inertia_.bodies()[b] = inertia_of<D>(masses_[b - 1], bodies()[b]);
}
template <int D> void Jointed<D>::fill_mass(Terms& terms) {
  weigh();
  fill_composite(terms.M);
}
template <int D> void Jointed<D>::fill_composite(std::vector<double>& all) {
  if (all.empty()) all.assign(std::size_t(mass_numbers_), 0);
  if (!tree_.parts().empty()) {
    std::ranges::fill(all, 0);
    inertia_.composite(at_, [&](int k, int l, double value) {
      all[std::size_t(k * nu + l)] += value;
      if (k != l) all[std::size_t(l * nu + k)] += value;
    });
    return;
  }
  inertia_.composite(at_, [&](int k, int l, double value) {
    const Limb& limb = limbs_[std::size_t(limb_of_[std::size_t(k)])];
    double* const M = all.data() + limb.offset;
    M[(k - limb.first) * limb.size + l - limb.first] = value;
    M[(l - limb.first) * limb.size + k - limb.first] = value;
  });
}
template <int D> const System::Metric* Jointed<D>::lengths() {
  for (std::size_t b = 1; b < weights_.size(); ++b) inertia_.bodies()[b] = ball_of<D>(weights_[b].arm);
  fill_composite(lengths_.M);
  if constexpr (D == 2)
    for (std::size_t b = 0; b < masses_.size(); ++b)
      inertia_.bodies()[b + 1] = inertia_of<D>(masses_[b], BodyState{});
  std::ranges::fill(lengths_.row_sizes, 0);
  for (const Chord& chord : chords_)
    for (const auto& side : chord.sides)
      for (int r = 0; r < chord.rows; ++r) {
        const Wrench<D> row = Body<D>::wrench(bodies()[side.body], rows_.D.data() + side.from + r * C);
        lengths_.row_sizes[std::size_t(chord.row + r)] +=
            row.force.squaredNorm() + row.moment.squaredNorm() / weights_[std::size_t(side.body)].arm;
      }
  return &lengths_;
}
template <int D> void Jointed<D>::solve_mass(const In& g, Out a) {
  weigh();
  inertia_.solve(at_, g.data(), a.data());
}

template <int D>
void Jointed<D>::energies(double t, const In& q, const In& u, const In& z, std::span<Energy> of_groups) {
  place(q, u);
  whole_.take_states(z);
  for (std::size_t b = 0; b < masses_.size(); ++b)
    write<D>(bodies()[b + 1], twist_of<D>(bodies()[b + 1]), body_u_.data() + C * b);
  whole_.account_here(t, body_u_, of_groups);
}
template <int D>
void Jointed<D>::powers(double t, const In& q, const In& u, const In& z, std::span<Energy> of_groups) {
  place(q, u);
  whole_.take_states(z);
  whole_.powers_here(t, of_groups);
}

template <int D> std::string Jointed<D>::force_not_finite(double t, const In& q, const In& u, const In& z) {
  place(q, u);
  whole_.take_states(z);
  return whole_.not_finite_here(t);
}

template class Jointed<2>;
template class Jointed<3>;
}  // namespace mubody
