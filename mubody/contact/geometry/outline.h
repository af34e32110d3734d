#pragma once
// An outline in the plane: a closed or open chain of straight lines and arcs, or a disc.
//
//   docs/theory/contact.md#outline_on_outline
//
// Points and radii are what a drawing gives.  Of them a chain is made in which the material always lies on the left,
// so that whoever measures distances need not know how the outline was given.
#include <optional>
#include <vector>

#include "mubody/math/space.h"
#include "mubody/model/errors.h"
#include "mubody/model/fields.h"

namespace mubody {
/// A straight line or an arc from one point to another, with the material on its left.
struct Piece {
  Vec<2> a = Vec<2>::Zero(), b = a;                     // its ends [m]
  Vec<2> along_a = Vec<2>::UnitX(), along_b = along_a;  // unit vectors along it, there
  double radius = 0;                // of an arc: positive where the material bulges out; 0: straight [m]
  Vec<2> centre = Vec<2>::Zero();   // of the arc
  Vec<2> middle = Vec<2>::UnitX();  // unit vector from there to the middle of the arc
  double half = 0;                  // half of the angle of the arc [rad]

  static Piece line(const Vec<2>& a, const Vec<2>& b);
  /// The lesser of the two arcs of that radius.
  static Piece arc(const Vec<2>& a, const Vec<2>& b, double radius);
  static Piece arc_about(const Vec<2>& centre, double radius, const Vec<2>& middle, double half);
  bool is_arc() const { return radius != 0; }
  bool is_whole() const;
  double length() const { return is_arc() ? 2 * half * std::abs(radius) : (b - a).norm(); }
  /// The point at a share of its length, and the unit vector out of the material there.
  Vec<2> at(double share) const;
  Vec<2> out(double share) const;
  /// The same with the material on the other side.
  Piece reversed() const;
};

struct Chain {
  std::vector<Piece> pieces;
  bool closed = true;

  std::size_t joints() const { return closed ? pieces.size() : pieces.size() - 1; }
  /// The joint behind piece k: how much it turns to the left [rad]; positive: the corner sticks out.
  double turn(std::size_t k) const;
  const Piece& after(std::size_t k) const { return pieces[(k + 1) % pieces.size()]; }
  /// Corners of a polygon that looks like it.
  std::vector<Vec<2>> corners() const;
};

struct Outline {
  static constexpr double smooth = 1e-6;  // [rad], turns of less are none
  Data points;                            // x, y and the radius of the arc to the next point [m]
  std::optional<double> disc;             // radius [m]
  bool open = false;                      // it ends, and has its material on the right of the way
  bool hollow = false;                    // the material is around it
  double rounding = 0;                    // radius of corners between straight lines [m]

  void fields(Fields& f) {
    f.optional(
        "points", points, "m, m[, m]",
        "rows of x, y and, where there are arcs, the radius of the arc to the next point: positive if it "
        "bulges out, negative if it is hollow, 0 for a straight line",
        "none");
    f.optional("disc", disc, "m", "radius of a disc about the marker, instead of points", "none");
    f.optional("open", open, "", "it ends with the last point; the material is on the right of the way");
    f.optional("hollow", hollow, "", "the material is around the outline, which is a hole in it");
    f.optional("rounding", rounding, "m", "radius of all corners between straight lines");
  }
  void check() const;
  bool is_given() const { return disc || !points.columns.empty(); }
  /// The chain of an outline that was checked.
  Chain chain() const;

 private:
  void check_points() const;
  std::size_t count() const { return points.columns.empty() ? 0 : points.columns[0].size(); }
  Vec<2> point(std::size_t k) const { return {points.columns[0][k], points.columns[1][k]}; }
  double bend(std::size_t k) const { return points.columns.size() > 2 ? points.columns[2][k] : 0; }
  Chain sharp() const;
};
}  // namespace mubody
