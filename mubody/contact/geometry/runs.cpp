#include "mubody/contact/geometry/runs.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mubody {
namespace {
constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double slack = 1e-12;  // of cosines: arcs overlap their neighbours by that, so that there is no gap

bool sticks_out(const Chain& c, std::size_t joint) { return c.turn(joint) > Outline::smooth; }
bool points_in(const Chain& c, std::size_t joint) { return c.turn(joint) < -Outline::smooth; }

/// Whether a feature of that radius touches the pieces before and behind the joint at the same time.
bool parts_runs(const Chain& c, std::size_t joint, double widest) {
  const auto narrow = [&](const Piece& p) { return p.radius < 0 && -p.radius <= widest && !p.is_whole(); };
  return points_in(c, joint) || narrow(c.pieces[joint]) || narrow(c.after(joint));
}

Facet facet_of(const Piece& p) {
  if (!p.is_arc())
    return {.kind = Facet::line, .a = p.a, .b = p.b, .before = p.along_a, .after = p.along_a, .out = p.out(0)};
  return {.kind = p.radius > 0 ? Facet::bulge : Facet::hollow,
          .a = p.a,
          .b = p.b,
          .centre = p.centre,
          .middle = p.middle,
          .radius = std::abs(p.radius),
          .least = p.is_whole() ? -2 : std::cos(p.half) - slack};
}

Facet corner_at(const Vec<2>& at, const Vec<2>& before, const Vec<2>& after) {
  return {.kind = Facet::corner,
          .a = at,
          .b = at,
          .before = before,
          .after = after,
          .out = Vec<2>(-perp(before) - perp(after)).normalized()};
}

/// How far from p in the direction d the piece is met; infinite if it is not.
double met(const Piece& q, const Vec<2>& p, const Vec<2>& d) {
  if (!q.is_arc()) {
    const double across = d.dot(perp(q.along_a));
    if (across == 0) return infinite;
    const double s = (q.a - p).dot(perp(q.along_a)) / across, at = (p + s * d - q.a).dot(q.along_a);
    return s > 0 && at >= 0 && at <= q.length() ? s : infinite;
  }
  const Vec<2> c = p - q.centre;
  const double b = c.dot(d), root = b * b - c.squaredNorm() + q.radius * q.radius;
  double nearest = infinite;
  if (root < 0) return nearest;
  for (const double s : {-b - std::sqrt(root), -b + std::sqrt(root)})
    if (s > 0 && s < nearest && (c + s * d).dot(q.middle) >= std::abs(q.radius) * std::cos(q.half)) nearest = s;
  return nearest;
}

/// Half of the thickness of the material behind some pieces, up to the others.
double half_thickness(const Chain& c, const std::vector<std::size_t>& own) {
  double least = infinite;
  for (const std::size_t k : own)
    for (const double share : {0.1, 0.3, 0.5, 0.7, 0.9}) {
      const Piece& p = c.pieces[k];
      for (std::size_t other = 0; other < c.pieces.size(); ++other)
        if (std::ranges::find(own, other) == own.end())
          least = std::min(least, met(c.pieces[other], p.at(share), -p.out(share)) / 2);
    }
  return least;
}

/// The pieces of each run, in order.
std::vector<std::vector<std::size_t>> parted(const Chain& c, double widest) {
  const std::size_t n = c.pieces.size();
  std::size_t first = 0;
  for (std::size_t k = 0; c.closed && k < n; ++k)
    if (parts_runs(c, k, widest)) first = (k + 1) % n;
  std::vector<std::vector<std::size_t>> all(1);
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t piece = (first + k) % n;
    all.back().push_back(piece);
    if (k + 1 < n && parts_runs(c, piece, widest)) all.emplace_back();
  }
  return all;
}

class RunMaker {
 public:
  RunMaker(const Chain& c, double widest) : c_(c), widest_(widest) {}

  Run make(const std::vector<std::size_t>& own) const {
    Run run;
    run.limit = half_thickness(c_, own);
    const std::size_t n = c_.pieces.size();
    for (const std::size_t k : own) {
      const Piece& p = c_.pieces[k];
      const bool first = !c_.closed && k == 0, last = !c_.closed && k + 1 == n;
      if (first) run.facets.push_back(corner_at(p.a, -perp(p.along_a), p.along_a));
      run.facets.push_back(facet_of(p));
      Facet& made = run.facets.back();
      const std::size_t behind = (k + n - 1) % n;
      if (!p.is_arc() && !first && parts_runs(c_, behind, widest_))
        made.early = std::min(c_.pieces[behind].length(), run.limit);
      if (last) {
        run.facets.push_back(corner_at(p.b, p.along_b, perp(p.along_b)));
        continue;
      }
      if (!p.is_arc() && parts_runs(c_, k, widest_)) made.late = std::min(c_.after(k).length(), run.limit);
      if (sticks_out(c_, k)) run.facets.push_back(corner_at(p.b, p.along_b, c_.after(k).along_a));
    }
    enclose(run);
    return run;
  }

 private:
  static void enclose(Run& run) {
    Vec<2> low = Vec<2>::Constant(infinite), high = -low;
    for (const Facet& f : run.facets) {
      const bool round = f.kind == Facet::bulge || f.kind == Facet::hollow;
      const Vec<2> r = Vec<2>::Constant(round ? f.radius : 0);
      low = low.cwiseMin(round ? Vec<2>(f.centre - r) : f.a.cwiseMin(f.b));
      high = high.cwiseMax(round ? Vec<2>(f.centre + r) : f.a.cwiseMax(f.b));
    }
    run.centre = (low + high) / 2;
    run.reach = (high - low).norm() / 2;
  }

  const Chain& c_;
  double widest_;
};
}  // namespace

std::vector<Run> runs_of(const Chain& c, double widest, bool flat) {
  std::vector<Run> all;
  const RunMaker maker(c, widest);
  for (const std::vector<std::size_t>& own : parted(c, widest)) {
    if (flat && std::ranges::all_of(own, [&](std::size_t k) { return c.pieces[k].radius > 0; })) continue;
    all.push_back(maker.make(own));
    all.back().flat = flat;
  }
  return all;
}

// Where an arc passes smoothly into a line, its end is a tip as well: a body that lies flat on another rests on the ends
// of its line, whichever of them is the lower one.
std::vector<Feature> features_of(const Chain& c) {
  std::vector<Feature> all;
  const std::size_t n = c.pieces.size();
  const auto bulges = [](const Piece& p) { return p.radius > 0; };
  for (std::size_t k = 0; k < n; ++k) {
    const Piece& p = c.pieces[k];
    if (bulges(p)) {
      Feature arc{
          .centre = p.centre, .middle = p.middle, .radius = p.radius, .least = std::cos(p.half) - slack};
      arc.whole = p.is_whole(), arc.reach = p.radius;
      const std::size_t behind = (k + n - 1) % n;
      if (!c.closed && k == 0)
        arc.tips.push_back({p.a, -perp(p.along_a), p.along_a, false, true});
      else if (!arc.whole && !points_in(c, behind) && !bulges(c.pieces[behind]))
        arc.tips.push_back({p.a, c.pieces[behind].along_b, p.along_a, false, true});
      if (!c.closed && k + 1 == n)
        arc.tips.push_back({p.b, p.along_b, perp(p.along_b), true, false});
      else if (!arc.whole && !points_in(c, k) && (sticks_out(c, k) || !bulges(c.after(k))))
        arc.tips.push_back({p.b, p.along_b, c.after(k).along_a, true, bulges(c.after(k))});
      all.push_back(std::move(arc));
      continue;
    }
    const auto add = [&](const Tip& tip) { all.push_back({.centre = tip.at, .tips = {tip}}); };
    if (!c.closed && k == 0) add({p.a, -perp(p.along_a), p.along_a});
    if (!c.closed && k + 1 == n)
      add({p.b, p.along_b, perp(p.along_b)});
    else if (sticks_out(c, k) && !bulges(c.after(k)))
      add({p.b, p.along_b, c.after(k).along_a});
  }
  return all;
}

double widest_of(const std::vector<Feature>& all) {
  double widest = 0;
  for (const Feature& f : all) widest = std::max(widest, f.radius);
  return widest;
}
}  // namespace mubody
