#pragma once
// Stiffness that changes at given deflections: bump stops, play, springs in stages.  The force is continuous, and
// zero without deflection; its potential is exact.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "mubody/forces/laws/law.h"

namespace mubody {
struct PiecewiseLaw {
  static constexpr Info info{"piecewise", "a stiffness that changes at given deflections, as with bump stops"};
  static constexpr bool stores_energy = true;
  std::vector<double> breaks;     // [m, rad]
  std::vector<double> stiffness;  // [N/m, N m/rad] below the first break, between them, above the last

  void fields(Fields& f) {
    f.required("breaks", breaks, "deflection", "deflections at which the stiffness changes, increasing");
    f.required("stiffness", stiffness, "force/deflection",
               "below the first break, between the breaks, above the last: one more than breaks",
               Usual::not_negative);
  }
  void check() {
    require(!breaks.empty(), "breaks", "at least one is needed");
    for (const double b : breaks) require(std::isfinite(b), "breaks", "must be finite");
    for (std::size_t k = 1; k < breaks.size(); ++k)
      require(breaks[k] > breaks[k - 1], "breaks", "must increase");
    require(stiffness.size() == breaks.size() + 1, "stiffness",
            "needs " + std::to_string(breaks.size() + 1) + " numbers, one more than breaks, has " +
                std::to_string(stiffness.size()));
    for (const double k : stiffness) require(std::isfinite(k), "stiffness", "must be finite");
    make_pieces();
  }
  template <class R> R force(const DeflectionOf<R>& at) const {
    return piece_at(at.deflection).force_at(at.deflection);
  }
  template <class R> R potential(const R& deflection) const {
    return piece_at(deflection).potential_at(deflection);
  }

  /// A line of force, and the parabola of its potential, from a place where both are known.
  template <class R> struct PieceOf {
    R x = 0, force = 0, potential = 0, stiffness = 0;
    R force_at(const R& d) const { return force + stiffness * (d - x); }
    R potential_at(const R& d) const {
      const R s = d - x;
      return potential + s * (force + stiffness * s / 2);
    }
  };
  using Piece = PieceOf<double>;

  std::size_t index_of(double deflection) const {
    return static_cast<std::size_t>(std::ranges::upper_bound(breaks, deflection) - breaks.begin());
  }
  const Piece& piece_at(double deflection) const { return pieces[index_of(deflection)]; }
  PieceOf<Recorded> piece_at(const Recorded& deflection) const {
    std::vector<double> begins{breaks.front() - 1},
        rows;  // the outer pieces have no ends, which are not looked at
    begins.insert(begins.end(), breaks.begin(), breaks.end());
    begins.push_back(breaks.back() + 1);
    for (const Piece& p : pieces) rows.insert(rows.end(), {p.x, p.force, p.potential, p.stiffness});
    const Pieces at(deflection, begins);
    return {at(rows, 4, 0), at(rows, 4, 1), at(rows, 4, 2), at(rows, 4, 3)};
  }

  // Works from zero deflection outwards, so that each piece begins where the one before it ends.
  void make_pieces() {
    pieces.assign(stiffness.size(), {});
    const std::size_t zero = index_of(0);
    pieces[zero].stiffness = stiffness[zero];
    const auto join = [&](std::size_t from, std::size_t to, double at) {
      pieces[to] = {at, pieces[from].force_at(at), pieces[from].potential_at(at), stiffness[to]};
    };
    for (std::size_t k = zero + 1; k < pieces.size(); ++k) join(k - 1, k, breaks[k - 1]);
    for (std::size_t k = zero; k > 0; --k) join(k, k - 1, breaks[k - 1]);
  }

  std::vector<Piece> pieces{};  // made by check(), one for each stiffness
};
}  // namespace mubody
