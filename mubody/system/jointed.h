#pragma once
// A mechanism in joint coordinates: a spanning tree of its joints gives the coordinates, the joints that are left over, the
// chords, and the drivers give the equations.                          docs/theory/joint-coordinates.md
//
//   J q̈ + Dᵀ λ = Q,   D q̈ = γ        J = Bᵀ M B,  Q = Bᵀ (Q_b − M Ḃ u),  D = D_b B,  γ = γ_b − D_b Ḃ u
//
// B turns velocities of joints into those of bodies (formulations/tree.h).  Index b marks terms in body
// coordinates, from the same joints and forces at the states that the tree gives the bodies.  Without equations J is
// never formed.
//
// Precomputation (dissertation), eqs. 3.6.27-3.6.34; the errata concern its examples only.
#include <map>
#include <memory>

#include "mubody/formulations/tree_inertia.h"
#include "mubody/math/dense.h"
#include "mubody/system/assembled.h"

namespace mubody {
/// `chords` names joints to be kept out of the tree.  Throws ModelError if there is no tree without them.
std::unique_ptr<System> build_jointed(const Mechanism&, const std::vector<std::string>& chords);
/// The same with parts whose bodies follow a few variables: their loops set no equations.
std::unique_ptr<System> build_following(const Mechanism&, std::vector<FollowingPart>);

template <int D> class Jointed final : public System, public Contacts {
 public:
  /// Link k of the graph is joint k; its arcs have chains, or are those of parts that follow.
  Jointed(const Mechanism&, const Graph&, std::vector<FollowingPart> = {});

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
  void memory(Memory& m) override {
    whole_.memory(m);
    grips.memory(m);
  }
  double next_instant() const override { return whole_.next_instant(); }
  void pass_instant(double t, const In& q, const In& u, const In& z) override;
  void note_past(double t, const In& q, const In& u, const In& z) override;
  double shortest_delay() const override { return whole_.shortest_delay(); }
  void start_states(double t, const In& q, const In& u, Out z) override;
  void grip_loads(const Terms&, const In& a, const In& lambda, std::optional<int> alone, MatX& loads) override;
  void measure_contacts(double t, const In& q, const In& u, std::vector<ContactNow>&) override;
  void set(int contact, bool touching, double first_speed) override {
    whole_.set(contact, touching, first_speed);
  }
  bool touching(int contact) const override { return whole_.touching(contact); }
  ContactStiffness push(int contact, double t, const In& q, const In& u, Out Q) override;
  void to_bodies(const In& q, const In& u, Out body_q, Out body_u) override;
  void from_bodies(const In& body_q, const In& body_u, Out q, Out u) override;
  void fill_mass(Terms&) override;
  bool solves_mass() const override { return m == 0 && tree_.parts().empty(); }
  std::string out_of_range(const In& q) const override;
  void solve_mass(const In& g, Out a) override;
  const Metric* lengths() override;
  using System::observe;
  void energies(double t, const In& q, const In& u, const In& z, std::span<Energy> of_groups) override;
  void powers(double t, const In& q, const In& u, const In& z, std::span<Energy> of_groups) override;
  std::string force_not_finite(double t, const In& q, const In& u, const In& z) override;
  void observe(double t, const In& q, const In& u, const In& z, const In& a, const In& lambda,
               Out values) override;

  const Tree<D>& tree() const { return tree_; }

 private:
  using BodyState = typename Body<D>::BodyState;
  static constexpr int C = Body<D>::columns, P = Body<D>::coordinates;
  using BlockAt = std::map<std::pair<int, int>, int>;  // offset of a block of rows over bodies, by row and body
  /// A part of the tree connected with the others only through the ground: a block of J.
  struct Limb {
    int first, size, offset;
  };
  /// Arcs that rows reach, and the places of their entries: rows of `width` from `to` on, the first for
  /// velocity `column`.
  struct Reach {
    std::vector<int> arcs;  // leaf to root
    int to = 0, width = 0, column = 0;
  };
  /// A joint or driver that sets equations.
  struct Chord {
    struct Side {
      int body, from;  // place of its rows over bodies
      Reach reach;     // up to the body that carries both sides
    };
    int joint, row, whole_row, rows;
    std::vector<Side> sides;
    Reach both;         // from there to the ground
    bool adds = false;  // sides share arcs: their entries are added
  };

  void name_coordinates(const Mechanism&);
  void name_followed();
  void find_limbs();
  void add_chord(int joint, const BlockAt&);
  void enter(const Reach&, int row, Wrench<D>&, bool adds, Terms&) const;
  void clear(const Chord&, Terms&) const;
  void measure_bodies(const Mechanism&);
  void fill_composite(std::vector<double>& M);
  void place(const In& q, const In& u);
  void weigh();
  void recover_multipliers(double t, const In& lambda);
  void recover_within(const typename Tree<D>::Part&, std::size_t part);
  void read(const In& body_q, const In& body_u, std::vector<BodyState>&, Out q, Out u) const;
  void take_grips();
  void measure_grips(double t);
  void show_grips(double t);
  BodyState* bodies() { return whole_.body_states(); }

  Tree<D> tree_;
  TreeMotion<D> at_;
  TreeInertia<D> inertia_;
  std::vector<RigidBody> masses_;
  Assembled<Body<D>> whole_;  // all joints, forces and channels, at the states that the tree gives
  std::vector<Limb> limbs_;
  std::vector<int> limb_of_;  // limb of each velocity
  std::vector<Chord> chords_;
  std::vector<int> child_blocks_;       // per arc: place of its joint's rows over its child
  BlockAt block_of_;                    // of the joints of parts that follow
  int numbers_ = 0, mass_numbers_ = 0;  // numbers in D, in M
  Terms rows_;                          // rows of the joints over bodies
  struct Weight {
    double per_mass, per_inertia;  // weights of a body in the sizes of rows
    double arm;                    // distance to its farthest joint, squared
  };
  std::vector<Weight> weights_;  // per body, the ground first
  Metric lengths_;
  std::vector<Wrench<D>> wrenches_;  // per body, the ground first
  std::vector<Twist<D>> twists_;
  std::vector<Vec<D>> loads_;    // per body: the forces on it less those that its velocity needs
  std::vector<Vec<D>> through_;  // per body: the force that its arc carries
  std::vector<int> grip_arcs_;   // per grip: the body beyond its joint, or −1 for a chord ...
  std::vector<int> grip_rows_;   // ... and the first of its multipliers
  VecX body_u_, body_a_, lambda_;
  VecX placed_q_, placed_u_;  // where the bodies are, if they are placed
  bool placed_ = false;
  // Work space of recover_multipliers(): the equations of the joint of each arc.
  struct Balance {
    MatX Dt;
    PivotedQr factors;
    VecX lambda;
  };
  std::vector<Balance> balances_;
  /// The same of each part that follows, with all of its joints, which may hold each other.
  struct PartBalance {
    MatX Dt;
    LeastSquares factors;
    VecX wanted, lambda;
  };
  std::vector<PartBalance> within_;
};
}  // namespace mubody
