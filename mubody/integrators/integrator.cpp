#include "mubody/integrators/integrator.h"

#include <fmt/format.h>

#include "mubody/model/errors.h"

namespace mubody {
void StepControl::fields(Fields& f) {
  f.optional("step", step, "s", "the step of fixed-step integrators; the first step of the others");
  f.optional("rtol", rtol, "1", "error allowed per step, relative");
  f.optional("atol", atol, "m", "error allowed per step, absolute [m, rad, m/s, rad/s]",
             "0.01 rtol of the characteristic length, speed or 1 rad");
  f.optional("max_step", max_step, "s", "the largest, where steps are controlled", "a 200th of the whole time");
  f.optional("max_order", max_order, "1", "the highest order that integrators with variable order use");
  f.optional("max_steps", steps, "1", "give up after so many controlled steps");
}

void StepControl::check() const {
  require(!step || *step > 0, "step", "must be positive");
  require(rtol > 0 && rtol < 1, "rtol", "must lie between 0 and 1");
  // Round-off exceeds a smaller tolerance: every step would be rejected.
  require(rtol >= 1e-14, "rtol", "must be at least 1e-14");
  require(!atol || *atol > 0, "atol", "must be positive");
  require(!max_step || *max_step > 0, "max_step", "must be positive");
  require(max_order > 0, "max_order", "must be positive");
  require(steps > 0, "max_steps", "must be positive");
}

std::string Integrator::no_step(double least, bool finite) const {
  return finite ? fmt::format("the step at t = {:.9g} s would have to be smaller than {:.1e} s", t_, least)
                : fmt::format("the rates are not finite after the step from t = {:.6g} s", t_);
}

const IntegratorEntry* find_integrator(std::string_view name) {
  for (const IntegratorEntry& e : integrator_kinds())
    if (e.info.name == name) return &e;
  return nullptr;
}
}  // namespace mubody
