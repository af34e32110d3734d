#include "mubody/picture/paint.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace mubody::io {
namespace {
using Type = Shape::Type;
using std::numbers::pi;

Vec<3> moved(const Pose& p, const Vec<3>& at) { return p.at + p.turn * at; }

// A direction across an axis.
Vec<3> one_across(const Vec<3>& axis) {
  const Vec<3> other = std::abs(axis.z()) < 0.9 ? Vec<3>::UnitZ() : Vec<3>::UnitX();
  return axis.cross(other).normalized();
}

std::vector<Vec<3>> rim(const Vec<3>& at, const Vec<3>& axis, double radius, int count) {
  const Vec<3> x = one_across(axis), y = axis.cross(x);
  std::vector<Vec<3>> points;
  for (int k = 0; k < count; ++k)
    points.push_back(at + radius * (std::cos(2 * pi * k / count) * x + std::sin(2 * pi * k / count) * y));
  return points;
}
}  // namespace

Painter::Paint Painter::paint_of(const std::string& colour, double width) const {
  return {colour, mixed(colour, theme_.paper, 0.35), mixed(colour, "#000000", 0.3), width};
}

std::string Painter::shaded(const std::string& colour, const Vec<3>& normal) const {
  const View& v = lens_.view;
  const Vec<3> light = (0.9 * v.toward - 0.45 * v.right + 0.75 * v.up).normalized();
  const double lit = normal.normalized().dot(light);
  return lit > 0.5 ? mixed(colour, "#ffffff", 0.5 * (lit - 0.5)) : mixed(colour, "#000000", 0.36 * (0.5 - lit));
}

void Painter::put_into(Svg& svg) {
  std::ranges::stable_sort(items_, {}, [](const auto& item) { return item.first; });
  for (const auto& [unused, text] : items_) svg.append(text);
  items_.clear();
}

void Painter::body(const SceneBody& b, const Pose& pose, const std::string& colour, int layer) {
  const bool has_links = std::ranges::any_of(b.shapes, [](const Shape& s) { return s.type == Type::link; });
  const Paint paint = paint_of(colour, b.size > 0 && has_links ? b.size * lens_.scale : width_);
  for (const Shape& s : b.shapes) shape(s, pose, paint, layer);
}

void Painter::shape(const Shape& s, const Pose& pose, const Paint& paint, double layer) {
  const Vec<3> at = moved(pose, s.at), axis = pose.turn * s.axis;
  switch (s.type) {
    case Type::link: rod(moved(pose, s.points[0]), moved(pose, s.points[1]), paint, layer); break;
    case Type::plate: {
      std::vector<Vec<3>> corners;
      for (const Vec<3>& p : s.points) corners.push_back(moved(pose, p));
      plate(corners, paint, layer);
      break;
    }
    case Type::disc: disc(s, pose, paint, layer); break;
    case Type::box: box(s, pose, paint, layer); break;
    case Type::guide: {
      const Vec<3> half = pose.turn * s.x * (s.length / 2);
      slot(at - half, at + half, paint, layer + 0.3);
      break;
    }
    case Type::pin: pin(at, axis, layer + 1000); break;
    case Type::sphere: ball(at, s.radius, paint, layer + 0.4); break;
    case Type::mass: centre_of_mass(at, paint, layer + 0.5); break;
    case Type::solid: solid(*s.surface, pose, paint, layer); break;
    case Type::ground: break;
  }
}

void Painter::rod(const Vec<3>& a, const Vec<3>& b, const Paint& paint, double layer) {
  if (dim_ == 3) return bar(a, b, paint);
  Svg svg = sheet();
  const double rim_width = std::min(1.4, 0.15 * paint.width);
  svg.line(lens_(a), lens_(b), {.stroke = paint.dark, .width = paint.width, .more = round_line});
  svg.line(lens_(a), lens_(b),
           {.stroke = paint.light, .width = paint.width - 2 * rim_width, .more = round_line});
  keep(layer, svg);
}

// A tube in pieces, each at its own depth, so that bars may pass before and behind each other.
void Painter::bar(const Vec<3>& a, const Vec<3>& b, const Paint& paint) {
  const double rim_width = std::min(1.4, 0.15 * paint.width), inner = paint.width - 2 * rim_width;
  // The light falls on the upper side, or on the left one.
  const Vec<2> d = (lens_(b) - lens_(a)).normalized(), side(d.y(), -d.x());
  const Vec<2> gleam = (side.y() < -0.1 || (side.y() <= 0.1 && side.x() < 0) ? 0.2 : -0.2) * paint.width * side;
  const std::string bright = mixed(paint.light, "#ffffff", 0.5);
  for (const Vec<3>& end : {a, b}) {
    Svg svg = sheet();
    svg.circle(lens_(end), paint.width / 2, {.fill = paint.dark});
    svg.circle(lens_(end), inner / 2, {.fill = paint.light});
    keep(lens_.depth(end) - 1e-3 * size_, svg);
  }
  const int pieces = std::clamp(int((lens_(b) - lens_(a)).norm() / 40), 1, 12);
  for (int k = 0; k < pieces; ++k) {
    const Vec<3> from = a + (b - a) * k / pieces, to = a + (b - a) * (k + 1) / pieces;
    const Vec<2> p = lens_(from), q = lens_(to), along = (q - p).normalized();
    // The highlight overlaps the next piece, so that no seam is seen.
    const Vec<2> p1 = p - (k > 0 ? 1 : 0) * along, q1 = q + (k + 1 < pieces ? 1 : 0) * along;
    Svg svg = sheet();
    svg.line(p, q, {.stroke = paint.dark, .width = paint.width});
    svg.line(p1, q1, {.stroke = paint.light, .width = inner});
    svg.line(p1 + gleam, q1 + gleam, {.stroke = bright, .width = 0.2 * paint.width});
    keep(lens_.depth((from + to) / 2), svg);
  }
}

void Painter::plate(const std::vector<Vec<3>>& corners, const Paint& paint, double layer) {
  Svg svg = sheet();
  std::vector<Vec<2>> flat;
  Vec<3> middle = Vec<3>::Zero();
  for (const Vec<3>& p : corners) flat.push_back(lens_(p)), middle += p / double(corners.size());
  const double rim_width = std::min(1.4, 0.15 * paint.width);
  svg.polyline(flat, true,
               {.fill = paint.dark, .stroke = paint.dark, .width = paint.width, .more = round_line});
  svg.polyline(
      flat, true,
      {.fill = paint.light, .stroke = paint.light, .width = paint.width - 2 * rim_width, .more = round_line});
  keep(depth(middle, layer), svg);
}

void Painter::face(const std::vector<Vec<3>>& corners, const std::string& colour, const std::string& edge,
                   double at_depth) {
  Svg svg = sheet();
  std::vector<Vec<2>> flat;
  for (const Vec<3>& p : corners) flat.push_back(lens_(p));
  svg.polyline(flat, true, {.fill = colour, .stroke = edge, .width = 1, .more = round_line});
  keep(at_depth, svg);
}

void Painter::disc(const Shape& s, const Pose& pose, const Paint& paint, double layer) {
  const Vec<3> at = moved(pose, s.at), axis = (pose.turn * s.axis).normalized();
  const Vec<3> mark = at + pose.turn * s.x * s.radius;
  const double r = s.radius * lens_.scale;
  if (dim_ == 2) {
    Svg svg = sheet();
    const double band = std::min(paint.width, 0.3 * r);
    if (s.bearing) svg.circle(lens_(at), r, {.fill = theme_.paper});
    if (s.hollow) {
      svg.circle(lens_(at), r + band / 2, {.stroke = paint.dark, .width = band});
      svg.circle(lens_(at), r + band / 2, {.stroke = paint.light, .width = std::max(0.5, band - 2.4)});
    } else {
      svg.circle(lens_(at), r, {.fill = paint.light, .stroke = paint.dark, .width = 1.4, .opacity = 0.9});
      // A spoke shows the rotation.
      svg.line(lens_(at), lens_(at + 0.96 * (mark - at)), {.stroke = paint.dark, .width = 1.4});
      svg.circle(lens_(at), std::min(0.5 * paint.width, 0.2 * r), {.fill = paint.dark});
    }
    // A disc lies behind the links of its body, but a bearing before its block and a journal before its link.
    keep(layer + (s.bearing || s.journal ? 0.4 : -0.5), svg);
    return;
  }
  const double half = std::min(0.12 * s.radius, 0.02 * size_);
  const Vec<3> facing = axis * (axis.dot(lens_.view.toward) >= 0 ? 1 : -1);
  constexpr int count = 48;
  const std::vector<Vec<3>> front = rim(at + half * facing, facing, s.radius, count);
  const double d = depth(at, layer);
  for (int k = 0; k < count && !s.hollow; ++k) {
    const Vec<3>&a = front[std::size_t(k)], &b = front[std::size_t((k + 1) % count)];
    const Vec<3> out = (a + b) / 2 - at - half * facing;
    if (out.dot(lens_.view.toward) <= 0) continue;
    const std::string colour = shaded(paint.colour, out);
    face({a, b, b - 2 * half * facing, a - 2 * half * facing}, colour, colour, d);
  }
  if (s.hollow) {
    Svg svg = sheet();
    std::vector<Vec<2>> flat;
    for (const Vec<3>& p : front) flat.push_back(lens_(p));
    svg.polyline(flat, true, {.stroke = paint.dark, .width = paint.width, .more = round_line});
    svg.polyline(flat, true, {.stroke = paint.light, .width = paint.width - 2.8, .more = round_line});
    keep(d, svg);
    return;
  }
  face(front, shaded(paint.light, facing), paint.dark, d);
  const Vec<3> spoke = (mark - at) - facing * facing.dot(mark - at);
  Svg svg = sheet();
  svg.line(lens_(at + half * facing), lens_(at + half * facing + spoke), {.stroke = paint.dark, .width = 1.2});
  keep(d, svg);
}

void Painter::box(const Shape& s, const Pose& pose, const Paint& paint, double layer) {
  const Vec<3> at = moved(pose, s.at);
  const Vec<3> z = (pose.turn * s.axis).normalized(), x = (pose.turn * s.x).normalized(), y = z.cross(x);
  const Vec<3> dx = x * s.size.x() / 2, dy = y * s.size.y() / 2, dz = z * s.size.z() / 2;
  if (dim_ == 2) {
    face({at - dx - dy, at + dx - dy, at + dx + dy, at - dx + dy}, paint.light, paint.dark, layer + 0.2);
    return;
  }
  // A face counts as near as its nearest corner, so that it hides what goes through it.
  const Vec<3>& toward = lens_.view.toward;
  const double d =
      depth(at, layer) + std::abs(dx.dot(toward)) + std::abs(dy.dot(toward)) + std::abs(dz.dot(toward));
  const std::pair<Vec<3>, std::pair<Vec<3>, Vec<3>>> sides[] = {{dx, {dy, dz}}, {dy, {dz, dx}}, {dz, {dx, dy}}};
  for (const auto& [normal, edges] : sides)
    for (const double sign : {-1.0, 1.0}) {
      const Vec<3> n = sign * normal;
      const auto& [e, f] = edges;
      if (n.dot(lens_.view.toward) <= 0) continue;
      face({at + n - e - f, at + n + e - f, at + n + e + f, at + n - e + f}, shaded(paint.colour, n),
           paint.dark, d);
    }
}

void Painter::solid(const Surface& surface, const Pose& pose, const Paint& paint, double layer) {
  Surface s = surface;
  s.move(pose.turn, pose.at);
  const Vec<3>& toward = lens_.view.toward;
  const auto point = [&](std::uint32_t k) {
    const Vec<2> p = lens_(s.points[k]);
    return px(p.x()) + "," + px(p.y());
  };
  std::string flat;  // all near faces at once, where they have one depth
  for (const auto& [a, b, c] : s.triangles) {
    const Vec<3> n = (s.points[b] - s.points[a]).cross(s.points[c] - s.points[a]);
    if (!(n.dot(toward) > 0)) continue;
    if (dim_ == 2) {
      flat += "M" + point(a) + "L" + point(b) + "L" + point(c) + "z";
      continue;
    }
    const std::string colour = shaded(paint.colour, n);
    face({s.points[a], s.points[b], s.points[c]}, colour, colour,
         depth((s.points[a] + s.points[b] + s.points[c]) / 3, layer));
  }
  Svg svg = sheet();
  if (!flat.empty()) svg.path(flat, {.fill = paint.light, .stroke = paint.light, .width = 0.5});
  for (const auto& [a, b] : lines_seen(s, toward)) {
    Svg line = sheet();
    (dim_ == 2 ? svg : line).line(lens_(s.points[a]), lens_(s.points[b]), {.stroke = paint.dark, .width = 1.2});
    // A little nearer than the faces on its sides.
    if (dim_ == 3) keep(depth((s.points[a] + s.points[b]) / 2, layer) + 0.01 * size_, line);
  }
  if (dim_ == 2) keep(layer + 0.2, svg);
}

void Painter::slot(const Vec<3>& a, const Vec<3>& b, const Paint& paint, double layer) {
  Svg svg = sheet();
  const double width = 0.5 * paint.width;
  svg.line(lens_(a), lens_(b), {.stroke = paint.dark, .width = width, .more = round_line});
  svg.line(lens_(a), lens_(b), {.stroke = theme_.paper, .width = std::max(0.5, width - 2), .more = round_line});
  keep(depth((a + b) / 2, layer), svg);
}

void Painter::pin(const Vec<3>& at, const Vec<3>& axis, double layer) {
  Svg svg = sheet();
  if (dim_ == 2) {
    svg.circle(lens_(at), 0.36 * width_,
               {.fill = theme_.paper, .stroke = theme_.ink, .width = std::min(1.6, 0.15 * width_)});
    keep(layer, svg);
    return;
  }
  const Vec<3> half = axis.normalized() * (0.75 * width_ / lens_.scale);
  const Vec<3> rim_width = axis.normalized() * (1.2 / lens_.scale);
  svg.line(lens_(at - half - rim_width), lens_(at + half + rim_width),
           {.stroke = theme_.ink, .width = 0.95 * width_, .more = " stroke-linecap=\"butt\""});
  svg.line(lens_(at - half), lens_(at + half),
           {.stroke = theme_.faint, .width = 0.95 * width_ - 2.4, .more = " stroke-linecap=\"butt\""});
  const Vec<3> end = axis.dot(lens_.view.toward) >= 0 ? half : Vec<3>(-half);
  const std::vector<Vec<3>> circle = rim(at + end, axis.normalized(), 0.475 * width_ / lens_.scale, 24);
  std::vector<Vec<2>> flat;
  for (const Vec<3>& p : circle) flat.push_back(lens_(p));
  svg.polyline(flat, true, {.fill = theme_.paper, .stroke = theme_.ink, .width = 1.2});
  keep(before(at), svg);
}

void Painter::ball(const Vec<3>& at, double radius, const Paint& paint, double layer) {
  Svg svg = sheet();
  const Vec<2> p = lens_(at);
  const double r = radius * lens_.scale;
  svg.circle(p, r, {.fill = paint.colour, .stroke = paint.dark, .width = 1.2});
  svg.circle(p - Vec<2>(0.28, 0.3) * r, 0.42 * r,
             {.fill = mixed(paint.colour, "#ffffff", 0.6), .opacity = 0.8});
  keep(dim_ == 3 ? before(at) : layer, svg);
}

// The sign for a centre of mass: a circle in four quarters.
void Painter::centre_of_mass(const Vec<3>& at, const Paint& paint, double layer) {
  Svg svg = sheet();
  const Vec<2> p = lens_(at);
  const double r = 0.85 * width_;
  svg.circle(p, r, {.fill = theme_.paper, .stroke = paint.dark, .width = 1.4});
  for (const double side : {1.0, -1.0})
    svg.path("M" + px(p.x()) + "," + px(p.y()) + "h" + px(side * r) + "A" + px(r) + "," + px(r) + " 0 0 0 " +
                 px(p.x()) + "," + px(p.y() - side * r) + "z",
             {.fill = paint.dark});
  keep(dim_ == 3 ? before(at) : layer + 500, svg);
}
}  // namespace mubody::io
