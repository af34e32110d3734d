#include "mubody/precompute/plan/cyclic.h"

#include <cmath>

namespace mubody {
namespace {
constexpr double around = 0.12;    // how far variables are moved [rad, or lengths]
constexpr double constant = 1e-9;  // a change of B that is round-off [rad, or lengths]
constexpr int looks = 5;

// A place that has nothing to do with the others, for each variable between -1 and 1.
double place(int look, int variable) {
  return 2 * std::fmod(0.5 + 0.618034 * (look + 1) * (variable + 1) + 0.29 * variable, 1.0) - 1;
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
  const VecX& units = c.system().units;
  for (int look = 0; look < looks; ++look) {
    VecX to = start;
    for (int k = 0; k < n; ++k) to[k] += around * place(look, k) * c.unit(k);
    c.put(q, start);
    c.go(to);  // as far as it can
    const MatX now = c.velocity_coefficients();
    for (int k = 0; k < n; ++k) {
      const VecX change = (now.col(k) - B.col(k)).cwiseQuotient(units) * c.unit(k);
      if (!(change.lpNorm<Eigen::Infinity>() <= constant)) steady[std::size_t(k)] = false;
    }
  }
  c.put(q, start);
  return steady;
}
}  // namespace mubody
