#include "mubody/solvers/reduced.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "mubody/math/dense.h"
#include "mubody/solvers/freedom.h"

namespace mubody {
namespace {
constexpr double negligible_share = 1e-6;   // pivot of rows of length one that counts as zero
constexpr double smallest_share = 1e-8;     // smallest share of a step that contacts shorten
constexpr double weightless_share = 1e-12;  // share of the largest inertia that counts as zero

// A basis of the null space of D, which is in the units of the system, then made orthonormal in the metric of the mass:
// R = N L⁻ᵀ, Nᵀ M N = L Lᵀ.
MatX free_motions(const System& s, const MatX& D, const MatX& M) {
  const MatX N =
      s.units.asDiagonal() * (s.m > 0 ? null_space(D, negligible_share) : MatX(MatX::Identity(s.nu, s.nu)));
  const MatX reduced = congruent(N, M);
  const std::optional<MatX> L = cholesky(reduced);
  for (Eigen::Index k = 0; k < N.cols(); ++k)
    if (!L || !((*L)(k, k) * (*L)(k, k) > weightless_share * reduced.diagonal().maxCoeff()))
      throw ModelError("the motion is not determined: a motion that the constraints leave free moves no mass");
  return solve_lower(*L, N.transpose()).transpose();
}
}  // namespace

FreeDirections free_directions(const System& s, const Terms& terms) {
  const MatX M = s.structure.full_mass(terms.M), D = binding_rows(s, terms);
  FreeDirections free;
  free.velocities = free_motions(s, D, M);
  MatX binding = D;
  int rolls = 0;
  for (const JointRows& j : s.joints)
    binding.middleRows(j.first + j.count - j.rolls, j.rolls).setZero(), rolls += j.rolls;
  free.positions = rolls > 0 ? free_motions(s, binding, M) : free.velocities;
  return free;
}

std::vector<std::string> displacement_labels(const System& s) {
  std::vector<std::string> labels = s.displacement_names;
  for (std::size_t k = 0; k + 2 < labels.size(); ++k)
    if (labels[k] == labels[k + 1] && labels[k] == labels[k + 2]) {
      const std::string body = s.body_names[std::size_t(s.body_of_velocity[k])];
      for (const int axis : {0, 1, 2}) labels[k + std::size_t(axis)] = body + ".turn_" + "xyz"[axis];
    }
  return labels;
}

const char* displacement_unit(const System& s, int velocity) {
  return s.turns[std::size_t(velocity)] ? "rad" : "m";
}

double size_of(const System& s, const VecX& displacement, double length) {
  double size = 0;
  for (int k = 0; k < s.nu; ++k) {
    const bool is_length = s.velocities[std::size_t(k)].measured == System::Measured::length;
    size = std::max(size, std::abs(displacement[k]) / (is_length ? length : 1));
  }
  return size;
}

AtWork at_work(const System& s, const Terms& terms, const MatX& R, double length) {
  VecX force = VecX::Zero(Eigen::Index(s.body_names.size())), way = force;
  for (int k = 0; k < s.nu && R.cols() > 0; ++k) {
    const double unit = s.turns[std::size_t(k)] ? 1 : length;
    const int body = s.body_of_velocity[std::size_t(k)];
    force[body] = std::max(force[body], unit * std::abs(terms.Q[k]));
    way[body] = std::max(way[body], R.row(k).lpNorm<Eigen::Infinity>() / unit);
  }
  const double most = force.cwiseProduct(way).maxCoeff();
  return {most, most * way.maxCoeff()};
}

VecX derivative(const std::function<VecX(double)>& f, double step, VecX* errors) {
  constexpr int levels = 12;
  constexpr double shrink = 2.2;
  std::vector<VecX> before, now;
  VecX best, accuracy;
  for (int i = 0; i < levels; ++i, step /= shrink) {
    now.assign(1, (f(step) - f(-step)) / (2 * step));
    if (i == 0) {
      best = now[0];
      accuracy = VecX::Constant(best.size(), std::numeric_limits<double>::infinity());
    }
    double weight = 1;
    for (int j = 1; j <= i; ++j) {
      weight *= shrink * shrink;
      const auto last = std::size_t(j - 1);
      now.push_back((weight * now[last] - before[last]) / (weight - 1));
      for (Eigen::Index k = 0; k < best.size(); ++k) {
        const double doubt =
            std::max(std::abs(now.back()[k] - now[last][k]), std::abs(now.back()[k] - before[last][k]));
        if (doubt < accuracy[k]) accuracy[k] = doubt, best[k] = now.back()[k];
      }
    }
    before = now;
  }
  if (errors) *errors = std::move(accuracy);
  return best;
}

double smooth_step(System& s, double t, const VecX& q, const VecX& along, double step) {
  Contacts& contacts = s.contacts();
  if (!contacts.any()) return step;
  const VecX still = VecX::Zero(s.nu);
  std::vector<ContactNow> here, there;
  contacts.measure_contacts(t, q, still, here);
  const auto same = [&](double h) {
    VecX to = q;
    s.move(to, h * along);
    contacts.measure_contacts(t, to, still, there);
    for (std::size_t k = 0; k < here.size(); ++k)
      if ((here[k].gap < 0) != (there[k].gap < 0)) return false;
    return true;
  };
  for (double h = step; h > smallest_share * step; h /= 2)
    if (same(h) && same(-h)) return h / 2;  // a Hertzian force is not smooth where it begins
  return step;
}

void settle_contacts(System& s, double t, const VecX& q, const VecX& u) {
  Contacts& contacts = s.contacts();
  if (!contacts.any()) return;
  std::vector<ContactNow> now;
  contacts.measure_contacts(t, q, u, now);
  for (std::size_t k = 0; k < now.size(); ++k)
    contacts.set(int(k), now[k].gap < 0 && contacts.sites[k].has_law, 0);
}
}  // namespace mubody
