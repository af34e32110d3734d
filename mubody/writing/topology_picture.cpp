// The picture of a graph: the tree in layers, each parent above the middle of its children, chords as dashed arcs.
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "mubody/model/escape.h"
#include "mubody/text/write_aligned.h"
#include "mubody/writing/write_topology.h"

namespace mubody::io {
namespace {
constexpr double layer = 96, between_boxes = 28, box_height = 30, letter = 7.4, margin = 24, bow = 46;  // [px]
constexpr std::array colours{"#c0392b", "#1f77b4", "#2e8b57", "#8e44ad", "#b9770e", "#117a8b"};  // for loops

struct Node {
  double x = 0, y = 0, width = 0;  // centre and width
};
struct Spot {
  double x, y;
};

double width_of(const std::string& name) { return std::max(44.0, letter * double(shown_width(name)) + 20); }

/// The point at which a line from the middle of a box to another point leaves the box.
Spot border(const Node& box, double x, double y) {
  const double dx = x - box.x, dy = y - box.y;
  const double t = 1 / std::max({std::abs(dx) / (box.width / 2), std::abs(dy) / (box_height / 2), 1e-9});
  return {box.x + t * dx, box.y + t * dy};
}

class Picture {
 public:
  Picture(const Mechanism& m, const Graph& g) : m_(m), g_(g), boxes_(std::size_t(g.bodies()) + 1) {
    std::vector<std::vector<int>> children(boxes_.size());
    for (const Graph::Arc& arc : g.arcs()) children[std::size_t(arc.parent)].push_back(arc.child);
    double next = margin;
    place(0, 0, children, next);
    width_ = next - between_boxes + margin, height_ = deepest_ + box_height / 2 + margin;
    for (std::size_t k = 0; k < g.chords().size(); ++k) {
      const Spot at = middle(k);
      width_ = std::max(width_, at.x + margin), height_ = std::max(height_, at.y + margin);
    }
  }

  std::string draw() {
    std::string lines;
    for (const Graph::Arc& arc : g_.arcs()) lines += straight(arc);
    for (std::size_t k = 0; k < g_.chords().size(); ++k) lines += chord(k);
    std::string nodes;
    for (std::size_t b = 0; b < boxes_.size(); ++b) {
      const Node& box = boxes_[b];
      nodes += fmt::format(
          "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"{}\" class=\"{}\"/>"
          "<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
          box.x - box.width / 2, box.y - box_height / 2, box.width, box_height, b == 0 ? 2 : 14,
          b == 0 ? "ground" : "body", box.x, box.y + 4.5, for_xml(m_.body_name(int(b))));
    }
    return fmt::format(
               "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
               "viewBox=\"0 0 {0:.0f} {1:.0f}\" font-family=\"sans-serif\" font-size=\"13\" "
               "text-anchor=\"middle\">\n"
               "<title>{2}</title>\n",
               width_, height_, for_xml("graph of " + m_.name)) +
           "<style>.body{fill:#fff;stroke:#333;stroke-width:1.4}.ground{fill:#ddd;stroke:#333;stroke-width:1.4}"
           ".arc{stroke:#333;stroke-width:1.6;fill:none}.chord{stroke-width:1.6;stroke-dasharray:6 4;fill:none}"
           ".name{font-size:12px;fill:#333;paint-order:stroke;stroke:#fff;stroke-width:4px}</style>\n"
           "<defs><marker id=\"head\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"6\" "
           "markerHeight=\"6\" "
           "orient=\"auto\"><path d=\"M0,0 L8,4 L0,8 z\" fill=\"#333\"/></marker></defs>\n"
           "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n" +
           lines + nodes + "</svg>\n";
  }

 private:
  void place(int body, int depth, const std::vector<std::vector<int>>& children, double& next) {
    Node& box = boxes_[std::size_t(body)];
    box.width = width_of(m_.body_name(body));
    box.y = margin + box_height / 2 + layer * depth;
    deepest_ = std::max(deepest_, box.y);
    const auto& below = children[std::size_t(body)];
    const double from = next;
    for (const int child : below) place(child, depth + 1, children, next);
    if (below.empty()) {
      box.x = next + box.width / 2;
    } else {
      box.x = (boxes_[std::size_t(below.front())].x + boxes_[std::size_t(below.back())].x) / 2;
      box.x = std::max(box.x, from + box.width / 2);
    }
    next = std::max(next, box.x + box.width / 2 + between_boxes);
  }

  std::string label(double x, double y, const std::string& name, const char* colour) const {
    return fmt::format("<text class=\"name\" x=\"{:.1f}\" y=\"{:.1f}\" style=\"fill:{}\">{}</text>\n", x, y,
                       colour, for_xml(name));
  }

  std::string straight(const Graph::Arc& arc) const {
    const Node &from = boxes_[std::size_t(arc.parent)], &to = boxes_[std::size_t(arc.child)];
    const Spot a = border(from, to.x, to.y), b = border(to, from.x, from.y);
    const std::string name = arc.link < 0 ? "free" : m_.joints[std::size_t(arc.link)].name;
    return fmt::format(
               "<path class=\"arc\"{} marker-end=\"url(#head)\" d=\"M{:.1f},{:.1f} L{:.1f},{:.1f}\"/>\n",
               arc.link < 0 ? " stroke-dasharray=\"1 4\"" : "", a.x, a.y, b.x, b.y) +
           label((a.x + b.x) / 2, (a.y + b.y) / 2 + 4, name, "#333");
  }

  // The point towards which the curve of a chord bends: below neighbours, otherwise to the right.
  Spot middle(std::size_t k) const {
    const Link& link = g_.links()[std::size_t(g_.chords()[k])];
    const Node &from = boxes_[std::size_t(link.i)], &to = boxes_[std::size_t(link.j)];
    const double rank = bow * (1 + 0.35 * double(k % 3));
    const Spot between{(from.x + to.x) / 2, (from.y + to.y) / 2};
    if (std::abs(from.x - to.x) > std::abs(from.y - to.y)) return {between.x, between.y + rank};
    return {std::max(from.x + from.width / 2, to.x + to.width / 2) + rank, between.y};
  }

  std::string chord(std::size_t k) const {
    const Link& link = g_.links()[std::size_t(g_.chords()[k])];
    const Node &from = boxes_[std::size_t(link.i)], &to = boxes_[std::size_t(link.j)];
    const Spot at = middle(k), a = border(from, at.x, at.y), b = border(to, at.x, at.y);
    const char* colour = colours[k % colours.size()];
    return fmt::format(
               "<path class=\"chord\" stroke=\"{}\" marker-end=\"url(#head)\" "
               "d=\"M{:.1f},{:.1f} Q{:.1f},{:.1f} {:.1f},{:.1f}\"/>\n",
               colour, a.x, a.y, at.x, at.y, b.x, b.y) +
           label(0.25 * a.x + 0.5 * at.x + 0.25 * b.x, 0.25 * a.y + 0.5 * at.y + 0.25 * b.y + 4,
                 m_.joints[std::size_t(g_.chords()[k])].name, colour);
  }

  const Mechanism& m_;
  const Graph& g_;
  std::vector<Node> boxes_;
  double width_ = 0, height_ = 0, deepest_ = 0;
};
}  // namespace

std::string topology_svg(const Mechanism& m, const Graph& g) { return Picture(m, g).draw(); }
}  // namespace mubody::io
