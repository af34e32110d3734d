#include "mubody/picture/playback.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "mubody/system/body_layout.h"

namespace mubody::io {
namespace {
std::size_t column_of(const Table& table, const std::string& name) {
  const int column = table.find(name);
  if (column < 0)
    throw ModelError(
        fmt::format("the results have no column '{}' in {}.csv: they do not belong to this model; run it again",
                    name, table.name));
  return std::size_t(column);
}

Pose between(const Pose& a, const Pose& b, double share) {
  Pose p;
  p.at = a.at + share * (b.at - a.at);
  p.angle = a.angle + share * (b.angle - a.angle);
  const bool counted = a.angle != 0 || b.angle != 0;
  p.turn =
      counted ? Quaternion(std::cos(p.angle / 2), 0, 0, std::sin(p.angle / 2)) : a.turn.slerp(share, b.turn);
  return p;
}
}  // namespace

std::vector<Pose> Playback::at(double t) const {
  const auto after = std::ranges::lower_bound(times, t);
  if (after == times.end()) return poses.back();
  const std::size_t k = std::size_t(after - times.begin());
  if (k == 0 || *after == t) return poses[k];
  const double share = (t - times[k - 1]) / (times[k] - times[k - 1]);
  std::vector<Pose> all;
  for (std::size_t b = 0; b < poses[k].size(); ++b) all.push_back(between(poses[k - 1][b], poses[k][b], share));
  return all;
}

Playback playback_of(const Mechanism& m, const Table& table) {
  const BodyLayout layout(m.dim);
  std::vector<std::size_t> columns;
  for (const RigidBody& b : m.bodies)
    for (const char* q : layout.coordinate_names) columns.push_back(column_of(table, b.name + "." + q));
  Playback playback;
  std::vector<double> q(columns.size());
  for (std::size_t row = 0; row < table.rows(); ++row) {
    bool finite = std::isfinite(table.at(row, 0));
    for (std::size_t k = 0; k < columns.size(); ++k)
      finite = finite && std::isfinite(q[k] = table.at(row, columns[k]));
    if (!finite) continue;
    std::vector<Pose> poses(1);
    for (std::size_t k = 0; k < q.size(); k += std::size_t(layout.coordinates))
      poses.push_back(layout.pose(&q[k]));
    playback.times.push_back(table.at(row, 0));
    playback.poses.push_back(std::move(poses));
  }
  return playback;
}

Playback start_of(const Mechanism& m) {
  Playback playback{{0}, {{Pose{}}}};
  for (const RigidBody& b : m.bodies) playback.poses[0].push_back(b.start);
  return playback;
}

namespace {
struct Extent {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  void add(double x) { low = std::min(low, x), high = std::max(high, x); }
};

// Makes a flat as long as the part that rolls on it travels while it is near.
void fit_flat(Shape& s, int owner, const Playback& playback) {
  const double least = s.size.x(), near = least + s.size.y();
  Extent way;
  way.add(-least / 2), way.add(least / 2);
  for (const std::vector<Pose>& poses : playback.poses) {
    const Pose& p = poses[std::size_t(owner)];
    const Vec<3> d = p.turn.conjugate() * (global(poses, *s.runner) - p.at) - s.at;
    if (std::abs(s.axis.cross(s.x).dot(d)) > near) continue;
    way.add(s.x.dot(d) - least / 4), way.add(s.x.dot(d) + least / 4);
  }
  s.at += s.x * (way.low + way.high) / 2;
  s.size.x() = way.high - way.low;
  s.runner.reset();
}
}  // namespace

void fit_guides(Scene& scene, const Playback& playback) {
  const auto fit = [&](Shape& s, int owner) {
    if (s.type == Shape::Type::box && s.runner) return fit_flat(s, owner, playback);
    if (s.type != Shape::Type::guide || !s.runner) return;
    Extent way;
    for (const std::vector<Pose>& poses : playback.poses) {
      const Pose& p = poses[std::size_t(owner)];
      way.add(s.x.dot(p.turn.conjugate() * (global(poses, *s.runner) - p.at) - s.at));
    }
    if (!(way.high >= way.low)) return;
    s.at += s.x * (way.low + way.high) / 2;
    const double room = s.size.y() > 0 ? 0.3 * scene.size : std::max(0.3 * scene.size, s.length);
    s.length = way.high - way.low + room;
    s.runner.reset();
  };
  for (Shape& s : scene.ground) fit(s, ground);
  for (std::size_t k = 0; k < scene.bodies.size(); ++k)
    for (Shape& s : scene.bodies[k].shapes) fit(s, int(k) + 1);
  for (SceneTie& t : scene.ties) {
    if (t.kind != Sketch::Tie::cylinder) continue;
    Extent length;
    for (const std::vector<Pose>& poses : playback.poses)
      length.add((global(poses, t.i) - global(poses, t.j)).norm());
    if (length.high >= length.low) t.fit_barrel(length.low, length.high);
  }
  fit_floors(scene, playback.poses);
}

void fit_floors(Scene& scene, const std::vector<std::vector<Pose>>& instants) {
  for (Shape& s : scene.ground) {
    if (!is_floor(s)) continue;
    const Vec<3> y = s.axis.cross(s.x);
    Vec<2> low = Vec<2>::Constant(std::numeric_limits<double>::infinity()), high = -low;
    for (const std::vector<Pose>& poses : instants)
      for (std::size_t k = 1; k < poses.size(); ++k) {
        const Vec<3> d = poses[k].at - s.at;
        const Vec<2> p(s.x.dot(d), y.dot(d));
        low = low.cwiseMin(p), high = high.cwiseMax(p);
      }
    if (!(low.x() <= high.x())) continue;
    const Vec<2> middle = (low + high) / 2, size = high - low + Vec<2>::Constant(1.3 * scene.size);
    s.at += middle.x() * s.x + middle.y() * y;
    s.size = Vec<3>(size.x(), size.y(), 0);
  }
}
}  // namespace mubody::io
