#include "mubody/precompute/plan/closure.h"

#include <algorithm>

#include "mubody/solvers/reduced.h"
#include "mubody/system/build.h"

namespace mubody {
namespace {
constexpr double largest_turn = 0.25;  // of a variable in one step [rad, or lengths]
constexpr double smallest_share = 1e-7;
constexpr double closed = 1e-12;     // System::gap()
constexpr double round_off = 1e-17;  // likewise
constexpr int newton_rounds = 16;
// Old factors are replaced if a round leaves more than this share of the residual.
constexpr double slow = 0.03;
constexpr double astray = 0.35;     // the share of the way by which Newton may land beside its prediction
constexpr double singular = 1e-12;  // reciprocal condition number
// Where pivots are above this share of the largest, that number need not be estimated, which takes half as long as factors.
constexpr double sound = 1e-6;
// Pivots below this, relative to the largest, belong to rows that follow from others.
constexpr double dependent = 1e-9;

// Faster than a view of Eigen's with indices, which takes a quarter as long as the factors of what it shows.
MatX rows_of(const MatX& A, const std::vector<Eigen::Index>& which) {
  MatX some(Eigen::Index(which.size()), A.cols());
  double* to = some.data();
  for (const double* column = A.data(); column != A.data() + A.size(); column += A.rows())
    for (const Eigen::Index row : which) *to++ = column[row];
  return some;
}

Mechanism with_rows(const Mechanism& m, const std::vector<Variable>& variables) {
  Mechanism c = m;
  c.forces.clear();
  std::erase_if(c.joints, [](const auto& j) { return j.driver; });
  for (const Variable& v : variables) c.joints.push_back({v.name, {}, v.row, true});
  return c;
}
}  // namespace

Closure::Closure(const Mechanism& m, std::vector<Variable> variables, double t, const VecX& q)
    : variables_(std::move(variables)), system_(build_system(with_rows(m, variables_))), t_(t),
      terms_(system_->make_terms()), q_(q), theta_(VecX::Zero(n())) {
  evaluate(VecX::Zero(system_->nu));
  theta_ = terms_.phi.tail(n());
  length_ = system_->scales.length;
  VecX exact = theta_;
  close(exact, 0);
}

void Closure::evaluate(const In& u) { system_->constraints(t_, q_, u, terms_); }

VecX Closure::residual(const VecX& to) const {
  VecX r = terms_.phi;
  for (int k = 0; k < n(); ++k) {
    double& x = r[r.size() - n() + k];
    x -= to[k];
    if (variables_[std::size_t(k)].turn) x = wrapped(x);
  }
  return r;
}

// Redundant equations, as of plane mechanisms in space, are left out, the same ones everywhere, as long as the
// others determine all velocities.  If they do not, least squares are used.  D is in the units of the system.
void Closure::factor() {
  MatX D = system_->structure.full(terms_.D);
  system_->scale(D);
  if (D.rows() > D.cols() && kept_.empty()) {
    const PivotedQr qr(D.transpose(), dependent);
    const std::vector<int> order = qr.column_order();
    if (qr.rank() == D.cols()) kept_.assign(order.begin(), order.begin() + D.cols());
  }
  least_squares_ = D.rows() != D.cols() && kept_.empty();
  if (!least_squares_) {
    if (kept_.empty())
      lu_.compute(D);
    else
      lu_.compute(rows_of(D, kept_));
    least_squares_ = !lu_.pivots_above(sound) && !(lu_.rcond() > singular);
  }
  if (least_squares_) {
    cod_.set_threshold(dependent);
    cod_.compute(D);
  }
}

MatX Closure::solve(const MatX& c) const {
  const MatX scaled = system_->row_units.cwiseInverse().asDiagonal() * c;
  return system_->units.asDiagonal() * (least_squares_  ? cod_.solve_columns(scaled)
                                        : kept_.empty() ? lu_.solve_columns(scaled)
                                                        : lu_.solve_columns(rows_of(scaled, kept_)));
}

// Newton's method from the present q, with old factors as long as they converge.  The last round only polishes,
// and leaves the factors of the new configuration.
bool Closure::close(const VecX& to, double way) {
  const VecX u = VecX::Zero(system_->nu);
  const System::Room room = system_->room(q_);
  double moved = 0, before = std::numeric_limits<double>::infinity();
  bool polished = false;
  for (int round = 0; round < newton_rounds; ++round) {
    evaluate(u);
    const VecX r = residual(to);
    const double size = system_->gap(r, room);
    const bool small = size <= closed;
    if (!std::isfinite(size) || (round > 3 && size > before && !small)) return false;
    // Old factors that do well polish too, as long as they leave no more than round-off.
    const bool proven = round > 0 && size <= slow * before;
    if (polished || !factored_ || (small ? !proven : size > slow * before)) factor();
    factored_ = true;
    if (polished) {
      theta_ = to;
      return true;
    }
    polished = small && (!proven || size * size <= round_off * before);
    const VecX d = solve(-r);
    if (!d.allFinite()) return false;
    moved += size_of(*system_, d, length_);
    if (way > 0 && moved > astray * way + 1e-9) return false;
    system_->move(q_, d);
    system_->tidy(q_);
    before = size;
  }
  return false;
}

bool Closure::step(const VecX& to) {
  const VecX q = q_, theta = theta_;
  const VecX d = velocity_coefficients() * (to - theta_);
  const double way = size_of(*system_, d, length_);
  if (std::isfinite(way) && way < 1) {
    system_->move(q_, d);
    system_->tidy(q_);
    if (close(to, way)) {
      if (passed) passed(q_);
      return true;
    }
  }
  put(q, theta);
  return false;
}

void Closure::put(const VecX& q, const VecX& theta) {
  q_ = q;
  theta_ = theta;
  factored_ = false;
}

bool Closure::go(const VecX& to) {
  double share = 1;
  for (int round = 0;; ++round) {
    const VecX left = to - theta_;
    if (left.lpNorm<Eigen::Infinity>() == 0) return true;
    double way = 0;
    for (int k = 0; k < n(); ++k) way = std::max(way, std::abs(left[k]) / unit(k));
    const double whole = std::min(1.0, largest_turn / way), part = share * whole;
    if (part * way < smallest_share * largest_turn && part < 1) return false;
    if (step(part < 1 ? VecX(theta_ + part * left) : to))
      share = std::min(1.0, 2 * share);
    else
      share /= 2;
  }
}

MatX Closure::velocity_coefficients() {
  if (!factored_) {
    evaluate(VecX::Zero(system_->nu));
    factor();
    factored_ = true;
  }
  MatX one = MatX::Zero(system_->m, n());
  one.bottomRows(n()).setIdentity();
  return solve(one);
}

double Closure::amplification() {
  const MatX B = velocity_coefficients();
  double most = 0;
  for (int k = 0; k < n(); ++k) most = std::max(most, size_of(*system_, B.col(k), length_) * unit(k));
  return most;
}

bool Closure::determined() {
  velocity_coefficients();
  return !least_squares_;
}

int Closure::side() { return determined() ? lu_.sign() : 0; }

VecX Closure::rates(const In& u) {
  evaluate(u);
  factored_ = false;
  return terms_.rate.tail(n());
}

ClosureCoefficients Closure::coefficients() {
  ClosureCoefficients c;
  c.B = velocity_coefficients();
  const auto accelerations = [&](const VecX& u) {
    evaluate(u);
    return VecX(solve(terms_.gamma));
  };
  c.dB.assign(std::size_t(n()), MatX::Zero(system_->nu, n()));
  std::vector<VecX> own(c.dB.size());
  for (int k = 0; k < n(); ++k) own[std::size_t(k)] = accelerations(c.B.col(k));
  for (int k = 0; k < n(); ++k) {
    c.dB[std::size_t(k)].col(k) = own[std::size_t(k)];
    for (int l = 0; l < k; ++l) {
      const VecX both =
          0.5 * (accelerations(c.B.col(k) + c.B.col(l)) - own[std::size_t(k)] - own[std::size_t(l)]);
      c.dB[std::size_t(k)].col(l) = c.dB[std::size_t(l)].col(k) = both;
      if (system_->nq == system_->nu) continue;
      for (int at = 3; at < system_->nu; at += 6) {  // angular velocities
        const Vec<3> a = c.B.col(k).segment<3>(at), b = c.B.col(l).segment<3>(at), half = 0.5 * a.cross(b);
        c.dB[std::size_t(k)].col(l).segment<3>(at) -= half;
        c.dB[std::size_t(l)].col(k).segment<3>(at) += half;
      }
    }
  }
  return c;
}
}  // namespace mubody
