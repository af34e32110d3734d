#include "mubody/contact/geometry/outline.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace mubody {
namespace {
constexpr double alike = 1e-9;  // share of a length that is taken for round-off of what was given

constexpr std::size_t most_points = 500;

double cross(const Vec<2>& a, const Vec<2>& b) { return a.x() * b.y() - a.y() * b.x(); }
double angle_from(const Vec<2>& a, const Vec<2>& b) { return std::atan2(cross(a, b), a.dot(b)); }
Vec<2> turned(const Vec<2>& v, double by) {
  return {std::cos(by) * v.x() - std::sin(by) * v.y(), std::sin(by) * v.x() + std::cos(by) * v.y()};
}

/// Twice the area of a polygon, positive if it goes counter-clockwise.
double area_of(const std::vector<Vec<2>>& corners) {
  double area = 0;
  for (std::size_t k = 0; k < corners.size(); ++k)
    area += cross(corners[k] - corners[0], corners[(k + 1) % corners.size()] - corners[0]);
  return area;
}

/// Whether two segments cross each other within both.
bool cross_each_other(const Vec<2>& a, const Vec<2>& b, const Vec<2>& c, const Vec<2>& d) {
  const auto apart = [](double x, double y) { return (x > 0 && y < 0) || (x < 0 && y > 0); };
  return apart(cross(b - a, c - a), cross(b - a, d - a)) && apart(cross(d - c, a - c), cross(d - c, b - c));
}

// An arc that was given in two halves is one arc: its middle is no joint.
void unite_arcs(Chain& chain) {
  std::vector<Piece>& all = chain.pieces;
  for (std::size_t k = 0; k < all.size() && all.size() > 1;) {
    const std::size_t next = (k + 1) % all.size();
    const Piece &a = all[k], &b = all[next];
    const bool one = (chain.closed || next > k) && a.is_arc() &&
                     std::abs(a.radius - b.radius) < alike * std::abs(a.radius) &&
                     (a.centre - b.centre).norm() < alike * std::abs(a.radius);
    if (!one) {
      ++k;
      continue;
    }
    const double half = std::min(a.half + b.half, std::numbers::pi);
    const double back = (a.radius > 0 ? 1 : -1) * (half - a.half);
    Piece whole = Piece::arc_about(a.centre, a.radius, turned(a.middle, back), half);
    whole.a = a.a, whole.b = b.b;
    all[k] = whole;
    all.erase(all.begin() + std::ptrdiff_t(next));
    if (next < k) --k;
  }
}
}  // namespace

Piece Piece::line(const Vec<2>& a, const Vec<2>& b) {
  const Vec<2> along = (b - a).normalized();
  return {.a = a, .b = b, .along_a = along, .along_b = along};
}

Piece Piece::arc(const Vec<2>& a, const Vec<2>& b, double radius) {
  const double r = std::abs(radius), chord = (b - a).norm();
  const Vec<2> left = perp(b - a) / chord;
  const double side = radius > 0 ? 1 : -1;  // the centre is in the material where it bulges out
  const double height = std::sqrt(std::max(0.0, r * r - chord * chord / 4));
  Piece p = arc_about((a + b) / 2 + side * height * left, radius, -side * left,
                      std::asin(std::min(1.0, chord / (2 * r))));
  p.a = a, p.b = b;
  return p;
}

Piece Piece::arc_about(const Vec<2>& centre, double radius, const Vec<2>& middle, double half) {
  Piece p{.radius = radius, .centre = centre, .middle = middle, .half = half};
  const double r = std::abs(radius), side = radius > 0 ? 1 : -1;
  const Vec<2> to_a = turned(middle, -side * half), to_b = turned(middle, side * half);
  p.a = centre + r * to_a, p.b = centre + r * to_b;
  p.along_a = side * perp(to_a), p.along_b = side * perp(to_b);
  return p;
}

bool Piece::is_whole() const { return half > std::numbers::pi - alike; }

Vec<2> Piece::at(double share) const {
  if (!is_arc()) return a + share * (b - a);
  return centre + std::abs(radius) * turned(middle, (radius > 0 ? 1 : -1) * half * (2 * share - 1));
}

Vec<2> Piece::out(double share) const {
  if (!is_arc()) return -perp(along_a);
  return (at(share) - centre) / radius;
}

Piece Piece::reversed() const {
  Piece p = *this;
  std::swap(p.a, p.b);
  p.along_a = -along_b, p.along_b = -along_a;
  p.radius = -radius;
  return p;
}

double Chain::turn(std::size_t k) const { return angle_from(pieces[k].along_b, after(k).along_a); }

std::vector<Vec<2>> Chain::corners() const {
  std::vector<Vec<2>> all;
  for (const Piece& p : pieces) {
    const int parts = p.is_arc() ? std::max(2, int(std::ceil(2 * p.half / 0.12))) : 1;
    for (int k = 0; k < parts; ++k) all.push_back(k == 0 ? p.a : p.at(double(k) / parts));
  }
  if (!closed) all.push_back(pieces.back().b);
  return all;
}

void Outline::check() const {
  require(is_given(), "points", "must be given, or 'disc'");
  require(!disc || points.columns.empty(), "disc", "takes the place of 'points': give one of them");
  require(!disc || (std::isfinite(*disc) && *disc > 0), "disc", "must be positive");
  require(!disc || !open, "open", "goes with 'points': a disc is closed");
  require(!open || !hollow, "hollow", "goes with closed outlines: of an open one the material is on the right");
  require(std::isfinite(rounding) && rounding >= 0, "rounding", "must not be negative");
  require(rounding == 0 || !disc, "rounding", "goes with 'points': a disc has no corners");
  if (!disc) check_points();
}

void Outline::check_points() const {
  const std::size_t columns = points.columns.size(), n = count();
  require(columns == 2 || columns == 3, "points",
          fmt::format("needs rows of 2 numbers, or of 3 with arcs, has {}", columns));
  const std::size_t least = open || columns == 3 ? 2 : 3;
  require(n >= least, "points", fmt::format("needs {} rows or more, has {}", least, n));
  require(n <= most_points, "points",
          fmt::format("has {} rows, at most {} are possible: every one is a place where bodies may touch; give "
                      "arcs, by a third number in a row, in place of many short lines",
                      n, most_points));
  for (std::size_t k = 0; k < n; ++k)
    if (!point(k).allFinite() || !std::isfinite(bend(k))) throw FieldError("points", k, "must be finite");
  for (std::size_t k = 0; k + (open ? 1 : 0) < n; ++k) {
    const double chord = (point((k + 1) % n) - point(k)).norm(), r = std::abs(bend(k));
    if (chord == 0)
      throw FieldError(
          "points", k,
          fmt::format("row {} and row {} are the same point{}", k + 1, (k + 1) % n + 1,
                      k + 1 == n ? ": a closed outline returns to its first point by itself" : ""));
    if (r > 0 && 2 * r < (1 - alike) * chord)
      throw FieldError(
          "points", k,
          fmt::format("no arc of radius {:.6g} m reaches the next point, {:.6g} m away: it must be "
                      "{:.6g} m or more",
                      r, chord, chord / 2));
  }
  const Chain c = sharp();
  constexpr double back = std::numbers::pi - 1e-3;
  for (std::size_t k = 0; k < c.joints(); ++k)
    require(std::abs(c.turn(k)) < back, "points",
            fmt::format("the outline turns back on itself at ({:.6g}, {:.6g})", c.pieces[k].b.x(),
                        c.pieces[k].b.y()));
  const std::vector<Vec<2>> corners = c.corners();
  const std::size_t sides = corners.size() - (open ? 1 : 0);
  for (std::size_t k = 0; k < sides; ++k)
    for (std::size_t l = k + 2; l < sides; ++l)
      require(!cross_each_other(corners[k], corners[k + 1], corners[l], corners[(l + 1) % corners.size()]),
              "points",
              fmt::format("the outline crosses itself near ({:.6g}, {:.6g})", corners[k].x(), corners[k].y()));
  if (rounding == 0) return;
  for (std::size_t k = 0; k < c.pieces.size(); ++k) {
    const Piece& p = c.pieces[k];
    if (p.is_arc()) continue;
    double taken = 0;
    for (const std::size_t joint : {k, (k + c.pieces.size() - 1) % c.pieces.size()})
      if (joint < c.joints() && !c.pieces[joint].is_arc() && !c.after(joint).is_arc())
        taken += rounding * std::tan(std::abs(c.turn(joint)) / 2);
    require(taken <= p.length() * (1 + alike), "rounding",
            fmt::format(
                "is too large for the line at ({:.6g}, {:.6g}), which is {:.6g} m long and would lose {:.6g} m",
                p.a.x(), p.a.y(), p.length(), taken));
  }
}

// As given, with sharp corners, and the material on the left of a closed outline, on the right of an open one.
Chain Outline::sharp() const {
  Chain c{.pieces = {}, .closed = !open};
  const std::size_t n = count();
  std::vector<Vec<2>> all(n);
  for (std::size_t k = 0; k < n; ++k) all[k] = point(k);
  const bool clockwise = open || area_of(all) < 0;
  for (std::size_t k = 0; k + (open ? 1 : 0) < n; ++k) {
    const Vec<2>&a = all[k], &b = all[(k + 1) % n];
    const double r = bend(k);
    // A clockwise outline is made with its sides exchanged and put right as a whole.
    c.pieces.push_back(r == 0 ? Piece::line(a, b) : Piece::arc(a, b, clockwise ? -r : r));
  }
  if (clockwise) {
    std::ranges::reverse(c.pieces);
    for (Piece& p : c.pieces) p = p.reversed();
  }
  unite_arcs(c);
  return c;
}

Chain Outline::chain() const {
  if (disc)
    return {.pieces = {Piece::arc_about(Vec<2>::Zero(), hollow ? -*disc : *disc, Vec<2>::UnitX(),
                                        std::numbers::pi)},
            .closed = true};
  Chain c = sharp();
  if (rounding > 0) {
    const Chain before = c;
    c.pieces.clear();
    for (std::size_t k = 0; k < before.pieces.size(); ++k) {
      c.pieces.push_back(before.pieces[k]);
      if (k >= before.joints() || before.pieces[k].is_arc() || before.after(k).is_arc()) continue;
      const double turn = before.turn(k);
      if (std::abs(turn) < smooth) continue;
      const Vec<2> corner = before.pieces[k].b;
      const double short_of = rounding * std::tan(std::abs(turn) / 2);
      c.pieces.push_back(Piece::arc(corner - short_of * before.pieces[k].along_b,
                                    corner + short_of * before.after(k).along_a,
                                    turn > 0 ? rounding : -rounding));
    }
    // The lines end where the arcs begin; one that is all taken up is left out.
    for (std::size_t k = 0; k < c.pieces.size(); ++k) {
      Piece& p = c.pieces[k];
      if (p.is_arc()) continue;
      const std::size_t last = (k + c.pieces.size() - 1) % c.pieces.size();
      if ((c.closed || k > 0) && c.pieces[last].is_arc()) p.a = c.pieces[last].b;
      if ((c.closed || k + 1 < c.pieces.size()) && c.after(k).is_arc()) p.b = c.after(k).a;
    }
    std::erase_if(c.pieces,
                  [&](const Piece& p) { return !p.is_arc() && (p.b - p.a).dot(p.along_a) < alike * rounding; });
  }
  if (hollow) {
    std::ranges::reverse(c.pieces);
    for (Piece& p : c.pieces) p = p.reversed();
  }
  return c;
}
}  // namespace mubody
