#pragma once
// Shapes of a scene as lines and areas of a drawing, farthest first.
#include <cmath>
#include <utility>

#include "mubody/picture/playback.h"
#include "mubody/picture/svg.h"
#include "mubody/picture/view.h"

namespace mubody::io {
/// Colours of everything but bodies.
struct Theme {
  std::string paper = "#ffffff";  // assumed background, even of a transparent drawing
  std::string ink = "#22272e", muted = "#5d6671", faint = "#b4bcc6", grid = "#edf0f3", ground = "#8a939e";
};

/// Collects the projections of shapes and puts them into a drawing, the farthest first.
class Painter {
 public:
  /// `width` is the width of a link [px].
  Painter(const Lens& lens, int dim, double size, double width, Theme theme)
      : lens_(lens), dim_(dim), size_(size), width_(width), theme_(std::move(theme)) {}

  void body(const SceneBody&, const Pose&, const std::string& colour, int layer);
  void floors(const std::vector<Shape>&);
  void ground(const std::vector<Shape>&);
  void tie(const SceneTie&, const std::vector<Pose>&, int layer);
  /// Draws everything collected so far and empties the painter.
  void put_into(Svg&);

 private:
  struct Paint {
    std::string colour, light, dark;
    double width;
  };
  Paint paint_of(const std::string& colour, double width) const;
  void shape(const Shape&, const Pose&, const Paint&, double layer);
  void bar(const Vec<3>& a, const Vec<3>& b, const Paint&);
  void rod(const Vec<3>& a, const Vec<3>& b, const Paint&, double layer);
  void tube(const Vec<3>& a, const Vec<3>& b, const Paint&, double layer);
  void cylinder(const SceneTie&, const Vec<3>& i, const Vec<3>& j, double layer);
  void plate(const std::vector<Vec<3>>& corners, const Paint&, double layer);
  void disc(const Shape&, const Pose&, const Paint&, double layer);
  void box(const Shape&, const Pose&, const Paint&, double layer);
  void solid(const Surface&, const Pose&, const Paint&, double layer);
  void slot(const Vec<3>& a, const Vec<3>& b, const Paint&, double layer);
  void pin(const Vec<3>& at, const Vec<3>& axis, double layer);
  void ball(const Vec<3>& at, double radius, const Paint&, double layer);
  void centre_of_mass(const Vec<3>& at, const Paint&, double layer);
  void rail(const Shape&);
  void support(const Shape&);
  void face(const std::vector<Vec<3>>& corners, const std::string& colour, const std::string& edge,
            double depth);
  void hatch(Svg&, const Vec<2>& a, const Vec<2>& b, const Vec<2>& away) const;
  void zigzag(Svg&, const Vec<2>& a, const Vec<2>& b) const;
  void dashpot(Svg&, const Vec<2>& a, const Vec<2>& b) const;
  void spiral(Svg&, const Vec<2>& at) const;
  Svg sheet() const { return Svg(0, 0, "", ""); }
  /// What lies at one depth but for round-off is drawn in the order in which it comes.
  void keep(double depth, const Svg& drawing) {
    const double little = 1e-6 * size_;
    items_.push_back({little > 0 ? std::round(depth / little) : depth, drawing.elements()});
  }
  /// In the plane shapes are ordered by layer; in space nearer ones hide those behind.
  double depth(const Vec<3>& p, double layer) const {
    return dim_ == 2 ? layer : lens_.depth(p) + 1e-3 * size_ * layer;
  }
  /// Joints lie before the ends of their links.
  double before(const Vec<3>& p) const { return lens_.depth(p) + 0.1 * size_; }
  /// The colour of a face with that normal in light from over the left shoulder.
  std::string shaded(const std::string& colour, const Vec<3>& normal) const;

  Lens lens_;
  int dim_;
  double size_, width_;
  Theme theme_;
  std::vector<std::pair<double, std::string>> items_;
};
}  // namespace mubody::io
