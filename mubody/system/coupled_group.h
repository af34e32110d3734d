#pragma once
// All joints of one kind that relate coordinates of other joints: any number of bodies, one equation each.
//
//   Φ = F(s_1, ..., s_n)      D = Σ ∂F/∂s_k · ∂s_k/∂u      γ from F along the motion     docs/theory/couplers.md
#include <algorithm>

#include "mubody/system/any_joint_group.h"
#include "mubody/system/coupled_terms.h"

namespace mubody {
template <class J, class Formulation> class CoupledGroupOf final : public JointGroup<Formulation> {
 public:
  static constexpr int C = Formulation::columns, D = Formulation::dim;
  using typename JointGroup<Formulation>::BodyState;
  using typename JointGroup<Formulation>::Measure;
  using All = CoupledTerms<Formulation>;

  // Markers on the same body share a block; the ground has none, a number below zero.
  void add(const AnyJoint& joint, int row, std::span<const int> blocks) override {
    const J& j = static_cast<const JointOf<J>&>(joint).joint;
    Item it{j, row, All(j.couples), {blocks.begin(), blocks.end()}, {}};
    for (const int block : it.of_markers)
      if (block >= 0 && std::ranges::find(it.blocks, block) == it.blocks.end()) it.blocks.push_back(block);
    items_.push_back(std::move(it));
  }

  std::vector<Degree> degrees([[maybe_unused]] int k) const override {
    if constexpr (Formulation::polynomial) {
      const Item& it = items_[std::size_t(k)];
      Degree all;
      for (const auto& x : it.coupled.terms())
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
      std::array<typename All::Coordinate, most_coupled> s;
      std::array<double, most_coupled> slopes{};
      const Jet phi = it.coupled.relate(it.joint, bodies, t, s, slopes);
      terms.phi[it.row] = phi.x;
      terms.rate[it.row] = phi.v;
      terms.gamma[it.row] = -phi.a;
      for (const int block : it.blocks) std::fill_n(terms.D.data() + block, C, 0.0);
      for (std::size_t k = 0; k < it.coupled.size(); ++k) {
        const auto& x = it.coupled.terms()[k];
        enter(slopes[k], bodies[x.i.body], s[k].Ji, it.of_markers[2 * k], terms);
        enter(slopes[k], bodies[x.j.body], s[k].Jj, it.of_markers[2 * k + 1], terms);
      }
    }
  }

  // Its coordinates are reported by the joints that it couples.
  void measure(int, const BodyState*, double, const double*, std::vector<Measure>& all) const override {
    all.clear();
  }
  void remember(const BodyState* bodies, double t) override {
    for (Item& it : items_) it.coupled.remember(bodies, t);
  }
  void memory(Memory& m) override {
    for (Item& it : items_) it.coupled.memory(m);
  }
  double facing(int, const BodyState*) const override { return 1; }
  std::vector<double> slopes(int k, const BodyState* bodies, double t) const override {
    const Item& it = items_[std::size_t(k)];
    std::array<typename All::Coordinate, most_coupled> s;
    std::vector<double> all(it.coupled.size());
    it.coupled.relate(it.joint, bodies, t, s, all);
    return all;
  }

 private:
  struct Item {
    J joint;
    int row;
    All coupled;
    std::vector<int> of_markers;  // blocks, of i and j of every coordinate
    std::vector<int> blocks;      // each once
  };

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
