#pragma once
// Mechanism times formulation: the joints and forces of a model evaluated into the terms of the waist.
//
// Everything follows from the states of the bodies.  These come from (q, u), or from outside, since joint
// coordinates find the same states in another way.
#include <map>

#include "mubody/signals/board.h"
#include "mubody/system/force_group.h"
#include "mubody/system/grip_set.h"
#include "mubody/system/joint_group.h"

namespace mubody {
template <class Formulation> class Assembled final : public System, public Contacts {
 public:
  using BodyState = typename Formulation::BodyState;

  /// `apart`: joints whose equations follow from the coordinates; the others can be evaluated alone.
  explicit Assembled(std::shared_ptr<const Mechanism> mechanism, const std::vector<bool>& apart = {});
  explicit Assembled(const Mechanism& mechanism, const std::vector<bool>& apart = {})
      : Assembled(std::make_shared<const Mechanism>(mechanism), apart) {}

  Terms make_terms() const override;
  void start(Out q, Out u) const override;
  void constraints(double t, const In& q, const In& u, Terms&) override;
  using System::evaluate;
  void evaluate(double t, const In& q, const In& u, const In& z, Terms&) override;
  void rates(const In& q, const In& u, Out dq) const override;
  void move(Out q, const In& du) const override;
  void tidy(Out q) const override;
  void remember(double t, const In& q, const In& u) override;
  double facing(int joint, const In& q) override;
  Contacts& contacts() override { return *this; }
  void memory(Memory&) override;
  double next_instant() const override { return board_.next_instant(); }
  void pass_instant(double t, const In& q, const In& u, const In& z) override;
  void samples(std::vector<double>& all) const override { board_.samples(all); }
  void note_past(double t, const In& q, const In& u, const In& z) override;
  double shortest_delay() const override { return board_.shortest_delay(); }
  void start_states(double t, const In& q, const In& u, Out z) override;
  void measure_contacts(double t, const In& q, const In& u, std::vector<ContactNow>&) override;
  void set(int contact, bool touching, double first_speed) override;
  bool touching(int contact) const override;
  ContactStiffness push(int contact, double t, const In& q, const In& u, Out Q) override;
  void grip_loads(const Terms&, const In& a, const In& lambda, std::optional<int> alone, MatX& loads) override;
  void to_bodies(const In& q, const In& u, Out body_q, Out body_u) override;
  void from_bodies(const In& body_q, const In& body_u, Out q, Out u) override;
  using System::observe;
  void energies(double t, const In& q, const In& u, const In& z, std::span<Energy> of_groups) override;
  void powers(double t, const In& q, const In& u, const In& z, std::span<Energy> of_groups) override;
  std::string force_not_finite(double t, const In& q, const In& u, const In& z) override;
  void observe(double t, const In& q, const In& u, const In& z, const In& a, const In& lambda,
               Out values) override;

  // As above, for the states of bodies stored here, the ground's first.  They may be written from outside.
  BodyState* body_states() { return bodies_.data(); }
  void constrain_here(double t, Terms&, bool all);
  /// Sets the states of elements for the evaluations that follow.
  void take_states(const In& z) {
    if (nz == 0 || z == z_) return;
    z_ = z;
    accounted_at_.reset();
  }
  const VecX& state_rates() const { return z_rate_; }
  /// Generalized forces in the coordinates of bodies, with velocity terms, the ground's first.  As the engines ask for the
  /// powers of the same forces next, they are found along with them.
  const VecX& push_here(double t);
  /// Says that bodies have moved, or that forces remember something else.
  void forget_powers() { accounted_at_.reset(); }
  /// As System::powers(), free of charge after push_here().
  void powers_here(double t, std::span<Energy> of_groups) const;
  void measure_grips_here(double t) { grip_set_.measure(bodies_.data(), t, grips); }
  const GripSet<Formulation>& grip_set() const { return grip_set_; }
  /// The load of a grip from the multipliers of its joint, with the rows of D.
  Vec<3> load_here(int grip, const std::vector<double>& D, const double* lambda) const;
  void remember_here(double t);
  void pass_instant_here(double t);
  void note_past_here(double t);
  void start_states_here(double t, Out z);
  double face_here(int joint) const;
  void measure_contacts_here(double t, std::vector<ContactNow>&) const;
  const VecX& push_contact_here(int contact, double t, ContactStiffness&);
  void account_here(double t, const In& body_u, std::span<Energy> of_groups) const;
  void account_forces_here(double t, std::span<Energy> of_groups) const;
  std::string not_finite_here(double t) const;
  void observe_here(double t, const In& body_a, const In& lambda, Out values);

 private:
  static constexpr int D = Formulation::dim, C = Formulation::columns, P = Formulation::coordinates;
  static constexpr bool is_gyroscopic = requires(const RigidBody& body, const BodyState& state, double* Q) {
    Formulation::gyroscopic(body, state, Q);
  };

  void move_bodies(const In& q, const In& u);
  void evaluate_joints(double t, Terms&, bool with_ground);
  void add_joints(const std::vector<bool>& apart);
  void add_own_rows();
  void add_forces();
  void add_signals();
  /// Computes what is noted, for the forces that follow it; rates of the states of signals go to `rates` unless null.
  void note(double t, double* rates = nullptr) const;
  struct Noting;
  void try_forces() const;
  /// Where a channel comes from.
  struct Source {
    Channel::Group group;
    int body;  // as in Channel
    bool reaction = false;
    const char* per = "";  // what follows its unit
  };
  void name_channels();
  template <class Write> void walk_channels(double t, const VecX& a, const In& lambda, Write&& write);
  template <class Write> void walk_joint(int k, double t, const VecX& a, const In& lambda, Write&& write);
  template <class Write> void walk_spin(int body, const VecX& a, Write&& write);
  template <class Write> void walk_point(const Point&, const VecX& a, Write&& write);
  template <class Write> void walk_vectors(int force, double t, Write&& write);
  template <class Write> void walk_body_forces(double t, const VecX& a, Write&& write);
  Wrench<D> inertia_of(int body, const VecX& a) const;
  template <class Write> void walk_compliance(int force, double t, const In& lambda, Write&& write);
  template <class Write>
  void write_reaction(const std::string& joint, int body, const Marker&, const Vec<C>& general, Write&& write);
  template <class Write> void write_efforts(int joint, double t, const In& lambda, Write&& write);
  std::vector<int> add_blocks(const AnyJoint&, int rows);
  Vec<C> reaction(int joint, Side, const In& lambda) const;

  std::shared_ptr<const Mechanism> held_;
  const Mechanism& mechanism_;
  std::vector<BodyState> bodies_;       // the ground first
  VecX Q_;                              // the ground's columns first
  VecX weight_;                         // gravity on Q
  VecX z_, z_rate_;                     // states of elements at the present evaluation
  std::vector<Energy> accounted_;       // powers at the last push_here() ...
  std::optional<double> accounted_at_;  // ... and its time [s]; none if something has changed since
  VecX pushed_q_, pushed_u_;            // where the bodies were, if this moves them itself
  Terms probe_;                         // for observe()
  VecX accelerations_;                  // the ground's columns first
  std::vector<typename JointGroup<Formulation>::Measure> measured_;  // for observe(), as is the next
  std::vector<typename ForceGroup<Formulation>::Report> reported_;
  Board board_;
  mutable std::vector<typename JointGroup<Formulation>::Measure> noted_coordinates_;  // while they are noted
  mutable std::vector<typename ForceGroup<Formulation>::Report> noted_results_;
  std::vector<int> output_at_;  // the channels that the model's outputs name

  template <class Group> struct Member {
    Group* group;
    int index;
  };
  std::vector<std::unique_ptr<JointGroup<Formulation>>> joint_groups_;
  std::vector<JointGroup<Formulation>*> not_apart_;  // the groups whose joints are not apart
  std::vector<std::unique_ptr<ForceGroup<Formulation>>>
      force_groups_;                                       // of one kind and on one group of bodies
  std::vector<int> bodies_of_;                             // which group of bodies that is
  std::vector<Member<JointGroup<Formulation>>> joint_at_;  // place of every joint of the mechanism
  std::vector<Member<ForceGroup<Formulation>>> force_at_;
  /// One of the places in which a contact may touch.
  struct ContactAt : Member<ForceGroup<Formulation>> {
    int site = 0;
    ContactMemory& memory() const { return this->group->memories(this->index)[std::size_t(site)]; }
  };
  std::vector<ContactAt> contact_at_;
  struct Blocks {
    int Di, Dj;
  };
  std::vector<Blocks> blocks_;
  GripSet<Formulation> grip_set_;
  std::map<int, std::vector<int>> rigid_parts_;  // by force: the equations that its compliant joint keeps
  std::vector<int> own_at_;                      // blocks of D of the bodies' own rows
  int numbers_ = 0;                              // numbers in D
  std::vector<double> first_D_;                  // with the rows that never change
};
}  // namespace mubody
