#include "mubody/picture/svg.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "mubody/model/escape.h"

namespace mubody::io {
namespace {
std::string attributes(const Ink& ink) {
  std::string text = fmt::format(" fill=\"{}\"", ink.fill);
  if (ink.stroke != "none")
    text += fmt::format(" stroke=\"{}\" stroke-width=\"{}\"", ink.stroke, px(ink.width));
  if (ink.opacity < 1) text += fmt::format(" opacity=\"{}\"", px(ink.opacity));
  return text + ink.more;
}

int hex(std::string_view colour, std::size_t k) {
  int value = 0;
  std::from_chars(colour.data() + 1 + 2 * k, colour.data() + 3 + 2 * k, value, 16);
  return value;
}

// Whether a byte begins a character of UTF-8.
bool is_start(char c) { return (static_cast<unsigned char>(c) & 0xC0u) != 0x80u; }
}  // namespace

std::string px(double x) {
  std::string text = fmt::format("{:.2f}", std::isfinite(x) ? x : 0);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

double text_width(std::string_view words, double size) {
  double width = 0;
  for (const char c : words) {
    if (!is_start(c)) continue;
    constexpr std::string_view narrow = "iljtfrI.,:;'|!()[] ", wide = "mwMW@%";
    width += narrow.find(c) != narrow.npos ? 0.32
             : wide.find(c) != wide.npos   ? 0.88
             : (c >= 'A' && c <= 'Z')      ? 0.68
                                           : 0.57;
  }
  return width * size;
}

std::string shortened(std::string_view words, std::size_t most) {
  std::size_t letters = 0, cut = words.size();
  for (std::size_t k = 0; k < words.size(); ++k) {
    if (!is_start(words[k])) continue;
    if (++letters == most) cut = k;
  }
  return letters <= most ? std::string(words) : std::string(words.substr(0, cut)) + "\u2026";
}

std::string mixed(std::string_view a, std::string_view b, double share) {
  std::array<int, 3> c{};
  for (std::size_t k = 0; k < 3; ++k)
    c[k] = std::clamp(int(std::lround(hex(a, k) + share * (hex(b, k) - hex(a, k)))), 0, 255);
  return fmt::format("#{:02x}{:02x}{:02x}", c[0], c[1], c[2]);
}

// These colours differ even for readers who cannot tell red from green; web/src/style.css has the same.
std::string palette(std::size_t k) {
  constexpr std::array colours{"#2f6fb3", "#d9772b", "#3a9463", "#7d5ba6", "#c2453d", "#2a9d9d",
                               "#8c6239", "#c95d8f", "#6b7785", "#4b3fd1", "#6b8e23", "#b8860b"};
  return colours[k % colours.size()];
}

Svg::Svg(double width, double height, std::string_view title, const std::string& background)
    : width_(width), height_(height), title_(title) {
  if (!background.empty()) rectangle({0, 0}, {width, height}, {.fill = background});
}

void Svg::line(const Vec<2>& a, const Vec<2>& b, const Ink& ink) {
  body_ += fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"{}/>\n", px(a.x()), px(a.y()), px(b.x()),
                       px(b.y()), attributes(ink));
}

void Svg::polyline(const std::vector<Vec<2>>& points, bool closed, const Ink& ink) {
  if (points.empty()) return;
  body_ += closed ? "<polygon points=\"" : "<polyline points=\"";
  for (std::size_t k = 0; k < points.size(); ++k)
    body_ += fmt::format("{}{},{}", k > 0 ? " " : "", px(points[k].x()), px(points[k].y()));
  body_ += "\"" + attributes(ink) + "/>\n";
}

void Svg::circle(const Vec<2>& c, double radius, const Ink& ink) {
  body_ += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\"{}/>\n", px(c.x()), px(c.y()), px(radius),
                       attributes(ink));
}

void Svg::rectangle(const Vec<2>& corner, const Vec<2>& size, const Ink& ink, double rounding) {
  body_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"{}{}/>\n", px(corner.x()),
                       px(corner.y()), px(size.x()), px(size.y()),
                       rounding > 0 ? fmt::format(" rx=\"{}\"", px(rounding)) : "", attributes(ink));
}

void Svg::path(std::string_view d, const Ink& ink) {
  body_ += fmt::format("<path d=\"{}\"{}/>\n", d, attributes(ink));
}

void Svg::text(const Vec<2>& at, std::string_view words, const Lettering& l) {
  constexpr std::array anchors{"start", "middle", "end"};
  std::string more;
  if (l.anchor != Anchor::start) more += fmt::format(" text-anchor=\"{}\"", anchors[std::size_t(l.anchor)]);
  if (l.bold) more += " font-weight=\"600\"";
  if (l.turn != 0) more += fmt::format(" transform=\"rotate({} {} {})\"", px(l.turn), px(at.x()), px(at.y()));
  if (!l.halo.empty())
    more += fmt::format(" stroke=\"{}\" stroke-width=\"3\" stroke-linejoin=\"round\" paint-order=\"stroke\"",
                        l.halo);
  body_ += fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"{}\" fill=\"{}\"{}>{}</text>\n", px(at.x()),
                       px(at.y()), px(l.size), l.colour, more, for_xml(words));
}

void Svg::begin(std::string_view more) { body_ += fmt::format("<g{}>\n", more); }
void Svg::end() { body_ += "</g>\n"; }

std::string Svg::str() const {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
      "{4}\n<title>{2}</title>\n{3}</svg>\n",
      px(width_), px(height_), for_xml(title_), body_, letters_of_pictures);
}
}  // namespace mubody::io
