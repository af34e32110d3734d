// Supports, rails, springs and cylinders: what has no body of its own.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "mubody/picture/paint.h"

namespace mubody::io {
namespace {
using Type = Shape::Type;
constexpr double behind = -1000;  // the layer of the ground

Vec<2> across(const Vec<2>& d) { return {-d.y(), d.x()}; }
}  // namespace

// Floors lie behind everything.
void Painter::floors(const std::vector<Shape>& shapes) {
  for (const Shape& s : shapes) {
    if (!is_floor(s)) continue;
    const Vec<3> dx = s.x * s.size.x() / 2, dy = s.axis.cross(s.x) * s.size.y() / 2;
    face({s.at - dx - dy, s.at + dx - dy, s.at + dx + dy, s.at - dx + dy}, theme_.grid, theme_.faint, behind);
  }
}

void Painter::ground(const std::vector<Shape>& shapes) {
  const Paint grey = paint_of(theme_.ground, width_);
  for (const Shape& s : shapes) switch (s.type) {
      case Type::guide: rail(s); break;
      case Type::ground: support(s); break;
      case Type::box:
        if (!is_floor(s)) shape(s, Pose{}, grey, behind);
        break;
      default: shape(s, Pose{}, grey, behind);
    }
}

// Short strokes on the side of a line where nothing moves.
void Painter::hatch(Svg& svg, const Vec<2>& a, const Vec<2>& b, const Vec<2>& away) const {
  const double length = (b - a).norm();
  if (!(length > 1)) return;
  const Vec<2> along = (b - a) / length;
  const double gap = std::max(5.0, length / 60);
  const int count = std::max(2, int(std::lround(length / gap)));
  std::string d;
  for (int k = 0; k < count; ++k) {
    const Vec<2> p = a + along * (length * (k + 0.6) / count), q = p + 6 * away - 5 * along;
    d += "M" + px(p.x()) + "," + px(p.y()) + "L" + px(q.x()) + "," + px(q.y());
  }
  svg.path(d, {.stroke = theme_.ground, .width = 1, .more = round_line});
  svg.line(a, b, {.stroke = theme_.muted, .width = 1.5, .more = round_line});
}

void Painter::rail(const Shape& s) {
  Svg svg = sheet();
  const Vec<3> half = s.x * s.length / 2;
  const Vec<2> a = lens_(s.at - half), b = lens_(s.at + half);
  if (dim_ == 3) {
    bar(s.at - half, s.at + half, paint_of(theme_.ground, 0.42 * width_));
    return;
  }
  // The rail lies below the block that runs on it; pins and discs run on the line itself.
  const double offset = s.size.y() > 0 ? s.size.y() / 2 * lens_.scale + 1.5 : 0;
  Vec<2> away = across((b - a).normalized());
  if (away.y() < -1e-9 || (std::abs(away.y()) <= 1e-9 && away.x() < 0)) away = -away;
  hatch(svg, a + offset * away, b + offset * away, away);
  keep(behind, svg);
}

void Painter::support(const Shape& s) {
  Svg svg = sheet();
  const Vec<2> p = lens_(s.at);
  if (dim_ == 3) {
    const double r = 0.9 * width_;
    svg.rectangle(p - Vec<2>(r, r), {2 * r, 2 * r},
                  {.fill = theme_.faint, .stroke = theme_.muted, .width = 1.2}, 2);
    keep(lens_.depth(s.at) - 0.02 * size_, svg);
    return;
  }
  const double h = std::clamp(1.7 * width_, 6.0, 24.0), w = 0.75 * h;
  svg.polyline({p, p + Vec<2>(-w, h), p + Vec<2>(w, h)}, true,
               {.fill = mixed(theme_.ground, theme_.paper, 0.7),
                .stroke = theme_.muted,
                .width = 1.3,
                .more = round_line});
  hatch(svg, p + Vec<2>(-1.5 * w, h), p + Vec<2>(1.5 * w, h), {0, 1});
  keep(behind + 1, svg);
}

void Painter::zigzag(Svg& svg, const Vec<2>& a, const Vec<2>& b) const {
  const Vec<2> along = b - a;
  const Vec<2> side = across(along.normalized()) * std::clamp(0.7 * width_, 3.0, 9.0);
  const int coils = std::clamp(int(along.norm() / 24), 5, 12);
  constexpr double lead = 0.14;
  std::vector<Vec<2>> points{a, a + lead * along};
  for (int k = 0; k < 2 * coils; ++k)
    points.push_back(a + (lead + (1 - 2 * lead) * (k + 0.5) / (2 * coils)) * along +
                     (k % 2 == 0 ? 1 : -1) * side);
  points.push_back(b - lead * along);
  points.push_back(b);
  svg.polyline(points, false, {.stroke = theme_.muted, .width = 1.7, .more = round_line});
}

void Painter::dashpot(Svg& svg, const Vec<2>& a, const Vec<2>& b) const {
  const Vec<2> along = b - a;
  const Vec<2> side = across(along.normalized()) * std::clamp(0.6 * width_, 3.0, 8.0);
  const Vec<2> p = a + 0.35 * along, q = a + 0.65 * along, piston = a + 0.52 * along;
  const Ink ink{.stroke = theme_.muted, .width = 1.7, .more = round_line};
  svg.line(a, p, ink);
  svg.polyline({q + side, p + side, p - side, q - side}, false, ink);
  svg.line(piston + 0.8 * side, piston - 0.8 * side, ink);
  svg.line(piston, b, ink);
}

void Painter::spiral(Svg& svg, const Vec<2>& at) const {
  std::vector<Vec<2>> points;
  constexpr int count = 60;
  for (int k = 0; k <= count; ++k) {
    const double share = double(k) / count, angle = 2.25 * 2 * std::numbers::pi * share;
    points.push_back(at + (0.6 + 0.9 * share) * width_ * Vec<2>(std::cos(angle), -std::sin(angle)));
  }
  svg.polyline(points, false, {.stroke = theme_.muted, .width = 1.5, .more = round_line});
}

// A bar with flat ends.
void Painter::tube(const Vec<3>& a, const Vec<3>& b, const Paint& paint, double layer) {
  if (dim_ == 3) return bar(a, b, paint);
  Svg svg = sheet();
  const Vec<2> p = lens_(a), q = lens_(b), side = across((q - p).normalized()) * paint.width / 2;
  svg.polyline({p + side, q + side, q - side, p - side}, true,
               {.fill = paint.light,
                .stroke = paint.dark,
                .width = std::min(1.4, 0.15 * paint.width),
                .more = round_line});
  keep(layer, svg);
}

// Barrel, tube and rod, one out of the other.
void Painter::cylinder(const SceneTie& t, const Vec<3>& i, const Vec<3>& j, double layer) {
  const double length = (j - i).norm();
  if (!((lens_(i) - lens_(j)).norm() > 1)) return;
  const auto at = [&](double s) { return Vec<3>(i + (j - i) * (s / length)); };
  const double barrel = t.barrel_end(length), end = t.tube_end(length);
  tube(at(end), j, paint_of(theme_.faint, 0.4 * width_), layer);
  if (t.telescopic) tube(at(barrel), at(end), paint_of(theme_.ground, 0.62 * width_), layer);
  tube(i, at(barrel), paint_of(theme_.muted, 0.88 * width_), layer);
}

void Painter::tie(const SceneTie& t, const std::vector<Pose>& poses, int layer) {
  const Vec<3> i = global(poses, t.i), j = global(poses, t.j);
  const Vec<2> a = lens_(i), b = lens_(j);
  Svg svg = sheet();
  const auto bush = [&] { svg.circle(b, 0.62 * width_, {.stroke = theme_.muted, .width = 0.3 * width_}); };
  const bool short_one = (a - b).norm() < 3;
  switch (t.kind) {
    case Sketch::Tie::rod: return rod(i, j, paint_of(theme_.muted, 0.55 * width_), layer);
    case Sketch::Tie::cylinder: return cylinder(t, i, j, layer + 800);  // before its bodies, behind its pins
    case Sketch::Tie::spring: short_one ? bush() : zigzag(svg, a, b); break;
    case Sketch::Tie::damper: short_one ? bush() : dashpot(svg, a, b); break;
    case Sketch::Tie::spiral: spiral(svg, a); break;
    case Sketch::Tie::bush: bush(); break;
  }
  keep(t.kind == Sketch::Tie::bush && dim_ == 3 ? before(j) : depth((i + j) / 2, layer), svg);
  for (const Vec<3>& end : {i, j}) {
    Svg dot = sheet();
    dot.circle(lens_(end), std::min(2.6, 0.25 * width_), {.fill = theme_.ink});
    keep(dim_ == 3 ? before(end) : 2000, dot);
  }
}
}  // namespace mubody::io
