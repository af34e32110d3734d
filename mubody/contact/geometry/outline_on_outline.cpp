#include "mubody/contact/geometry/outline_on_outline.h"

#include <algorithm>

#include "mubody/contact/stiffness.h"

namespace mubody {
namespace {
/// The nearest places of a feature and a run; the point is the centre of what touches, and both are in the axes of the
/// run.
struct Meeting {
  bool found = false;
  double gap = 0, radius = 0;
  Vec<2> at = Vec<2>::Zero(), normal = Vec<2>::UnitX();
};

/// The feature as seen from the body of the run.
struct Seen {
  const Placed<2>&own, &other;
  Vec<2> point(const Vec<2>& p) const { return other.local(own.global(p)); }
  Vec<2> back(const Vec<2>& n) const { return own.axes.transpose() * (other.axes * n); }
};

Meeting meet(const Feature& f, const Run& run, const Seen& seen) {
  Meeting best;
  const auto offer = [&](const Foot& foot, const Vec<2>& at, double radius) {
    const double gap = foot.distance - radius;
    if (!best.found || gap < best.gap) best = {true, gap, radius, at, foot.normal};
  };
  if (f.radius > 0) {
    const Vec<2> at = seen.point(f.centre);
    // Of an arc that faces away from a body, the centre would else be deep within it.
    const Foot foot = run.nearest(at, [&](Facet::Kind, double distance, const Vec<2>& normal) {
      return f.whole || (distance > 0 && -seen.back(normal).dot(f.middle) >= f.least);
    });
    if (foot.found) offer(foot, at, f.radius);
  }
  for (const Tip& tip : f.tips) {
    const Vec<2> at = seen.point(tip.at);
    const Foot foot = run.nearest(at, [](Facet::Kind, double, const Vec<2>&) { return true; });
    if (foot.found && tip.faces(-seen.back(foot.normal), foot.kind)) offer(foot, at, 0);
  }
  return best;
}

/// The contact of a feature with the run of another body, which counts as body i.
Touch<2> touch_of(const Feature& f, const Run& run, const Placed<2>& body, const Placed<2>& feature) {
  const Seen seen{feature, body};
  const Vec<2> d = seen.point(f.centre) - run.centre;
  const double far = d.norm(), apart = far - run.reach - f.reach;
  Meeting m;
  if (apart <= run.reach + f.reach) m = meet(f, run, seen);
  if (!m.found) {
    // Not within reach: what matters is that the gap is open, and whether it closes.
    const Vec<2> n = body.axes * (far > 0 ? Vec<2>(d / far) : Vec<2>(Vec<2>::UnitX()));
    const Vec<2> on_feature = feature.global(f.centre) - f.reach * n,
                 on_body = body.global(run.centre) + run.reach * n;
    return touch_at<2>(body, feature, std::max(apart, run.reach + f.reach), n, on_body, on_feature);
  }
  const Vec<2> at = body.global(m.at), n = body.axes * m.normal;
  return touch_at<2>(body, feature, m.gap, n, at - (m.gap + m.radius) * n, at - m.radius * n);
}

Touch<2> turned_round(Touch<2> t) {
  t.normal = -t.normal;
  t.slip = -t.slip;
  std::swap(t.on_i, t.on_j);
  return t;
}

std::vector<std::array<double, 2>> corners_of(const Outline& o) {
  Chain c = o.chain();
  std::vector<Vec<2>> line = c.corners();
  if (o.open || o.hollow) {  // a band on the side of the material
    double length = 0;
    for (const Piece& p : c.pieces) length += p.length();
    const double width = 0.02 * length;
    if (c.closed) line.push_back(c.pieces.front().at(0) - 1e-6 * length * c.pieces.front().along_a);
    for (std::size_t k = c.pieces.size(); k-- > 0;)
      for (const double share : {1.0, 0.5, 0.0})
        line.push_back(c.pieces[k].at(share) - width * c.pieces[k].out(share));
  }
  std::vector<std::array<double, 2>> all;
  for (const Vec<2>& p : line) all.push_back({p.x(), p.y()});
  return all;
}

void check_outline(const Outline& o, const char* field) {
  require(o.is_given(), field, "must be given: {points = [[x, y], ...]} or {disc = radius}");
  try {
    o.check();
  } catch (const FieldError& e) {
    throw FieldError(field, e.field + ": " + e.what());
  }
}
}  // namespace

void OutlineOnOutline::check() const {
  check_outline(outline_i, "outline_i");
  check_outline(outline_j, "outline_j");
  require(!outline_i.hollow || !outline_j.hollow, "outline_j",
          "is hollow as 'outline_i' is: one of them must be within the other");
}

void OutlineOnOutline::draw(Sketch& s, Sketch::Arrow& force) const {
  force.point = {"x", "y", ""};
  const auto show = [&](Sketch::End end, const Outline& o) {
    s.point(end);
    if (o.disc)
      s.disc(end, *o.disc, o.hollow);
    else if (o.is_given())
      s.prism(end, corners_of(o));
  };
  show(Sketch::End::i, outline_i);
  show(Sketch::End::j, outline_j);
}

std::optional<double> OutlineOnOutline::radius() const {
  const auto signed_radius = [](const Outline& o) { return o.hollow ? -*o.disc : *o.disc; };
  if (outline_i.disc && outline_j.disc)
    return relative_radius(signed_radius(outline_i), signed_radius(outline_j));
  if (outline_i.disc && !outline_i.hollow) return outline_i.disc;
  if (outline_j.disc && !outline_j.hollow) return outline_j.disc;
  return {};
}

void OutlineOnOutline::prepare() {
  const Chain i = outline_i.chain(), j = outline_j.chain();
  features_i_ = features_of(i);
  features_j_ = features_of(j);
  const bool from_i = outline_i.disc && !outline_i.hollow && !outline_j.disc;
  runs_i_ = runs_of(i, widest_of(features_j_), from_i);
  runs_j_ = runs_of(j, widest_of(features_i_), !from_i);
  sites_.clear();
  const auto add = [&](bool on_i, std::size_t runs, std::size_t features) {
    for (std::size_t f = 0; f < features; ++f)
      for (std::size_t r = 0; r < runs; ++r) sites_.push_back({on_i, r, f});
  };
  add(true, runs_i_.size(), features_j_.size());
  add(false, runs_j_.size(), features_i_.size());
}

Touch<2> OutlineOnOutline::touch(int site, const Placed<2>& i, const Placed<2>& j) const {
  const Site& s = sites_[std::size_t(site)];
  if (s.on_i) return touch_of(features_j_[s.feature], runs_i_[s.run], i, j);
  return turned_round(touch_of(features_i_[s.feature], runs_j_[s.run], j, i));
}
}  // namespace mubody
