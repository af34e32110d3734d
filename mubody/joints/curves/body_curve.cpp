#include "mubody/joints/curves/body_curve.h"

#include <algorithm>
#include <cmath>

#include "mubody/joints/curves/searches.h"
#include "mubody/joints/curves/straight_line.h"

namespace mubody {
namespace {
constexpr int samples_per_piece = 8;
constexpr int most_steps = 60;  // of a search for a root, which halves its interval at worst

// Carries a direction across the curve to the next point without turning it about the curve: two reflections.
//   Wang, Jüttler, Zheng & Liu (2008), "Computation of rotation minimizing frames", ACM Trans. Graphics 27, sec. 4
Vec<3> carried_on(const Vec<3>& across, const CurveAt& from, const CurveAt& to) {
  const auto reflected = [](const Vec<3>& v, const Vec<3>& mirror) {
    const double size = mirror.squaredNorm();
    return size > 0 ? Vec<3>(v - (2 * mirror.dot(v) / size) * mirror) : v;
  };
  const Vec<3> step = to.r - from.r;
  const Vec<3> left = reflected(across, step), tangent = reflected(from.d.normalized(), step);
  return reflected(left, to.d.normalized() - tangent);
}
}  // namespace

BodyCurve::BodyCurve() : BodyCurve(StraightLine{}) {}

BodyCurve::BodyCurve(std::unique_ptr<CurveKind> kind) : kind_(std::move(kind)) {
  const int parts = samples_per_piece * kind_->pieces();
  for (int k = 0; k <= parts; ++k) {
    const double s = kind_->end() * k / parts;
    samples_.push_back({s, kind_->at(s).r});
  }
  find_across();
}

CurveAt BodyCurve::operator()(double s) const {
  const double end = kind_->end();
  if (kind_->is_closed()) {
    const double into = s - end * std::floor(s / end);
    return kind_->at(std::min(into, end));
  }
  if (s >= 0 && s <= end) return kind_->at(s);
  CurveAt p = kind_->at(s < 0 ? 0 : end);
  p.r += (s < 0 ? s : s - end) * p.d;
  p.dd.setZero(), p.ddd.setZero();
  return p;
}

CurveAtOf<Recorded> BodyCurve::operator()(const Recorded& s) const {
  const Recorded end = kind_->end();
  if (kind_->is_closed()) return kind_->at(s - end * floor(s / end));
  const Recorded within = smaller_of(larger_of(s, 0), end), beyond = s - within;
  const Condition is_within = beyond == 0;
  CurveAtOf<Recorded> p = kind_->at(within);
  p.r += beyond * p.d;
  for (int c = 0; c < 3; ++c)
    p.dd[c] = choose(is_within, p.dd[c], 0), p.ddd[c] = choose(is_within, p.ddd[c], 0);
  return p;
}

// The best sample, then a root about it of what falls there from positive to negative: Newton's steps, and halves where
// these lead out of the interval.
template <class Search> double BodyCurve::find(const Search& search) const {
  const auto best = std::ranges::max_element(samples_, {}, [&](const Sample& x) { return search.at(x.r); });
  const double part = samples_[1].s - samples_[0].s, far = 1e6 * kind_->end();
  double s = best->s, low = s - part, high = s + part;
  if (!kind_->is_closed() && best == samples_.begin()) low = -far;
  if (!kind_->is_closed() && best + 1 == samples_.end()) high = far;
  for (int k = 0; k < most_steps; ++k) {
    const auto [value, change] = search.slope((*this)(s));
    (value > 0 ? low : high) = s;
    double next = change < 0 ? s - value / change : low;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (std::abs(next - s) <= 1e-15 * kind_->end()) return next;
    s = next;
  }
  return s;
}

double BodyCurve::nearest(const Vec<3>& p) const { return find(NearestTo<double>{p}); }
double BodyCurve::farthest(const Vec<3>& n) const { return find(FarthestAlong<double>{n}); }

// Samples of two directions across the curve, with splines through them.  On a closed curve they come back turned; that
// turn is spread over its length.
void BodyCurve::find_across() {
  std::vector<CurveAt> points;
  for (const Sample& x : samples_) points.push_back(kind_->at(x.s));
  std::vector<Vec<3>> one{points.front().d.unitOrthogonal()};
  for (std::size_t k = 0; k + 1 < points.size(); ++k)
    one.push_back(carried_on(one[k], points[k], points[k + 1]).normalized());
  double back = 0;
  if (kind_->is_closed()) {
    const Vec<3> t = points.back().d.normalized();
    back = std::atan2(t.dot(one.back().cross(one.front())), one.back().dot(one.front()));
  }
  std::vector<double> s;
  std::vector<std::vector<double>> parts(6);
  for (std::size_t k = 0; k < points.size(); ++k) {
    const Vec<3> t = points[k].d.normalized();
    const double share = back * double(k) / double(points.size() - 1);
    const Vec<3> a = std::cos(share) * one[k] + std::sin(share) * t.cross(one[k]), b = t.cross(a);
    s.push_back(samples_[k].s);
    for (int c = 0; c < 3; ++c)
      parts[std::size_t(c)].push_back(a[c]), parts[std::size_t(3 + c)].push_back(b[c]);
  }
  const auto ends = kind_->is_closed() ? CubicSpline::Ends::periodic : CubicSpline::Ends::natural;
  for (auto& values : parts) {
    if (kind_->is_closed()) values.back() = values.front();
    across_.emplace_back(s, values, ends);
  }
}

bool BodyCurve::is_flat() const {
  return std::ranges::all_of(samples_, [](const Sample& x) { return x.r.z() == 0; });
}

bool BodyCurve::is_round() const {
  double side = 0;
  for (const Sample& x : samples_) {
    const CurveAt at = kind_->at(x.s);
    const double bend = at.d.x() * at.dd.y() - at.d.y() * at.dd.x();
    if (!(bend * (side == 0 ? bend : side) > 0)) return false;
    side = bend;
  }
  return kind_->is_closed() && is_flat();
}
}  // namespace mubody
