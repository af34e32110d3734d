#include "mubody/treatments/baumgarte.h"

#include <fmt/format.h>

namespace mubody {
namespace {
// The share of the largest stable gain.  Larger gains cost accuracy, as they pull back harder the stages of a
// step, which leave the constraints a little; smaller ones let violations live long:
// docs/theory/treatments.md#baumgarte has figures.
constexpr double share = 0.01;
constexpr double most_limit = 3;  // largest αh, for integrators that are stable at any gain
// Adaptive gains: the largest share of the stable ones, the smallest share of the usual ones, and how fast they change.
constexpr double largest_share = 0.1, smallest_share = 0.1, growth = 1.25, decline = 1.05;
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
  if (adapts()) {
    adapting.step = h;
    adapting.least = smallest_share * alpha_in_use;
    adapting.most = largest_share * std::min(limit, most_limit) / h;
    adapting.lowest = adapting.highest = alpha_in_use;
    return {};
  }
  const double most = largest_step(polynomial, {alpha_in_use, beta_in_use}) / h;
  return fmt::format(
      "Baumgarte's alpha = {:.6g} 1/s and beta = {:.6g} 1/s ({}): violations shrink to {:.3g} per step; "
      "stable up to {:.3g} times these gains",
      alpha_in_use, beta_in_use, gains.word(), s.largest(), most);
}

// The violation after the next step is that of critical damping, e(h) = (e + (ė + αe) h) exp(−αh).
void Baumgarte::accepted(Dynamics& d, double t, const In& q, const In& u) {
  if (!adapts()) return;
  d.look(t, q, u);
  const double e = d.system.gap(d.terms.phi), rate = d.system.gap(d.terms.rate), alpha_now = alpha_in_use;
  const double predicted = (e + (rate + alpha_now * e) * adapting.step) * std::exp(-alpha_now * adapting.step);
  alpha_in_use = beta_in_use = predicted > tolerance ? std::min(adapting.most, growth * alpha_now)
                                                     : std::max(adapting.least, alpha_now / decline);
  adapting.lowest = std::min(adapting.lowest, alpha_in_use);
  adapting.highest = std::max(adapting.highest, alpha_in_use);
}

std::string Baumgarte::report() const {
  return adapts() ? fmt::format(
                        "Baumgarte's gains (adaptive) went from {:.4g} to {:.4g} 1/s, and end with {:.4g} 1/s",
                        adapting.lowest, adapting.highest, alpha_in_use)
                  : std::string();
}
}  // namespace mubody
