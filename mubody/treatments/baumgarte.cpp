#include "mubody/treatments/baumgarte.h"

#include <fmt/format.h>

namespace mubody {
namespace {
// The share of the largest stable gain.  Larger gains cost accuracy, as they pull back harder the stages of a
// step, which leave the constraints a little; smaller ones let violations live long:
// docs/theory/treatments.md#baumgarte has figures.
constexpr double share = 0.01;
constexpr double most_limit = 3;  // largest αh, for integrators that are stable at any gain
}  // namespace

std::string Baumgarte::prepare(const Stepping& method) {
  alpha_in_use = alpha.value_or(usual);
  beta_in_use = beta.value_or(usual);
  if (gains.index == 0) return {};
  const std::string asked = fmt::format("treatment 'baumgarte' with gains = \"{}\"", gains.word());
  if (method.integrator.adaptive || !method.control.step)
    throw ModelError(
        fmt::format("{} needs a step that stays the same, which '{}' has not; give alpha and beta, or use "
                    "a fixed-step integrator",
                    asked, method.integrator.info.name));
  const double h = *method.control.step;
  const StabilityPolynomial polynomial = method.integrator.stability();
  const double limit = largest_step(polynomial, {1, 1});  // largest αh, with α = β
  if (gains.index == 1) {
    alpha_in_use = 1 / h;
    beta_in_use = std::sqrt(2.0) / h;
  } else {
    if (!(limit > 0))
      throw ModelError(fmt::format("{}: '{}' damps no violation at any gain; use another integrator", asked,
                                   method.integrator.info.name));
    alpha_in_use = beta_in_use = share * std::min(limit, most_limit) / h;
  }
  const Stability s = stability(polynomial, {alpha_in_use, beta_in_use}, h);
  if (s.decay() == Decay::unstable)
    throw ModelError(
        fmt::format("{}: with '{}' violations would grow by {:.3g} per step; use another integrator", asked,
                    method.integrator.info.name, s.largest()));
  const double most = largest_step(polynomial, {alpha_in_use, beta_in_use}) / h;
  return fmt::format(
      "Baumgarte's alpha = {:.6g} 1/s and beta = {:.6g} 1/s ({}): violations shrink to {:.3g} per step; "
      "stable up to {:.3g} times these gains",
      alpha_in_use, beta_in_use, gains.word(), s.largest(), most);
}
}  // namespace mubody
