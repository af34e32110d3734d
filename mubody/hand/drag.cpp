#include "mubody/hand/drag.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "mubody/math/dense.h"
#include "mubody/math/suggest.h"

namespace mubody {
namespace {
// Shares of characteristic lengths, or radians.
constexpr double stride = 0.05;    // of the hand, in one step
constexpr double largest = 0.1;    // of any coordinate, in one step
constexpr double arrived = 1e-10;  // at the target
constexpr double closed = 1e-12;   // gaps
constexpr double crooked = 0.25;   // corrections beside a step, by which it leaves the straight line
constexpr int most_steps = 200, most_corrections = 12;
// Joints give way by so little that corrections do not feel it, and depend on each other as they like; drivers that are left
// out give way at once.
constexpr double firm = 1e-9, loose = 1e12;
// What the hand loses where the mechanism hardly follows, as a share of where it follows best: at least, at most, and its
// factors after a step that did not help and after one that did.
constexpr double softness = 1e-4, softest = 1e4, softer = 8, firmer = 0.5;

/// The angle by which a turn goes about the global z axis.
double about_z(const Quaternion& turn) { return 2 * std::atan2(turn.z(), turn.w()); }
}  // namespace

/// Equations G δq = e besides those of joints; they give way by their share `soft` of what follows best.
struct Drag::Rows {
  MatX G;
  VecX e, soft;

  void add(const MatX& more, const VecX& missing, double give = 0) {
    const Eigen::Index n = e.size(), k = missing.size();
    G.conservativeResize(n + k, more.cols());
    G.bottomRows(k) = more;
    e.conservativeResize(n + k);
    e.tail(k) = missing;
    soft.conservativeResize(n + k);
    soft.tail(k).setConstant(give);
  }
};

namespace {
/// The displacement of a point of a body, per velocity of the system.
MatX point_rows(const System& s, const VecX& q, int body, const Vec<3>& at) {
  const int dim = s.layout.lengths;
  MatX G = MatX::Zero(dim, s.nu);
  if (body == ground) return G;
  const Pose pose = s.layout.pose(q, body);
  const int first = s.layout.first_velocity(body);
  G.block(0, first, dim, dim).setIdentity();
  for (int k = 0; k < s.layout.spins(); ++k) {  // about z in the plane, else about the axes of the body
    const Vec<3> axis = dim == 2 ? Vec<3>::UnitZ() : Vec<3>::Unit(k);
    G.col(first + dim + k) = (pose.turn * axis.cross(at)).head(dim);
  }
  return G;
}
Vec<3> point_at(const System& s, const VecX& q, int body, const Vec<3>& at) {
  if (body == ground) return at;
  const Pose pose = s.layout.pose(q, body);
  return pose.at + pose.turn * at;
}
/// The turn of a body about global axes: about z in the plane.
MatX turn_rows(const System& s, const VecX& q, int body) {
  const int spins = s.layout.spins();
  MatX G = MatX::Zero(spins, s.nu);
  if (body == ground) return G;
  const int first = s.layout.first_velocity(body) + s.layout.lengths;
  if (spins == 1)
    G(0, first) = 1;
  else
    G.block(0, first, 3, 3) = s.layout.pose(q, body).turn.toRotationMatrix();
  return G;
}
/// How far a body has turned since `from`, about global axes.
VecX turned(const System& s, const VecX& from, const VecX& q, int body) {
  const Pose a = s.layout.pose(from, body), b = s.layout.pose(q, body);
  if (s.layout.spins() == 1) return VecX::Constant(1, b.angle - a.angle);
  const Eigen::AngleAxisd way(b.turn * a.turn.conjugate());
  return wrapped(way.angle()) * way.axis();
}
}  // namespace

/// What is wanted: its equations, and what is missing at positions q.
struct Drag::Goal {
  int body;
  Vec<3> at, target;
  bool turns = false;
  double angle = 0;  // about z, since `from`
  VecX from{};

  VecX missing(const System& s, const VecX& q) const {
    if (!turns) return (target - point_at(s, q, body, at)).head(s.layout.lengths);
    const Pose a = s.layout.pose(from, body), b = s.layout.pose(q, body);
    if (s.layout.spins() == 1) return VecX::Constant(1, angle - (b.angle - a.angle));
    return VecX::Constant(1, wrapped(angle - about_z(b.turn * a.turn.conjugate())));
  }
  MatX rows(const System& s, const VecX& q) const {
    return turns ? MatX(turn_rows(s, q, body).bottomRows(1)) : point_rows(s, q, body, at);
  }
  double unit(const System& s) const { return turns ? 1 : s.scales.length; }
};

Drag::Drag(const Study& study, const std::vector<std::string>& drivers)
    : begun_(begin(study, "drag")), system_(*begun_.system), t_(study.analysis.start),
      released_(std::size_t(system_.m), false), terms_(system_.make_terms()), solver_(system_.structure),
      q_(begun_.q), at_rest_(VecX::Zero(system_.nu)), lambda_(VecX::Zero(system_.m)) {
  if (!begun_.results.outcome) throw ModelError(begun_.results.outcome.place, begun_.results.outcome.why);
  std::vector<std::string> known;
  VecX compliance = firm * system_.row_units.cwiseAbs2();
  for (const JointRows& j : system_.joints) {
    if (!j.driver) continue;
    known.push_back(j.name);
    if (std::ranges::find(drivers, j.name) != drivers.end()) continue;
    for (int row = j.first; row < j.first + j.count; ++row) {
      released_[std::size_t(row)] = true;
      compliance[row] *= loose / firm;
    }
  }
  for (const std::string& name : drivers)
    if (std::ranges::find(known, name) == known.end())
      throw ModelError(fmt::format("there is no driver '{}'{}", name, suggestion(name, known)));
  solver_.set_inverse_mass(system_.units.cwiseAbs2());
  solver_.set_compliance(compliance);
}

void Drag::check(int body) const {
  if (body <= ground || std::size_t(body) > mechanism().bodies.size())
    throw ModelError(
        fmt::format("body {} cannot be dragged: bodies are 1 to {}", body, mechanism().bodies.size()));
}

void Drag::constrain(const VecX& q) {
  system_.constraints(t_, q, at_rest_, terms_);
  for (int row = 0; row < system_.m; ++row)
    if (released_[std::size_t(row)]) terms_.phi[row] = 0;
}

double Drag::size(const VecX& step) const {
  return step.size() > 0 ? step.cwiseQuotient(system_.units).lpNorm<Eigen::Infinity>() : 0;
}

/// The displacement of least size that closes the joints to first order and does what the rows ask for, at the positions last
/// constrained.
VecX Drag::smallest(const Rows& rows) {
  solver_.factor(terms_.D);
  VecX step(system_.nu);
  solver_.solve(at_rest_, -terms_.phi, step, lambda_);
  const Eigen::Index count = rows.e.size();
  if (count == 0) return step;
  MatX follow(system_.nu, count);  // what a unit of force on each row does
  const VecX nothing = VecX::Zero(system_.m);
  VecX one(system_.nu);
  for (Eigen::Index k = 0; k < count; ++k) {
    const VecX force = rows.G.row(k).transpose();
    solver_.solve(force, nothing, one, lambda_);
    follow.col(k) = one;
  }
  MatX K = product(rows.G, follow);
  const double most = K.diagonal().lpNorm<Eigen::Infinity>();
  if (!(most > 0)) return step;
  K.diagonal() += most * rows.soft;
  constexpr double nothing_left = 1e-9;
  return step + follow * LeastSquares(K, nothing_left).solve(rows.e - rows.G * step);
}

Drag::Rows Drag::locked(const VecX& q, const std::vector<Lock>& locks, const VecX& from) const {
  const System& s = system_;
  Rows rows{MatX(0, s.nu), VecX(0), VecX(0)};
  const int dim = s.layout.lengths;
  for (const Lock& l : locks) {
    const auto way = [&](const VecX& at) {
      return Vec<3>(point_at(s, at, l.body, l.at) - point_at(s, at, l.other, l.other_at));
    };
    if (l.kind == Lock::point) {
      rows.add(point_rows(s, q, l.body, l.at),
               (point_at(s, from, l.body, l.at) - point_at(s, q, l.body, l.at)).head(dim));
    } else if (l.kind == Lock::angle) {
      if (l.body != ground) rows.add(turn_rows(s, q, l.body), -turned(s, from, q, l.body));
    } else if (const Vec<3> d = way(q); d.norm() > 0) {
      const MatX G = point_rows(s, q, l.body, l.at) - point_rows(s, q, l.other, l.other_at);
      rows.add(d.head(dim).transpose() / d.norm() * G, VecX::Constant(1, way(from).norm() - d.norm()));
    }
  }
  return rows;
}

/// Closes the gaps of joints and locks; false where that takes corrections of more than `most` in all.
bool Drag::close(VecX& q, const std::vector<Lock>& locks, const VecX& from, double most) {
  double way = 0;
  for (int k = 0;; ++k) {
    constrain(q);
    const Rows rows = locked(q, locks, from);
    const double open =
        std::max(gap(), rows.e.size() > 0 ? rows.e.lpNorm<Eigen::Infinity>() / system_.scales.length : 0);
    if (open <= closed) return true;
    if (k == most_corrections || !std::isfinite(open))
      return gap() <= closed;  // locks may contradict each other
    const VecX step = smallest(rows);
    way += size(step);
    if (!(way <= most)) return false;
    system_.move(q, step);
    system_.tidy(q);
  }
}

/// One step of the hand from where the mechanism is; empty if it leads to another branch, or not nearer to the goal.
std::optional<VecX> Drag::stepped(const Goal& goal, double soft, const std::vector<Lock>& locks,
                                  const VecX& from) {
  constrain(q_);
  Rows rows = locked(q_, locks, from);
  const VecX missing = goal.missing(system_, q_);
  const double left = missing.norm();
  rows.add(goal.rows(system_, q_), missing * std::min(1.0, stride * goal.unit(system_) / left), soft);
  VecX step = smallest(rows);
  const double length = size(step);
  if (!(length > 0)) return {};
  if (length > largest) step *= largest / length;
  VecX next = q_;
  system_.move(next, step);
  system_.tidy(next);
  if (!close(next, locks, from, crooked * std::min(length, largest) + closed)) return {};
  if (!(goal.missing(system_, next).norm() < left)) return {};
  return next;
}

// Levenberg and Marquardt's way: what does not help is tried again with a softer hand, which makes a smaller step, and one that
// goes more and more where the hand pulls.
Dragged Drag::follow(const Goal& goal, const std::vector<Lock>& locks) {
  const VecX from = q_;
  const double unit = goal.unit(system_);
  Dragged done;
  double left = goal.missing(system_, q_).norm(), soft = softness;
  while (done.steps < most_steps && left > arrived * unit && soft <= softest) {
    const std::optional<VecX> next = stepped(goal, soft, locks, from);
    ++done.steps;
    if (!next) {
      soft *= softer;
      continue;
    }
    q_ = *next;
    system_.remember(t_, q_, at_rest_);
    const double now = goal.missing(system_, q_).norm();
    const bool creeps = left - now < arrived * unit;
    left = now;
    if (creeps) break;
    soft = std::max(softness, soft * firmer);
  }
  constrain(q_);
  done.distance = left;
  done.violation = gap();
  return done;
}

Dragged Drag::pull(int body, const Vec<3>& at, const Vec<3>& target, const std::vector<Lock>& locks) {
  check(body);
  return follow({body, at, target}, locks);
}

Dragged Drag::turn(int body, double angle, const std::vector<Lock>& locks) {
  check(body);
  return follow({body, Vec<3>::Zero(), Vec<3>::Zero(), true, angle, q_}, locks);
}

Dragged Drag::place(const VecX& q) {
  if (q.size() != q_.size())
    throw ModelError(
        fmt::format("these positions have {} numbers, those of this model have {}", q.size(), q_.size()));
  VecX next = q;
  system_.tidy(next);
  constexpr double anywhere = 1e3;
  const bool fits = close(next, {}, next, anywhere);
  if (fits) {
    q_ = next;
    system_.remember(t_, q_, at_rest_);
  }
  Dragged done{.violation = gap()};
  if (!fits) constrain(q_);
  return done;
}
}  // namespace mubody
