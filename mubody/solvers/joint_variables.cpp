#include "mubody/solvers/joint_variables.h"

#include <algorithm>
#include <limits>

#include "mubody/math/dense.h"

namespace mubody {
namespace {
constexpr double negligible_slope = 1e-9;  // a rate below this is forbidden by the joint's own equations
constexpr double singular = 1e-8;          // below this, coordinates do not determine a joint's motion
constexpr int ground_body = 0;
constexpr const char* spin_names[] = {"wx", "wy", "wz"};

/// Motions that the joint's own rows leave to one of its bodies while the other stands still.
MatX motions_left(const MatX& D) {
  if (D.rows() == 0) return MatX::Identity(D.cols(), D.cols());
  const FullLu lu(D);
  if (lu.rank() == D.cols()) return MatX(D.cols(), 0);
  return lu.kernel();
}

/// The body that is moved to find what a joint allows: j, or i if j is the ground.
int moved(const JointRows& j) { return j.bodies[1] != ground_body ? j.bodies[1] : j.bodies[0]; }
}  // namespace

JointVariables::JointVariables(System& s, double t, const In& q, const std::vector<std::string>& chords,
                               double length)
    : s_(s), length_(length), columns_(s.layout.velocities), first_(s.joints.size(), 0),
      count_(s.joints.size(), -1), first_free_(s.body_names.size(), -1), graph_(0, {}) {
  collect(t, q);
  std::vector<Link> links(s.joints.size());
  for (std::size_t k = 0; k < s.joints.size(); ++k) {
    const JointRows& j = s.joints[k];
    if (count_[k] < 0) continue;
    links[k] = {j.bodies[0], j.bodies[1], j.count,
                std::find(chords.begin(), chords.end(), j.name) != chords.end()};
  }
  graph_ = Graph(int(s.body_names.size()) - 1, std::move(links));
  for (const Graph::Arc& arc : graph_.arcs()) {
    if (arc.link >= 0) continue;
    first_free_[std::size_t(arc.child)] = int(variables_.size());
    const int from = s.layout.first_velocity(arc.child);
    for (int k = from; k < from + columns_; ++k) {
      const System::Name& name = (s.nq == s.nu ? s.coordinates : s.velocities)[std::size_t(k)];
      variables_.push_back({name.text, name.unit, -1, -1, -1, k, !s.turns[std::size_t(k)]});
    }
  }
}

/// Rates of all channels per unit of every velocity; they are linear in u.
MatX JointVariables::observed_rates(double t, const In& q) {
  const auto n = Eigen::Index(s_.channels.size());
  const VecX a = VecX::Zero(s_.nu), lambda = VecX::Zero(s_.m);
  VecX u = VecX::Zero(s_.nu), rest(n), now(n);
  s_.observe(t, q, u, a, lambda, rest);
  MatX all(n, s_.nu);
  for (int k = 0; k < s_.nu; ++k) {
    u[k] = 1;
    s_.observe(t, q, u, a, lambda, now);
    u[k] = 0;
    all.col(k) = now - rest;
  }
  return all;
}

/// Collects the variables of joints that are links: reported coordinates that their own rows leave free.
void JointVariables::collect(double t, const In& q) {
  const MatX observed = observed_rates(t, q);
  Terms terms = s_.make_terms();
  s_.constraints(t, q, VecX::Zero(s_.nu), terms);
  const MatX D = s_.structure.full(terms.D);
  std::size_t channel = 0;
  while (channel < s_.channels.size() && s_.channels.rest(channel).group != Channel::joints) ++channel;
  for (std::size_t k = 0; k < s_.joints.size(); ++k) {
    const JointRows& j = s_.joints[k];
    first_[k] = int(variables_.size());
    if (j.of_particle) continue;
    const std::size_t begin = channel;
    while (!s_.channels.rest(channel).reaction) channel += 3;  // value, rate, acceleration
    const std::size_t end = channel;
    channel += std::size_t(j.reactions);
    if (j.driver || j.couples || j.rolls > 0 || j.bodies[0] == j.bodies[1]) continue;

    const int from = s_.layout.first_velocity(moved(j));
    const MatX left = motions_left(D.block(j.first, from, j.count, columns_));
    std::vector<Variable> found;
    for (std::size_t c = begin; c < end; c += 3) {
      const auto row = observed.row(Eigen::Index(c + 1)).segment(from, columns_);
      if ((row * left).norm() <= negligible_slope * std::max(1.0, row.norm())) continue;
      found.push_back(
          {s_.channels[c].name, s_.channels[c].unit, int(k), int(c), -1, -1, s_.channels[c].is_length});
    }
    if (s_.layout.spins() == 3 && std::ranges::count(found, false, &Variable::slide) == 3) {
      std::erase_if(found, [](const Variable& v) { return !v.slide; });
      for (int axis = 0; axis < 3; ++axis)
        found.push_back({j.name + "." + spin_names[axis], "rad", int(k), -1, axis, -1, false});
    }
    MatX seen(Eigen::Index(found.size()), left.cols());
    for (std::size_t v = 0; v < found.size(); ++v) {
      const Eigen::RowVectorXd row = found[v].axis >= 0
                                         ? spin_row(q, j, found[v].axis)
                                         : Eigen::RowVectorXd(observed.row(found[v].channel + 1));
      seen.row(Eigen::Index(v)) = row.segment(from, columns_) * left;
    }
    if (Eigen::Index(found.size()) != left.cols()) continue;
    if (!found.empty() && !(FullLu(seen).rcond() > singular)) continue;
    count_[k] = int(found.size());
    variables_.insert(variables_.end(), found.begin(), found.end());
  }
}

/// A component of the angular velocity of j relative to i, in axes of i, per unit of every velocity.
Eigen::RowVectorXd JointVariables::spin_row(const In& q, const JointRows& j, int axis) const {
  Eigen::RowVectorXd row = Eigen::RowVectorXd::Zero(s_.nu);
  const auto axes = [&](int body) { return s_.layout.pose(q, body).turn.toRotationMatrix(); };
  const auto spins = [&](int body) { return s_.layout.first_velocity(body) + s_.layout.lengths; };
  const Eigen::Matrix3d relative = axes(j.bodies[0]).transpose() * axes(j.bodies[1]);
  if (j.bodies[1] != ground_body) row.segment<3>(spins(j.bodies[1])) = relative.row(axis);
  if (j.bodies[0] != ground_body) row[spins(j.bodies[0]) + axis] -= 1;
  return row;
}

/// T: the twist of a body per unit of its velocities, angular part first, at the global origin.
MatX JointVariables::twists(const In& q, int body) const {
  MatX T = s_.layout.twist(q.data() + s_.layout.first_coordinate(body));
  T.bottomRows(s_.layout.lengths) /= length_;
  return T;
}

/// H of a joint: V_j − V_i per unit of its variables' rates.
MatX JointVariables::influence(int joint, const MatX& D, const MatX& R, const In& q) const {
  const JointRows& j = s_.joints[std::size_t(joint)];
  const int body = moved(j), count = count_[std::size_t(joint)], from = s_.layout.first_velocity(body);
  if (count == 0) return MatX(columns_, 0);
  const MatX left = motions_left(D.block(j.first, from, j.count, columns_));
  const MatX own = product(R.block(first_of(joint), from, count, columns_), left);
  return product(product((body == j.bodies[1] ? 1 : -1) * twists(q, body), left), inverse(own));
}

/// A free arc's variables are the velocities of its body, slides in units of the length.
MatX JointVariables::of_free_arc(const In& q, int body) const {
  MatX T = twists(q, body);
  const int from = s_.layout.first_velocity(body);
  for (int k = from; k < from + columns_; ++k)
    if (!s_.turns[std::size_t(k)]) T.col(k - from) *= length_;
  return T;
}

MatX JointVariables::rates(double t, const In& q) {
  const MatX observed = observed_rates(t, q);
  MatX R = MatX::Zero(Eigen::Index(variables_.size()), s_.nu);
  for (std::size_t k = 0; k < variables_.size(); ++k) {
    const Variable& v = variables_[k];
    const auto row = Eigen::Index(k);
    if (v.axis >= 0)
      R.row(row) = spin_row(q, s_.joints[std::size_t(v.joint)], v.axis);
    else if (v.joint >= 0)
      R.row(row) = observed.row(v.channel + 1);
    else
      R(row, v.velocity) = 1;
    if (v.slide) R.row(row) /= length_;
  }
  return R;
}

VecX JointVariables::values(double t, const In& q) {
  VecX seen(Eigen::Index(s_.channels.size())), p(Eigen::Index(variables_.size()));
  s_.observe(t, q, VecX::Zero(s_.nu), VecX::Zero(s_.nu), VecX::Zero(s_.m), seen);
  for (std::size_t k = 0; k < variables_.size(); ++k)
    if (variables_[k].channel >= 0)
      p[Eigen::Index(k)] = seen[variables_[k].channel];
    else if (variables_[k].velocity >= 0 && s_.nq == s_.nu)
      p[Eigen::Index(k)] = q[variables_[k].velocity];
    else
      p[Eigen::Index(k)] = std::numeric_limits<double>::quiet_NaN();
  return p;
}

MatX JointVariables::jacobian(double t, const In& q) {
  Terms terms = s_.make_terms();
  s_.constraints(t, q, VecX::Zero(s_.nu), terms);
  const MatX D = s_.structure.full(terms.D), R = rates(t, q);
  const auto n = Eigen::Index(variables_.size());
  std::vector<MatX> H(s_.joints.size());
  for (std::size_t k = 0; k < H.size(); ++k)
    if (count_[k] >= 0) H[k] = influence(int(k), D, R, q);
  // Adds a joint or a free arc that the loop passes to a row of blocks.
  const auto pass = [&](MatX& row, int link, int arc, int sign) {
    if (link < 0) {
      const int body = graph_.arcs()[std::size_t(arc)].child;
      row.middleCols(first_free_[std::size_t(body)], columns_) += sign * of_free_arc(q, body);
    } else if (H[std::size_t(link)].cols() > 0) {
      const int along = arc < 0 ? sign : sign * graph_.arcs()[std::size_t(arc)].sign;
      row.middleCols(first_of(link), H[std::size_t(link)].cols()) += along * H[std::size_t(link)];
    }
  };
  std::vector<MatX> blocks;
  for (const Graph::Loop& loop : graph_.loops()) {
    MatX row = MatX::Zero(columns_, n);
    for (const Graph::Member& x : loop) pass(row, x.link, x.arc, x.sign);
    blocks.push_back(std::move(row));
  }
  const auto twist_of = [&](int body) {
    MatX V = MatX::Zero(columns_, n);
    for (int b = body; b != ground_body; b = graph_.arc_to(b).parent) {
      const Graph::Arc& arc = graph_.arc_to(b);
      pass(V, arc.link, int(&arc - graph_.arcs().data()), 1);
    }
    return V;
  };
  for (std::size_t k = 0; k < s_.joints.size(); ++k) {
    const JointRows& j = s_.joints[k];
    if (count_[k] >= 0 || j.driver) continue;
    MatX rows = MatX::Zero(j.count, n);
    for (const int body : j.bodies)
      if (body != ground_body)
        rows += product(product(D.block(j.first, s_.layout.first_velocity(body), j.count, columns_),
                                inverse(twists(q, body))),
                        twist_of(body));
    blocks.push_back(std::move(rows));
  }
  Eigen::Index m = 0;
  for (const MatX& b : blocks) m += b.rows();
  MatX J(m, n);
  m = 0;
  for (const MatX& b : blocks) J.middleRows(m, b.rows()) = b, m += b.rows();
  return J;
}
}  // namespace mubody
