#include "mubody/precompute/plan/cyclic.h"

#include <cmath>

namespace mubody {
namespace {
constexpr double around = 0.12;    // how far variables are moved [rad, or lengths]
constexpr double constant = 1e-9;  // a change of B that is round-off [rad, or lengths]
constexpr int looks = 5;
constexpr double look_every = 0.05, look_far = 6.4;  // more than a turn [rad, or lengths]

// A place that has nothing to do with the others, for each variable between -1 and 1.
double place(int look, int variable) {
  return 2 * std::fmod(0.5 + 0.618034 * (look + 1) * (variable + 1) + 0.29 * variable, 1.0) - 1;
}

bool moves_alike(const Closure& c, const MatX& now, const MatX& B, int k) {
  const VecX change = (now.col(k) - B.col(k)).cwiseQuotient(c.system().units) * c.unit(k);
  return change.lpNorm<Eigen::Infinity>() <= constant;
}

// Far on both sides too, for a cam that rests at the start may rise there.
bool stays(Closure& c, const VecX& q, const VecX& start, const MatX& B, int k) {
  for (const double sense : {1.0, -1.0}) {
    c.put(q, start);
    VecX to = start;
    for (double way = look_every; way <= look_far; way += look_every) {
      to[k] = start[k] + sense * way * c.unit(k);
      if (!c.go(to) || !moves_alike(c, c.velocity_coefficients(), B, k)) return false;
    }
  }
  return true;
}
}  // namespace

std::vector<bool> steady_motions(Closure& c) {
  const int n = c.n();
  std::vector<bool> steady(std::size_t(n), false);
  if (!c.determined()) return steady;
  const VecX q = c.q(), start = c.theta();
  const MatX B = c.velocity_coefficients();
  if (!B.allFinite()) return steady;
  steady.assign(std::size_t(n), true);
  for (int look = 0; look < looks; ++look) {
    VecX to = start;
    for (int k = 0; k < n; ++k) to[k] += around * place(look, k) * c.unit(k);
    c.put(q, start);
    c.go(to);  // as far as it can
    const MatX now = c.velocity_coefficients();
    for (int k = 0; k < n; ++k)
      if (!moves_alike(c, now, B, k)) steady[std::size_t(k)] = false;
  }
  for (int k = 0; k < n; ++k)
    if (steady[std::size_t(k)]) steady[std::size_t(k)] = stays(c, q, start, B, k);
  c.put(q, start);
  return steady;
}
}  // namespace mubody
