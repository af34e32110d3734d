#include "mubody/precompute/plan/curve.h"

#include <algorithm>

#include "mubody/math/dense.h"
#include "mubody/system/build.h"

namespace mubody {
namespace {
constexpr double longest_step = 0.04, shortest_step = 1e-6;  // [rad, or lengths]
constexpr double longest_way = 60;
constexpr double lost = 1e-6;  // singular values below this, relative to the largest, count as zero
constexpr double bend = 0.15;  // the most that the tangent may turn in one step [rad]
constexpr double met = 1e-12;  // System::gap()

class Follower {
 public:
  Follower(const Mechanism& m, const std::vector<Variable>& variables, double length)
      : system_(build_system(without(m))), rows_(m, variables), length_(length), terms_(system_->make_terms()),
        row_units_(VecX::Ones(system_->m)), slides_(variables.size()) {
    for (std::size_t k = 0; k < variables.size(); ++k) slides_[k] = !variables[k].turn;
    for (int r = 0; r < system_->m; ++r)
      if (system_->measures[std::size_t(r)] == System::Measured::length) row_units_[r] = length;
  }

  // The tangent in scaled velocities, in the direction of `like`; empty where there is more than one.
  VecX tangent(const VecX& q, const VecX* like) {
    const SingularVectors svd = right_singular(scaled(q));
    const VecX& s = svd.values;
    const double limit = s.size() > 0 ? lost * s[0] : 0;
    Eigen::Index rank = 0;
    while (rank < s.size() && s[rank] > limit) ++rank;
    if (system_->nu - rank != 1) return {};
    VecX t = svd.vectors.col(rank);
    if (like && t.dot(*like) < 0) t = -t;
    return t;
  }

  CurvePoint point(const VecX& q, const VecX& t, double way) {
    CurvePoint p{q, VecX(rows_.size()), VecX(rows_.size()), way};
    MatX R;
    rows_.at(q, p.values, &R);
    p.weights = R * unscaled(t);
    for (Eigen::Index k = 0; k < p.weights.size(); ++k)
      if (slides_[std::size_t(k)]) p.weights[k] /= length_;
    return p;
  }

  // Goes from q along t by h; returns false if the curve bends too much on the way, or is singular there.
  bool step(VecX& q, VecX& t, double h, bool& singular) {
    VecX next = q;
    system_->move(next, h * unscaled(t));
    double moved = 0;
    for (int round = 0; round < 8; ++round) {
      system_->tidy(next);
      const MatX D = scaled(next);
      if (terms_.phi.size() == 0 || system_->gap(terms_.phi, system_->room(next)) < met) break;
      const VecX d = LeastSquares(D, 1e-9).solve(-terms_.phi.cwiseQuotient(row_units_));
      moved += d.norm();
      if (!(moved < 0.2 * h + 1e-9)) return false;
      system_->move(next, unscaled(d));
      if (round == 7) return false;
    }
    const VecX turned = tangent(next, &t);
    singular = turned.size() == 0;
    if (singular || turned.dot(t) < std::cos(bend)) return false;
    q = next;
    t = turned;
    return true;
  }

  // The difference between two configurations in scaled velocities, without whole turns.
  VecX apart(const VecX& a, const VecX& b) const {
    VecX d = system_->layout.apart(a, b);
    for (int k = 0; k < system_->nu; ++k)
      if (!system_->turns[std::size_t(k)]) d[k] /= length_;
    return d;
  }

 private:
  static Mechanism without(const Mechanism& m) {
    Mechanism c = m;
    c.forces.clear();
    std::erase_if(c.joints, [](const auto& j) { return j.driver; });
    return c;
  }
  // D for velocities and equations whose lengths are in units of the length.
  MatX scaled(const VecX& q) {
    system_->constraints(0, q, VecX::Zero(system_->nu), terms_);
    MatX D = row_units_.cwiseInverse().asDiagonal() * system_->structure.full(terms_.D);
    for (int k = 0; k < system_->nu; ++k)
      if (!system_->turns[std::size_t(k)]) D.col(k) *= length_;
    return D;
  }
  VecX unscaled(VecX t) const {
    for (int k = 0; k < system_->nu; ++k)
      if (!system_->turns[std::size_t(k)]) t[k] *= length_;
    return t;
  }

  std::unique_ptr<System> system_;
  ScalarRows rows_;
  double length_;
  Terms terms_;
  VecX row_units_;  // that length, or 1
  std::vector<bool> slides_;
};
}  // namespace

Curve follow(const Mechanism& m, const std::vector<Variable>& variables, const VecX& start, double length) {
  Curve curve;
  std::vector<CurvePoint> ways[2];
  for (int side = 0; side < 2; ++side) {
    Follower f(m, variables, length);
    VecX q = start, t = f.tangent(q, nullptr);
    if (t.size() == 0) break;
    if (side == 1) t = -t;
    const VecX first = t;
    ways[side].push_back(f.point(q, t, 0));
    double h = longest_step, way = 0, before = 0;
    bool left = false;
    while (way < longest_way) {
      bool singular = false;
      VecX to = q, direction = t;
      if (!f.step(to, direction, h, singular)) {
        h /= 2;
        if (h >= shortest_step) continue;
        (side == 0 ? curve.singular_after : curve.singular_before) = true;
        break;
      }
      // The curve is closed if it passes the start along the tangent there.
      const VecX d = f.apart(start, to);
      const double along = d.dot(first);
      if (left && before < 0 && along >= 0 && d.norm() < 2 * longest_step && direction.dot(first) > 0.5) {
        double low = 0, high = h;
        VecX back = q;
        for (int round = 0; round < 60; ++round) {
          back = q;
          VecX u = t;
          const double middle = 0.5 * (low + high);
          if (!f.step(back, u, middle, singular)) break;
          (f.apart(start, back).dot(first) < 0 ? low : high) = middle;
        }
        if (f.apart(start, back).norm() < 1e-6) {
          ways[side].push_back(f.point(back, t, way + high));
          curve.closed = true;
          break;
        }
      }
      left = left || d.norm() > 2 * longest_step;
      before = along;
      way += h;
      q = to, t = direction;
      ways[side].push_back(f.point(q, t, way));
      h = std::min(longest_step, 1.5 * h);
    }
    if (curve.closed) break;
  }
  if (ways[0].empty()) return curve;
  if (!curve.closed) {
    for (std::size_t k = ways[1].size(); k-- > 1;) {
      CurvePoint p = ways[1][k];
      p.weights *= -1;
      p.way *= -1;
      curve.points.push_back(std::move(p));
    }
    curve.start = curve.points.size();
  }
  curve.points.insert(curve.points.end(), ways[0].begin(), ways[0].end());
  return curve;
}
}  // namespace mubody
