#pragma once
// The appearance of an element: plain data in the frames of its two markers.  Pictures, reports and animations
// draw it; sizes that no field gives are theirs to choose.
//
//   void draw(Sketch& s) const { s.pin(); }                 a member of a joint or a force
//
//   docs/user/pictures.md
#include <array>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace mubody {
struct Sketch {
  enum class End { i, j };
  /// An axis of a marker (0 x, 1 y, 2 z), as it lies at the start.
  struct Axis {
    End of = End::j;
    int k = 2;
  };

  /// Something that a body carries at its marker.
  struct Part {
    enum class Form {
      point,    // the body reaches to it
      support,  // the support of a point on the ground
      pin,      // a short circular bar along the axis
      ball,
      disc,    // a circle, or a flat cylinder, across the axis
      sphere,  // a sphere of a given radius
      guide,   // a line along the axis on which the other marker runs
      block,   // a slider along the axis
      flat,    // a line along the axis, with the material of its body on one side
      plane,   // across the axis
      prism,   // a polygon and what lies over it
      spun     // what a line encloses as it goes round an axis
    };
    Form form = Form::point;
    End at = End::j;
    Axis axis{};
    double size = 0;      // radius of a disc or a sphere, length of a flat [m]; as it fits if 0
    bool hollow = false;  // a circle rather than a disc
    bool joins = false;   // belongs to both bodies: is on body i where j is the ground
    // Of a prism x and y, of what is spun radius and height [m].
    std::vector<std::array<double, 2>> corners = {};
    double low = 0, high = 0;                 // ends of a prism [m]; as it fits if both are 0
    std::array<double, 3> along = {0, 0, 1};  // the axis of what is spun
    bool of_body = false;                     // a prism in the axes of the body rather than of the marker
  };

  /// Something without a body of its own that reaches from marker i to marker j.
  enum class Tie { rod, cylinder, spring, damper, spiral, bush };

  /// A journal that moves in a bearing, or a frame in rubber, for which both radii are 0.
  struct Play {
    double bearing = 0, journal = 0;  // [m]
  };

  /// A force or a moment; its components are numbers that the element reports.
  struct Arrow {
    bool moment = false;
    std::array<std::string_view, 3> parts;  // names of what is reported; an empty one is zero
    std::optional<End> axes = {};           // the marker whose axes these are in; global axes if none
    double sign = 1;                        // on body j; on body i the opposite acts
    bool pulls = false;                     // parts[0] is the whole, and pulls the two markers together
    bool both = false;                      // shown on both bodies; else on j, or on i where j is the ground
    bool own = false;                       // acts at the marker of the body that it is shown on; else at j
    std::array<std::string_view, 3> point = {};  // reported names of its point; a marker if empty
    double below = 0;                            // shift from there against the last axis of i, z or y [m]
    double beyond = 0;                           // shift from there away from marker i [m]
  };

  int dim = 2;          // dimension of the model
  bool driver = false;  // the element stands under [drivers]
  std::vector<Part> parts;
  std::vector<Tie> ties;
  std::vector<Arrow> arrows;
  std::optional<Play> play;
  std::string_view why_empty;  // why there is nothing to draw

  bool empty() const { return parts.empty() && ties.empty() && arrows.empty(); }

  // Called by elements: single parts ...

  /// Says why there is nothing to see.
  void nothing(std::string_view why) { why_empty = why; }
  /// The body reaches to this marker.
  void point(End at) { parts.push_back({Part::Form::point, at}); }
  /// A disc across z; a ring if the radius is negative.
  void disc(End at, double radius, bool hollow = false) { round(Part::Form::disc, at, radius, hollow); }
  /// The plane across z of i.
  void plane() { parts.push_back({Part::Form::plane, End::i, {End::i, 2}}); }
  /// The line along x of i on which something round runs.
  void flat(double length = 0) { parts.push_back({Part::Form::flat, End::i, {End::i, 0}, length}); }

  using Corners = std::vector<std::array<double, 2>>;
  /// What lies over a polygon in the x and y axes of a marker.
  void prism(End at, Corners corners) {
    parts.push_back({.form = Part::Form::prism, .at = at, .corners = std::move(corners)});
  }
  /// A box with its sides along the axes of its body.
  void box(End at, const std::array<double, 3>& size) {
    const double x = size[0] / 2, y = size[1] / 2, z = size[2] / 2;
    prism(at, {{-x, -y}, {x, -y}, {x, y}, {-x, y}});
    parts.back().low = -z, parts.back().high = z, parts.back().of_body = true;
  }
  /// A cylinder along an axis in body axes.
  void cylinder(End at, double radius, double length, const std::array<double, 3>& along) {
    const double z = length / 2;
    spin(at, {{0, -z}, {radius, -z}, {radius, z}, {0, z}}, along);
  }
  /// The same with half spheres at its ends.
  void capsule(End at, double radius, double length, const std::array<double, 3>& along) {
    constexpr int count = 8;
    constexpr double quarter = 1.5707963267948966;
    Corners line{{0, -length / 2 - radius}};
    for (const double side : {-0.5, 0.5})
      for (int k = side < 0 ? 1 - count : 0; k <= (side < 0 ? 0 : count - 1); ++k)
        line.push_back(
            {radius * std::cos(quarter * k / count), radius * std::sin(quarter * k / count) + side * length});
    line.push_back({0, length / 2 + radius});
    spin(at, std::move(line), along);
  }

  // ... and connections of two bodies.

  /// Both bodies reach to their markers.
  void weld() {
    for (const End e : {End::i, End::j}) point(e), parts.push_back({Part::Form::support, e});
  }
  /// A pin along z.
  void pin() { weld(), joint(Part::Form::pin); }
  /// A ball in its socket.
  void ball() { weld(), joint(Part::Form::ball); }
  /// A block on a line along an axis of i, which is an axis of j too.
  void slider(int axis) {
    guide(axis);
    parts.push_back({Part::Form::block, End::j, {End::j, axis}});
  }
  /// A pin in a slot along an axis of i.
  void slot(int axis) {
    guide(axis);
    parts.push_back({Part::Form::pin, End::j, {End::i, 2}});
  }
  /// A point on a plane.
  void on_plane() {
    plane(), point(End::j);
    parts.push_back({Part::Form::ball, End::j});
  }
  /// Something that reaches from marker to marker.
  void tie(Tie form) { weld(), ties.push_back(form); }
  /// A rod or a cylinder with pins, in space balls, at its ends.
  void strut(Tie form) {
    tie(form);
    for (const End e : {End::i, End::j})
      parts.push_back({dim == 2 ? Part::Form::pin : Part::Form::ball, e, {e, 2}});
  }

  // Bodies that touch: discs in the plane, spheres in space.

  void round_on_flat(double radius) {
    ball_or_disc(End::j, radius);
    point(End::j);
    if (dim == 2)
      flat(3 * radius);
    else
      plane();
  }
  void round_on_round(double radius_i, double radius_j) {
    ball_or_disc(End::i, radius_i), ball_or_disc(End::j, radius_j);
    point(End::i), point(End::j);
  }
  /// A disc that fills most of its hole is a journal in a bearing.
  void round_inside(double radius_i, double radius_j) {
    disc(End::i, radius_i, true), disc(End::j, radius_j);
    point(End::i), point(End::j);
    if (radius_i - radius_j < 0.5 * radius_i) play = Play{radius_i, radius_j};
  }

  // Forces and moments: names of components along x, y and, in space, z; in the plane a moment is about z.

  using Names = std::array<std::string_view, 3>;
  Arrow& force(Names names) {
    if (dim == 2) names[2] = "";
    arrows.push_back({false, names});
    return arrows.back();
  }
  Arrow& moment(Names names) {
    if (dim == 2) names[0] = names[1] = "";
    arrows.push_back({true, names});
    return arrows.back();
  }

 private:
  void spin(End at, Corners line, const std::array<double, 3>& along) {
    parts.push_back({.form = Part::Form::spun, .at = at, .corners = std::move(line), .along = along});
  }
  void joint(Part::Form form) { parts.push_back({.form = form, .joins = true}); }
  void guide(int axis) {
    point(End::i), point(End::j);
    parts.push_back({Part::Form::guide, End::i, {End::i, axis}});
  }
  void round(Part::Form form, End at, double radius, bool hollow) {
    parts.push_back({form, at, {at, 2}, std::abs(radius), hollow || radius < 0});
  }
  void ball_or_disc(End at, double radius) {
    round(dim == 3 ? Part::Form::sphere : Part::Form::disc, at, radius, false);
  }
};
}  // namespace mubody
