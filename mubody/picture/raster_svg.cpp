// The elements of Svg as contours to fill.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>

#include "mubody/fmus/xml_tree.h"
#include "mubody/picture/raster.h"

namespace mubody::io {
namespace {
using Contour = Raster::Contour;

/// Numbers of a text, whatever stands between them.
class NumberReader {
 public:
  explicit NumberReader(std::string_view text) : at_(text.data()), end_(text.data() + text.size()) {}
  /// The next letter, or the one before if a number follows; 0 at the end.
  char command(char last) {
    skip();
    if (at_ == end_) return 0;
    return std::isalpha(static_cast<unsigned char>(*at_)) ? *at_++ : last;
  }
  bool more() { return skip(), at_ != end_; }
  double next() {
    skip();
    double x = 0;
    const auto read = std::from_chars(at_, end_, x);
    at_ = read.ec == std::errc() ? read.ptr : end_;
    return x;
  }
  Vec<2> point() {
    const double x = next();
    return {x, next()};
  }

 private:
  void skip() {
    while (at_ != end_ && (*at_ == ' ' || *at_ == ',' || *at_ == '\n')) ++at_;
  }
  const char *at_, *end_;
};

Contour disc(const Vec<2>& centre, double radius) {
  const int corners = std::clamp(int(6 * std::sqrt(radius)) * 2, 12, 128);
  Contour c;
  for (int k = 0; k < corners; ++k) {
    const double angle = 2 * std::numbers::pi * k / corners;
    c.push_back(centre + radius * Vec<2>(std::cos(angle), std::sin(angle)));
  }
  return c;
}

struct Line {
  Contour points;
  bool closed = false;
};

/// The arc of SVG from a to b with one radius: W3C, SVG 1.1, appendix F.6.5.
void add_arc(Contour& c, const Vec<2>& b, double radius, bool large, bool positive) {
  const Vec<2> a = c.back(), half = (b - a) / 2;
  const double h = half.norm();
  if (h == 0) return;
  const double away = std::sqrt(std::max(0.0, radius * radius - h * h));
  const Vec<2> normal = Vec<2>(-half.y(), half.x()) / h, middle = (a + b) / 2;
  const Vec<2> centre = middle + (large == positive ? -away : away) * normal;
  const Vec<2> from = a - centre, to = b - centre;
  double turn = std::atan2(from.x() * to.y() - from.y() * to.x(), from.dot(to));
  if (positive && turn < 0) turn += 2 * std::numbers::pi;
  if (!positive && turn > 0) turn -= 2 * std::numbers::pi;
  const int parts = std::max(2, int(std::ceil(std::abs(turn) / 0.1)));
  const double begin = std::atan2(from.y(), from.x());
  for (int k = 1; k <= parts; ++k) {
    const double angle = begin + turn * k / parts;
    c.push_back(centre + from.norm() * Vec<2>(std::cos(angle), std::sin(angle)));
  }
}

std::vector<Line> lines_of_path(std::string_view d) {
  std::vector<Line> all;
  NumberReader in(d);
  for (char c = in.command('M'); c != 0; c = in.command(c)) {
    const bool relative = std::islower(static_cast<unsigned char>(c)) != 0;
    const Vec<2> here = all.empty() || all.back().points.empty() ? Vec<2>(0, 0) : all.back().points.back();
    const Vec<2> base = relative ? here : Vec<2>(0, 0);
    if (c == 'M' || c == 'm') {
      all.push_back({{base + in.point()}});
    } else if (all.empty()) {
      break;
    } else if (c == 'z' || c == 'Z') {
      all.back().closed = true;
      if (!in.more()) break;
    } else if (c == 'L' || c == 'l') {
      all.back().points.push_back(base + in.point());
    } else if (c == 'H' || c == 'h') {
      all.back().points.push_back({base.x() + in.next(), here.y()});
    } else if (c == 'V' || c == 'v') {
      all.back().points.push_back({here.x(), base.y() + in.next()});
    } else if (c == 'A' || c == 'a') {
      const double radius = in.next();
      in.next(), in.next();
      const bool large = in.next() != 0, positive = in.next() != 0;
      add_arc(all.back().points, base + in.point(), radius, large, positive);
    } else {
      break;
    }
  }
  return all;
}

double number(const XmlElement& e, std::string_view name, double usual = 0) {
  const std::string_view text = e.get(name);
  return text.empty() ? usual : NumberReader(text).next();
}

std::vector<Line> lines_of(const XmlElement& e) {
  if (e.name == "line") return {{{{number(e, "x1"), number(e, "y1")}, {number(e, "x2"), number(e, "y2")}}}};
  if (e.name == "circle") return {{disc({number(e, "cx"), number(e, "cy")}, number(e, "r")), true}};
  if (e.name == "path") return lines_of_path(e.get("d"));
  if (e.name == "rect") {
    const Vec<2> a(number(e, "x"), number(e, "y")), size(number(e, "width"), number(e, "height"));
    return {{{a, {a.x() + size.x(), a.y()}, a + size, {a.x(), a.y() + size.y()}}, true}};
  }
  if (e.name != "polygon" && e.name != "polyline") return {};
  Line line{{}, e.name == "polygon"};
  for (NumberReader in(e.get("points")); in.more();) line.points.push_back(in.point());
  return {line};
}

/// What the pen covers along a line: the sides, and discs at bends and, if they are round, at ends.
void add_stroke(std::vector<Contour>& out, const Line& line, double width, bool round) {
  const std::size_t n = line.points.size(), sides = n - (line.closed ? 0 : 1);
  for (std::size_t k = 0; n > 1 && k < sides; ++k) {
    const Vec<2>&a = line.points[k], &b = line.points[(k + 1) % n];
    const double length = (b - a).norm();
    if (length == 0) continue;
    const Vec<2> across = width / 2 / length * Vec<2>(-(b - a).y(), (b - a).x());
    out.push_back({a - across, b - across, b + across, a + across});
  }
  for (std::size_t k = 0; k < n; ++k)
    if (round || line.closed || (k > 0 && k + 1 < n)) out.push_back(disc(line.points[k], width / 2));
}

bool colour_of(std::string_view text, std::array<int, 3>& rgb) {
  if (text.size() != 7 || text[0] != '#') return false;
  for (std::size_t k = 0; k < 3; ++k)
    std::from_chars(text.data() + 1 + 2 * k, text.data() + 3 + 2 * k, rgb[k], 16);
  return true;
}

class Painting {
 public:
  Painting(Raster& raster, double scale, const std::vector<std::string_view>& without)
      : raster_(raster), scale_(scale), without_(without) {}

  void paint(const XmlElement& e, double opacity) {
    if (std::ranges::find(without_, e.get("id")) != without_.end() && !e.get("id").empty()) return;
    opacity *= number(e, "opacity", 1);
    std::vector<Line> lines = lines_of(e);
    for (Line& line : lines)
      for (Vec<2>& p : line.points) p *= scale_;
    std::array<int, 3> rgb{};
    if (colour_of(e.get("fill", e.name == "g" ? "none" : ""), rgb)) {
      std::vector<Contour> areas;
      for (const Line& line : lines) areas.push_back(line.points);
      raster_.fill(areas, rgb, opacity);
    }
    if (colour_of(e.get("stroke"), rgb)) {
      std::vector<Contour> covered;
      for (const Line& line : lines)
        if (!line.points.empty())
          add_stroke(covered, line, std::max(0.7, scale_ * number(e, "stroke-width", 1)),
                     e.get("stroke-linecap") == "round");
      raster_.fill(covered, rgb, opacity);
    }
    for (const XmlElement& child : e.children) paint(child, opacity);
  }

 private:
  Raster& raster_;
  double scale_;
  const std::vector<std::string_view>& without_;
};
}  // namespace

Raster rasterized(std::string_view svg, double scale, const std::vector<std::string_view>& without) {
  const XmlElement root = read_xml(svg);
  const auto pixels = [&](const char* side) {
    return std::clamp(int(std::lround(scale * number(root, side, 1))), 1, 4096);
  };
  Raster raster(pixels("width"), pixels("height"));
  for (const XmlElement& e : root.children) Painting(raster, scale, without).paint(e, 1);
  return raster;
}
}  // namespace mubody::io
