#pragma once
// The coordinates of joints that an element relates, in one formulation: values, rates and rows of each, with their turns.
//
//   F(s_1, ..., s_n)                                                            docs/theory/couplers.md
#include <array>

#include "mubody/joints/coupled.h"
#include "mubody/joints/joint.h"
#include "mubody/math/memory.h"
#include "mubody/system/any_joint_group.h"

namespace mubody {
template <class Formulation> class CoupledTerms {
 public:
  static constexpr int D = Formulation::dim;
  using R = typename Formulation::Real;
  using BodyState = typename Formulation::BodyState;
  using FrameI = Frame<Formulation, Side::i>;
  using FrameJ = Frame<Formulation, Side::j>;
  using Coordinate = RelativeCoordinate<Formulation>;
  struct Term {
    Mount<D> i, j;
    Elementary motion;
    TurnsOf<R> turns{};
  };

  explicit CoupledTerms(std::span<const Coupled> couples, const TurnsOf<R>& turns = {}) {
    for (const Coupled& c : couples) terms_.push_back({Mount<D>(c.i), Mount<D>(c.j), c.motion, turns});
  }
  const std::vector<Term>& terms() const { return terms_; }
  std::size_t size() const { return terms_.size(); }

  /// The relation of `element` with its rates; fills in the coordinates and by how much it changes with each of them.
  template <class Element>
  JetOf<R> relate(const Element& element, const BodyState* bodies, const R& t, std::span<Coordinate> s,
                  std::span<R> slopes) const {
    std::array<JetOf<R>, most_coupled> values;
    for (std::size_t k = 0; k < terms_.size(); ++k) {
      s[k] = read(terms_[k], bodies, t);
      values[k] = {s[k].x, s[k].v, s[k].a};
    }
    return element.relate(std::span<const JetOf<R>>(values.data(), terms_.size()), slopes);
  }
  /// Counts turns from here on: the state is an accepted one.
  void remember(const BodyState* bodies, double t) {
    if constexpr (has_angle<FrameI>) return;  // bodies count these
    for (Term& x : terms_) {
      read(x, bodies, t);
      x.turns.accept(t);
    }
  }
  void memory(Memory& m) {
    if constexpr (!has_angle<FrameI>)
      for (Term& x : terms_) m(x.turns);
  }

 private:
  static Coordinate read(const Term& x, const BodyState* bodies, const R& t) {
    x.turns.aim(t);
    return coordinate(x.motion, FrameI{bodies[x.i.body], x.i, x.turns}, FrameJ{bodies[x.j.body], x.j, x.turns});
  }
  std::vector<Term> terms_;
};

/// A scalar that is made of coordinates of joints, for forces along it.
template <class Formulation> struct Relation {
  using All = CoupledTerms<Formulation>;
  using R = typename Formulation::Real;
  const All& all;
  R x = 0, v = 0, a = 0;
  std::array<typename All::Coordinate, most_coupled> coordinates;
  std::array<R, most_coupled> slopes{};

  template <class Element>
  Relation(const All& terms, const Element& element, const typename Formulation::BodyState* bodies, const R& t)
      : all(terms) {
    const JetOf<R> jet = all.relate(element, bodies, t, coordinates, slopes);
    x = jet.x, v = jet.v, a = jet.a;
  }
};
}  // namespace mubody
