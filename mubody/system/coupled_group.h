#pragma once
// All joints of one kind that relate coordinates of other joints: any number of bodies, one equation each.
//
//   Φ = F(s_1, ..., s_n)      D = Σ ∂F/∂s_k · ∂s_k/∂u      γ from F along the motion     docs/theory/couplers.md
#include <algorithm>

#include "mubody/joints/joint.h"
#include "mubody/system/any_joint_group.h"

namespace mubody {
template <class J, class Formulation> class CoupledGroupOf final : public JointGroup<Formulation> {
 public:
  static constexpr int C = Formulation::columns, D = Formulation::dim;
  using typename JointGroup<Formulation>::BodyState;
  using typename JointGroup<Formulation>::Measure;
  using FrameI = Frame<Formulation, Side::i>;
  using FrameJ = Frame<Formulation, Side::j>;

  // Markers on the same body share a block; the ground has none, a number below zero.
  void add(const AnyJoint& joint, int row, std::span<const int> blocks) override {
    const J& j = static_cast<const JointOf<J>&>(joint).joint;
    Item it{j, row, {}, {}};
    for (std::size_t k = 0; k < j.couples.size(); ++k) {
      const Coupled& c = j.couples[k];
      it.terms.push_back({Mount<D>(c.i), Mount<D>(c.j), c.motion, blocks[2 * k], blocks[2 * k + 1], {}});
      for (const int block : {blocks[2 * k], blocks[2 * k + 1]})
        if (block >= 0 && std::ranges::find(it.blocks, block) == it.blocks.end()) it.blocks.push_back(block);
    }
    items_.push_back(std::move(it));
  }

  std::vector<Degree> degrees([[maybe_unused]] int k) const override {
    if constexpr (Formulation::polynomial) {
      const Item& it = items_[std::size_t(k)];
      Degree all;
      for (const Term& x : it.terms)
        all = all + coordinate(x.motion, DegreeFrame<Formulation, Side::i>{x.i.body != ground},
                               DegreeFrame<Formulation, Side::j>{x.j.body != ground});
      if (!it.joint.is_linear()) all = degrees::curved(all, 0);
      all.lengths = it.joint.is_length() ? 1 : 0;
      return {all};
    } else {
      return {};
    }
  }

  void evaluate(const BodyState* bodies, double t, Terms& terms, bool) const override {
    for (const Item& it : items_) {
      std::array<Coordinate, most_coupled> s;
      std::array<double, most_coupled> slopes{};
      const Jet phi = relate(it, bodies, t, s, slopes);
      terms.phi[it.row] = phi.x;
      terms.rate[it.row] = phi.v;
      terms.gamma[it.row] = -phi.a;
      for (const int block : it.blocks) std::fill_n(terms.D.data() + block, C, 0.0);
      for (std::size_t k = 0; k < it.terms.size(); ++k) {
        const Term& x = it.terms[k];
        enter(slopes[k], bodies[x.i.body], s[k].Ji, x.Di, terms);
        enter(slopes[k], bodies[x.j.body], s[k].Jj, x.Dj, terms);
      }
    }
  }

  // Its coordinates are reported by the joints that it couples.
  void measure(int, const BodyState*, double, const double*, std::vector<Measure>& all) const override {
    all.clear();
  }
  void remember(const BodyState* bodies, double t) override {
    if constexpr (has_angle<FrameI>) return;  // bodies count these
    for (Item& it : items_)
      for (Term& x : it.terms) {
        read(x, bodies, t);
        x.turns.accept(t);
      }
  }
  void memory(Memory& m) override {
    if constexpr (!has_angle<FrameI>)
      for (Item& it : items_)
        for (Term& x : it.terms) m(x.turns);
  }
  double facing(int, const BodyState*) const override { return 1; }
  std::vector<double> slopes(int k, const BodyState* bodies, double t) const override {
    const Item& it = items_[std::size_t(k)];
    std::array<Coordinate, most_coupled> s;
    std::vector<double> all(it.terms.size());
    relate(it, bodies, t, s, all);
    return all;
  }

 private:
  using Coordinate = RelativeCoordinate<Formulation>;
  struct Term {
    Mount<D> i, j;
    Elementary motion;
    int Di, Dj;
    Turns turns;
  };
  struct Item {
    J joint;
    int row;
    std::vector<Term> terms;
    std::vector<int> blocks;  // each once
  };

  static Coordinate read(const Term& x, const BodyState* bodies, double t) {
    x.turns.aim(t);
    return coordinate(x.motion, FrameI{bodies[x.i.body], x.i, x.turns}, FrameJ{bodies[x.j.body], x.j, x.turns});
  }
  static Jet relate(const Item& it, const BodyState* bodies, double t, std::span<Coordinate> s,
                    std::span<double> slopes) {
    std::array<Jet, most_coupled> values;
    for (std::size_t k = 0; k < it.terms.size(); ++k) {
      s[k] = read(it.terms[k], bodies, t);
      values[k] = {s[k].x, s[k].v, s[k].a};
    }
    return it.joint.relate({values.data(), it.terms.size()}, slopes);
  }
  template <class Row>
  static void enter(double slope, const BodyState& body, const Row& columns, int block, Terms& terms) {
    if (block < 0) return;
    Vec<C> row;
    Formulation::row(body, columns, row.data());
    Eigen::Map<Vec<C>>(terms.D.data() + block) += slope * row;
  }

  std::vector<Item> items_;
};
}  // namespace mubody
