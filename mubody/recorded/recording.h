#pragma once
// A mechanism while it is recorded; see model.h.
#include <optional>

#include <fmt/format.h>

#include "mubody/formulations/tree_walk.h"
#include "mubody/mechanism/groups.h"
#include "mubody/mechanism/signal_order.h"
#include "mubody/recorded/body_mass.h"
#include "mubody/recorded/model.h"
#include "mubody/recorded/tree_equations.h"
#include "mubody/recording/tape.h"
#include "mubody/signals/recorded_board.h"

namespace mubody {
template <int D> class Recording {
 public:
  using F = Body<D, Recorded>;
  using Columns = typename RecordedColumns<D>::Of;
  static constexpr int C = F::columns, P = F::coordinates;

  Recording(const Mechanism& mechanism, const RecordingStart& start, std::unique_ptr<Computation> graph)
      : m_(mechanism), start_(start), graph_(std::move(graph)) {
    out_.dim = D;
    if (start.parts) tree_start_.emplace(m_, *start.parts, start.q, start.u), tree_.emplace(tree_start_->tree);
    out_.start_q = tree_ ? tree_start_->q : start.q, out_.start_u = tree_ ? tree_start_->u : start.u;
    if (tree_) out_.followed = tree_start_->followed;
    out_.nq = tree_ ? tree_start_->tree.nq : P * bodies();
    out_.nu = tree_ ? tree_start_->tree.nu : C * bodies();
    groups_ = std::max(1, count_groups(m_, group_of_body_));
    out_.powers.resize(std::size_t(groups_));
    board_.emplace(m_.signals, signal_order(m_), *this);
    for (const auto& named : m_.forces)
      first_state_.push_back(std::exchange(own_states_, own_states_ + named.what->states()));
    out_.nz = own_states_ + board_->states();
    t_ = Recorded::input(*graph_, 0);
    for (int k = 0; k < out_.nq; ++k) q_.push_back(Recorded::input(*graph_, out_.first_q() + k));
    for (int k = 0; k < out_.nu; ++k) u_.push_back(Recorded::input(*graph_, out_.first_u() + k));
    for (int k = 0; k < out_.nz; ++k) z_.push_back(Recorded::input(*graph_, out_.first_z() + k));
    for (std::size_t n = 0; n < start.inputs.size(); ++n) supply(int(n));
    memory_.emplace(*graph_, out_.first_kept());
    move_bodies();
  }

  CollectedNumbers collect() {
    run();
    return {graph_->numbers(), graph_->structure()};
  }
  RecordedModel take() {
    run();
    out_.elimination = elimination_;
    out_.graph = std::move(graph_);
    return std::move(out_);
  }

 private:
  void run() {
    state_equations();
    forces_.resize(m_.forces.size());
    note_signals();
    apply_forces();
    solve();
    powers_of_forces();
    if (start_.solves) note_results();
    take_memory();
  }
  void note_results() {
    take_driver_power();
    close();
    bodies_channels();
    joints_channels();
    points_channels();
    forces_channels();
    energy_channels();
    signals_channels();
  }
  // A result that is a plain number may be one of those that vary.
  int node(const Recorded& x) { return x.node_in(*graph_); }
  std::vector<int> nodes(const std::vector<Recorded>& all) {
    std::vector<int> out;
    for (const Recorded& x : all) out.push_back(node(x));
    return out;
  }
  void channel(std::string name, std::string_view unit, const Recorded& x) {
    out_.channels.push_back({std::move(name), std::string(unit), node(x)});
  }
  const RigidBody& body(int b) const { return m_.bodies[std::size_t(b - 1)]; }
  int bodies() const { return int(m_.bodies.size()); }
  const auto& state(int b) const { return motion_.bodies[std::size_t(b)]; }

  void move_bodies() {
    motion_.t = t_;
    motion_.memory = &*memory_;
    motion_.bodies.resize(m_.bodies.size() + 1);
    if (tree_) {
      std::vector<Recorded> followed;
      for (int k = 0; k < int(out_.followed.size()); ++k)
        followed.push_back(Recorded::input(*graph_, out_.first_followed() + k));
      tree_->move_bodies(q_, u_, std::move(followed), motion_.bodies, body_u_);
      return;
    }
    body_u_ = u_;
    for (int b = 0; b < bodies(); ++b)
      F::unpack(q_.data() + P * b, u_.data() + C * b, motion_.bodies[std::size_t(b + 1)]);
  }

  void apply_forces() {
    Q_.assign(std::size_t(C * bodies()), 0);
    for (int b = 1; b <= bodies(); ++b) {
      for (int k = 0; k < D; ++k) Q_[std::size_t(C * (b - 1) + k)] = body(b).mass * m_.gravity[k];
      if constexpr (requires { F::gyroscopic(body(b), state(b), Q_.data()); })
        F::gyroscopic(body(b), state(b), Q_.data() + C * (b - 1));
    }
    motion_.noted = board_->values();
    for (int n = 0; n < int(m_.forces.size()); ++n)
      force_at(n).Q.each([&](int at, const Columns& Q) {
        for (int k = 0; k < C; ++k) Q_[std::size_t(at + k)] += Q[k];
      });
    for (std::size_t n = 0; n < forces_.size(); ++n)  // states of forces come before those of signals
      std::ranges::copy(nodes(forces_[n]->state_rates), out_.dz.begin() + first_state_[n]);
  }
  /// A force is recorded when it is first asked for: by a signal that reads it, which comes after those that it reads.
  const RecordedForce<D>& force_at(int k) const {
    std::optional<RecordedForce<D>>& force = forces_[std::size_t(k)];
    if (force) return *force;
    const auto& named = m_.forces[std::size_t(k)];
    const ForceRecorders& recorders = named.what->entry().recorders();
    const auto record = recorders.template in<D>();
    if (!record) refuse(named, "force", recorders.why_not);
    motion_.states = z_.data() + first_state_[std::size_t(k)];
    record(*named.what, motion_, force.emplace());
    return *force;
  }

  // Signals --------------------------------------------------------------------------------------------------

  void supply(int n) {
    const int first = out_.first_input() + 3 * n;
    std::array<int, 3> all;
    for (int k = 0; k < 3; ++k) all[std::size_t(k)] = graph_->input(first + k);
    graph_->supply(n, all);
    out_.inputs.push_back({start_.inputs[std::size_t(n)], "", all[0]});
  }

 public:
  // What the board of signals asks for.
  Recorded operator()(const StateVariable& v) const {
    return F::state(motion_.bodies.at(std::size_t(v.point.body)), Vec<D>(v.point.at.template head<D>()),
                    v.quantity);
  }
  Recorded joint(int k, int part, bool rate) const {
    const RecordedCoordinate<D>& s = joints_.at(std::size_t(k)).coordinates.at(std::size_t(part));
    return rate ? s.v : s.x;
  }
  Recorded force(int k, int part) const {
    motion_.noted = board_->values();
    return force_at(k).reports.at(std::size_t(part)).value;
  }

 private:
  // Sampled signals keep numbers, which are inputs behind those of turns; how many of these there are is not known before all
  // is recorded, so that they come last.
  void note_signals() {
    samples_.resize(m_.signals.size());
    due_.resize(m_.signals.size()), since_.resize(m_.signals.size());
    int next = far;
    for (std::size_t k = 0; k < m_.signals.size(); ++k) {
      if (!m_.signals[k].sample) continue;
      due_[k] = Recorded::input(*graph_, next++), since_[k] = Recorded::input(*graph_, next++);
      samples_[k].held = Recorded::input(*graph_, next++);
      for (int m = 0; m < board_->memory(k); ++m)
        samples_[k].memory.push_back(Recorded::input(*graph_, next++));
    }
    std::vector<Recorded> rates(std::size_t(out_.nz - own_states_));
    board_->evaluate(t_, z_.data() + own_states_, samples_, rates.data());
    out_.dz = nodes(rates);
    out_.dz.insert(out_.dz.begin(), std::size_t(own_states_), -1);
  }

  void state_equations() {
    for (const auto& named : m_.joints) {
      const JointRecorders& recorders = named.what->entry().recorders();
      const auto record = recorders.template in<D>();
      if (!record) refuse(named, named.driver ? "driver" : "joint", recorders.why_not);
      if (named.what->friction) refuse(named, "joint", "its friction sticks at instants that must be located");
      RecordedJoint<D> joint;
      record(*named.what, motion_, joint);
      joints_.push_back(std::move(joint));
    }
  }
  template <class N>
  [[noreturn]] void refuse(const N& named, std::string_view what, std::string_view why) const {
    throw ModelError(named.place, fmt::format("{} '{}' ({}) cannot be part of generated equations: {}", what,
                                              named.name, named.what->info().name, why));
  }

  Recorded unknown() { return {*graph_, graph_->constant(0)}; }
  void enter(Recorded& x) { x = {*graph_, x.node_in(*graph_)}; }
  /// All numbers enter the graph, zeros too, so that the order in which they enter does not depend on them.
  void enter(std::vector<RecordedVector>& rows) {
    for (RecordedVector& row : rows)
      for (auto& [c, x] : row) enter(x);
  }
  void enter(std::vector<Recorded>& all) {
    for (Recorded& x : all) enter(x);
  }

  // Rows of D, without those that follow from others.
  void solve() {
    std::vector<RecordedVector> D_rows, W(std::size_t(C * bodies()));
    std::vector<Recorded> gamma;
    std::size_t at = 0;
    for (const RecordedJoint<D>& joint : joints_)
      for (const RecordedRow<D>& row : joint.rows) {
        const std::size_t r = at++;
        row_of_.push_back(-1);
        out_.all_phi.push_back(node(row.phi)), out_.all_rate.push_back(node(row.rate));
        if (r < start_.left_out.size() && start_.left_out[r]) continue;
        row_of_.back() = int(phi_.size());
        phi_.push_back(row.phi), rate_.push_back(row.rate), gamma.push_back(row.gamma);
        D_rows.push_back({});
        row.columns.each([&](int first, const Columns& columns) {
          for (int k = 0; k < C; ++k) D_rows.back()[first + k] = columns[k];
        });
      }
    std::vector<RecordedVector> M(W.size()), own = M;
    bool stands_in = false;
    for (int b = 1; b <= bodies(); ++b) stands_in = weigh(b, W, M, own) || stands_in;
    if (!stands_in) M.clear(), own.clear();
    for (auto* rows : {&D_rows, &W, &M, &own}) enter(*rows);
    for (auto* all : {&Q_, &gamma, &phi_, &rate_}) enter(*all);
    if (graph_->collects()) {  // no number enters while the equations are solved
      for (std::size_t k = 0; k < u_.size(); ++k) a_.push_back(unknown());
      for (std::size_t k = 0; k < phi_.size(); ++k) lambda_.push_back(unknown());
    } else {
      elimination_ = std::make_shared<RecordedElimination>(*graph_, std::move(D_rows), std::move(W),
                                                           std::move(M), std::move(own), start_.solves);
      if (start_.solves) {
        elimination_->solve(Q_, gamma, a_, lambda_);
        out_.independence = node(elimination_->independence(start_.independence));
      }
    }
    out_.Q = nodes(Q_), out_.gamma = nodes(gamma), out_.lambda = nodes(lambda_);
    std::vector<Recorded> dq(q_.size()), du = a_;
    if (tree_) {
      out_.a_of_bodies = nodes(a_);
      solve_tree(du);
      out_.a_of_tree = nodes(a_);
      out_.tree_multiples = nodes(tree_->multiples());
      out_.tree_independence = node(tree_->independence(*graph_, start_.independence));
      tree_walk::rates<D, Recorded>(tree_start_->tree, q_.data(), u_.data(), dq.data());
    } else {
      for (int b = 0; b < bodies(); ++b) F::rates(q_.data() + P * b, u_.data() + C * b, dq.data() + P * b);
    }
    out_.dq = nodes(dq), out_.du = nodes(du);
    out_.phi = nodes(phi_), out_.rate = nodes(rate_);
  }
  // In joint coordinates the tree gives the accelerations, of bodies too; only the multipliers of its own joints come from
  // the equations of bodies.  Gaps are those of joints that the tree leaves open.
  void solve_tree(std::vector<Recorded>& du) {
    tree_->load(*graph_, m_.bodies, motion_.bodies, Q_);
    phi_.clear(), rate_.clear();
    std::size_t open = 0;
    for (std::size_t k = 0; k < joints_.size(); ++k)
      for (const RecordedRow<D>& row : joints_[k].rows) {
        if (tree_start_->closes[k]) continue;
        const std::size_t r = open++;
        if (r < start_.open_left_out.size() && start_.open_left_out[r]) continue;
        tree_->add_row(motion_.bodies, row);
        phi_.push_back(row.phi), rate_.push_back(row.rate);
      }
    std::vector<Recorded> lambda;
    tree_->solve(*graph_, motion_.bodies, du, lambda, a_);
  }
  // Constraints that move do work: their force on the bodies is −Dᵀ λ, the bodies' velocity along it ν = D u − Φ̇.
  void take_driver_power() {
    std::vector<Recorded> of_groups(std::size_t(groups_), Recorded(0));
    std::size_t at = 0;
    for (std::size_t k = 0; k < joints_.size(); ++k)
      for (const RecordedRow<D>& row : joints_[k].rows) {
        const int r = row_of_[at++];
        if (r < 0 || m_.joints[k].what->entry().use == Use::joint) continue;
        Recorded nu = -row.rate;
        row.columns.each([&](int first, const Columns& columns) {
          for (int c = 0; c < C; ++c) nu += columns[c] * body_u_[std::size_t(first + c)];
        });
        of_groups[group_of(m_.joints[k])] -= lambda_[std::size_t(r)] * nu;
      }
    Recorded all = 0;
    for (std::size_t g = 0; g < of_groups.size(); ++g) {
      all += of_groups[g];
      out_.powers[g].drivers = node(of_groups[g]);
    }
    out_.driver_power = node(all);
  }
  /// The group of bodies that a joint or force acts on.
  template <class N> std::size_t group_of(const N& named) const {
    int last = ground;
    for (const Marker* marker : std::as_const(*named.what).markers()) last = std::max(last, marker->body);
    return std::size_t(group_of_body_[std::size_t(last)]);
  }
  // The mass of a body; true if something stands in for a part of it.
  bool weigh(int b, std::vector<RecordedVector>& W, std::vector<RecordedVector>& M,
             std::vector<RecordedVector>& own) const {
    const BodyMass<D> of(m_, b);
    const int first = C * (b - 1);
    for (int k = 0; k < C; ++k)
      for (int l = 0; l < C; ++l) {
        W[std::size_t(first + k)][first + l] = of.inverse(k, l);
        M[std::size_t(first + k)][first + l] = of.mass(k, l);
        own[std::size_t(first + k)][first + l] = of.inverse_of_own(k, l);
      }
    return of.stands_in;
  }

  std::vector<Recorded> displacement(const std::vector<Recorded>& b) {
    if (tree_) return tree_->displacement(b);
    if (elimination_) return elimination_->displacement(b);
    std::vector<Recorded> unknowns;
    for (std::size_t k = 0; k < u_.size(); ++k) unknowns.push_back(unknown());
    return unknowns;
  }

  // The state moved onto the constraints, by the smallest displacement.
  void close() {
    std::vector<Recorded> q = q_, u = u_, tidy = q_;
    const std::vector<Recorded> dq = displacement(phi_), du = displacement(rate_);
    std::vector<Recorded> move;
    for (const Recorded& x : dq) move.push_back(-x);
    if (tree_) {
      tree_walk::move<D, Recorded>(tree_start_->tree, q.data(), move.data());
      tree_walk::tidy<D, Recorded>(tree_start_->tree, tidy.data());
    }
    for (int b = 0; b < bodies() && !tree_; ++b) {
      F::move(q.data() + P * b, move.data() + C * b);
      F::tidy(tidy.data() + P * b);
    }
    for (std::size_t k = 0; k < u.size(); ++k) u[k] -= du[k];
    out_.closed_q = nodes(q), out_.closed_u = nodes(u), out_.tidy_q = nodes(tidy);
  }

  // Channels, with the names that results have: channels.cpp.
  void bodies_channels();
  void joints_channels();
  void coordinate_channels(const std::string& joint, const RecordedCoordinate<D>&);
  Recorded multiplier(std::size_t row) const;
  void effort_channels(const Named<AnyJoint>&, const RecordedJoint<D>&, std::size_t first);
  void reaction_channels(const Named<AnyJoint>&, const RecordedJoint<D>&, std::size_t first);
  Columns reaction_on(int body, const RecordedJoint<D>&, std::size_t first) const;
  void compliance_channels(std::size_t force);
  void wrench_channels(const std::string& joint, const Marker&, const Wrench<D, Recorded>&);
  void points_channels();
  void forces_channels();
  void powers_of_forces();
  void energy_channels();
  void signals_channels();
  const Recorded* accelerations(int b) const { return a_.data() + C * (b - 1); }

  // A power that is a plain number is none of the mechanism's own.
  int power(const Recorded& x) { return x.is_plain() ? graph_->constant(x.value()) : node(x); }

  static constexpr int far = 1 << 24;  // inputs from here on are numbered anew at the end

  // Turns keep theirs from step to step, sampled signals from instant to instant.
  void take_memory() {
    for (const Recollection::Kept& k : memory_->all())
      out_.kept.push_back({k.input, k.start.value_or(0), node(k.next)});
    std::vector<RecordedSample> after = samples_;
    board_->pass_instant(t_, z_.data() + own_states_, after, due_, since_);
    int next = out_.first_kept() + int(out_.kept.size());
    const auto place = [&](const Recorded& x) {
      if (!graph_->collects()) graph_->renumber_input((*graph_)[x.node_in(*graph_)].a, next);
      return next++;
    };
    for (std::size_t k = 0; k < samples_.size(); ++k) {
      if (!m_.signals[k].sample) continue;
      const int due = place(due_[k]), since = place(since_[k]);
      out_.sampled.push_back({due, since, *m_.signals[k].sample});
      out_.at_instants.push_back({place(samples_[k].held), 0, node(after[k].held)});
      for (std::size_t n = 0; n < after[k].memory.size(); ++n)
        out_.at_instants.push_back({place(samples_[k].memory[n]), 0, node(after[k].memory[n])});
    }
    if (!graph_->collects()) find_starts();
  }
  // What begins with what it becomes at the start.
  void find_starts() {
    if (out_.kept.empty()) return;
    std::vector<int> next;
    for (const RecordedModel::Kept& k : out_.kept) next.push_back(k.next);
    const Tape tape(*graph_, {"starts", next});
    TapeWork work(tape);
    work.set_parameters(tape, graph_->parameters().data());
    std::vector<double> x(std::size_t(out_.arguments())), y(next.size());
    x[0] = start_.t;
    std::ranges::copy(out_.start_q, x.begin() + RecordedModel::first_q());
    std::ranges::copy(out_.start_u, x.begin() + out_.first_u());
    std::ranges::copy(out_.followed, x.begin() + out_.first_followed());
    tape(x.data(), y.data(), work);
    for (std::size_t k = 0; k < y.size(); ++k) {
      if (memory_->all()[k].start) continue;
      if (!std::isfinite(y[k]))
        throw ModelError(
            "the place where a curve is touched cannot be followed from the start: it lies at a centre of "
            "curvature or over a hollow, or two curves overlap");
      out_.kept[k].start = y[k];
    }
  }
  const Mechanism& m_;
  const RecordingStart& start_;
  int groups_ = 1;                  // of bodies
  std::vector<int> group_of_body_;  // the ground's first
  std::unique_ptr<Computation> graph_;
  RecordedModel out_;
  Recorded t_;
  std::vector<Recorded> q_, u_, z_;
  std::optional<StartingTree<D>> tree_start_;  // in joint coordinates
  std::optional<RecordedTree<D>> tree_;
  std::vector<Recorded> body_u_;  // velocities of bodies
  std::vector<Recorded> Q_, a_;   // forces on bodies and their accelerations
  std::vector<Recorded> phi_, rate_, lambda_;
  std::vector<int> first_state_;  // of every force
  int own_states_ = 0;            // of all forces
  std::vector<int> row_of_;       // of every equation; −1 where it is left out
  std::optional<Recollection> memory_;
  mutable RecordedMotion<D> motion_;
  std::vector<RecordedJoint<D>> joints_;
  mutable std::vector<std::optional<RecordedForce<D>>> forces_;
  std::optional<RecordedBoard<Recording>> board_;
  std::vector<RecordedSample> samples_;  // by signal
  std::vector<Recorded> due_, since_;
  std::shared_ptr<RecordedElimination> elimination_;
};
}  // namespace mubody
