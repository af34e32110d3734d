#include "mubody/system/assembled.h"

#include <map>

#include <fmt/format.h>

#include "mubody/mechanism/groups.h"
#include "mubody/system/group_for.h"

namespace mubody {
template <class F>
Assembled<F>::Assembled(std::shared_ptr<const Mechanism> mechanism, const std::vector<bool>& apart)
    : held_(std::move(mechanism)), mechanism_(*held_) {
  const int bodies = int(mechanism_.bodies.size());
  layout = BodyLayout(D);
  nq = P * bodies;
  nu = C * bodies;
  groups = std::max(1, count_groups(mechanism_, group_of_body));
  bodies_.resize(bodies + 1);
  Q_ = weight_ = accelerations_ = VecX::Zero(C * (bodies + 1));

  const std::size_t all_velocities = std::size_t(C) * std::size_t(bodies);
  velocities.reserve(all_velocities), displacement_names.reserve(all_velocities);
  body_of_velocity.reserve(all_velocities), coordinates.reserve(std::size_t(P) * std::size_t(bodies));
  body_names.reserve(std::size_t(bodies) + 1), structure.M.reserve(std::size_t(bodies));
  joints.reserve(mechanism_.joints.size()), joint_at_.reserve(mechanism_.joints.size());
  blocks_.reserve(mechanism_.joints.size());
  body_names.push_back("ground");
  for (int b = 1; b <= bodies; ++b) {
    const RigidBody& body = mechanism_.bodies[b - 1];
    body_names.push_back(body.name);
    structure.M.push_back({C * (b - 1), C, C * C * (b - 1)});
    if constexpr (requires(BodyState & state, const double* q) { F::count_from(q, state); }) {
      VecX q(Body<D>::coordinates), u(Body<D>::columns);
      Body<D>::write(body, q.data(), u.data());
      F::count_from(q.data(), bodies_[std::size_t(b)]);
    }
    weight_.segment<D>(C * b) = body.mass * mechanism_.gravity.head<D>();
    for (std::size_t k = 0; k < C; ++k) {
      const bool linear = k < D;
      velocities.push_back({body.name + "." + F::velocity_names[k], linear ? "m/s" : F::turning_unit,
                            linear              ? Measured::length
                            : C - D == spins<D> ? Measured::angle
                                                : Measured::orientation});
      displacement_names.push_back(body.name + "." + F::displacement_names[k]);
      turns.push_back(!linear);
      open_positions.push_back(linear ? body.left_out.position : body.left_out.orientation);
      open_velocities.push_back(linear ? body.left_out.velocity : body.left_out.omega);
      if (F::spin_first == int(k)) angular.push_back(int(velocities.size()) - 1);
      body_of_velocity.push_back(b);
    }
    for (std::size_t k = 0; k < P; ++k)
      coordinates.push_back({body.name + "." + F::coordinate_names[k], k < D ? "m" : F::orientation_unit,
                             k < D        ? Measured::length
                             : P - D == 1 ? Measured::angle
                                          : Measured::orientation});
  }
  add_joints(apart);
  add_own_rows();
  add_forces();
  accounted_.resize(std::size_t(groups));
  pushed_q_ = VecX::Zero(nq), pushed_u_ = VecX::Zero(nu);
  grip_set_.add(mechanism_, grips);
  grips.take_size(nu);
  has_power = has_power || grips.any();
  structure.n = nu;
  structure.m = m;
  first_D_.assign(std::size_t(numbers_), 0);
  probe_ = make_terms();
  VecX q(nq), u(nu);
  start(q, u);
  move_bodies(q, VecX::Zero(nu));
  // Turns that couplers add up are counted from the start, so that they do not jump while the model is assembled.
  for (std::size_t k = 0; k < joints.size(); ++k)
    if (joints[k].couples) joint_at_[k].group->remember(bodies_.data(), 0);
  move_bodies(q, u);
  if constexpr (F::polynomial) {
    evaluate_joints(0, probe_, true);
    first_D_ = probe_.D;
  }
  try_forces();
  name_channels();
  take_scales(scales_of(mechanism_));
}

template <class F> void Assembled<F>::add_joints(const std::vector<bool>& apart) {
  std::map<const JointEntry*, JointGroup<F>*> known, known_apart;
  std::map<JointGroup<F>*, int> count;
  for (const auto& named : mechanism_.joints) {
    const AnyJoint& joint = *named.what;
    const int rows = joint.forbids(D);
    for (const Degree& row : stated_by<D>(joint))
      measures.push_back(row.is_length() ? Measured::length : Measured::angle);
    if (const int stated = int(measures.size()) - m; stated != rows)
      throw ModelError(named.place, fmt::format("joint '{}' ({}): forbids({}) is {}, but it has {} equations",
                                                named.name, joint.info().name, D, rows, stated));
    if (named.rigid_part_of >= 0) rigid_parts_[named.rigid_part_of].push_back(int(joints.size()));
    const bool is_apart = !apart.empty() && apart[joints.size()];
    auto& group = group_for<F>(is_apart ? known_apart : known, joint_groups_, &joint.entry(), joint.entry());
    if (joint.entry().use != Use::joint && !is_apart) has_power = true;  // drivers bring power in
    const std::vector<int> blocks = add_blocks(joint, rows);
    group.add(joint, m, blocks);
    joint_at_.push_back({&group, count[&group]++});
    blocks_.push_back({blocks[0], blocks[1]});
    joints.push_back({named.name, std::string(joint.info().name), named.place, m, rows, joint.rolls(D)});
    joints.back().moves = joint.entry().use != Use::joint;
    joints.back().driver = named.driver, joints.back().of_particle = named.of_particle;
    joints.back().couples = !joint.couples().empty();
    joints.back().reactions = joints.back().couples ? int(joint.couples().size()) : 2 * (D + spins<D>);
    for (const Marker* marker : joint.markers())
      if (!joints.back().couples || std::ranges::count(joints.back().bodies, marker->body) == 0)
        joints.back().bodies.push_back(marker->body);
    m += rows;
  }
  for (const auto& group : joint_groups_)
    if (std::any_of(known.begin(), known.end(), [&](const auto& x) { return x.second == group.get(); }))
      not_apart_.push_back(group.get());
}

/// Makes the blocks of D for the markers of a joint and returns their places.  Where coordinates are coupled each body has
/// one, and the ground has none: the joints themselves report what acts on it.
template <class F> std::vector<int> Assembled<F>::add_blocks(const AnyJoint& joint, int rows) {
  std::vector<int> places;
  std::map<int, int> of_body;
  if (!joint.couples().empty()) of_body[ground] = -1;
  for (const Marker* marker : joint.markers()) {
    const auto known = of_body.find(marker->body);
    places.push_back(known != of_body.end() ? known->second : numbers_);
    if (known != of_body.end()) continue;
    if (!joint.couples().empty()) of_body[marker->body] = numbers_;
    if (marker->body != ground) structure.D.push_back({m, rows, C * (marker->body - 1), C, numbers_});
    numbers_ += rows * C;
  }
  return places;
}

template <class F> void Assembled<F>::add_own_rows() {
  if constexpr (F::polynomial)
    for (const auto& at : joint_at_)
      for (const Degree& row : at.group->degrees(at.index))
        ++(row.has_constant_row() ? row_kinds.constant
           : row.has_linear_row() ? row_kinds.linear
                                  : row_kinds.other);
  if constexpr (F::own > 0)
    for (int b = 1; b <= int(mechanism_.bodies.size()); ++b) {
      own.push_back({b, m, F::own});
      own_at_.push_back(numbers_);
      structure.D.push_back({m, F::own, C * (b - 1), C, numbers_});
      m += F::own;
      numbers_ += F::own * C;
      row_kinds.linear += F::own;
    }
}

template <class F> void Assembled<F>::add_forces() {
  std::map<std::pair<const ForceEntry*, int>, ForceGroup<F>*> known;
  std::map<ForceGroup<F>*, int> count;
  const auto group_for_force = [&](const AnyForce& force) -> ForceGroup<F>& {
    const int acts_on = group_of_body[std::size_t(std::max(force.i().body, force.j().body))];
    auto& group = group_for<F>(known, force_groups_, std::pair(&force.entry(), acts_on), force.entry());
    if (bodies_of_.size() < force_groups_.size()) bodies_of_.push_back(acts_on);
    return group;
  };
  // The kinds act in the order of the registry, so that sums of forces do not depend on the order of the file; kinds of
  // the user's own come last.
  for (const ForceEntry& kind : force_kinds())
    for (const auto& named : mechanism_.forces)
      if (&named.what->entry() == &kind) group_for_force(*named.what);
  for (const auto& named : mechanism_.forces) {
    const AnyForce& force = *named.what;
    auto& group = group_for_force(force);
    group.add(force);
    force_at_.push_back({&group, count[&group]++});
    has_power = true;
  }
  // Memory and states have their places once all forces are there.
  std::vector<int> first_state;
  for (std::size_t k = 0; k < force_at_.size(); ++k) {
    const auto& at = force_at_[k];
    const int places = int(at.group->memories(at.index).size()), own_states = at.group->inner(at.index);
    for (int site = 0; site < places; ++site) {
      sites.push_back({mechanism_.forces[k].name, mechanism_.forces[k].place, int(k),
                       at.group->has_law(at.index), nz, own_states});
      contact_at_.push_back({at, site});
      nz += own_states;
    }
    first_state.push_back(nz);
    nz += mechanism_.forces[k].what->states();
  }
  add_signals();
  for (std::size_t k = 0; k < force_at_.size(); ++k)
    force_at_[k].group->place_states(force_at_[k].index,
                                     {z_.data() + first_state[k], z_rate_.data() + first_state[k]});
  for (std::size_t k = 0; k < contact_at_.size(); ++k) {
    ContactMemory& memory = contact_at_[k].memory();
    memory.inner = z_.data() + sites[k].first_state;
    memory.rate = z_rate_.data() + sites[k].first_state;
  }
}

// Functions of the program are called for the first time here: what they do wrong is told with the name of the force.
template <class F> void Assembled<F>::try_forces() const {
  note(0);
  Vec<C> on_i, on_j;
  for (std::size_t k = 0; k < force_at_.size(); ++k) {
    const auto& named = mechanism_.forces[k];
    try {
      force_at_[k].group->apply(force_at_[k].index, bodies_, 0, on_i.data(), on_j.data());
    } catch (const ModelError& e) {
      throw ModelError(named.place, fmt::format("force '{}': {}", named.name, e.what()));
    }
  }
}

template <class F> Terms Assembled<F>::make_terms() const {
  Terms t;
  t.phi = t.rate = t.gamma = VecX::Zero(m);
  t.Q = weight_.tail(nu);
  t.D = first_D_;
  t.z_rate = VecX::Zero(nz);
  t.M.resize(C * C * mechanism_.bodies.size());
  for (std::size_t b = 0; b < mechanism_.bodies.size(); ++b)
    Eigen::Map<Eigen::Matrix<double, C, C>>(t.M.data() + C * C * b) = F::mass(mechanism_.bodies[b]);
  return t;
}

template <class F> void Assembled<F>::start(Out q, Out u) const {
  for (std::size_t b = 0; b < mechanism_.bodies.size(); ++b)
    F::write(mechanism_.bodies[b], q.data() + P * b, u.data() + C * b);
}

template <class F> void Assembled<F>::move_bodies(const In& q, const In& u) {
  forget_powers();
  for (std::size_t b = 1; b < bodies_.size(); ++b)
    F::unpack(q.data() + P * (b - 1), u.data() + C * (b - 1), bodies_[b]);
}

template <class F> void Assembled<F>::evaluate_joints(double t, Terms& terms, bool with_ground) {
  for (const auto& group : joint_groups_) group->evaluate(bodies_.data(), t, terms, with_ground);
  if constexpr (F::own > 0)
    for (std::size_t k = 0; k < own.size(); ++k) {
      const int row = own[k].first;
      F::own_rows(bodies_[k + 1], terms.phi.data() + row, terms.rate.data() + row, terms.gamma.data() + row,
                  terms.D.data() + own_at_[k]);
    }
}

template <class F> void Assembled<F>::constraints(double t, const In& q, const In& u, Terms& terms) {
  move_bodies(q, u);
  constrain_here(t, terms, true);
}
template <class F> void Assembled<F>::constrain_here(double t, Terms& terms, bool all) {
  if (all)
    evaluate_joints(t, terms, false);
  else
    for (const auto* group : not_apart_) group->evaluate(bodies_.data(), t, terms, false);
}

template <class F> void Assembled<F>::evaluate(double t, const In& q, const In& u, const In& z, Terms& terms) {
  constraints(t, q, u, terms);
  take_states(z);
  if (is_gyroscopic || !force_groups_.empty() || board_.any())
    terms.Q = push_here(t).tail(nu), pushed_q_ = q, pushed_u_ = u;  // otherwise Q is the constant weight
  else if (grips.any())
    terms.Q = weight_.tail(nu);
  if (nz > 0) terms.z_rate = z_rate_;
  if (!grips.any()) return;
  measure_grips_here(t);
  grips.rows.setZero();
  for (int k = 0; k < grips.size(); ++k) {
    const auto& it = grip_set_.items()[std::size_t(k)];
    if (it.i.body != ground) grips.rows.col(k).template segment<C>(C * (it.i.body - 1)) += it.on_i;
    if (it.j.body != ground) grips.rows.col(k).template segment<C>(C * (it.j.body - 1)) += it.on_j;
  }
}
template <class F>
Vec<3> Assembled<F>::load_here(int k, const std::vector<double>& D_, const double* lambda) const {
  const auto joint = std::size_t(grips.all[std::size_t(k)].joint);
  const auto& it = grip_set_.items()[std::size_t(k)];
  const bool on_j = it.j.body != ground;
  const int at = on_j ? blocks_[joint].Dj : blocks_[joint].Di, body = on_j ? it.j.body : it.i.body;
  Vec<C> general = Vec<C>::Zero();
  for (int r = 0; r < joints[joint].count; ++r)
    general -= lambda[r] * Eigen::Map<const Vec<C>>(D_.data() + at + r * C);
  return grip_set_.load(k, bodies_.data(), F::wrench(bodies_[std::size_t(body)], general.data()).force);
}
template <class F>
void Assembled<F>::grip_loads(const Terms& terms, const In&, const In& lambda, std::optional<int>,
                              MatX& loads) {
  for (int k = 0; k < grips.size(); ++k)
    loads.col(k) =
        load_here(k, terms.D, lambda.data() + joints[std::size_t(grips.all[std::size_t(k)].joint)].first);
}
template <class F> const VecX& Assembled<F>::push_here(double t) {
  note(t, z_rate_.data());
  Q_ = weight_;
  if (has_power) std::ranges::fill(accounted_, Energy{}), accounted_at_ = t;
  for (std::size_t k = 0; k < force_groups_.size(); ++k)
    force_groups_[k]->apply(bodies_, t, Q_.data(), &accounted_[std::size_t(bodies_of_[k])]);
  if constexpr (is_gyroscopic)
    for (std::size_t b = 1; b < bodies_.size(); ++b)
      F::gyroscopic(mechanism_.bodies[b - 1], bodies_[b], Q_.data() + C * b);
  return Q_;
}

template <class F> void Assembled<F>::rates(const In& q, const In& u, Out dq) const {
  if constexpr (P == C) {  // coordinates whose rates are the velocities
    std::copy_n(u.data(), nu, dq.data());
    return;
  }
  for (std::size_t b = 0; b < mechanism_.bodies.size(); ++b)
    F::rates(q.data() + P * b, u.data() + C * b, dq.data() + P * b);
}

template <class F> void Assembled<F>::move(Out q, const In& du) const {
  for (std::size_t b = 0; b < mechanism_.bodies.size(); ++b) F::move(q.data() + P * b, du.data() + C * b);
}

template <class F> void Assembled<F>::tidy(Out q) const {
  for (std::size_t b = 0; b < mechanism_.bodies.size(); ++b) F::tidy(q.data() + P * b);
}

template <class F> void Assembled<F>::remember(double t, const In& q, const In& u) {
  constexpr bool counts = requires(BodyState & b) { F::remember(b); };
  if constexpr (has_angle<Frame<F, Side::i>> && !counts)
    return;  // angles that are coordinates count turns by themselves
  move_bodies(q, u);
  if constexpr (counts)
    for (std::size_t b = 1; b < bodies_.size(); ++b) F::remember(bodies_[b]);
  remember_here(t);
}
template <class F> void Assembled<F>::remember_here(double t) {
  forget_powers();
  if constexpr (has_angle<Frame<F, Side::i>>) return;
  for (const auto& group : joint_groups_) group->remember(bodies_.data(), t);
  for (const auto& group : force_groups_) group->remember(bodies_, t);
}

template <class F> double Assembled<F>::facing(int joint, const In& q) {
  move_bodies(q, VecX::Zero(nu));
  return face_here(joint);
}
template <class F> double Assembled<F>::face_here(int joint) const {
  return joint_at_[std::size_t(joint)].group->facing(joint_at_[std::size_t(joint)].index, bodies_.data());
}

template <class F> void Assembled<F>::memory(Memory& m) {
  forget_powers();
  if constexpr (requires(BodyState & b) { F::remember(b); })
    for (BodyState& b : bodies_) m(b.last);
  for (const auto& group : joint_groups_) group->memory(m);
  for (const auto& group : force_groups_) group->memory(m);
  board_.memory(m);
  grips.memory(m);
}

template <class F>
void Assembled<F>::measure_contacts(double t, const In& q, const In& u, std::vector<ContactNow>& all) {
  move_bodies(q, u);
  measure_contacts_here(t, all);
}
template <class F> void Assembled<F>::measure_contacts_here(double t, std::vector<ContactNow>& all) const {
  note(t);
  all.clear();
  for (const ContactAt& at : contact_at_)
    if (at.site == 0) at.group->measure_contacts(at.index, bodies_, t, all);
}

template <class F> void Assembled<F>::set(int contact, bool touching, double first_speed) {
  ContactMemory& memory = contact_at_[std::size_t(contact)].memory();
  memory.touching = touching;
  memory.first_speed = first_speed;
  forget_powers();
}

template <class F> bool Assembled<F>::touching(int contact) const {
  return contact_at_[std::size_t(contact)].memory().touching;
}

template <class F> ContactStiffness Assembled<F>::push(int contact, double t, const In& q, const In& u, Out Q) {
  move_bodies(q, u);
  ContactStiffness stiffness;
  Q = push_contact_here(contact, t, stiffness).tail(nu);
  return stiffness;
}
template <class F>
const VecX& Assembled<F>::push_contact_here(int contact, double t, ContactStiffness& stiffness) {
  const auto& at = contact_at_[std::size_t(contact)];
  note(t);
  Q_.setZero();
  stiffness = at.group->push(at.index, at.site, bodies_, t, Q_.data());
  return Q_;
}

template <class F> void Assembled<F>::to_bodies(const In& q, const In& u, Out body_q, Out body_u) {
  if constexpr (std::is_same_v<F, Body<D>>) {
    body_q = q;
    body_u = u;
  } else {
    move_bodies(q, u);
    for (std::size_t b = 0; b < mechanism_.bodies.size(); ++b)
      F::to_body(bodies_[b + 1], body_q.data() + Body<D>::coordinates * b,
                 body_u.data() + Body<D>::columns * b);
  }
}
template <class F> void Assembled<F>::from_bodies(const In& body_q, const In& body_u, Out q, Out u) {
  if constexpr (std::is_same_v<F, Body<D>>) {
    q = body_q;
    u = body_u;
  } else {
    for (std::size_t b = 0; b < mechanism_.bodies.size(); ++b) {
      const double* const from = body_q.data() + Body<D>::coordinates * b;
      F::from_body(from, body_u.data() + Body<D>::columns * b, q.data() + P * b, u.data() + C * b);
      F::count_from(from, bodies_[b + 1]);
    }
  }
}

template <class F>
void Assembled<F>::energies(double t, const In& q, const In& u, const In& z, std::span<Energy> of_groups) {
  move_bodies(q, u);
  take_states(z);
  account_here(t, u, of_groups);
}
template <class F>
void Assembled<F>::powers(double t, const In& q, const In& u, const In& z, std::span<Energy> of_groups) {
  if (!accounted_at_ || q != pushed_q_ || u != pushed_u_) move_bodies(q, u);
  take_states(z);
  powers_here(t, of_groups);
}
template <class F> void Assembled<F>::powers_here(double t, std::span<Energy> of_groups) const {
  if (accounted_at_ == t) {
    std::ranges::copy(accounted_, of_groups.begin());
    return;
  }
  std::ranges::fill(of_groups, Energy{});
  account_forces_here(t, of_groups);
}
template <class F> void Assembled<F>::account_here(double t, const In& u, std::span<Energy> of_groups) const {
  std::ranges::fill(of_groups, Energy{});
  for (std::size_t b = 0; b < mechanism_.bodies.size(); ++b) {
    Energy& e = of_groups[std::size_t(group_of_body[b + 1])];
    const Vec<C> w = u.segment<C>(C * b);
    e.kinetic += 0.5 * w.dot(F::mass(mechanism_.bodies[b]) * w);
    e.potential -= mechanism_.bodies[b].mass * mechanism_.gravity.head<D>().dot(bodies_[b + 1].r);
  }
  account_forces_here(t, of_groups);
}
template <class F> void Assembled<F>::account_forces_here(double t, std::span<Energy> of_groups) const {
  note(t);
  for (std::size_t k = 0; k < force_groups_.size(); ++k)
    force_groups_[k]->account(bodies_, t, of_groups[std::size_t(bodies_of_[k])]);
}

template <class F> std::string Assembled<F>::force_not_finite(double t, const In& q, const In& u, const In& z) {
  move_bodies(q, u);
  take_states(z);
  return not_finite_here(t);
}
template <class F> std::string Assembled<F>::not_finite_here(double t) const {
  note(t);
  for (std::size_t k = 0; k < force_at_.size(); ++k) {
    Vec<C> on_i = Vec<C>::Zero(), on_j = on_i;
    force_at_[k].group->apply(force_at_[k].index, bodies_, t, on_i.data(), on_j.data());
    if (!on_i.allFinite() || !on_j.allFinite()) return mechanism_.forces[k].name;
  }
  return {};
}

template class Assembled<Body<2>>;
template class Assembled<Body<3>>;
template class Assembled<Cartesian<2>>;
template class Assembled<Cartesian<3>>;
}  // namespace mubody
