#include "mubody/picture/draw_scene.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "mubody/math/suggest.h"
#include "mubody/model/escape.h"
#include "mubody/picture/exaggerate.h"
#include "mubody/picture/paint.h"
#include "mubody/picture/place_labels.h"
#include "mubody/picture/ticks.h"
#include "mubody/text/node.h"

namespace mubody::io {
namespace {
using Type = Shape::Type;

void bound(Bounds& bounds, const View& view, const Shape& s, const Pose& pose) {
  const auto see = [&](const Vec<3>& p, double radius = 0) {
    bounds.add(view.flat(pose.at + pose.turn * p), radius);
  };
  if (s.type == Type::link || s.type == Type::plate) {
    for (const Vec<3>& p : s.points) see(p);
  } else if (s.type == Type::solid) {
    for (const Vec<3>& p : s.surface->points) see(p);
  } else if (s.type == Type::guide) {
    see(s.at - s.x * s.length / 2), see(s.at + s.x * s.length / 2);
  } else if (s.type == Type::box) {
    const Vec<3> y = s.axis.cross(s.x);
    for (int k = 0; k < 8; ++k)
      see(s.at + (k & 1 ? 0.5 : -0.5) * s.size.x() * s.x + (k & 2 ? 0.5 : -0.5) * s.size.y() * y +
          (k & 4 ? 0.5 : -0.5) * s.size.z() * s.axis);
  } else {
    see(s.at, s.radius);
  }
}

class Picture {
 public:
  Picture(Scene scene, const Playback& playback, const PictureOptions& options)
      : scene_(std::move(scene)), playback_(playback), options_(options),
        svg_(options.width, options.height, options.title, options.transparent ? "" : theme_.paper) {
    for (const double t : options.times) instants_.push_back(playback.at(t));
    if (instants_.empty()) instants_.push_back(playback.poses.back());
    fit_floors(scene_, options.traces.empty() ? instants_ : playback.poses);
    lens_.view = options.view;
    fit();
    link_width();
  }

  std::string draw() {
    if (is_flat()) draw_grid();
    svg_.begin(fmt::format(" id=\"mechanism\" data-scale=\"{}\" data-origin=\"{} {}\"", lens_.scale,
                           lens_.origin.x(), lens_.origin.y()));
    svg_.begin(" id=\"ground\"");
    Painter painter(lens_, scene_.dim, scene_.size, width_, theme_);
    const std::vector<Shape> ground = seen_at(instants_.back()).ground;
    painter.floors(ground);
    if (scene_.dim == 2) painter.ground(ground);
    painter.put_into(svg_);
    svg_.end();
    const std::size_t last = instants_.size() - 1;
    for (std::size_t k = 0; k < last; ++k) {
      const double opacity = 0.14 + 0.36 * double(k) / double(last);
      svg_.begin(fmt::format(" class=\"instant\" opacity=\"{}\"", px(opacity)));
      draw_instant(painter, instants_[k]);
      svg_.end();
    }
    draw_traces();
    svg_.begin(" class=\"instant\"");
    if (scene_.dim == 3) painter.ground(ground);
    draw_instant(painter, instants_[last]);
    svg_.end();
    svg_.end();
    if (options_.labels) draw_labels();
    draw_title();
    if (!is_flat()) draw_triad();
    return svg_.str();
  }

 private:
  // In a view straight along z, coordinates can be read off.
  bool is_flat() const { return lens_.view.right == Vec<3>::UnitX() && lens_.view.up == Vec<3>::UnitY(); }

  void fit() {
    Bounds bounds;
    for (const Shape& s : scene_.ground) bound(bounds, lens_.view, s, Pose{});
    for (const std::vector<Pose>& poses : instants_) {
      const Scene now = seen_at(poses);
      for (std::size_t k = 0; k < now.bodies.size(); ++k)
        for (const Shape& s : now.bodies[k].shapes) bound(bounds, lens_.view, s, poses[k + 1]);
      for (const SceneTie& t : scene_.ties)
        for (const SceneEnd& e : {t.i, t.j}) bounds.add(lens_.view.flat(global(poses, e)));
      for (const ScenePoint& p : scene_.points) bounds.add(lens_.view.flat(global(poses, p.at)));
    }
    for (const Trace& t : options_.traces)
      for (const std::vector<Pose>& poses : playback_.poses) bounds.add(lens_.view.flat(global(poses, t.of)));
    if (bounds.empty()) bounds.add({0, 0});

    const Vec<2> size = bounds.size().cwiseMax(Vec<2>::Constant(0.25 * scene_.size));
    const double left = is_flat() ? 58 : 24, right = 24, top = header(), bottom = is_flat() ? 50 : 60;
    area_low_ = Vec<2>(left, top), area_high_ = Vec<2>(options_.width - right, options_.height - bottom);
    // Room for the widths of links, supports and names around the points.
    const Vec<2> room = (area_high_ - area_low_ - Vec<2>::Constant(64)).cwiseMax(Vec<2>::Constant(20));
    lens_.scale = std::min(room.x() / size.x(), room.y() / size.y());
    const Vec<2> middle = (area_low_ + area_high_) / 2, at = bounds.middle();
    lens_.origin = {middle.x() - lens_.scale * at.x(), middle.y() + lens_.scale * at.y()};
  }
  double header() const { return options_.traces.empty() ? 44 : 64; }

  // The width of links is in proportion to the mechanism, and smaller where links are short.
  void link_width() {
    std::vector<double> lengths;
    for (const SceneBody& b : scene_.bodies)
      for (const Shape& s : b.shapes)
        if (s.type == Type::link) lengths.push_back((s.points[0] - s.points[1]).norm());
    double width = 0.03 * scene_.size;
    if (!lengths.empty()) {
      std::ranges::nth_element(lengths, lengths.begin() + std::ptrdiff_t(lengths.size() / 2));
      width = std::min(width, 0.2 * lengths[lengths.size() / 2]);
    }
    width_ = std::clamp(width * lens_.scale, 1.5, 15.0);
  }

  Scene seen_at(const std::vector<Pose>& poses) const {
    return options_.exaggerate == 1 ? scene_ : exaggerated(scene_, poses, options_.exaggerate);
  }

  void draw_instant(Painter& painter, const std::vector<Pose>& poses) {
    const Scene now = seen_at(poses);
    for (std::size_t k = 0; k < now.bodies.size(); ++k) {
      const SceneBody& b = now.bodies[k];
      // A journal lies before its bearing.
      const bool behind = std::ranges::any_of(b.shapes, &Shape::bearing);
      const int layer = int(k) + 1 - (behind ? int(now.bodies.size()) : 0);
      painter.body(b, poses[k + 1], b.colour.empty() ? palette(k) : b.colour, layer);
    }
    for (const SceneTie& t : now.ties) painter.tie(t, poses, 0);
    painter.put_into(svg_);
  }

  void draw_grid() {
    const auto x_of = [&](double x) { return lens_.origin.x() + lens_.scale * x; };
    const auto y_of = [&](double y) { return lens_.origin.y() - lens_.scale * y; };
    const Vec<2> low((area_low_.x() - lens_.origin.x()) / lens_.scale,
                     (lens_.origin.y() - area_high_.y()) / lens_.scale);
    const Vec<2> high((area_high_.x() - lens_.origin.x()) / lens_.scale,
                      (lens_.origin.y() - area_low_.y()) / lens_.scale);
    // One step for both directions.
    const double most = std::max(3.0, std::min(options_.width / 75, 10.0));
    const Ticks x(low.x(), high.x(), int(most));
    const Lettering small{.size = 11, .colour = theme_.muted};
    svg_.begin(" id=\"axes\"");
    for (double k = std::ceil(low.x() / x.step); k <= std::floor(high.x() / x.step); ++k) {
      const double at = x_of(k * x.step);
      svg_.line({at, area_low_.y()}, {at, area_high_.y()}, {.stroke = k == 0 ? theme_.faint : theme_.grid});
      Lettering l = small;
      l.anchor = Anchor::middle;
      svg_.text({at, area_high_.y() + 16}, tick_label(k * x.step, x.step), l);
    }
    for (double k = std::ceil(low.y() / x.step); k <= std::floor(high.y() / x.step); ++k) {
      const double at = y_of(k * x.step);
      svg_.line({area_low_.x(), at}, {area_high_.x(), at}, {.stroke = k == 0 ? theme_.faint : theme_.grid});
      Lettering l = small;
      l.anchor = Anchor::end;
      svg_.text({area_low_.x() - 7, at + 4}, tick_label(k * x.step, x.step), l);
    }
    Lettering l = small;
    l.anchor = Anchor::middle;
    svg_.text({(area_low_.x() + area_high_.x()) / 2, area_high_.y() + 36}, "x [m]", l);
    l.turn = -90;
    svg_.text({15, (area_low_.y() + area_high_.y()) / 2}, "y [m]", l);
    svg_.end();
  }

  static std::string trace_colour(std::size_t k) { return palette(4 + k); }

  void draw_traces() {
    for (std::size_t k = 0; k < options_.traces.size(); ++k) {
      std::vector<Vec<2>> way;
      for (const std::vector<Pose>& poses : playback_.poses) {
        const Vec<2> p = lens_(global(poses, options_.traces[k].of));
        // Less than a third of a pixel cannot be seen.
        if (way.empty() || (p - way.back()).norm() > 0.3) way.push_back(p);
      }
      svg_.begin(fmt::format(" class=\"trace\" data-of=\"{}\"", for_xml(options_.traces[k].name)));
      svg_.polyline(way, false,
                    {.stroke = trace_colour(k), .width = 1.8, .more = " stroke-linejoin=\"round\""});
      svg_.end();
    }
  }

  void draw_title() {
    std::string when =
        instants_.size() > 1
            ? fmt::format("{} instants, t = {:.4g} to {:.4g} s", instants_.size(), options_.times.front(),
                          options_.times.back())
            : fmt::format("t = {:.6g} s", options_.times.empty() ? playback_.times.back() : options_.times[0]);
    if (options_.exaggerate != 1 && !scene_.gaps.empty())
      when += fmt::format(", clearance × {:g}", options_.exaggerate);
    const double left = is_flat() ? 58 : 24;
    const double room = options_.width - left - 48 - text_width(when, 13);
    const std::string title = shortened(options_.title, std::size_t(std::max(4.0, room / 9)));
    svg_.text({left, 28}, title, {.size = 15, .colour = theme_.ink, .bold = true});
    svg_.text({options_.width - 24, 28}, when, {.size = 13, .colour = theme_.muted, .anchor = Anchor::end});
    double x = left;
    for (std::size_t k = 0; k < options_.traces.size(); ++k) {
      const std::string words = "path of " + shortened(options_.traces[k].name, 28);
      const double needed = 26 + text_width(words, 12);
      if (x + needed > options_.width - 24) break;
      svg_.line({x, 46}, {x + 18, 46}, {.stroke = trace_colour(k), .width = 2.2});
      svg_.text({x + 24, 50}, words, {.size = 12, .colour = theme_.muted});
      x += needed + 18;
    }
  }

  void draw_labels() {
    LabelPlaces places({0, 0}, {options_.width, options_.height});
    const std::vector<Pose>& poses = instants_.back();
    struct Label {
      std::string words;
      Vec<2> at;
    };
    std::vector<Label> labels;
    const auto add_at = [&](const std::string& name, const Vec<2>& at) {
      places.keep_clear(at, 0.5 * width_ + 2);
      for (Label& l : labels)
        if ((l.at - at).norm() < 2) {  // several pins at one point share their label
          if (l.words != name) l.words += ", " + name;
          return;
        }
      labels.push_back({name, at});
    };
    const auto add = [&](const std::string& name, const SceneEnd& e) { add_at(name, lens_(global(poses, e))); };
    for (const SceneJoint& j : scene_.joints)
      if (!j.driver) add(j.name, j.j.body == ground ? j.i : j.j);
    for (const SceneGap& g : scene_.gaps) add(g.name, g.i);
    for (const ScenePoint& p : scene_.points) add(p.name, p.at);
    for (const SceneTie& t : scene_.ties)
      if (t.driver) add_at(t.name, lens_((global(poses, t.i) + global(poses, t.j)) / 2));
    constexpr std::size_t most = 40;
    if (labels.size() > most) return;
    avoid_shapes(places, poses);
    svg_.begin(" id=\"labels\"");
    for (const Label& l : labels) {
      const std::string words = shortened(l.words, 24);
      const std::optional<Vec<2>> at = places.find(l.at, 0.5 * width_ + 5, text_width(words, 12), 12);
      if (!at) continue;
      svg_.text(*at, words, {.size = 12, .colour = theme_.ink, .halo = theme_.paper});
    }
    svg_.end();
  }

  void avoid_shapes(LabelPlaces& places, const std::vector<Pose>& poses) const {
    const auto avoid = [&](const Shape& s, int body) {
      const auto flat = [&](const Vec<3>& p) { return lens_(global(poses, {body, p})); };
      for (std::size_t k = 0; k + 1 < s.points.size() + (s.type == Type::plate ? 1 : 0); ++k)
        places.avoid(flat(s.points[k]), flat(s.points[(k + 1) % s.points.size()]));
      if (s.type == Type::guide) places.avoid(flat(s.at - s.x * s.length / 2), flat(s.at + s.x * s.length / 2));
      if (s.type == Type::box && s.size.z() > 0)
        for (const double y : {-0.4, 0.0, 0.4})
          places.avoid(flat(s.at - s.x * s.size.x() / 2 + y * s.size.y() * s.axis.cross(s.x)),
                       flat(s.at + s.x * s.size.x() / 2 + y * s.size.y() * s.axis.cross(s.x)));
      if (s.type == Type::ground)
        places.avoid(lens_(s.at) + Vec<2>(-1.2, 1.3) * width_, lens_(s.at) + Vec<2>(1.2, 1.3) * width_);
    };
    for (const Shape& s : scene_.ground) avoid(s, ground);
    for (std::size_t k = 0; k < scene_.bodies.size(); ++k)
      for (const Shape& s : scene_.bodies[k].shapes) avoid(s, int(k) + 1);
    for (const SceneTie& t : scene_.ties) places.avoid(lens_(global(poses, t.i)), lens_(global(poses, t.j)));
  }

  // Draws the directions of x, y and z, and the length of a metre.
  void draw_triad() {
    svg_.begin(" id=\"axes\"");
    const Vec<2> at(52, options_.height - 50);
    const std::pair<const char*, Vec<3>> axes[] = {
        {"x", Vec<3>::UnitX()}, {"y", Vec<3>::UnitY()}, {"z", Vec<3>::UnitZ()}};
    for (const auto& [name, axis] : axes) {
      const Vec<2> f = lens_.view.flat(axis), tip = at + 30 * Vec<2>(f.x(), -f.y());
      if (f.norm() < 0.1) continue;
      const Vec<2> d = (tip - at).normalized(), side(-d.y(), d.x());
      svg_.line(at, tip, {.stroke = theme_.muted, .width = 1.4, .more = " stroke-linecap=\"round\""});
      svg_.polyline({tip + 4 * d, tip - 3 * d + 3 * side, tip - 3 * d - 3 * side}, true,
                    {.fill = theme_.muted});
      svg_.text(tip + 12 * d + Vec<2>(0, 4), name,
                {.size = 12, .colour = theme_.muted, .anchor = Anchor::middle});
    }
    // The longest of 1, 2 and 5 times a power of ten that is not too long.
    const double most = 140 / lens_.scale, power = std::pow(10, std::floor(std::log10(most)));
    const double length = power * (most >= 5 * power ? 5 : most >= 2 * power ? 2 : 1);
    const Vec<2> right(options_.width - 24, options_.height - 24),
        left = right - Vec<2>(length * lens_.scale, 0);
    svg_.path("M" + px(left.x()) + "," + px(left.y() - 5) + "v5H" + px(right.x()) + "v-5",
              {.stroke = theme_.muted, .width = 1.4});
    svg_.text((left + right) / 2 - Vec<2>(0, 6), fmt::format("{:g} m", length),
              {.size = 11, .colour = theme_.muted, .anchor = Anchor::middle});
    svg_.end();
  }

  Scene scene_;
  const Playback& playback_;
  const PictureOptions& options_;
  Theme theme_;
  Svg svg_;
  Lens lens_;
  std::vector<std::vector<Pose>> instants_;
  Vec<2> area_low_ = Vec<2>::Zero(), area_high_ = Vec<2>::Zero();
  double width_ = 10;
};
}  // namespace

Trace trace_of(const Scene& scene, const std::string& name) {
  std::vector<std::string> names;
  for (const ScenePoint& p : scene.points) {
    if (p.name == name) return {name, p.at};
    names.push_back(p.name);
  }
  for (const SceneJoint& j : scene.joints) {
    if (j.name == name) return {name, j.j.body == ground ? j.i : j.j};
    names.push_back(j.name);
  }
  for (std::size_t k = 0; k < scene.bodies.size(); ++k) {
    if (scene.bodies[k].name == name) return {name, {int(k) + 1, Vec<3>::Zero()}};
    names.push_back(scene.bodies[k].name);
  }
  throw ModelError(
      fmt::format("no point, joint or body {} to trace{}", in_quotes(name), suggestion(name, names)));
}

std::string draw_scene(const Scene& scene, const Playback& playback, const PictureOptions& options) {
  if (playback.empty()) throw ModelError("there is nothing to draw: the results have no row of finite numbers");
  return Picture(scene, playback, options).draw();
}
}  // namespace mubody::io
